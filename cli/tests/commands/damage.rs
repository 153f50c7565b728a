//! Files that are broken: named, counted, and no reason to hide the others.

use std::process::Command;

use unreal_packages::generate::{Builder, NewAsset};

use crate::common::{Folder, Run, command, small_package, upk};

/// What stands in a folder in place of packages: each file with what verifying says of it.
const BROKEN: [(&str, &[u8]); 5] = [
    ("Empty.unr", b""),
    ("Page.unr", b"<!DOCTYPE html><html><body>404 Not Found</body></html>\n"),
    ("Short.UNR", b"abc"),
    ("Pointer.uasset", POINTER),
    ("Cut.u", b"\xc1\x83\x2a\x9e\x45\0\0\0\0\0"),
];
const POINTER: &[u8] =
    b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";

fn broken() -> Folder {
    let folder = Folder::with_mod();
    BROKEN.iter().for_each(|(name, bytes)| drop(folder.write(name, bytes)));
    folder.write("Readme.txt", "no package");
    folder.write("Sums.md5", "0123456789abcdef  Mod.u\n");
    folder
}

/// A header and bodies in two files.
fn split(folder: &Folder) {
    let kind = "float".parse().unwrap();
    let asset = NewAsset::object("/Game/Door", "/Script/MyGame.Door").property("Health", kind, "1");
    let package = asset.build("4.27".parse().unwrap()).unwrap();
    let bytes = package.to_bytes().unwrap();
    let at = package.summary().total_header_size as usize;
    folder.write("Door.uasset", &bytes[..at]);
    folder.write("Door.uexp", &bytes[at..]);
}

/// A package with a long body of one byte, and where in the file it stands.
fn long() -> (Vec<u8>, std::ops::Range<usize>) {
    // No properties, two numbers, a text of 4,000 characters and its end.
    let body = [&[0; 9][..], &[0x61, 0x3e], &[b'x'; 4000], &[0]].concat();
    let bytes = Builder::new(69).export("Text", "Core.TextBuffer", body).build().unwrap();
    let start = bytes.windows(100).position(|bytes| bytes == [b'x'; 100]).unwrap();
    (bytes, start..start + 4000)
}

#[test]
fn advice_follows_the_kind_of_error() {
    let folder = Folder::with_mod();
    let files: [(&str, &[u8], &str); 5] = [
        ("Pointer.u", POINTER, "fetch the file itself: git lfs pull"),
        ("Mods.u", b"PK\x03\x04 a packed archive", "unpack it, then name the packages in it"),
        ("Page.u", b"<!DOCTYPE html><html></html>", "name a package (.u"),
        (
            "Locked.u",
            b"L\0i\0n\0e\0a\0g\0e\x002\0V\0e\0r\x009\x009\x009\0\x01\x02\x03\x04\x05\x06\x07\x08",
            "unpack it with the game's own tools first",
        ),
        ("Cut.u", b"\xc1\x83\x2a\x9e\x45\0\0\0\0\0", "the file is damaged"),
    ];
    for (name, bytes, advice) in files {
        folder.write(name, bytes);
        let run = folder.run("list", name, &[]).exits(2);
        assert!(run.err.contains(&format!("\n  next: {advice}")), "{name}: {run:?}");
    }
    let run = folder.run("get", "Mod.u", &["NoSuchObject"]).exits(1);
    assert!(run.err.contains("next: `upk list FILE` shows the exports"), "{run:?}");
}

#[test]
fn verifying_a_folder_names_every_file_that_is_called_like_a_package() {
    let folder = broken();
    let run = upk(&["verify", &folder.arg("."), "--json"]).exits(1);
    let rows = run.json();
    let (totals, rows) = rows.split_last().unwrap();
    assert_eq!((&totals["packages"], &totals["failed"]), (&6.into(), &5.into()), "{run:?}");
    for (name, _) in BROKEN {
        let row = rows.iter().find(|row| row["path"].as_str().unwrap().ends_with(name));
        let row = row.unwrap_or_else(|| panic!("{name} is not named: {run:?}"));
        assert_eq!(row["status"], "failed", "{row}");
        assert!(!row["reason"].as_str().unwrap().is_empty(), "{row}");
    }
    assert!(run.out.contains("pointer of Git LFS"), "{run:?}");
    assert!(!run.out.contains("Readme.txt") && !run.out.contains("Sums.md5"), "{run:?}");
}

#[test]
fn a_package_without_its_bodies_is_incomplete() {
    let folder = Folder::new();
    split(&folder);
    upk(&["verify", &folder.arg(".")]).exits(0);
    std::fs::remove_file(folder.path("Door.uexp")).unwrap();
    let run = upk(&["verify", &folder.arg(".")]).exits(1);
    assert!(run.out.starts_with("incomplete"), "{run:?}");
    assert!(run.out.contains(".uexp file that is not there"), "{run:?}");
    assert!(run.out.contains("0 unsupported, 0 failed, 1 incomplete"), "{run:?}");
    let run = folder.run("info", "Door.uasset", &[]).exits(2);
    assert!(run.err.contains("put it beside the package"), "{run:?}");
}

/// `verify` and `doctor` of one file.
fn both(folder: &Folder, name: &str, code: i32) -> [Run; 2] {
    ["verify", "doctor"].map(|command| folder.run(command, name, &[]).exits(code))
}

#[test]
fn lost_sectors_and_bytes_behind_the_end_are_found() {
    let (bytes, body) = long();
    let folder = Folder::new();
    folder.write("Good.u", &bytes);
    both(&folder, "Good.u", 0);
    let start = body.start.next_multiple_of(512);
    let mut zeroed = bytes.clone();
    zeroed[start..start + 512].fill(0);
    folder.write("Zeroed.u", zeroed);
    for run in both(&folder, "Zeroed.u", 1) {
        assert!(run.out.contains(&format!("512 bytes at {start:#x} are zero")), "{run:?}");
    }
    // Zeros of its own begin and end anywhere.
    let mut zeros = bytes.clone();
    zeros[start - 100..start + 700].fill(0);
    folder.write("Zeros.u", zeros);
    let run = folder.run("verify", "Zeros.u", &[]).exits(0);
    assert!(!run.out.contains("are zero"), "{run:?}");
    folder.write("Junk.u", [bytes, b"something else".to_vec()].concat());
    for run in both(&folder, "Junk.u", 1) {
        assert!(
            run.out.contains("14 bytes at") && run.out.contains("belong to nothing"),
            "{run:?}"
        );
    }
}

#[test]
fn the_doctor_looks_at_single_files() {
    let folder = broken();
    for (name, _) in BROKEN {
        let run = folder.run("doctor", name, &["--json"]).exits(1);
        let rows = run.json();
        assert_eq!(rows[0]["finding"], "unreadable", "{run:?}");
        assert_eq!(rows[1]["packages"], 1, "{run:?}");
    }
    folder.write("Good.u", long().0);
    let run = folder.run("doctor", "Good.u", &[]).exits(0);
    assert_eq!(run.out, "1 package: 0 findings\n");
    // Of two the broken one does not hide the other.
    let run = upk(&["doctor", &folder.arg("Empty.unr"), &folder.arg("Good.u")]).exits(1);
    assert!(run.out.ends_with("2 packages: 1 finding\n"), "{run:?}");
}

#[test]
fn git_shows_all_files_though_some_are_broken() {
    let folder = broken();
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
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(
            done.status.success(),
            "{arguments:?}: {text} {:?}",
            String::from_utf8_lossy(&done.stderr)
        );
        text
    };
    git(&["init", "-q", "-b", "main"]);
    let mut setup = command(&["git-setup"]);
    setup.current_dir(folder.path(".")).env("HOME", &home).env_remove("XDG_CONFIG_HOME");
    assert!(setup.status().unwrap().success());
    // The command that is set is found by its path here.
    let conversion = git(&["config", "diff.upk.textconv"]);
    let conversion = conversion.trim().replacen("upk", env!("CARGO_BIN_EXE_upk"), 1);
    git(&["config", "diff.upk.textconv", &conversion]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "one"]);
    folder.write("Mod.u", small_package(68));
    let pointer = String::from_utf8_lossy(POINTER).replace("12345", "23456");
    folder.write("Pointer.uasset", &pointer);
    folder.write("Cut.u", b"\xc1\x83\x2a\x9e\x45\0\0\0");
    let text = git(&["diff"]);
    assert!(text.contains("-  | size 12345\n+  | size 23456\n"), "{text}");
    assert!(
        text.contains("-  size = 10 bytes\n") && text.contains("+  size = 8 bytes\n"),
        "{text}"
    );
    assert!(text.contains("+++ b/Mod.u"), "{text}");
    assert!(!text.contains("reason = /"), "the folder of git is no difference: {text}");
    git(&["commit", "-q", "-a", "-m", "two"]);
    let text = git(&["log", "-p"]);
    assert!(text.contains("+++ b/Mod.u") && text.contains("+++ b/Short.UNR"), "{text}");
    // What is not there is an error of who asked.
    folder.run("dump", "Nowhere.u", &["--canonical"]).exits(2);
}

#[test]
fn what_is_not_extracted_has_a_reason_and_an_exit_code() {
    let folder = Folder::new();
    let package = |class: &str| Builder::new(69).export("Thing", class, *b"\0").build().unwrap();
    folder.write("Script.u", package("Core.Function"));
    folder.write("Mesh.u", package("Engine.LodMesh"));
    let out = folder.arg("Out");
    for (file, reason) in [
        ("Script.u", "not extracted: 1 object is no texture"),
        ("Mesh.u", "not extracted: Thing (LodMesh): it is not decoded"),
    ] {
        let run = folder.run("extract", file, &["-o", &out]).exits(1);
        assert!(run.out.contains(reason), "{run:?}");
        assert!(run.out.contains("wrote 0 files"), "{run:?}");
        assert!(run.out.contains("1 object not extracted"), "{run:?}");
    }
    folder.run("extract", "Mesh.u", &["--raw", "-o", &out]).exits(0);
}
