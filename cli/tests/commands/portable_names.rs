//! Every name that `unpack` and `extract` write is one that Windows and macOS take, wherever the command runs. The rules
//! here are those of the systems' own documentation, and not the code's.

use std::collections::BTreeSet;
use std::path::Path;

use unicode_normalization::UnicodeNormalization;
use unreal_packages::container::pak::{PakOptions, PakWriter};
use unreal_packages::generate::Builder;

use crate::common::Folder;

/// Names that Windows takes for devices in any folder, with any extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// What Windows does not take, or takes for something else.
fn windows_fault(name: &str) -> Option<String> {
    if let Some(char) = name.chars().find(|it| *it < ' ' || "<>:\"/\\|?*".contains(*it)) {
        return Some(format!("{char:?} is not allowed"));
    }
    if name.ends_with(['.', ' ']) {
        return Some("its end is dropped".to_owned());
    }
    if name.encode_utf16().count() > 255 {
        return Some("longer than 255 units".to_owned());
    }
    let stem = name.split('.').next().unwrap().trim_end_matches(' ').to_uppercase();
    let port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let is_port = port.is_some_and(|it| it.chars().count() == 1 && "0123456789¹²³".contains(it));
    (is_port || DEVICES.contains(&&*stem)).then(|| "a device".to_owned())
}

/// The files below a folder, none of which Windows or macOS would refuse or take for another one.
fn portable(folder: &Path) -> BTreeSet<String> {
    let (mut files, mut folded) = (BTreeSet::new(), BTreeSet::new());
    for entry in walkdir::WalkDir::new(folder).min_depth(1) {
        let entry = entry.unwrap();
        let name = entry.file_name().to_str().unwrap();
        assert_eq!(windows_fault(name), None, "{name:?}");
        let inside = entry.path().strip_prefix(folder).unwrap().to_str().unwrap();
        // macOS composes letters, both take capital letters for small ones.
        let same: String = inside.nfd().flat_map(char::to_lowercase).collect();
        assert!(folded.insert(same), "{inside} is another one elsewhere");
        if entry.file_type().is_file() {
            files.insert(inside.replace('\\', "/"));
        }
    }
    files
}

#[test]
fn files_of_a_container_have_names_that_every_system_takes() {
    let long = "l".repeat(300);
    // Longer than the 260 that programs for Windows were once held to: Rust's library passes over that limit.
    let deep = format!("{}/{}/{}/deep.ini", "a".repeat(100), "b".repeat(100), "c".repeat(100));
    let mut paths: Vec<String> = [
        "CON",
        "con.txt",
        "Aux.uasset",
        "NUL .x",
        "prn.tar.gz",
        "COM1.ini",
        "lpt9",
        "com\u{b9}.x",
        "CONIN$",
        "AUX/in.txt",
        "trail.",
        "trail ",
        "trail. .",
        "folder./in",
        "a:b",
        "C:top.ini",
        "x<y>",
        "qu\"ote",
        "tab\there",
        "bell\u{7}",
        "star*",
        "Case/Same.txt",
        "case/SAME.TXT",
        "Ä.txt",
        "A\u{308}.txt",
        "...",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.push(format!("{long}.uasset"));
    paths.push(deep.clone());
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, PakOptions::default());
    for path in &paths {
        writer.add(path, path.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let folder = Folder::new();
    folder.write("Odd.pak", bytes);
    let run = folder.run("unpack", "Odd.pak", &["-o", &folder.arg("Out")]).exits(1);
    let files = portable(&folder.path("Out"));
    assert_eq!(files.len(), paths.len(), "{run:?}\n{files:?}");
    assert!(files.contains(&deep), "{files:?}");
    let mut contents: Vec<_> = files.iter().map(|it| folder.read(&format!("Out/{it}"))).collect();
    contents.sort();
    paths.sort();
    assert_eq!(contents, paths.iter().map(|it| it.as_bytes()).collect::<Vec<_>>());
}

#[test]
fn files_of_objects_have_names_that_every_system_takes() {
    let body = b"\0\0\0\0\0\0\0\0\0\x03ab\0";
    let names =
        ["CON", "aux", "Com7", "a:b", "a?b", "tail ", " lead", "NUL ", "quo\"te", "Plain", "Ünder"];
    let builder = names
        .iter()
        .fold(Builder::new(69), |builder, name| builder.export(*name, "Engine.TextBuffer", *body));
    let builder = builder.export("PRN", "Core.Package", *b"\0");
    let builder = builder.export("PRN.LPT1", "Engine.TextBuffer", *body);
    let folder = Folder::new();
    folder.write("Odd.u", builder.build().unwrap());
    let run = folder.run("extract", "Odd.u", &["-o", &folder.arg("Out")]).exits(0);
    let files = portable(&folder.path("Out"));
    assert_eq!(files.len(), names.len() + 1, "{run:?}\n{files:?}");
    assert!(files.contains("Plain.txt") && files.contains("PRN_/LPT1_.txt"), "{files:?}");
}

#[test]
fn the_rules_are_those_of_windows() {
    for name in
        ["CON", "nul.txt", "Lpt3 .x", "COM\u{b2}", "a.", "a ", "a:b", "a\u{1f}", &"x".repeat(256)]
    {
        assert!(windows_fault(name).is_some(), "{name:?}");
    }
    for name in ["CONSOLE", "com10", "a.con", ".a", " a", "ß", &"x".repeat(255)] {
        assert_eq!(windows_fault(name), None, "{name:?}");
    }
}
