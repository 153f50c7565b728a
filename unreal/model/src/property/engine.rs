//! Declarations of the engines' own classes and structs, which packages that only import them lack.
//!
//! The facts are text in `engine/`: names, types, dimensions, values of enums, and what derives from what. UE4
//! and UE5 have a file of their own each, and one for what both have alike.
//!
//! | line | meaning |
//! |---|---|
//! | `NAME [PARENT]`, `struct NAME [PARENT]` | a class or a struct, and what follows are its own properties |
//! | `any` | what follows are properties of any class, but those that have a line of their own: what arrays hold where their tags do not say it |
//! | `flat NAME` | what follows are the fields, in stored order, of a struct that is stored without tags |
//! | `cooked any`, `cooked flat NAME` | the same in cooked packages alone |
//! | ` TYPE NAME NAME[4] …` | properties of this type; static arrays with their dimension |
//! | ` TYPE` | one that is called as its type, or as its enum without the `E` |
//! | `enum NAME VALUE VALUE=7 …` | the values of an enum, counted from 0 or from the number before; `=?` where only the name is known |
//! | `byte-enum NAME …` | the same for an enum that is stored in a byte |
//!
//! A common prefix of properties or values can come first: `Light* Hue Radius * Tag` are `LightHue`,
//! `LightRadius` and `Tag`. Classes derive from `Object` where nothing else is said. Within a type the name of
//! an enum that has a line stands for `enum:NAME` or `byte-enum:NAME`, any other name in upper case for
//! `struct:NAME`.
//!
//! `examples/engine_classes` makes the files; those with `-more` and `native` are written by hand, the latter about
//! classes that are code, which no package declares.

mod text;

use std::sync::LazyLock;

use self::text::{EngineClass, EngineProperty, Spelled};
#[doc(hidden)]
pub use self::text::{EngineClasses, EngineEnum};
use super::{Declared, Layouts, StructLayout, Type};
use crate::version::{Engine, UnrealVersions, Versions, threshold};

/// The facts of an engine: the file that is written by hand, and those that are made.
const FILES: [(Engine, &str, &[&str]); 5] = [
    (Engine::Ue1, include_str!("engine/ue1-more.txt"), &[include_str!("engine/ue1.txt")]),
    (Engine::Ue2, include_str!("engine/ue2-more.txt"), &[include_str!("engine/ue2.txt")]),
    (Engine::Ue3, include_str!("engine/ue3-more.txt"), &[include_str!("engine/ue3.txt")]),
    (Engine::Ue4, "", &[UE4_AND_UE5, include_str!("engine/ue4.txt")]),
    (Engine::Ue5, "", &[UE4_AND_UE5, include_str!("engine/ue5.txt")]),
];

const UE4_AND_UE5: &str = include_str!("engine/ue4-5.txt");

/// Each engine's, read when it is asked for first.
static KNOWN: [LazyLock<EngineClasses>; 5] = [
    LazyLock::new(|| EngineClasses::of_engine(0)),
    LazyLock::new(|| EngineClasses::of_engine(1)),
    LazyLock::new(|| EngineClasses::of_engine(2)),
    LazyLock::new(|| EngineClasses::of_engine(3)),
    LazyLock::new(|| EngineClasses::of_engine(4)),
];

/// The declarations that packages are decoded with: the files that are written by hand.
static DECODED_WITH: [LazyLock<EngineClasses>; 3] = [
    LazyLock::new(|| EngineClasses::by_hand(0)),
    LazyLock::new(|| EngineClasses::by_hand(1)),
    LazyLock::new(|| EngineClasses::by_hand(2)),
];

/// Parents of classes that are code: in every engine, and in each.
const NATIVE: (&str, [(Engine, &str); 4]) = (
    include_str!("engine/native.txt"),
    [
        (Engine::Ue1, include_str!("engine/ue1-native.txt")),
        (Engine::Ue2, include_str!("engine/ue2-native.txt")),
        (Engine::Ue3, include_str!("engine/ue3-native.txt")),
        (Engine::Ue5, include_str!("engine/ue4-5-native.txt")),
    ],
);

/// Each engine's, read when it is asked for first.
static NATIVE_CLASSES: [LazyLock<EngineClasses>; 4] = [
    LazyLock::new(|| EngineClasses::native(0)),
    LazyLock::new(|| EngineClasses::native(1)),
    LazyLock::new(|| EngineClasses::native(2)),
    LazyLock::new(|| EngineClasses::native(3)),
];

/// The root of all classes.
const ROOT: &str = "Object";

/// Classes are followed this far.
const DEEPEST: usize = 64;

/// The place of the engine of these versions in the tables.
fn place(versions: &Versions) -> usize {
    let places = [0, 1, 2, 3, 4].map(|at: usize| (FILES[at].0, at));
    versions.engine().row_of(&places).unwrap_or(FILES.len())
}

impl EngineClasses {
    /// The declarations of the engine of these versions.
    pub fn of(versions: &Versions) -> Option<&'static Self> {
        KNOWN.get(place(versions)).map(|known| &**known)
    }

    /// All facts of the engine at this place.
    fn of_engine(place: usize) -> Self {
        let (_, by_hand, made) = FILES[place];
        let mut known = Self::default();
        // What is written by hand says more of a property that both have: it is found first.
        [&by_hand].into_iter().chain(made).for_each(|file| known.read(file));
        known
    }

    fn by_hand(place: usize) -> Self {
        let mut known = Self::default();
        known.read(FILES[place].1);
        known
    }

    fn native(place: usize) -> Self {
        let mut known = Self::default();
        known.read(NATIVE.0);
        known.read(NATIVE.1[place].1);
        known
    }

    /// The property of an object whose class is the first of these, or the field of a struct of that name;
    /// the first class that the engine knows counts, with those that it derives from.
    pub fn property<'a>(
        &self,
        classes: impl Iterator<Item = &'a str>,
        is_struct: bool,
        name: &str,
    ) -> Option<Declared> {
        let is = |property: &&EngineProperty| is_spelled(property.name, name);
        let mut found = self.line(classes, is_struct).flat_map(|known| &known.properties);
        self.declared(found.find(is)?)
    }

    /// The names of the properties of the first of these classes that is known, and of those that it derives
    /// from.
    pub fn property_names<'a>(&self, classes: impl Iterator<Item = &'a str>) -> Vec<String> {
        let properties = self.line(classes, false).flat_map(|known| &known.properties);
        properties.map(|property| property.name.concat()).collect()
    }

    /// The first of these that the engine knows, and what it derives from.
    fn line<'a>(
        &self,
        mut classes: impl Iterator<Item = &'a str>,
        is_struct: bool,
    ) -> impl Iterator<Item = &EngineClass> {
        let all = if is_struct { &self.structs } else { &self.classes };
        let first = classes.find_map(|class| all.get_key_value(&class.to_ascii_lowercase()));
        let line = std::iter::successors(first, move |(name, known)| {
            // Structs derive from nothing, classes from the root, where nothing else is said.
            let parent = match known.parent {
                "" if is_struct || name.eq_ignore_ascii_case(ROOT) => return None,
                "" => ROOT,
                parent => parent,
            };
            all.get_key_value(&parent.to_ascii_lowercase())
        });
        line.take(DEEPEST).map(|(_, known)| known)
    }

    /// The class that a class derives from; `None` where the facts don't say it, which is no statement that it
    /// derives from nothing else.
    pub fn parent_of(&self, class: &str) -> Option<&'static str> {
        let known = self.classes.get(&class.to_ascii_lowercase())?;
        Some(known.parent).filter(|parent| !parent.is_empty())
    }

    /// Whether the facts name this class.
    pub fn has_class(&self, class: &str) -> bool {
        self.classes.contains_key(&class.to_ascii_lowercase())
    }

    /// The parent of a class that is code; `Object` is the last.
    pub fn native_parent_of(versions: &Versions, class: &str) -> Option<&'static str> {
        let places = [0, 1, 2, 3].map(|at: usize| (NATIVE.1[at].0, at));
        NATIVE_CLASSES.get(versions.engine().row_of(&places)?)?.parent_of(class)
    }

    /// The values of an enum with their numbers; a number that is not known is more than any that is stored.
    pub fn enum_values(&self, name: &str) -> Option<Vec<(String, u64)>> {
        let known = self.enumeration(name)?;
        Some(known.values.iter().map(|(name, number)| (name.concat(), *number)).collect())
    }

    /// An enum by its name.
    pub fn enumeration(&self, name: &str) -> Option<&EngineEnum> {
        self.enums.get(&name.to_ascii_lowercase())
    }

    fn declared(&self, property: &EngineProperty) -> Option<Declared> {
        let known = self.spelled_out(property.property_type).parse::<Type>().ok()?;
        let dimension = property.dimension;
        Some(Declared { dimension, ..Declared::of_type(&property.name.concat(), known) })
    }

    /// A type with the kinds that its names leave out.
    fn spelled_out(&self, property_type: &str) -> String {
        let (mut text, mut named) = (String::new(), false);
        for word in property_type.split(':') {
            if !text.is_empty() {
                text.push(':');
            }
            if !named && word.starts_with(|first: char| first.is_ascii_uppercase()) {
                text += match self.enums.get(&word.to_ascii_lowercase()) {
                    Some(known) if known.in_byte => "byte-enum:",
                    Some(_) => "enum:",
                    None => "struct:",
                };
            }
            named = matches!(word, "struct" | "enum" | "byte-enum");
            text += word;
        }
        text
    }
}

/// Whether a name in two parts is this one, case apart.
fn is_spelled([first, second]: Spelled, name: &str) -> bool {
    name.len() == first.len() + second.len()
        && name.get(..first.len()).is_some_and(|start| start.eq_ignore_ascii_case(first))
        && name.get(first.len()..).is_some_and(|end| end.eq_ignore_ascii_case(second))
}

/// Declares what the engine of these versions stores in arrays and without tags.
pub(super) fn declare(layouts: &mut Layouts, versions: &Versions) {
    let Some(known) = DECODED_WITH.get(place(versions)) else { return };
    let parts = if versions.cooked() { 2 } else { 1 };
    if versions.file() >= threshold::COMPACT_INDEX_REMOVED {
        for (name, fields) in known.flat.iter().take(parts).flatten() {
            let fields = fields.iter().filter_map(|field| known.declared(field)).collect();
            layouts.declare_struct(name, StructLayout { fields, immutable: true });
        }
    }
    // What a class says itself comes before what is guessed from a name.
    for (name, class) in &known.classes {
        let own = class.properties.iter().filter_map(|property| known.declared(property));
        for declared in own.filter(|declared| declared.property.kind().is_container()) {
            layouts.declare_in(name, &declared.name, declared.property);
        }
    }
    for property in known.any.iter().take(parts).flatten() {
        if let Some(declared) = known.declared(property) {
            layouts.declare(&declared.name, declared.property);
        }
    }
}
