//! Links and locks that a folder brings along: nothing is written or read through them.
#![cfg(unix)]

use std::os::unix::fs::symlink;

use unreal_packages::Guid;

use crate::common::{Folder, Run, command, small_package, upk};

/// A folder `packages` with `Mod.u` in it, and a file outside of it.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("packages/Mod.u", small_package(69));
    folder.write("victim", "victim");
    folder
}

#[test]
fn a_cache_writes_through_no_link() {
    let folder = folder();
    std::fs::create_dir(folder.path("Cache")).unwrap();
    let file = format!("Cache/{}.uxx", Guid::new(1, 2, 3, 4));
    let add = || upk(&["cache", "add", &folder.arg("Cache"), &folder.arg("packages/Mod.u")]);
    for name in [&*file, "Cache/Cache.ini"] {
        for target in ["../victim", "../nothing"] {
            symlink(target, folder.path(name)).unwrap();
            let run = add();
            assert_ne!(run.code, 0, "{name}: {run:?}");
            assert!(run.err.contains(name) && run.err.contains("it is a link"), "{run:?}");
            assert_eq!(folder.read("victim"), b"victim", "{name}");
            assert!(!folder.path("nothing").exists(), "{name}");
            std::fs::remove_file(folder.path(name)).unwrap();
            for left in std::fs::read_dir(folder.path("Cache")).unwrap() {
                std::fs::remove_file(left.unwrap().path()).unwrap();
            }
        }
    }
    add().exits(0);
    assert_eq!(folder.read(&file), small_package(69));
    // Nor does what comes out of it come from elsewhere, or go there.
    let out = folder.arg("out");
    std::fs::create_dir(&out).unwrap();
    let guid = Guid::new(1, 2, 3, 4).to_string();
    let extract =
        || upk(&["cache", "extract", &folder.arg("Cache"), &guid, "-o", &out, "--overwrite"]);
    symlink("../victim", folder.path("out/Mod.u")).unwrap();
    assert_ne!(extract().code, 0);
    assert_eq!(folder.read("victim"), b"victim");
    std::fs::remove_file(folder.path("out/Mod.u")).unwrap();
    extract().exits(0);
    std::fs::remove_file(folder.path(&file)).unwrap();
    symlink("../victim", folder.path(&file)).unwrap();
    assert_ne!(extract().code, 0);
    assert_eq!(folder.read("out/Mod.u"), small_package(69));
}

#[test]
fn backups_that_are_links_bring_nothing_in() {
    let folder = folder();
    symlink("../victim", folder.path("packages/Mod.u.bak")).unwrap();
    let run = folder.run("restore", "packages/Mod.u", &[]).exits(1);
    assert!(run.err.contains("has no backup"), "{run:?}");
    folder.run("restore", "packages/Mod.u", &["--number", "0"]).exits(1);
    assert_eq!(folder.read("packages/Mod.u"), small_package(69));
    std::fs::remove_file(folder.path("packages/Mod.u.bak")).unwrap();
    // Nor is one read that is mostly holes.
    let huge = std::fs::File::create(folder.path("packages/Mod.u.bak")).unwrap();
    if huge.set_len(1 << 40).is_ok() {
        let run = folder.run("restore", "packages/Mod.u", &[]);
        assert_ne!(run.code, 0);
        assert!(run.err.contains("it claims 1099511627776 bytes"), "{run:?}");
        assert_eq!(folder.read("packages/Mod.u"), small_package(69));
    }
}

#[test]
fn git_setup_writes_through_no_link() {
    let folder = folder();
    let run = || {
        let output = command(&["git-setup"]).current_dir(folder.path("packages")).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(output.stdout), text(output.stderr));
        Run { code: output.status.code().unwrap(), out, err }
    };
    let init = std::process::Command::new("git").arg("init").arg(folder.path("packages")).output();
    if !init.is_ok_and(|output| output.status.success()) {
        return;
    }
    let config = folder.read("packages/.git/config");
    for target in ["../victim", "../nothing"] {
        symlink(target, folder.path("packages/.gitattributes")).unwrap();
        let run = run().exits(1);
        assert!(run.err.contains(".gitattributes' is a link"), "{run:?}");
        assert_eq!(folder.read("victim"), b"victim");
        assert!(!folder.path("nothing").exists());
        assert_eq!(folder.read("packages/.git/config"), config);
        std::fs::remove_file(folder.path("packages/.gitattributes")).unwrap();
    }
    run().exits(0);
    assert!(folder.path("packages/.gitattributes").is_file());
}

/// As that of another user, and as one's own of this mode for those who are no administrators.
#[test]
fn a_lock_that_may_not_be_written_is_taken_and_one_that_may_not_be_read_is_named() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    let folder = folder();
    let lock = folder.write("packages/.upk-lock", "");
    let set_mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let file = folder.arg("packages/Mod.u");
    let is_administrator = lock.metadata().unwrap().uid() == 0;
    if is_administrator {
        set_mode(&folder.path(""), 0o755);
        for path in [folder.path("packages"), folder.path("packages/Mod.u")] {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
    let run = || {
        let mut command = command(&["add-name", &file, "New", "--in-place", "--no-backup"]);
        if is_administrator {
            command.uid(NOBODY).gid(NOBODY);
        }
        // The program itself may lie where only the administrator gets.
        command.output().ok()
    };
    set_mode(&lock, 0o000);
    let Some(output) = run() else { return };
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains(".upk-lock: it has a lock's name, and can't be opened"), "{error}");
    assert_eq!(folder.read("packages/Mod.u"), small_package(69));
    set_mode(&lock, 0o444);
    let output = run().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_ne!(folder.read("packages/Mod.u"), small_package(69));
    assert!(!lock.exists());
}
