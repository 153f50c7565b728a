//! Reads the facts of a file.

use std::collections::HashMap;

/// Declarations of an engine's own classes and structs.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct EngineClasses {
    /// By name in lower case.
    pub(super) classes: HashMap<String, EngineClass>,
    pub(super) structs: HashMap<String, EngineClass>,
    pub(super) enums: HashMap<String, EngineEnum>,
    /// Properties of any class; the second part is for cooked packages alone.
    pub(super) any: [Vec<EngineProperty>; 2],
    pub(super) flat: [Vec<(&'static str, Vec<EngineProperty>)>; 2],
}

/// A class or struct.
#[derive(Debug, Default)]
pub(super) struct EngineClass {
    /// Empty for none.
    pub(super) parent: &'static str,
    pub(super) properties: Vec<EngineProperty>,
}

/// An enum.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct EngineEnum {
    /// Whether it is stored in a byte.
    pub(super) in_byte: bool,
    pub(super) values: Vec<(Spelled, u64)>,
}

impl EngineEnum {
    /// The name of the value of this number.
    pub fn name_of(&self, number: u64) -> Option<String> {
        let found = self.values.iter().find(|(_, known)| *known == number);
        found.map(|(name, _)| name.concat())
    }
}

/// A name in two parts.
pub(super) type Spelled = [&'static str; 2];

/// A property; its type is read when it is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct EngineProperty {
    pub(super) name: Spelled,
    pub(super) property_type: &'static str,
    pub(super) dimension: u32,
}

/// The owner of the properties in a file.
#[derive(Clone, Copy)]
enum FactOwner {
    Nowhere,
    Class(&'static str),
    Struct(&'static str),
    Any(usize),
    Flat(usize),
}

impl EngineClasses {
    /// Adds what a file says.
    pub(super) fn read(&mut self, file: &'static str) {
        let mut place = FactOwner::Nowhere;
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let cooked = line.strip_prefix("cooked ");
            let mut words = cooked.unwrap_or(line).split_whitespace();
            let Some(first) = words.next() else { continue };
            if line.starts_with(' ') {
                let found = properties(first, words);
                match place {
                    FactOwner::Nowhere => {}
                    FactOwner::Class(name) => add(&mut self.classes, name).properties.extend(found),
                    FactOwner::Struct(name) => {
                        add(&mut self.structs, name).properties.extend(found)
                    }
                    FactOwner::Any(at) => self.any[at].extend(found),
                    FactOwner::Flat(at) => {
                        if let Some((_, fields)) = self.flat[at].last_mut() {
                            fields.extend(found);
                        }
                    }
                }
                continue;
            }
            let at = usize::from(cooked.is_some());
            let mut next = || words.next().unwrap_or_default();
            place = match first {
                "struct" => {
                    let name = next();
                    add(&mut self.structs, name).derive_from(next());
                    FactOwner::Struct(name)
                }
                "any" => FactOwner::Any(at),
                "flat" => {
                    self.flat[at].push((next(), Vec::new()));
                    FactOwner::Flat(at)
                }
                "enum" | "byte-enum" => {
                    let known = self.enums.entry(next().to_ascii_lowercase()).or_default();
                    known.in_byte = first == "byte-enum";
                    known.values.extend(numbered(words));
                    FactOwner::Nowhere
                }
                name => {
                    add(&mut self.classes, name).derive_from(next());
                    FactOwner::Class(name)
                }
            };
        }
    }
}

impl EngineClass {
    /// The parent that a line gives; one that gives none leaves it to another.
    fn derive_from(&mut self, parent: &'static str) {
        if !parent.is_empty() {
            self.parent = parent;
        }
    }
}

fn add<'a>(all: &'a mut HashMap<String, EngineClass>, name: &str) -> &'a mut EngineClass {
    all.entry(name.to_ascii_lowercase()).or_default()
}

/// Words with what stands before them.
fn spelled(words: impl Iterator<Item = &'static str>) -> impl Iterator<Item = Spelled> {
    let mut before = "";
    words.filter_map(move |word| match word.strip_suffix('*') {
        Some(prefix) => {
            before = prefix;
            None
        }
        None => Some([before, word]),
    })
}

/// Properties of one type.
fn properties(
    property_type: &'static str,
    mut words: impl Iterator<Item = &'static str>,
) -> Vec<EngineProperty> {
    let property = |[before, word]: Spelled| {
        let (name, dimension) = match word.strip_suffix(']').and_then(|word| word.split_once('[')) {
            Some((name, dimension)) => (name, dimension.parse().unwrap_or(1)),
            None => (word, 1),
        };
        EngineProperty { name: [before, name], property_type, dimension }
    };
    let Some(first) = words.next() else {
        let is_enum = |rest: &&str| rest.starts_with(|next: char| next.is_ascii_uppercase());
        let short = property_type.strip_prefix('E').filter(is_enum);
        return vec![property(["", short.unwrap_or(property_type)])];
    };
    spelled(std::iter::once(first).chain(words)).map(property).collect()
}

/// The values of an enum.
fn numbered(words: impl Iterator<Item = &'static str>) -> impl Iterator<Item = (Spelled, u64)> {
    let mut next = 0_u64;
    spelled(words).map(move |[before, word]| {
        let (name, number) = match word.split_once('=') {
            Some((name, number)) => (name, number.parse().unwrap_or(u64::MAX)),
            None => (word, next),
        };
        next = number.wrapping_add(1);
        ([before, name], number)
    })
}
