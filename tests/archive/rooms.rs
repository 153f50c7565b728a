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
        // Unit tests make packages to look at.
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
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
    // The archives of JSON write strings and names as text, which are Unreal's.
    assert_eq!(imports("archive", "json"), rooms(&["error", "version"]));
}

/// The types whose `impl` blocks in a file of `src/` declare public functions, with those functions.
fn public_methods(of: &str) -> Vec<String> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let mut methods = Vec::new();
    for file in found {
        let text = fs::read_to_string(file).unwrap();
        let mut inside = false;
        for line in text.lines() {
            match line {
                "}" => inside = false,
                line if line == format!("impl {of} {{") => inside = true,
                line if inside && line.starts_with("    pub fn ") => {
                    let name = line["    pub fn ".len()..].split(['(', '<']).next();
                    methods.push(name.unwrap().to_owned());
                }
                _ => {}
            }
        }
    }
    methods.sort();
    methods
}

#[test]
fn a_package_is_the_data_and_little_else() {
    let methods = public_methods("Package");
    assert!(methods.iter().any(|name| name == "edit"), "{methods:?}");
    assert!(methods.len() <= 40, "{}: {methods:?}", methods.len());
}

/// What looks at packages, changes and makes them stands above them.
#[test]
fn packages_know_nothing_of_what_is_done_with_them() {
    let above = ["edit", "generate", "content", "environment"];
    let imported = imports("package", "");
    assert!(above.iter().all(|room| !imported.contains(*room)), "{imported:?}");
    let imported = imports("inspect", "");
    assert!(above.iter().all(|room| !imported.contains(*room)), "{imported:?}");
}
