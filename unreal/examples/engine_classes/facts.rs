//! What is known about the classes of an engine.

use std::collections::{BTreeMap, BTreeSet};

/// Classes are followed this far.
pub const DEEPEST: usize = 64;

/// Values of an enum; no number where only its name is stored.
pub type Values = Vec<(String, Option<u64>)>;

/// A property: no type where two contradict each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub kind: Option<String>,
    pub dimension: u32,
}

/// A class or a struct, with what it declares itself as far as that is known.
#[derive(Clone, Default, Debug)]
pub struct Class {
    /// Empty for none.
    pub parent: String,
    pub properties: BTreeMap<String, Known>,
}

#[derive(Default)]
pub struct Facts {
    pub classes: BTreeMap<String, Class>,
    pub structs: BTreeMap<String, Class>,
    pub enums: BTreeMap<String, Values>,
    /// Classes of which packages have objects, not only defaults, with the number of packages.
    pub used: BTreeMap<String, usize>,
    /// Properties of classes and fields of structs that packages store, with the number of packages.
    pub stored: BTreeMap<(String, String), usize>,
    /// Values of enums that packages store by name.
    pub seen: BTreeMap<String, BTreeSet<String>>,
}

impl Class {
    /// Notes a type that a declaration or a tag says.
    pub fn note(&mut self, name: &str, kind: &str, dimension: u32) {
        if name.is_empty() || name.contains([' ', '[', ']', '{', '}', '#', ':', '=']) {
            return;
        }
        let new = || Known { kind: Some(kind.to_owned()), dimension };
        let held = self.properties.entry(name.to_owned()).or_insert_with(new);
        held.kind = held.kind.take().and_then(|held| joined(held, kind));
        held.dimension = held.dimension.max(dimension);
    }

    /// The type of a property, in any case of its name.
    pub fn kind(&self, name: &str) -> Option<&str> {
        let found = self.properties.get(name);
        let any_case = || {
            let mut all = self.properties.iter();
            all.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, known)| known)
        };
        found.or_else(any_case)?.kind.as_deref()
    }
}

/// One of two types that say the same of one property; imports say less of bytes than tags.
fn joined(held: String, kind: &str) -> Option<String> {
    match (&*held, kind) {
        _ if held == kind => Some(held),
        ("byte", other) if other.starts_with("byte-enum:") => Some(other.to_owned()),
        (_, "byte") if held.starts_with("byte-enum:") => Some(held),
        ("object", "class") | ("class", "object") => Some("object".to_owned()),
        _ => None,
    }
}

impl Facts {
    pub fn class(&mut self, name: &str) -> &mut Class {
        self.classes.entry(name.to_owned()).or_default()
    }

    pub fn structure(&mut self, name: &str) -> &mut Class {
        self.structs.entry(name.to_owned()).or_default()
    }

    /// A class and those that it derives from, the nearest first.
    pub fn chain(&self, name: &str) -> Vec<String> {
        let mut chain = vec![name.to_owned()];
        while let Some(class) = chain.last().and_then(|last| self.classes.get(last))
            && !class.parent.is_empty()
            && chain.len() < DEEPEST
        {
            chain.push(class.parent.clone());
        }
        chain
    }

    /// Adds what other sources say of the same engine; a parent that is known stays.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in
            [(&mut self.classes, &other.classes), (&mut self.structs, &other.structs)]
        {
            for (name, class) in theirs {
                let held = mine.entry(name.clone()).or_default();
                if held.parent.is_empty() {
                    held.parent.clone_from(&class.parent);
                }
                for (name, known) in &class.properties {
                    match &known.kind {
                        Some(kind) => held.note(name, kind, known.dimension),
                        None => {
                            held.properties.insert(name.clone(), known.clone());
                        }
                    }
                }
            }
        }
        for (name, values) in &other.enums {
            self.enums.entry(name.clone()).or_insert_with(|| values.clone());
        }
        for (name, count) in &other.used {
            *self.used.entry(name.clone()).or_default() += count;
        }
        for (property, count) in &other.stored {
            *self.stored.entry(property.clone()).or_default() += count;
        }
        for (name, values) in &other.seen {
            self.seen.entry(name.clone()).or_default().extend(values.iter().cloned());
        }
    }

    /// Leaves out properties that fewer packages store.
    pub fn keep_stored(&mut self, packages: usize) {
        let stored = &self.stored;
        for (name, class) in self.classes.iter_mut().chain(&mut self.structs) {
            class.properties.retain(|property, _| {
                stored
                    .get(&(name.clone(), property.clone()))
                    .is_some_and(|&count| count >= packages)
            });
        }
    }

    /// What two engines have alike; it is taken out of both.
    pub fn shared(one: &mut Self, other: &mut Self) -> Self {
        let mut both = Self {
            classes: shared(&mut one.classes, &mut other.classes),
            structs: shared(&mut one.structs, &mut other.structs),
            ..Self::default()
        };
        for (name, mine) in &mut one.enums {
            let Some(theirs) = other.enums.get_mut(name) else { continue };
            let same: Values =
                mine.iter().filter(|value| theirs.contains(value)).cloned().collect();
            mine.retain(|value| !same.contains(value));
            theirs.retain(|value| !same.contains(value));
            both.enums.insert(name.clone(), same);
        }
        both
    }

    /// Leaves out the enums that no property has, and what no value is left of.
    pub fn drop_unused_enums(&mut self) {
        let classes = self.classes.values().chain(self.structs.values());
        let kinds = classes.flat_map(|class| class.properties.values());
        let used: BTreeSet<&str> =
            kinds.filter_map(|known| known.kind.as_deref()?.split("enum:").nth(1)).collect();
        self.enums.retain(|name, values| used.contains(&**name) && !values.is_empty());
    }
}

fn shared(
    one: &mut BTreeMap<String, Class>,
    other: &mut BTreeMap<String, Class>,
) -> BTreeMap<String, Class> {
    let mut both = BTreeMap::new();
    for (name, mine) in one.iter_mut() {
        let Some(theirs) = other.get_mut(name) else { continue };
        let mut class = Class::default();
        if mine.parent == theirs.parent {
            class.parent = std::mem::take(&mut mine.parent);
            theirs.parent.clear();
        }
        mine.properties.retain(|name, known| {
            let same = theirs.properties.get(name) == Some(known);
            if same {
                theirs.properties.remove(name);
                class.properties.insert(name.clone(), known.clone());
            }
            !same
        });
        both.insert(name.clone(), class);
    }
    both
}
