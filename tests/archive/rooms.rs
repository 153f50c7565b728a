//! Rooms import downward only, and no two types have one name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Source files below a place in `src/`.
pub(super) fn files(place: &Path, found: &mut Vec<PathBuf>) {
    if place.is_dir() {
        for entry in fs::read_dir(place).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else if place.extension().is_some_and(|extension| extension == "rs") {
        found.push(place.to_owned());
    }
}

/// A source file of a crate of the library.
pub(super) struct Source {
    /// The crate, as its manifest calls it.
    pub library: &'static str,
    /// The path within its `src/`.
    pub path: PathBuf,
    pub text: String,
}

impl Source {
    /// The crate, as code calls it.
    pub fn in_code(&self) -> String {
        self.library.replace('-', "_")
    }

    pub fn room(&self) -> String {
        let room = self.path.components().next().unwrap().as_os_str().to_str().unwrap();
        room.trim_end_matches(".rs").to_owned()
    }

    /// The text without comments and unit tests.
    fn code(&self) -> String {
        let text = self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.collect::<Vec<_>>().join("\n")
    }
}

/// The crates from the ground up: Cargo holds their borders.
const LIBRARIES: &[(&str, &str)] = &[
    ("farchive", "src"),
    ("unreal-model", "unreal/model/src"),
    ("unreal-package", "unreal/package/src"),
    ("unreal-inspect", "unreal/inspect/src"),
    ("unreal-code", "unreal/code/src"),
    ("unreal-edit", "unreal/edit/src"),
    ("unreal-environment", "unreal/environment/src"),
    ("unreal-content", "unreal/content/src"),
    ("unreal-make", "unreal/make/src"),
    ("unreal-scan", "unreal/scan/src"),
    ("unreal-packages", "unreal/src"),
];

#[test]
fn every_crate_below_unreal_is_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../unreal");
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let crates = folders.filter(|folder| folder.join("Cargo.toml").is_file()).count();
    // The framework and the facade.
    assert_eq!(crates + 2, LIBRARIES.len());
}

/// Every source file of the library.
pub(super) fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for (library, folder) in LIBRARIES {
        let folder = root.join(folder);
        let mut paths = Vec::new();
        files(&folder, &mut paths);
        assert!(!paths.is_empty(), "{library}");
        found.extend(paths.into_iter().map(|path| Source {
            library,
            text: fs::read_to_string(&path).unwrap(),
            path: path.strip_prefix(&folder).unwrap().to_owned(),
        }));
    }
    found
}

/// The public functions of a type, in its `impl` blocks.
fn public_methods(of: &str) -> Vec<String> {
    let mut methods = Vec::new();
    for source in sources() {
        let mut inside = false;
        let mut is_hidden = false;
        for line in source.text.lines() {
            match line {
                "}" => inside = false,
                line if line == format!("impl {of} {{") => inside = true,
                "    #[doc(hidden)]" => is_hidden = true,
                line if inside && line.starts_with("    pub fn ") && !is_hidden => {
                    let name = line["    pub fn ".len()..].split(['(', '<']).next();
                    methods.push(name.unwrap().to_owned());
                }
                // Behind the item that it stands at.
                "    }" | "" => is_hidden = false,
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
    assert!(methods.iter().any(|name| name == "save"), "{methods:?}");
    assert!(methods.len() <= 40, "{}: {methods:?}", methods.len());
}

/// The rooms of crates that have several, from the ground up.
const ROOMS: &[&str] = &[
    "error",
    "guard",
    "version",
    "archive",
    "primitive",
    "with",
    "entry",
    "testing",
    "table",
    "property",
    "script",
    "object",
    "file",
    "compression",
    "container",
    "related",
    "package",
    "inspect",
    "language",
    "decompile",
    "compile",
    "compare",
    "edit",
    "edit_file",
    "generate",
    "environment",
    "content",
    "make",
    "scan",
    "layouts",
];

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
    // What the root of a crate gives another name.
    let mut aliases = BTreeMap::new();
    for root in sources.iter().filter(|source| source.room() == "lib") {
        let root = root.code();
        for line in root.split(';').filter_map(|line| line.trim().rsplit_once("pub use ")) {
            let Some((room, names)) = line.1.split_once("::") else { continue };
            for name in names.split(|c: char| !c.is_alphanumeric() && c != '_') {
                aliases.entry(name.to_owned()).or_insert_with(|| room.to_owned());
            }
        }
    }
    let mut upward = Vec::new();
    for source in sources.iter().filter(|source| source.room() != "lib") {
        let room = source.room();
        let own = rank(&room).unwrap_or_else(|| panic!("{room} has no place in the order"));
        for name in named_from_root(&source.code()) {
            let other = match rank(&name) {
                Some(_) => &name,
                None => aliases.get(&name).unwrap_or(&name),
            };
            if rank(other).is_some_and(|other| other > own) {
                upward.push(format!("{} imports {other}", source.path.display()));
            }
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
}

/// The items that a file defines itself, macros with a `!`: what it re-exports and what its macros make is
/// not among them.
fn defined_in(code: &str) -> BTreeSet<String> {
    const ITEMS: [&str; 8] =
        ["struct", "enum", "fn", "trait", "const", "type", "static", "macro_rules!"];
    let mut found = BTreeSet::new();
    for line in code.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase())) {
        let mut words = line
            .split_whitespace()
            .skip_while(|word| word.starts_with("pub") || word.ends_with(')'));
        let item = words.find(|word| !["unsafe", "async"].contains(word));
        if item.is_some_and(|item| ITEMS.contains(&item)) {
            // `const fn` is a function.
            let name = words.find(|word| *word != "fn").unwrap_or_default();
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            let mark = if item == Some("macro_rules!") { "!" } else { "" };
            found.insert(format!("{}{mark}", &name[..end]));
        }
    }
    found
}

/// The path that a text starts with, behind those of the groups around it; each of a group.
fn read_path(text: &str, before: &[String], found: &mut Vec<Vec<String>>) {
    if text.trim().is_empty() {
        return;
    }
    let mut path = before.to_vec();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(group) = rest.strip_prefix('{') {
            let (mut depth, mut start) = (0, 0);
            for (at, c) in group.char_indices() {
                if depth == 0 && (c == ',' || c == '}') {
                    read_path(&group[start..at], &path, found);
                    start = at + 1;
                }
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => return,
                    '}' => depth -= 1,
                    _ => {}
                }
            }
            return;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '*');
        let (name, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if name.is_empty() {
            break;
        }
        path.push(name.to_owned());
        match behind.strip_prefix("::") {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    found.push(path);
}

/// Every path of a file that starts at the root of the crate or goes up, from the root.
fn paths(module: &[String], code: &str) -> Vec<Vec<String>> {
    let starts = ["crate::", "super::"];
    let mut found = Vec::new();
    for (at, start) in starts.iter().flat_map(|start| code.match_indices(start)) {
        let within = |c: char| c.is_alphanumeric() || "_:$".contains(c);
        if !code[..at].ends_with(within) {
            let mut read = Vec::new();
            read_path(&code[at..], &[], &mut read);
            found.extend(read.into_iter().map(|path| {
                let up = path.iter().take_while(|part| *part == "super").count();
                let kept = if start == "crate::" { 0 } else { module.len().saturating_sub(up) };
                let rest = path[up.max(1)..].iter().filter(|part| *part != "self");
                module[..kept].iter().chain(rest).cloned().collect()
            }));
        }
    }
    found
}

/// What a file imports that one above it in its own room defines, by the sources' modules.
fn imports_from_above(
    module: &[String],
    code: &str,
    defined: &BTreeMap<Vec<String>, BTreeSet<String>>,
) -> Vec<String> {
    let mut found = Vec::new();
    for path in paths(module, code) {
        for above in (1..module.len()).map(|length| &module[..length]) {
            let Some(items) = defined.get(above) else { continue };
            let Some(rest) = path.strip_prefix(above) else { continue };
            let name = match rest.first().map(String::as_str) {
                // The module itself: its items are named through it.
                None => {
                    let through = format!("{}::", above[above.len() - 1]);
                    items.iter().find(|item| code.contains(&format!("{through}{item}")))
                }
                // Macros come by their place in the text.
                Some("*") => items.iter().find(|item| !item.ends_with('!')),
                Some(name) => items.get(name).or_else(|| items.get(&format!("{name}!"))),
            };
            if let Some(name) = name {
                found.push(format!("{} imports {}::{name}", module.join("::"), above.join("::")));
            }
        }
    }
    found
}

#[test]
fn nothing_is_imported_from_the_file_that_mounts_it() {
    let mut modules = BTreeMap::new();
    for source in sources() {
        let parts = source.path.with_extension("");
        let parts: Vec<_> = parts.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        modules.insert((source.library, parts), (source.room(), source.code()));
    }
    let mut found = Vec::new();
    for (library, _) in LIBRARIES {
        let own = || modules.iter().filter(|((of, _), _)| of == library);
        let defined =
            own().map(|((_, module), (_, code))| (module.clone(), defined_in(code))).collect();
        let rooms = own().filter(|(_, it)| ROOMS.contains(&it.0.as_str()));
        found.extend(
            rooms.flat_map(|((_, module), (_, code))| imports_from_above(module, code, &defined)),
        );
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn an_import_from_above_is_seen() {
    let words = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    let above = defined_in("pub struct Table;\npub(super) const fn rows() {}\nfn other() {}");
    let defined = BTreeMap::from([(words("a::b"), above)]);
    let seen = |code: &str| imports_from_above(&words("a::b::c"), code, &defined).len();
    assert_eq!(seen("use super::Table;"), 1);
    assert_eq!(seen("use super::{d::Row, Table, rows};"), 2);
    assert_eq!(seen("use crate::{a::{b::{Table as It}}, Other};"), 1);
    assert_eq!(seen("use super::*;"), 1);
    assert_eq!(seen("fn it() -> super::Table { crate::a::b::rows(super::super::b::other()) }"), 3);
    assert_eq!(seen("use super::super::b;\nfn it(table: b::Table) {}"), 1);
    assert_eq!(seen("use super::{d::Table, e};\nuse crate::a::d::rows;"), 0);
}

/// A manifest that says `test = false` leaves unit tests out without a word.
#[test]
fn unit_tests_stand_where_they_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut with_tests = BTreeSet::new();
    for source in sources() {
        if source.text.contains("#[cfg(test)]") {
            with_tests.insert(source.library);
        }
    }
    assert!(with_tests.contains("unreal-inspect"), "{with_tests:?}");
    for (library, folder) in LIBRARIES {
        let manifest = root.join(folder).join("../Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap();
        let runs = !manifest.lines().any(|line| line == "test = false");
        assert_eq!(runs, with_tests.contains(library), "{library}");
    }
}

/// Where code asks which engine a package is of, and may: all else is bounds, codecs, classes of an engine,
/// and facts that stand with the versions.
const ASKING: &[(&str, usize)] = &[
    // Another file version of the same engine and game.
    ("edit/convert.rs", 1),
    // What is refused from UE4 on.
    ("edit/refusal.rs", 1),
    // Servers whose clients compare generations.
    ("environment/comparison.rs", 1),
    // Who declares what: classes' own layouts, or schemas.
    ("inspect/declarations.rs", 1),
    // Conditions of layouts, which definitions for other programs decide beforehand.
    ("layouts/facts.rs", 1),
    // Keys of documents that packages of UE4 and UE5 have.
    ("package/json/write.rs", 1),
    // Static arrays whose size nobody knows.
    ("property/edit/listed.rs", 1),
    // Declarations by the name of a struct.
    ("property/field_names.rs", 1),
    // Values of enums that are the name itself.
    ("property/read/enumeration.rs", 1),
    // Strings that stay in 8-bit characters.
    ("property/read/word.rs", 1),
];

#[test]
fn what_differs_by_engine_is_asked_in_few_places() {
    /// Bounds, codecs, the section list, classes of an engine, facts, and the flags' names by engine.
    const OWN: &[&str] = &[
        "version/",
        "property/codec",
        "object/",
        "table/",
        "script/item.rs",
        "script/grammar",
        // The language of each.
        "language/dialect.rs",
        // What each engine's compiler writes.
        "make/",
        "make.rs",
        "primitive/flag.rs",
        // How a value is stored.
        "property/value/container.rs",
        "property/blank.rs",
    ];
    const QUESTIONS: &[&str] = &[
        "has_object_versions()",
        "is_early(",
        "engine() ==",
        "engine() !=",
        "engine() <",
        "engine() >",
        "engine >=",
        "engine <=",
        "engine ==",
        "engine !=",
    ];
    let mut found = BTreeMap::new();
    for source in sources() {
        let (path, code) = (source.path.to_str().unwrap(), source.code());
        if OWN.iter().any(|own| path.starts_with(own)) {
            continue;
        }
        let asks = |line: &&str| {
            !line.contains("fn ") && {
                let matches = line.contains("match ") && line.contains("engine() {");
                matches || QUESTIONS.iter().any(|question| line.contains(question))
            }
        };
        let count = code.lines().filter(asks).count();
        if count > 0 {
            found.insert(path.to_owned(), count);
        }
    }
    let asking = ASKING.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect();
    assert_eq!(found, asking);
    assert!(ASKING.len() <= 10);
}

/// Words of one engine, its formats and its tools.
const OF_ENGINES: [&str; 9] =
    ["unreal", "ue1", "ue2", "ue3", "ue4", "ue5", "kismet", "uasset", "licensee"];

/// The framework stores any format: that packages stand above it is said in one line.
#[test]
fn the_framework_names_no_engine() {
    let mut named = Vec::new();
    for source in sources().iter().filter(|source| source.library == "farchive") {
        for line in source.text.lines() {
            let lower = line.to_lowercase();
            if OF_ENGINES.iter().any(|word| lower.contains(word)) {
                named.push((source.path.display().to_string(), line.to_owned()));
            }
        }
    }
    let line = "//! Unreal's packages stand above it, in the crate `unreal-packages`.";
    assert_eq!(named, [("lib.rs".to_owned(), line.to_owned())]);
}

/// Types of classes are called as Unreal calls the classes, which several engines have.
#[test]
fn every_type_has_a_name_of_its_own() {
    let mut defined: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources() {
        if source.room() == "object" {
            continue;
        }
        for line in source.code().lines() {
            let line = match line.strip_prefix("pub(").and_then(|line| line.split_once(") ")) {
                Some((_, line)) => line,
                None => line.strip_prefix("pub ").unwrap_or(line),
            };
            let Some((kind, name)) = line.split_once(' ') else { continue };
            if ["struct", "enum", "type", "trait", "union"].contains(&kind) {
                let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
                let name = name[..end].to_owned();
                defined.entry(name).or_default().push(format!(
                    "{}/{}",
                    source.library,
                    source.path.display()
                ));
            }
        }
    }
    assert!(defined.len() > 400, "{}", defined.len());
    defined.retain(|_, places| places.len() > 1);
    assert!(defined.is_empty(), "{defined:#?}");
}
