//! What stands in a folder and came from elsewhere: journals, locks and temporary files, none of which acts.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use unreal_packages::container::iostore::IoStore;
use unreal_packages::file::{Disk, DiskProbe, Operation, Replacement};
use unreal_packages::generate::NewAsset;

use crate::common::{Folder, command, upk};

fn hex(name: &str) -> String {
    name.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// A package of two files with a value to change.
fn pair(folder: &Folder) {
    let kind = "float".parse().unwrap();
    let asset = NewAsset::object("/Game/Door", "/Script/MyGame.Door").property("Health", kind, "1");
    let package = asset.build("4.27".parse().unwrap()).unwrap();
    let bytes = package.to_bytes().unwrap();
    let (header, bodies) = bytes.split_at(package.summary().total_header_size as usize);
    folder.write("Door.uasset", header);
    folder.write("Door.uexp", bodies);
}

/// A disk on which the process dies.
#[derive(Debug)]
struct Dying(AtomicUsize);

impl DiskProbe for Dying {
    fn before(&self, _: Operation, _: &Path) -> std::io::Result<()> {
        match self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) {
            Ok(_) => Ok(()),
            Err(_) => Err(std::io::Error::other("killed")),
        }
    }
}

/// Leaves the pair half replaced, its header out of sight.
fn half_replaced(folder: &Folder) {
    for count in 0.. {
        pair(folder);
        let (header, bodies) = (folder.read("Door.uasset"), folder.read("Door.uexp"));
        let disk = Disk::probed(Arc::new(Dying(AtomicUsize::new(count))));
        let replaced = Replacement::new(folder.path("Door.uasset"), &header);
        let replaced = replaced.with(folder.path("Door.uexp"), &bodies).overwrite(true).on(disk);
        let done = replaced.commit().is_ok();
        if !folder.path("Door.uasset").exists() {
            return;
        }
        assert!(!done, "the header never was out of sight");
        for name in folder.names().iter().filter(|name| name.starts_with(".upk-")) {
            std::fs::remove_file(folder.path(name)).unwrap();
        }
    }
}

#[test]
fn a_hostile_journal_removes_nothing() {
    let folder = Folder::with_mod();
    folder.write("Engine.u", "the game's");
    folder.write("notes.txt", "mine");
    folder.write("Mod.u.bak", "kept");
    let (draft, zero) = (hex(".upk-1-zzzzzz.tmp"), "0".repeat(64));
    let mut text = "upk journal 1\n".to_owned();
    for name in ["Engine.u", "notes.txt", "Mod.u.bak"] {
        text += &format!("backup {draft} {} - - {zero} 0\n", hex(name));
    }
    text += &format!("file {draft} {} - - {zero} 0\nend\n", hex("no-such-file"));
    folder.write(".upk-1-aaaaaa.journal", text);
    let before = folder.names();
    folder.run("add-name", "Mod.u", &["New", "-o", &folder.arg("New.u")]).exits(0);
    folder.run("add-name", "Mod.u", &["New", "--in-place"]).exits(0);
    let after = folder.names();
    assert!(before.iter().all(|name| after.contains(name)), "{before:?}, then {after:?}");
    assert_eq!(folder.read("Engine.u"), b"the game's");
}

#[test]
fn a_journal_from_elsewhere_that_names_a_file_is_named() {
    let folder = Folder::new();
    half_replaced(&folder);
    // The same files in another folder, as an archive brings them.
    let other = Folder::new();
    for name in folder.names().iter().filter(|name| *name != ".upk-lock") {
        other.write(name, folder.read(name));
    }
    let before: Vec<_> = other.names().iter().map(|name| other.read(name)).collect();
    let journal = other.names().into_iter().find(|name| name.ends_with(".journal")).unwrap();
    for args in [&["restore"][..], &["set"]] {
        let rest: &[&str] = if args == ["set"] { &["Door.Health=2", "--in-place"] } else { &[] };
        let run = other.run(args[0], "Door.uasset", rest).exits(1);
        assert!(run.err.contains(&journal) && run.err.contains("next: "), "{run:?}");
        assert!(run.err.contains("written elsewhere"), "{run:?}");
        assert!(run.err.contains("-0.old is Door.uasset as it was"), "{run:?}");
    }
    let after: Vec<_> = other.names().iter().map(|name| other.read(name)).collect();
    assert_eq!(after, before);
    // Another file of the folder is none of its business.
    upk(&["new", "empty", "-o", &other.arg("Other.u")]).exits(0);
    let after: Vec<_> = other
        .names()
        .iter()
        .filter(|name| *name != "Other.u")
        .map(|name| other.read(name))
        .collect();
    assert_eq!(after, before);
}

/// What the message advises works at once, also for a path that begins in the folder itself.
#[test]
fn restore_ends_what_was_cut_short_at_once() {
    let folder = Folder::new();
    half_replaced(&folder);
    let run = folder.run("verify", "Door.uasset", &[]).exits(2);
    assert!(run.err.contains("cut short") && run.err.contains("upk restore"), "{run:?}");
    let mut restore = command(&["restore", "Door.uasset"]);
    let output = restore.current_dir(folder.path("")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    folder.run("verify", "Door.uasset", &[]).exits(0);
    assert_eq!(folder.names(), ["Door.uasset", "Door.uexp"]);
}

/// A package that was one file comes back without the file of bodies that it has now.
#[test]
fn restore_takes_away_a_member_that_the_backup_has_not() {
    let folder = Folder::new();
    pair(&folder);
    let whole = [folder.read("Door.uasset"), folder.read("Door.uexp")].concat();
    folder.write("Door.uasset.bak", &whole);
    let bodies = folder.read("Door.uexp");
    folder.run("restore", "Door.uasset", &[]).exits(0);
    assert_eq!(folder.read("Door.uasset"), whole);
    assert_eq!(folder.read("Door.uexp.bak1"), bodies);
    assert!(!folder.path("Door.uexp").exists());
    folder.run("verify", "Door.uasset", &[]).exits(0);
}

#[test]
fn a_container_is_replaced_with_all_its_files() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("Files")).unwrap();
    let out = folder.arg("Mod_P.utoc");
    let args = ["-o", &out, "--engine", "5.6"];
    // A partition alone is there already as well.
    let partition = IoStore::partition_path(&folder.path("Mod_P.utoc"), 1);
    std::fs::write(&partition, "of another one").unwrap();
    let run = folder.run("pack", "Files", &args).exits(2);
    assert!(run.err.contains("Mod_P_s1.ucas"), "{run:?}");
    let args = [&args[..], &["--overwrite"]].concat();
    folder.run("pack", "Files", &args).exits(0);
    assert_eq!(folder.names(), ["Files", "Mod_P.pak", "Mod_P.ucas", "Mod_P.utoc"]);
    folder.run("verify", "Mod_P.utoc", &[]).exits(0);
}

#[test]
fn what_killed_runs_have_left_is_in_no_list() {
    let folder = Folder::with_mod();
    let left = [".upk-7-abcdef.tmp", ".upk-7-abcdef-0.old", ".upk-7-abcdef.journal", ".upk-lock"];
    for name in left {
        folder.write(&format!("Files/{name}"), folder.read("Mod.u"));
    }
    folder.write("Files/Mod.u", folder.read("Mod.u"));
    let rows = folder.run("verify", "Files", &["--json"]).exits(0).json();
    assert_eq!(rows.len(), 2, "{rows:?}");
    let pak = folder.arg("Files.pak");
    // A container says what of the folder is not in it.
    let run = folder.run("pack", "Files", &["-o", &pak]).exits(1);
    assert!(left.iter().all(|name| run.err.contains(&format!("{name} is left out"))), "{run:?}");
    let rows = folder.run("ls", "Files.pak", &["--json"]).exits(0).json();
    assert_eq!(rows[0]["path"], "Mod.u");
    assert_eq!(rows.len(), 2, "{rows:?}");
}

#[cfg(unix)]
#[test]
fn a_lock_that_is_a_link_makes_nothing() {
    let folder = Folder::with_mod();
    let outside = Folder::new();
    std::os::unix::fs::symlink(outside.path("made"), folder.path(".upk-lock")).unwrap();
    let run = folder.run("add-name", "Mod.u", &["New", "--in-place"]).exits(1);
    assert!(run.err.contains(".upk-lock") && run.err.contains("next: "), "{run:?}");
    assert_eq!(outside.names(), [""; 0]);
}

/// Who closes a stream, or has no room for it, gets the exit code all the same.
#[cfg(target_os = "linux")]
#[test]
fn streams_that_take_nothing_are_no_panic() {
    let folder = Folder::with_mod();
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let file = folder.arg("Mod.u");
    for (args, code) in [
        (&["info", "missing.u"][..], 2),
        (&["info", "missing.u", "--json"], 2),
        (&["dance"], 2),
        (&["dance", "--json"], 2),
        (&["rename", &file, "Nobody", "x", "--dry-run"], 1),
        (&["verify", &file], 0),
        (&["rename", &file, "--name", "Readme", "Manual", "-o", "-"], 1),
    ] {
        let status = command(args).stdout(Stdio::null()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
    for args in
        [&["info", &file][..], &["list", &file], &["completions", "bash"], &["verify", &file]]
    {
        let status = command(args).stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(1), "{args:?}");
    }
}

/// Who looks at a folder is told of a package that a killed run has taken away; its copy does not stand in for it.
#[test]
fn a_folder_says_what_was_cut_short_in_it() {
    let (folder, whole) = (Folder::new(), Folder::new());
    pair(&whole);
    half_replaced(&folder);
    folder.write("Door.uasset.bak", whole.read("Door.uasset"));
    let (dir, depot) = (folder.arg(""), whole.arg("Depot"));
    let scan = || upk(&["scan", &dir, "-o", &depot, "--json"]).exits(0).object();
    let report = scan();
    assert_eq!((&report["packages"], &report["failed"]), (&1.into(), &1.into()), "{report}");
    let rows = upk(&["verify", &dir, "--json"]).exits(1).json();
    let row = rows.iter().find(|row| row["path"].as_str().unwrap_or("").ends_with("Door.uasset"));
    assert!(row.unwrap()["reason"].as_str().unwrap().contains("cut short"), "{rows:?}");
    let run = upk(&["doctor", &dir]).exits(1);
    assert!(run.out.contains("Door.uasset") && run.out.contains("cut short"), "{run:?}");
    let run = upk(&["pack", &dir, "-o", &whole.arg("Out.pak")]).exits(1);
    assert!(run.err.contains("Door.uasset") && run.err.contains("upk restore"), "{run:?}");
    assert!(!whole.path("Out.pak").exists());
    let run = upk(&["diff", &dir, &whole.arg("")]).exits(2);
    assert!(run.err.contains("cut short"), "{run:?}");
    // A journal that came along with other files says nothing.
    let other = Folder::new();
    for name in folder.names().iter().filter(|name| name.starts_with(".upk-")) {
        other.write(name, folder.read(name));
    }
    other.write("Mod.u", crate::common::small_package(69));
    let rows = upk(&["verify", &other.arg(""), "--json"]).exits(0).json();
    assert_eq!(rows.len(), 2, "{rows:?}");
    std::fs::remove_file(folder.path("Door.uasset.bak")).unwrap();
    folder.run("restore", "Door.uasset", &[]).exits(0);
    assert_eq!(scan()["failed"], 0);
    upk(&["doctor", &dir]).exits(0);
}
