//! What the engines' own classes and structs declare: what packages that only import them can't say.
//!
//! The facts are text, one file an engine in `engine/`: names, types, dimensions, values of enums, and what
//! derives from what.
//!
//! | line | meaning |
//! |---|---|
//! | `class NAME [PARENT]`, `struct NAME [PARENT]` | what follows are its own properties |
//! | `any` | what follows are properties of any class: what arrays hold where their tags do not say it |
//! | `flat NAME` | what follows are the fields, in stored order, of a struct that is stored without tags |
//! | `cooked any`, `cooked flat NAME` | the same in cooked packages alone |
//! | ` TYPE NAME NAME[4] …` | properties of this type; static arrays with their dimension |
//! | `enum NAME VALUE VALUE=7 …` | the values of an enum, counted from 0 or from the number before |
//!
//! `examples/engine_classes.rs` makes the files `ue1.txt` to `ue5.txt`; those with `-more` are written by hand.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Declared, Layouts, StructLayout, Type};
use crate::version::{Engine, Versions, threshold};

/// The facts of an engine: the file that is made, and the one that is written by hand.
const FILES: [(Engine, [&str; 2]); 5] = [
    (Engine::Ue1, [include_str!("engine/ue1.txt"), include_str!("engine/ue1-more.txt")]),
    (Engine::Ue2, [include_str!("engine/ue2.txt"), include_str!("engine/ue2-more.txt")]),
    (Engine::Ue3, [include_str!("engine/ue3.txt"), include_str!("engine/ue3-more.txt")]),
    (Engine::Ue4, [include_str!("engine/ue4.txt"), ""]),
    (Engine::Ue5, [include_str!("engine/ue5.txt"), ""]),
];

/// Each engine's, read when it is asked for first.
static KNOWN: [LazyLock<EngineClasses>; 5] = [
    LazyLock::new(|| EngineClasses::read(FILES[0].1)),
    LazyLock::new(|| EngineClasses::read(FILES[1].1)),
    LazyLock::new(|| EngineClasses::read(FILES[2].1)),
    LazyLock::new(|| EngineClasses::read(FILES[3].1)),
    LazyLock::new(|| EngineClasses::read(FILES[4].1)),
];

/// What packages are decoded with: the files that are written by hand.
static DECODED_WITH: [LazyLock<EngineClasses>; 3] = [
    LazyLock::new(|| EngineClasses::read(["", FILES[0].1[1]])),
    LazyLock::new(|| EngineClasses::read(["", FILES[1].1[1]])),
    LazyLock::new(|| EngineClasses::read(["", FILES[2].1[1]])),
];

/// Classes are followed this far.
const DEEPEST: usize = 64;

/// The place of the engine of these versions in the tables.
fn place(versions: &Versions) -> usize {
    let places = [0, 1, 2, 3, 4].map(|at: usize| (FILES[at].0, at));
    versions.engine().row_of(&places).unwrap_or(FILES.len())
}

/// What an engine's own classes and structs declare.
#[derive(Debug, Default)]
pub(crate) struct EngineClasses {
    /// By name in lower case.
    classes: HashMap<String, EngineClass>,
    structs: HashMap<String, EngineClass>,
    enums: HashMap<String, Vec<(&'static str, u64)>>,
    /// Properties of any class; the second part is for cooked packages alone.
    any: [Vec<EngineProperty>; 2],
    flat: [Vec<(&'static str, Vec<EngineProperty>)>; 2],
}

/// What the properties in a file belong to.
#[derive(Clone, Copy)]
enum FactOwner {
    Nowhere,
    Class(&'static str),
    Struct(&'static str),
    Any(usize),
    Flat(usize),
}

/// A class or struct.
#[derive(Debug, Default)]
struct EngineClass {
    /// Empty for none.
    parent: &'static str,
    properties: Vec<EngineProperty>,
}

/// A property; its type is read when it is asked for.
#[derive(Debug, Clone, Copy)]
struct EngineProperty {
    name: &'static str,
    property_type: &'static str,
    dimension: u32,
}

impl EngineProperty {
    fn declared(&self) -> Option<Declared> {
        let known = Declared::of_type(self.name, self.property_type.parse::<Type>().ok()?);
        Some(Declared { dimension: self.dimension, ..known })
    }
}

impl EngineClasses {
    /// What the engine of these versions has.
    pub fn of(versions: &Versions) -> Option<&'static Self> {
        KNOWN.get(place(versions)).map(|known| &**known)
    }

    fn read(files: [&'static str; 2]) -> Self {
        let mut known = Self::default();
        for file in files {
            let mut place = FactOwner::Nowhere;
            for line in file.lines().filter(|line| !line.starts_with('#')) {
                let cooked = line.strip_prefix("cooked ");
                let mut words = cooked.unwrap_or(line).split_whitespace();
                let Some(first) = words.next() else { continue };
                let at = usize::from(cooked.is_some());
                if line.starts_with(' ') {
                    let found = properties(first, words);
                    match place {
                        FactOwner::Nowhere => {}
                        FactOwner::Class(name) => known
                            .classes
                            .entry(name.to_ascii_lowercase())
                            .or_default()
                            .properties
                            .extend(found),
                        FactOwner::Struct(name) => known
                            .structs
                            .entry(name.to_ascii_lowercase())
                            .or_default()
                            .properties
                            .extend(found),
                        FactOwner::Any(at) => known.any[at].extend(found),
                        FactOwner::Flat(at) => {
                            if let Some((_, fields)) = known.flat[at].last_mut() {
                                fields.extend(found);
                            }
                        }
                    }
                    continue;
                }
                let mut next = || words.next().unwrap_or_default();
                place = match first {
                    "class" => {
                        let (name, parent) = (next(), next());
                        known.classes.entry(name.to_ascii_lowercase()).or_default().parent = parent;
                        FactOwner::Class(name)
                    }
                    "struct" => {
                        let (name, parent) = (next(), next());
                        known.structs.entry(name.to_ascii_lowercase()).or_default().parent = parent;
                        FactOwner::Struct(name)
                    }
                    "any" => FactOwner::Any(at),
                    "flat" => {
                        known.flat[at].push((next(), Vec::new()));
                        FactOwner::Flat(at)
                    }
                    "enum" => {
                        let name = next().to_ascii_lowercase();
                        known.enums.insert(name, numbered(words));
                        FactOwner::Nowhere
                    }
                    _ => FactOwner::Nowhere,
                };
            }
        }
        known
    }

    /// The property of an object whose class is the first of these, or the field of a struct of that name;
    /// the first class that the engine knows counts, with those that it derives from.
    pub fn property<'a>(
        &self,
        mut classes: impl Iterator<Item = &'a str>,
        is_struct: bool,
        name: &str,
    ) -> Option<Declared> {
        let all = if is_struct { &self.structs } else { &self.classes };
        let mut class = classes.find_map(|class| all.get(&class.to_ascii_lowercase()));
        for _ in 0..DEEPEST {
            let known = class?;
            let is = |property: &&EngineProperty| property.name.eq_ignore_ascii_case(name);
            if let Some(found) = known.properties.iter().find(is) {
                return found.declared();
            }
            class = all.get(&known.parent.to_ascii_lowercase());
        }
        None
    }

    /// The names of the properties of the first of these classes that is known, and of those that it derives
    /// from.
    pub fn property_names<'a>(
        &self,
        mut classes: impl Iterator<Item = &'a str>,
    ) -> Vec<&'static str> {
        let mut class = classes.find_map(|class| self.classes.get(&class.to_ascii_lowercase()));
        let mut names = Vec::new();
        for _ in 0..DEEPEST {
            let Some(known) = class else { break };
            names.extend(known.properties.iter().map(|property| property.name));
            class = self.classes.get(&known.parent.to_ascii_lowercase());
        }
        names
    }

    /// The class that a class derives from.
    pub fn parent_of(&self, class: &str) -> Option<&'static str> {
        let known = self.classes.get(&class.to_ascii_lowercase())?;
        Some(known.parent).filter(|parent| !parent.is_empty())
    }

    /// The values of an enum with their numbers.
    pub fn enum_values(&self, name: &str) -> Option<Vec<(String, u64)>> {
        let values = self.enums.get(&name.to_ascii_lowercase())?;
        Some(values.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect())
    }
}

/// Properties of one type.
fn properties<'a>(
    property_type: &'static str,
    names: impl Iterator<Item = &'static str> + 'a,
) -> impl Iterator<Item = EngineProperty> + 'a {
    names.map(move |word| {
        let (name, dimension) = match word.strip_suffix(']').and_then(|word| word.split_once('[')) {
            Some((name, dimension)) => (name, dimension.parse().unwrap_or(1)),
            None => (word, 1),
        };
        EngineProperty { name, property_type, dimension }
    })
}

/// The values of an enum.
fn numbered(words: impl Iterator<Item = &'static str>) -> Vec<(&'static str, u64)> {
    let mut next = 0_u64;
    let value = |word: &'static str| {
        let (name, number) = match word.split_once('=') {
            Some((name, number)) => (name, number.parse().unwrap_or(next)),
            None => (word, next),
        };
        next = number.wrapping_add(1);
        (name, number)
    };
    words.map(value).collect()
}

/// Declares what the engine of these versions stores in arrays and without tags.
pub(super) fn declare(layouts: &mut Layouts, versions: &Versions) {
    let Some(known) = DECODED_WITH.get(place(versions)) else { return };
    let parts = if versions.cooked { 2 } else { 1 };
    if versions.file >= threshold::COMPACT_INDEX_REMOVED {
        for (name, fields) in known.flat.iter().take(parts).flatten() {
            let fields = fields.iter().filter_map(EngineProperty::declared).collect();
            layouts.declare_struct(name, StructLayout { fields, immutable: true });
        }
    }
    for declared in known.any.iter().take(parts).flatten().filter_map(EngineProperty::declared) {
        layouts.declare(&declared.name, declared.property);
    }
}
