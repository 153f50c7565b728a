//! Rooms import downward only, as far as the ground is concerned.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Source files below a place in `src/`.
fn files(place: &Path, found: &mut Vec<PathBuf>) {
    if place.is_dir() {
        for entry in fs::read_dir(place).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else if place.extension().is_some_and(|extension| extension == "rs") {
        found.push(place.to_owned());
    }
}

/// The rooms that the files of a room name, but for comments.
fn imports(room: &str, without: &str) -> BTreeSet<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&source.join(format!("{room}.rs")), &mut found);
    if source.join(room).is_dir() {
        files(&source.join(room), &mut found);
    }
    assert!(!found.is_empty(), "{room}");
    let mut rooms = BTreeSet::new();
    for file in
        found.iter().filter(|file| without.is_empty() || !file.to_str().unwrap().contains(without))
    {
        let text = fs::read_to_string(file).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for (at, _) in line.match_indices("crate::") {
                let rest = &line[at + "crate::".len()..];
                let end =
                    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                rooms.insert(rest[..end].to_owned());
            }
        }
    }
    rooms.remove(room);
    rooms
}

fn rooms(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn the_ground_knows_nothing_of_unreal() {
    assert_eq!(imports("error", ""), rooms(&[]));
    assert_eq!(imports("version", ""), rooms(&["error"]));
    assert_eq!(imports("archive", ""), rooms(&["error", "version"]));
}
