//! Rust structs for the properties of classes.

use std::collections::HashSet;
use std::fmt::Write;

use super::classes::DEEPEST;
use super::{ClassInfo, Classes, FieldInfo, FieldType};

/// Words that Rust keeps for itself.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

impl Classes {
    /// Rust source for a package of UE1 to UE3: for each class a struct with its properties and those that
    /// it inherits, as far as they are known, and one for the whole object, which loads and saves objects
    /// that are no components and have no state frame.
    ///
    /// The structs derive serde's traits where the feature `serde` is on, and the objects `Archived`.
    /// Structs of equal plain fields are arrays; other structs, maps and delegates stay `Value`.
    pub fn rust_source(&self, package: &str) -> String {
        let mut text = String::from(
            "#![allow(non_snake_case, clippy::all)]\n\n\
             use std::collections::BTreeMap;\n\n\
             use farchive::property::{EnumValue, Mirror, Mirrored, Slot, Value};\n\
             use farchive::{Archived, Name, PackageIndex};\n",
        );
        let own = || self.iter().filter(|class| class.package.eq_ignore_ascii_case(package));
        let mut taken: HashSet<String> = own().map(|class| identifier(&class.name)).collect();
        let mut written = HashSet::new();
        for class in own() {
            let name = identifier(&class.name);
            // Two classes of one spelling can't both be written.
            if written.insert(name.clone()) {
                // A class may be called as the object of another one.
                let mut object = format!("{name}Object");
                while !taken.insert(object.clone()) {
                    object.push('_');
                }
                self.class(class, &name, &object, &mut text);
            }
        }
        text
    }

    fn class(&self, class: &ClassInfo, name: &str, object: &str, text: &mut String) {
        let path = class.path();
        let mut fields: Vec<(String, String, &FieldInfo, String)> = Vec::new();
        let (mut known, mut taken) = (HashSet::new(), HashSet::new());
        for declaring in self.chain(&path) {
            for field in &declaring.fields {
                if !known.insert(field.name.to_ascii_lowercase()) {
                    continue;
                }
                let mut identifier = snake(&field.name);
                while !taken.insert(identifier.clone()) {
                    identifier.push('_');
                }
                let value = self.value_type(&field.field_type, 0);
                let held = match field.dimension {
                    1 => format!("Option<{value}>"),
                    _ => format!("BTreeMap<u32, {value}>"),
                };
                fields.push((identifier, held, field, declaring.path()));
            }
        }
        // Writing to a String can't fail.
        let _ = write!(
            text,
            "\n/// The properties of {path}.\n#[derive(Debug, Clone, Default, PartialEq)]\n\
             #[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize), serde(default))]\n\
             pub struct {name} {{\n"
        );
        for (identifier, held, field, declaring) in &fields {
            let script = printable(&field.type_text());
            let skip = if held.contains("Value>") && !held.contains("EnumValue>") {
                "    #[cfg_attr(feature = \"serde\", serde(skip))]\n"
            } else {
                ""
            };
            let _ = write!(
                text,
                "    /// `{script}`, of {}.\n{skip}    pub {identifier}: {held},\n",
                printable(declaring)
            );
        }
        let _ = write!(
            text,
            "}}\n\nimpl Mirror for {name} {{\n    const NAMES: &'static [&'static str] = &["
        );
        for (_, _, field, _) in &fields {
            let _ = write!(text, "{:?}, ", field.name);
        }
        text.push_str("];\n\n    fn slots(&mut self) -> Vec<&mut dyn Slot> {\n        vec![");
        for (identifier, ..) in &fields {
            let _ = write!(text, "&mut self.{identifier}, ");
        }
        let _ = write!(
            text,
            "]\n    }}\n}}\n\n/// An object of {path}.\n\
             #[derive(Archived, Debug, Clone, Default, PartialEq)]\npub struct {object} {{\n    \
             /// Index on the net, -1 for none.\n    #[since(322)]\n    pub net_index: i32,\n    \
             /// The properties.\n    pub properties: Mirrored<{name}>,\n}}\n"
        );
    }

    /// The type of a value in Rust.
    fn value_type(&self, field_type: &FieldType, depth: usize) -> String {
        match field_type {
            FieldType::Byte(None) => "u8".to_owned(),
            FieldType::Byte(Some(_)) => "EnumValue".to_owned(),
            FieldType::Int => "i32".to_owned(),
            FieldType::Bool => "bool".to_owned(),
            FieldType::Float => "f32".to_owned(),
            FieldType::Object(_) | FieldType::Class(_) | FieldType::Interface(_) => {
                "PackageIndex".to_owned()
            }
            FieldType::Name => "Name".to_owned(),
            FieldType::Str => "String".to_owned(),
            FieldType::Array(inner) if depth < DEEPEST => {
                format!("Vec<{}>", self.value_type(inner, depth + 1))
            }
            FieldType::Struct(path) => self.flat_struct(path).unwrap_or_else(|| "Value".to_owned()),
            _ => "Value".to_owned(),
        }
    }

    /// The array that a struct of equal plain fields is.
    fn flat_struct(&self, path: &str) -> Option<String> {
        let structure = self.structure(path).filter(|known| known.parent.is_none())?;
        let first = &structure.fields.first()?.field_type;
        let plain = match first {
            FieldType::Float => "f32",
            FieldType::Int => "i32",
            FieldType::Byte(None) => "u8",
            _ => return None,
        };
        let same = structure.fields.iter().all(|field| field.field_type == *first);
        let count: u64 = structure.fields.iter().map(|field| u64::from(field.dimension)).sum();
        (same && count <= 32).then(|| format!("[{plain}; {count}]"))
    }
}

/// A name that Rust takes: a package may hold any text.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut text: String = name.chars().map(plain).collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert(0, 'X');
    }
    if text == "Self" || is_used(&text) {
        text.push('_');
    }
    text
}

/// Names that the source itself uses.
fn is_used(name: &str) -> bool {
    const USED: &[&str] = &[
        "Archived",
        "BTreeMap",
        "Clone",
        "Debug",
        "Default",
        "EnumValue",
        "Mirror",
        "Mirrored",
        "Name",
        "None",
        "Option",
        "PackageIndex",
        "PartialEq",
        "Slot",
        "Some",
        "String",
        "Value",
        "Vec",
    ];
    USED.contains(&name)
}

/// `bHidden` becomes `b_hidden`, `LODBias` `lod_bias`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, &c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at)).copied().unwrap_or('_');
        let after_lower = letters.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let starts = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || before.is_ascii_uppercase() && after_lower);
        if starts {
            text.push('_');
        }
        text.push(if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    }
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert(0, 'x');
    }
    if KEYWORDS.contains(&text.as_str()) {
        text.push('_');
    }
    text
}

/// A text for a comment: nothing that ends it.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
