//! Rooms import downward only, and no two types have one name.

use std::collections::{BTreeMap, BTreeSet};
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
    assert_eq!(imports("archive", ""), rooms(&["error", "version"]));
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

/// From the ground up.
const ROOMS: &[&str] = &[
    "error",
    "guard",
    "version",
    "archive",
    "primitive",
    "table",
    "property",
    "script",
    "object",
    "file",
    "compression",
    "container",
    "package",
    "inspect",
    "compare",
    "edit",
    "generate",
    "environment",
    "content",
    "layouts",
];

/// Every source file of the library with its room and its text, without comments and unit tests.
fn sources() -> Vec<(PathBuf, String, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&source, &mut found);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = code.collect::<Vec<_>>().join("\n");
        let within = path.strip_prefix(&source).unwrap();
        let room = within.components().next().unwrap().as_os_str().to_str().unwrap();
        let room = room.trim_end_matches(".rs").to_owned();
        (within.to_owned(), room, code)
    };
    found.into_iter().map(read).collect()
}

/// The first names of the paths that a text goes from the root of the crate, groups included.
fn named_from_root(code: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        let mut depth = 0;
        found.push(word(group));
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => found.push(word(&group[at + 1..])),
                _ => {}
            }
        }
    }
    found
}

#[test]
fn rooms_import_from_below() {
    let rank = |room: &str| ROOMS.iter().position(|known| *known == room);
    let sources = sources();
    // What the root of the crate gives another name.
    let root = &sources.iter().find(|(_, room, _)| room == "lib").unwrap().2;
    let mut aliases = BTreeMap::new();
    for line in root.split(';').filter_map(|line| line.trim().rsplit_once("pub use ")) {
        let Some((room, names)) = line.1.split_once("::") else { continue };
        for name in names.split(|c: char| !c.is_alphanumeric() && c != '_') {
            aliases.insert(name.to_owned(), room.to_owned());
        }
    }
    let mut upward = Vec::new();
    for (path, room, code) in sources.iter().filter(|(_, room, _)| room != "lib") {
        let own = rank(room).unwrap_or_else(|| panic!("{room} has no place in the order"));
        for name in named_from_root(code) {
            let other = aliases.get(&name).unwrap_or(&name);
            if rank(other).is_some_and(|other| other > own) {
                upward.push(format!("{} imports {other}", path.display()));
            }
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
}

/// Types of classes are called as Unreal calls the classes, which several engines have.
#[test]
fn every_type_has_a_name_of_its_own() {
    let mut defined: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, room, code) in sources() {
        if room == "object" {
            continue;
        }
        for line in code.lines() {
            let line = match line.strip_prefix("pub(").and_then(|line| line.split_once(") ")) {
                Some((_, line)) => line,
                None => line.strip_prefix("pub ").unwrap_or(line),
            };
            let Some((kind, name)) = line.split_once(' ') else { continue };
            if ["struct", "enum", "type", "trait", "union"].contains(&kind) {
                let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
                let name = name[..end].to_owned();
                defined.entry(name).or_default().push(path.display().to_string());
            }
        }
    }
    assert!(defined.len() > 400, "{}", defined.len());
    defined.retain(|_, places| places.len() > 1);
    assert!(defined.is_empty(), "{defined:#?}");
}
