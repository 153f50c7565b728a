//! Help, manual pages, colours, quiet, threads, pages.

use std::process::{Command, Stdio};

use crate::common::{Folder, Run, command, upk};

fn run_with(args: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = command(args);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "PAGER", "UPK_PAGER"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    Run { code: output.status.code().unwrap(), out, err }
}

#[test]
fn options_stand_under_what_they_are_for() {
    let cooked = "\nGames, unversioned and cooked packages:\n";
    let help = upk(&["info", "--help"]).exits(0).out;
    let (own, others) = help.split_once(cooked).unwrap();
    for option in ["--mappings", "--engine", "--script-objects", "--game", "--key"] {
        assert!(
            others.contains(&format!("{option} ")) && !own.contains(&format!("{option} ")),
            "{help}"
        );
    }
    assert!(own.contains("--env") && own.contains("--bodies"), "{help}");
    // A user of UE1 is not asked about later engines.
    for command in ["conform", "package-map", "redirect", "demo", "completions"] {
        let help = upk(&[command, "--help"]).exits(0).out;
        assert!(
            !help.contains("--mappings") && !help.contains("--script-objects"),
            "{command}: {help}"
        );
    }
    let help = upk(&["demo", "--help"]).exits(0).out;
    assert!(
        !help.contains("--key") && !help.contains("--jobs") && help.contains("--json"),
        "{help}"
    );
    assert!(upk(&["verify", "--help"]).exits(0).out.contains("--jobs <N>"));
    // What is not shown is taken all the same.
    upk(&["demo", "--jobs", "1", "--json", "--key", "0123456789abcdef0123456789abcdef"]).exits(0);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    let pages = folder.arg("man");
    upk(&["man", &pages]).exits(0);
    let help = upk(&["--help"]).exits(0).out;
    let listed = help.split("\nOptions:").next().unwrap().lines();
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<_> = names.filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(names.len() > 60, "{names:?}");
    for name in &names {
        let page = String::from_utf8(folder.read(&format!("man/upk-{name}.1"))).unwrap();
        assert!(page.contains(".SH EXAMPLES\n.nf\n") && page.contains(".SH OPTIONS"), "{page}");
    }
    let main = String::from_utf8(folder.read("man/upk.1")).unwrap();
    assert!(main.contains("upk\\-verify(1)") && main.contains(".SH EXAMPLES"), "{main}");
    assert!(folder.path("man/upk-cache-list.1").is_file());
    // groff says what it does not understand.
    let Ok(probe) = Command::new("groff").arg("--version").stdout(Stdio::null()).status() else {
        return;
    };
    assert!(probe.success());
    for entry in std::fs::read_dir(folder.path("man")).unwrap() {
        let path = entry.unwrap().path();
        let mut groff = Command::new("groff");
        let output =
            groff.args(["-man", "-ww", "-z", "-Tutf8", "-K", "utf8"]).arg(&path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{}: {said}", path.display());
    }
}

#[test]
fn colours_come_when_they_are_wanted() {
    let folder = Folder::with_mod();
    let file = folder.arg("Mod.u");
    let tree = ["list", &file, "--tree"];
    let plain = run_with(&tree, &[]).out;
    assert!(!plain.contains('\x1b'), "{plain}");
    for (args, variables, has) in [
        (&[][..], &[][..], false),
        (&["--color", "always"], &[("NO_COLOR", "1")], true),
        (&["--color=never"], &[("CLICOLOR_FORCE", "1")], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
    ] {
        let run = run_with(&[&tree[..], args].concat(), variables).exits(0);
        assert_eq!(run.out.contains('\x1b'), has, "{args:?} {variables:?}: {run:?}");
        // Without what colours it, it is the same.
        assert_eq!(without_colours(&run.out), plain);
        let run = run_with(&[&["verify", &file][..], args].concat(), variables).exits(0);
        assert_eq!(run.out.contains("\x1b[32midentical\x1b[0m"), has, "{run:?}");
        let run = run_with(&[&["info", "missing.u"][..], args].concat(), variables).exits(2);
        assert_eq!(run.err.contains("\x1b[31mupk:\x1b[0m"), has, "{run:?}");
        assert!(
            without_colours(&run.err).contains("upk: ") && run.err.contains("next:"),
            "{run:?}"
        );
        let run = run_with(&[&["dance"][..], args].concat(), variables).exits(2);
        assert_eq!(run.err.contains('\x1b'), has, "{args:?} {variables:?}: {run:?}");
    }
    let json = run_with(&["list", &file, "--tree", "--json", "--color", "always"], &[]).exits(0);
    assert!(!json.out.contains('\x1b'), "{json:?}");
}

pub fn without_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn quiet_leaves_the_results() {
    let folder = Folder::with_mod();
    let run = folder.run("verify", "Mod.u", &["--quiet"]).exits(0);
    assert!(run.out.starts_with("identical") && !run.out.contains("1 package:"), "{run:?}");
    assert!(folder.run("verify", "Mod.u", &[]).exits(0).out.contains("\n1 package: "));
    let out = folder.arg("Out.u");
    let run = folder.run("add-name", "Mod.u", &["Lamp", "-o", &out, "-q"]).exits(0);
    assert!(!run.out.contains("wrote") && folder.path("Out.u").is_file(), "{run:?}");
    // Errors are results.
    assert!(folder.run("verify", "gone.u", &["-q"]).exits(2).err.contains("upk: "));
}

#[test]
fn threads_can_be_limited() {
    let folder = Folder::with_mod();
    for name in ["A.u", "B.u", "C.u"] {
        folder.write(name, folder.read("Mod.u"));
    }
    let all = folder.run("verify", "", &[]).exits(0).out;
    assert_eq!(folder.run("verify", "", &["--jobs", "1"]).exits(0).out, all);
    folder.run("verify", "", &["--jobs", "0"]).exits(2);
}

#[cfg(unix)]
mod pager {
    use std::io::Read;
    use std::os::fd::OwnedFd;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    use super::*;

    /// What a terminal shows of a run.
    fn on_terminal(args: &[&str], variables: &[(&str, &str)]) -> String {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        let theirs: OwnedFd =
            std::fs::OpenOptions::new().read(true).write(true).open(name).unwrap().into();
        let mut command = command(args);
        command.env_remove("NO_COLOR").env_remove("LESS").env("TERM", "xterm");
        command.envs(variables.iter().copied()).stdout(Stdio::from(theirs));
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        // The command holds its end of the terminal as well.
        drop(command);
        let (mut shown, mut file) = (Vec::new(), std::fs::File::from(ours));
        let mut bytes = [0; 4096];
        // When nobody holds the other end, reading fails.
        while let Ok(read @ 1..) = file.read(&mut bytes) {
            shown.extend_from_slice(&bytes[..read]);
        }
        child.wait().unwrap();
        String::from_utf8(shown).unwrap().replace("\r\n", "\n")
    }

    #[test]
    fn a_terminal_shows_long_output_by_the_pager() {
        let folder = Folder::with_mod();
        let file = folder.arg("Mod.u");
        let list = ["list", &file, "--names", "--color", "never"];
        let pager = ("UPK_PAGER", "sed -e 's/^/page: /'");
        let plain = upk(&list).exits(0).out;
        let paged: String = plain.lines().map(|line| format!("page: {line}\n")).collect();
        assert_eq!(on_terminal(&list, &[pager]), paged);
        assert_eq!(on_terminal(&list, &[("UPK_PAGER", "cat")]), plain);
        assert_eq!(on_terminal(&list, &[("UPK_PAGER", "")]), plain);
        assert_eq!(on_terminal(&list, &[("UPK_PAGER", "no-such-program-at-all")]), plain);
        assert_eq!(on_terminal(&[&list[..], &["--no-pager"]].concat(), &[pager]), plain);
        // Who has read enough ends it.
        on_terminal(&list, &[("UPK_PAGER", "true")]);
        // What others read is not paged, and what changes packages is not either.
        let json = on_terminal(&[&list[..], &["--json"]].concat(), &[pager]);
        assert!(!json.contains("page: ") && json.contains("\"name\""), "{json}");
        assert!(!on_terminal(&["verify", &file], &[pager]).contains("page: "));
        let tree = on_terminal(&["list", &file, "--tree"], &[("UPK_PAGER", "cat")]);
        assert!(tree.contains("\x1b["), "{tree}");
    }
}
