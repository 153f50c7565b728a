//! `upk merge`, `upk git-setup`, and colours of `upk diff`.

use std::process::Command;

use crate::common::{Folder, command};
use crate::related::made;

/// Three packages: a base, and two that come from it.
fn folder(ours: &str, theirs: &str) -> Folder {
    let folder = Folder::with_mod();
    folder
        .run(
            "add",
            "Mod.u",
            &["Lamp", "Engine.Light", "Count:int=7", "Size:int=1", "-o", &folder.arg("Base.u")],
        )
        .exits(0);
    for (file, change) in [("Ours.u", ours), ("Theirs.u", theirs)] {
        folder.run("set", "Base.u", &[change, "-o", &folder.arg(file)]).exits(0);
    }
    folder
}

#[test]
fn changes_of_both_are_in_the_result() {
    let folder = folder("Lamp.Count=8", "Lamp.Size=2");
    let (ours, theirs, out) = (folder.arg("Ours.u"), folder.arg("Theirs.u"), folder.arg("Out.u"));
    let dry = folder.run("merge", "Base.u", &[&ours, &theirs, "--dry-run"]).exits(0);
    assert!(dry.out.ends_with("dry run, nothing written\n"), "{dry:?}");
    let run = folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &out]).exits(0);
    assert!(run.out.contains("1 combined, 0 removed, 0 renamed"), "{run:?}");
    let run = folder.run("diff", "Ours.u", &[&out]).exits(1);
    assert!(
        run.out.contains("    Size: 1 -> 2\n1 ") || run.out.contains("    Size: 1 -> 2\n0 "),
        "{run:?}"
    );
    folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &out]).exits(2);
    // Over OURS, as a merge driver has to.
    folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &ours]).exits(0);
    assert_eq!(folder.read("Ours.u"), folder.read("Out.u"));
}

#[test]
fn a_conflict_file_is_edited_and_applied() {
    let folder = folder("Lamp.Count=8", "Lamp.Count=9");
    let (ours, theirs, out) = (folder.arg("Ours.u"), folder.arg("Theirs.u"), folder.arg("Out.u"));
    let file = folder.arg("conflicts.txt");
    folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &out, "--conflicts", &file]).exits(1);
    let text = std::fs::read_to_string(folder.path("conflicts.txt")).unwrap();
    assert!(text.contains("\n? Lamp.Count\n#   both sides"), "{text}");
    assert!(text.contains("#   ours: 8\n#   theirs: 9\n"), "{text}");
    // Nothing is chosen yet, and what was edited is not written over.
    folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &out, "--resolve", &file]).exits(1);
    folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &out, "--conflicts", &file]).exits(1);
    std::fs::write(folder.path("conflicts.txt"), text.replace("? Lamp", "theirs Lamp")).unwrap();
    folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &out, "--resolve", &file]).exits(0);
    assert_eq!(folder.run("get", "Out.u", &["Lamp.Count"]).exits(0).out, "Count=9\n");
    std::fs::write(folder.path("conflicts.txt"), "mine Lamp.Count\n").unwrap();
    let other = folder.arg("Other.u");
    let run = folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &other, "--resolve", &file]);
    let err = run.exits(2).err;
    assert!(err.contains("line 1 of the conflict file"), "{err}");
    folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &other, "--ours", "Lamp"]).exits(0);
    assert_eq!(folder.run("get", "Other.u", &["Lamp.Count"]).exits(0).out, "Count=8\n");
}

#[test]
fn a_conflict_is_listed_with_both_values_and_writes_nothing() {
    let folder = folder("Lamp.Count=8", "Lamp.Count=9");
    let (ours, theirs, out) = (folder.arg("Ours.u"), folder.arg("Theirs.u"), folder.arg("Out.u"));
    let before = folder.read("Ours.u");
    let run = folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &ours]).exits(1);
    assert!(
        run.out
            .contains("conflict Lamp.Count: both sides have changed it\n  ours: 8\n  theirs: 9\n"),
        "{run:?}"
    );
    assert!(run.out.contains("1 conflict, nothing written\n  next: --prefer"), "{run:?}");
    assert_eq!(folder.read("Ours.u"), before);
    let report =
        folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &out, "--json"]).exits(1).object();
    assert_eq!(report["merge"]["conflicts"][0]["theirs"], "9");
    assert!(report["output"].is_null() && !folder.path("Out.u").exists(), "{report}");
    folder.run("merge", "Base.u", &[&ours, &theirs, "-o", &out, "--prefer", "theirs"]).exits(0);
    let run = folder.run("get", "Out.u", &["Lamp.Count"]).exits(0);
    assert!(run.out.contains('9'), "{run:?}");
}

#[test]
fn git_merges_packages() {
    let folder = folder("Lamp.Count=8", "Lamp.Size=2");
    let home = folder.path("home");
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
            .args(arguments)
            .current_dir(folder.path("."))
            .env("HOME", &home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env_remove("XDG_CONFIG_HOME")
            .output()
            .unwrap();
        (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned())
    };
    let setup = |arguments: &[&str]| {
        let mut run = command(&[&["git-setup"], arguments].concat());
        run.current_dir(folder.path(".")).env("HOME", &home).env_remove("XDG_CONFIG_HOME");
        let done = run.output().unwrap();
        (done.status.code().unwrap(), String::from_utf8(done.stdout).unwrap())
    };
    assert_eq!(setup(&[]).0, 2);
    git(&["init", "-q", "-b", "main"]);
    let attributes = "*.u filter=lfs diff=lfs merge=lfs -text\n*.txt text";
    folder.write(".gitattributes", attributes);
    let (code, text) = setup(&["--dry-run"]);
    assert!(code == 0 && text.contains(": *.u diff=upk merge=upk\n"), "{text}");
    assert_eq!(folder.read(".gitattributes"), attributes.as_bytes());
    folder.write(".gitattributes", "*.txt text");
    let text = setup(&[]).1;
    for extension in ["unr", "pcc"] {
        assert!(text.contains(&format!("*.{extension} diff=upk merge=upk -text")), "{text}");
    }
    let written = String::from_utf8(folder.read(".gitattributes")).unwrap();
    assert!(written.starts_with("*.txt text\n# "), "{written}");
    assert_eq!(setup(&[]), (0, "everything is set up\n".to_owned()));
    assert_eq!(folder.read(".gitattributes"), written.as_bytes());
    // What a former version has set is mended.
    git(&["config", "diff.upk.textconv", "upk dump --canonical"]);
    assert!(setup(&[]).1.contains("diff.upk.textconv = upk dump --canonical --\n"));
    // The command that is set is found by its path here.
    for key in ["merge.upk.driver", "diff.upk.textconv"] {
        let set = git(&["config", "--get", key]).1;
        let set = set.trim().replacen("upk", env!("CARGO_BIN_EXE_upk"), 1);
        git(&["config", key, &set]);
    }
    // Names that begin as options do.
    folder.write("-o.u", folder.read("Base.u"));
    git(&["add", "--", "-o.u"]);
    assert!(git(&["commit", "-q", "-m", "dash"]).0);
    folder.write("-o.u", folder.read("Ours.u"));
    let (_, text) = git(&["diff", "--", "-o.u"]);
    assert!(text.contains("\n+") && !text.contains("Binary"), "{text}");
    git(&["checkout", "-q", "--", "-o.u"]);
    let commit = |file: &str, message: &str| {
        folder.write("Package.u", folder.read(file));
        folder.write("-Package.u", folder.read(file));
        git(&["add", "--", "Package.u", "-Package.u"]);
        assert!(git(&["commit", "-q", "-m", message]).0, "{message}");
    };
    commit("Base.u", "base");
    git(&["checkout", "-q", "-b", "other"]);
    commit("Theirs.u", "theirs");
    git(&["checkout", "-q", "main"]);
    commit("Ours.u", "ours");
    let (is_merged, text) = git(&["merge", "-q", "other", "-m", "merged"]);
    assert!(is_merged && text.contains("wrote Package.u\n"), "{text}");
    assert!(text.contains("wrote -Package.u\n"), "{text}");
    for (property, value) in [("Lamp.Count", "8"), ("Lamp.Size", "2")] {
        for name in ["Package.u", "-Package.u"] {
            let run = folder.run("get", name, &[property]).exits(0);
            assert!(run.out.contains(value), "{run:?}");
        }
    }
}

#[test]
fn colours_are_there_when_they_are_wanted() {
    let folder = folder("Lamp.Count=8", "Lamp.Size=2");
    let ours = folder.arg("Ours.u");
    let plain = folder.run("diff", "Base.u", &[&ours]).exits(1);
    assert!(!plain.out.contains('\x1b'), "{plain:?}");
    let colored = folder.run("diff", "Base.u", &[&ours, "--color", "always"]).exits(1);
    assert!(colored.out.contains("\x1b[33m~ Lamp (Engine.Light)\x1b[0m\n"), "{colored:?}");
    let json = folder.run("diff", "Base.u", &[&ours, "--color", "always", "--json"]).exits(1);
    assert!(!json.out.contains('\x1b'), "{json:?}");
}

#[test]
fn a_renamed_object_is_one_line() {
    let folder = folder("Lamp.Count=8", "Lamp.Size=2");
    let out = folder.arg("Out.u");
    folder.run("rename", "Base.u", &["Lamp", "Torch", "-o", &out]).exits(0);
    let run = folder.run("diff", "Base.u", &[&out]).exits(1);
    assert!(
        run.out
            .starts_with("> Lamp -> Torch (Engine.Light)\n0 objects added, 0 removed, 1 renamed"),
        "{run:?}"
    );
    let report = folder.run("diff", "Base.u", &[&out, "--json"]).exits(1).object();
    assert_eq!(report["renamed"][0]["new"], "Torch");
}

#[test]
fn texts_of_languages_are_merged_by_key() {
    let folder = Folder::new();
    folder.write("Base.locres", made::texts(3));
    let table = |name: &str, rows: &[&str]| {
        let head = "Namespace,Key,Translation,SourceHash\n";
        folder.write("rows.csv", format!("{head}{}\n", rows.join("\n")));
        let out = folder.arg(name);
        folder
            .run("import", "Base.locres", &[&folder.arg("rows.csv"), "-o", &out, "--overwrite"])
            .exits(0);
    };
    let rows = folder.run("get", "Base.locres", &[]).exits(0).out;
    assert!(rows.contains("Start") && rows.contains("Nackt"), "{rows}");
    let text = |name: &str| folder.run("get", name, &[]).exits(0).out;
    let old: Vec<_> = {
        let out = folder.arg("All");
        folder.run("extract", "Base.locres", &["--tables", "csv", "-o", &out]).exits(0);
        let file = std::fs::read_dir(folder.path("All")).unwrap().next().unwrap().unwrap().path();
        let text = std::fs::read_to_string(file).unwrap();
        text.lines().skip(1).map(str::to_owned).collect()
    };
    let changed = |row: usize, to: &str| {
        let cells: Vec<_> = old[row].split(',').collect();
        [cells[0], cells[1], to, cells[3]].join(",")
    };
    let own: Vec<&str> = old.iter().map(String::as_str).collect();
    let first = changed(0, "Begin");
    let second = changed(1, "Without");
    let new = "Menu,Quit,Leave,0x00000007";
    table("Ours.locres", &[&[&*first], &own[1..], &[new]].concat());
    table("Theirs.locres", &[&[own[0], &*second], &own[2..own.len() - 1]].concat());
    let merge = |more: &[&str]| {
        let sides = ["Ours.locres", "Theirs.locres"].map(|name| folder.arg(name));
        folder.run("merge", "Base.locres", &[&[&*sides[0], &*sides[1]], more].concat())
    };
    let out = folder.arg("Out.locres");
    let run = merge(&["-o", &out]).exits(0);
    assert!(run.out.contains("1 row taken over") && run.out.contains("1 removed"), "{run:?}");
    let made = text("Out.locres");
    for word in ["Begin", "Without", "Leave"] {
        assert!(made.contains(word), "{word}: {made}");
    }
    let rows = |text: &str| text.lines().count();
    assert_eq!(rows(&made), rows(&text("Base.locres")), "one came, one went: {made}");
    // Both have changed one text.
    let other = changed(0, "Start now");
    table("Theirs.locres", &[&[&*other], &own[1..]].concat());
    let dry = merge(&["--dry-run"]).exits(1);
    assert!(dry.out.contains("Translation") && dry.out.contains("Start now"), "{dry:?}");
    merge(&["-o", &out, "--overwrite", "--prefer", "theirs"]).exits(0);
    assert!(text("Out.locres").contains("Start now") && text("Out.locres").contains("Leave"));
}
