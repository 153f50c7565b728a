//! `upk.toml`: whose counts, how far it may lead, and that it is said.

use std::process::Output;

use unreal_packages::generate::Builder;

use crate::common::{Folder, Run, command, small_package, upk};

fn run_with(args: &[&str], variable: &str) -> Run {
    let Output { status, stdout, stderr } =
        command(args).env("UPK_TRUST_CONFIG", variable).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { code: status.code().unwrap(), out: text(stdout), err: text(stderr) }
}

#[test]
fn it_names_nothing_outside_of_its_folder() {
    let folder = Folder::new();
    folder.write("Other/Base.u", Builder::new(69).build().unwrap());
    folder.write("mine/Mod.u", small_package(69));
    folder.write("mine/Inner/Base.u", Builder::new(69).build().unwrap());
    let file = folder.arg("mine/Mod.u");
    let other = folder.arg("Other");
    let texts = [
        "mappings = \"/dev/zero\"".to_owned(),
        "mappings = \"../Other/Game.usmap\"".to_owned(),
        "env = [\"/\"]".to_owned(),
        "env = [\"Inner\", \"..\"]".to_owned(),
        format!("env = ['{other}']"),
    ];
    for text in &texts {
        folder.write("mine/upk.toml", text);
        for args in [&["info", &file][..], &["verify", &file]] {
            let run = upk(args).exits(2);
            assert!(
                run.err.contains("upk.toml: '") && run.err.contains("--trust-config"),
                "{run:?}"
            );
        }
        // One folder must not stop what git shows of all others.
        let run = upk(&["dump", "--canonical", "--", &file]).exits(0);
        assert!(run.out.contains("upk.toml: '"), "{run:?}");
    }
    // The last of them where the user says so: at all, in all folders, in one.
    upk(&["info", &file, "--trust-config"]).exits(0);
    run_with(&["info", &file], "1").exits(0);
    run_with(&["info", &file], &folder.arg("mine")).exits(0);
    run_with(&["info", &file], &other).exits(2);
    folder.write("mine/upk.toml", "env = [\"Inner\"]");
    upk(&["info", &file]).exits(0);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_in_its_folder_are_no_way_out() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.write("mine/Mod.u", small_package(69));
    let file = folder.arg("mine/Mod.u");
    symlink("/dev/zero", folder.path("mine/Game.usmap")).unwrap();
    folder.write("mine/upk.toml", "mappings = \"Game.usmap\"");
    let run = upk(&["info", &file]).exits(2);
    assert!(run.err.contains("leads out of its folder"), "{run:?}");
    std::fs::remove_file(folder.path("mine/Game.usmap")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path("mine/Game.usmap")).status();
    assert!(made.unwrap().success());
    let run = upk(&["info", &file]).exits(2);
    assert!(run.err.contains("upk.toml") && run.err.contains("a pipe"), "{run:?}");
    // Nor is the file itself a link or a pipe.
    for make in ["link", "pipe"] {
        std::fs::remove_file(folder.path("mine/upk.toml")).unwrap();
        match make {
            "link" => symlink("/dev/zero", folder.path("mine/upk.toml")).unwrap(),
            _ => {
                let path = folder.path("mine/upk.toml");
                assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
            }
        }
        let run = upk(&["info", &file]).exits(0);
        assert!(run.err.contains("upk.toml is not used"), "{run:?}");
    }
}

#[test]
fn its_use_is_said_once_and_its_errors_name_it() {
    let folder = Folder::new();
    folder.write("mine/A.u", small_package(69));
    folder.write("mine/B.u", small_package(69));
    folder.write("mine/upk.toml", "engine = \"4.27\"\nenv = [\".\"]\n");
    let run = upk(&["verify", &folder.arg("mine")]).exits(0);
    let said: Vec<_> = run.err.lines().filter(|line| line.starts_with("using ")).collect();
    assert_eq!(said.len(), 1, "{run:?}");
    assert!(said[0].contains("upk.toml: engine 4.27, env "), "{run:?}");
    assert!(!run.out.contains("using"), "{run:?}");
    let run = upk(&["info", &folder.arg("mine/A.u"), "--json"]).exits(0);
    let said: serde_json::Value = serde_json::from_str(run.err.trim()).unwrap();
    assert_eq!(said["engine"], "4.27");
    assert!(said["using"].as_str().unwrap().ends_with("upk.toml"));
    // What git shows is the package alone.
    let text = upk(&["dump", "--canonical", "--", &folder.arg("mine/A.u")]).exits(0);
    assert!(!text.out.contains("using") && text.err.contains("using"), "{text:?}");
    let huge = "#".repeat(1 << 17);
    for wrong in [
        "engine = \"x\"",
        "keys = [\"secretsecret\"]",
        "mappings = \"Gone.usmap\"",
        "env = [\"Gone\"]",
        "game = \"x\"",
        "nonsense",
        &huge,
    ] {
        folder.write("mine/upk.toml", wrong);
        let run = upk(&["info", &folder.arg("mine/A.u")]).exits(2);
        assert!(run.err.contains("upk.toml"), "{run:?}");
        assert!(!run.err.contains("secretsecret"), "{run:?}");
    }
}

#[test]
fn the_search_for_it_ends_with_the_project() {
    let folder = Folder::new();
    folder.write("upk.toml", "engine = \"nonsense\"\n");
    let inner = "project/Content/Mod.u";
    folder.write(inner, small_package(69));
    folder.run("info", inner, &[]).exits(2);
    for marker in ["project/.git/HEAD", "project/Content/.hg/x", "project/My.uproject"] {
        let path = folder.write(marker, "");
        folder.run("info", inner, &[]).exits(0);
        let made = if marker.ends_with("uproject") { path } else { path.parent().unwrap().into() };
        match made.is_dir() {
            true => std::fs::remove_dir_all(made).unwrap(),
            false => std::fs::remove_file(made).unwrap(),
        }
    }
    folder.run("info", inner, &[]).exits(2);
    let run = command(&["info", &folder.arg(inner)]).env("HOME", folder.path("project")).output();
    assert_eq!(run.unwrap().status.code(), Some(0));
    folder.write("project/upk.toml", "root = true\n");
    folder.run("info", inner, &[]).exits(0);
}

/// Only the administrator can give files away: elsewhere there is nothing to see.
#[cfg(unix)]
#[test]
fn the_file_of_another_user_is_not_used() {
    use std::os::unix::fs::{PermissionsExt, chown};
    let folder = Folder::new();
    folder.write("mine/Mod.u", small_package(69));
    let config = folder.write("mine/upk.toml", "engine = \"nonsense\"\n");
    let file = folder.arg("mine/Mod.u");
    let set_mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set_mode(&config, 0o666);
    let run = upk(&["info", &file]).exits(0);
    assert!(run.err.contains("upk.toml is not used: anybody may write to it"), "{run:?}");
    set_mode(&config, 0o644);
    set_mode(&folder.path("mine"), 0o777);
    let run = upk(&["info", &file]).exits(0);
    assert!(run.err.contains("anybody may write to its folder"), "{run:?}");
    set_mode(&folder.path("mine"), 0o1777);
    upk(&["info", &file]).exits(2);
    set_mode(&folder.path("mine"), 0o755);
    if chown(&config, Some(54321), None).is_ok() {
        let run = upk(&["info", &file]).exits(0);
        assert!(run.err.contains("it belongs to another user"), "{run:?}");
        upk(&["info", &file, "--trust-config"]).exits(2);
        // Nor one above another user's folder.
        std::fs::remove_file(&config).unwrap();
        folder.write("upk.toml", "engine = \"nonsense\"\n");
        upk(&["info", &file]).exits(2);
        chown(folder.path("mine"), Some(54321), None).unwrap();
        upk(&["info", &file]).exits(0);
    }
}
