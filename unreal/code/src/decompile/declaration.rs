//! Variables, constants, enums and structs as text.

use std::fmt::Write as _;

use super::code::INDENT;
use super::constant::quote;
use super::defaults;
use super::scripts::Scripts;
use crate::language::keywords;
use crate::object::script_object::{PropertyClass, ScriptObject, UProperty};
use crate::primitive::{ObjectRef, PackageIndex};

/// Types nest this deep.
const DEEPEST: usize = 16;
/// Flags of properties (spec: ue1-3/12 §12.3).
const EDIT: u64 = 0x1;
const CONFIG: u64 = 0x4000;
const GLOBAL_CONFIG: u64 = 0x4_0000;
const LOCALIZED: u64 = 0x8000;
const COMMENTED: u64 = 0x200_0000;
/// A variable without its first word: type, name with its count of elements.
pub(super) type Variable = (String, String);

/// Declarations of neighbours with one type as one line each: `local int A, B;`.
pub(super) fn grouped(word: &str, variables: &[Variable]) -> Vec<String> {
    let same = variables.chunk_by(|one, other| one.0 == other.0);
    let line = |group: &[Variable]| {
        let names: Vec<&str> = group.iter().map(|(_, name)| name.as_str()).collect();
        format!("{word} {} {};", group[0].0, names.join(", "))
    };
    same.map(line).collect()
}

/// Writes declarations.
pub(super) struct DeclarationTexts<'a> {
    pub scripts: &'a Scripts,
}

impl DeclarationTexts<'_> {
    /// The type of a property.
    pub fn type_of(&self, index: PackageIndex, property: &UProperty) -> String {
        self.nested(index, property, 0)
    }

    fn nested(&self, index: PackageIndex, property: &UProperty, depth: usize) -> String {
        let class = self.scripts.class_name(index).to_ascii_lowercase();
        let name = |index: PackageIndex| self.scripts.name(index);
        let inner = |index: PackageIndex| match self.scripts.property(index) {
            Some(property) if depth < DEEPEST => self.nested(index, property, depth + 1),
            _ => name(index),
        };
        match (&property.class, class.as_str()) {
            (PropertyClass::One(of), "byteproperty") if of.is_null() => "byte".to_owned(),
            (PropertyClass::One(of), "arrayproperty") => {
                let of = inner(*of);
                // Two of them in a row are one sign to the engines' compilers.
                if of.ends_with('>') { format!("array<{of} >") } else { format!("array<{of}>") }
            }
            (PropertyClass::One(of), _) => name(*of),
            (PropertyClass::Two(key, value), "mapproperty") => {
                format!("map{{{}, {}}}", inner(*key), inner(*value))
            }
            (PropertyClass::Two(_, meta), _) => match name(*meta) {
                meta if meta.is_empty() || meta.eq_ignore_ascii_case("Object") => {
                    "class".to_owned()
                }
                meta => format!("class<{meta}>"),
            },
            (PropertyClass::Delegate(function, ..), _) => {
                match self.scripts.dialect.names_delegates() && !function.is_null() {
                    true => format!("delegate<{}>", name(*function)),
                    false => "delegate".to_owned(),
                }
            }
            (PropertyClass::FixedArray(of, count), _) => {
                format!("array<{}, {}>", inner(*of), count.value())
            }
            (PropertyClass::FixedString(size), _) => format!("string[{size}]"),
            (_, "strproperty") => "string".to_owned(),
            (_, "biomask4property") => "byte".to_owned(),
            (_, class) => class.strip_suffix("property").unwrap_or(class).to_owned(),
        }
    }

    /// The name of a property with its count of elements.
    fn name_of(&self, index: PackageIndex, property: &UProperty) -> String {
        let name = self.scripts.name(index);
        if !property.array_enum.is_null() {
            return format!("{name}[{}]", self.scripts.name(property.array_enum));
        }
        match property.array_dim & 0xffff {
            0 | 1 => name,
            count => format!("{name}[{count}]"),
        }
    }

    pub fn local(&self, index: PackageIndex) -> Variable {
        match self.scripts.property(index) {
            Some(property) => (self.type_of(index, property), self.name_of(index, property)),
            None => Variable::default(),
        }
    }

    pub fn parameter(&self, index: PackageIndex, property: &UProperty) -> String {
        let words = [(0x10, "optional "), (0x100, "out "), (0x800, "coerce "), (0x200, "skip ")];
        let is_const = property.property_flags & 0x2 != 0;
        let is_rich = self.scripts.dialect.has_rich_parameters();
        let mut out = if is_const && is_rich { "const ".to_owned() } else { String::new() };
        for (flag, word) in words {
            if property.property_flags & flag != 0 {
                out.push_str(word);
            }
        }
        let _ = write!(out, "{} {}", self.type_of(index, property), self.name_of(index, property));
        out
    }

    /// Writes the words between `var` and the name of a variable that `owner` declares; with parentheses for the
    /// editor.
    fn words(&self, index: PackageIndex, property: &UProperty, owner: &str) -> (String, String) {
        let dialect = self.scripts.dialect;
        let mut flags = property.property_flags;
        let mut out = String::new();
        let category = self.scripts.stored_text(property.category);
        let edit = match category.filter(|_| flags & EDIT != 0) {
            Some(category) if category.eq_ignore_ascii_case(owner) => "()".to_owned(),
            Some(category) => format!("({category})"),
            None if flags & EDIT != 0 => "()".to_owned(),
            None => String::new(),
        };
        out.push_str(dialect.access(self.scripts.object_flags(index)));
        let (word, combined) = dialect.combined(flags);
        out.push_str(word);
        flags &= !combined;
        if flags & GLOBAL_CONFIG != 0 {
            flags &= !CONFIG;
        }
        if flags & LOCALIZED != 0 && dialect.localized_is_const() {
            flags &= !0x2;
        }
        for keyword in keywords::of(keywords::PROPERTY, dialect) {
            if flags & keyword.flag != 0 {
                out.push_str(keyword.word);
                out.push(' ');
            }
        }
        (edit, out)
    }

    /// A variable of a class or struct.
    pub fn variable(&self, index: PackageIndex, property: &UProperty, owner: &str) -> String {
        let (edit, words) = self.words(index, property, owner);
        let mut out = format!(
            "var{edit} {words}{} {}",
            self.type_of(index, property),
            self.name_of(index, property)
        );
        let comment = property.comment.text(self.scripts.package.source()).unwrap_or_default();
        if property.property_flags & COMMENTED != 0 && !comment.is_empty() {
            // Each text that stood there has its line.
            for text in comment.strip_suffix('\n').unwrap_or(&comment).split('\n') {
                out.push(' ');
                quote(&mut out, text);
            }
        }
        out.push_str(";\n");
        out
    }

    /// A constant, enum or struct; nothing for other fields.
    pub fn declared(&self, index: PackageIndex) -> Option<String> {
        let name = self.scripts.name(index);
        match self.scripts.object(index)? {
            ScriptObject::Const(constant) => {
                let value = constant.value.text(self.scripts.package.source()).unwrap_or_default();
                // The compiler keeps what stands behind the sign, spaces too.
                let space = if value.starts_with(char::is_whitespace) { "" } else { " " };
                Some(format!("const {name} ={space}{value};\n"))
            }
            ScriptObject::Enum(object) => {
                let mut values: Vec<_> =
                    object.names.iter().map(|name| self.scripts.text(*name)).collect();
                // The compiler of UE3 adds the last one.
                let is_added = |last: &String| {
                    self.scripts.dialect.closes_enums()
                        && last.to_ascii_uppercase().ends_with("_MAX")
                };
                values.pop_if(|last| is_added(last));
                let values: String =
                    values.iter().map(|value| format!("{INDENT}{value},\n")).collect();
                Some(format!("enum {name}\n{{\n{values}}};\n"))
            }
            ScriptObject::Struct(object) => {
                let flags = object.struct_flags | object.base.struct_flags;
                let mut out = "struct ".to_owned();
                for keyword in keywords::of(keywords::STRUCT, self.scripts.dialect) {
                    if u64::from(flags) & keyword.flag != 0 {
                        let _ = write!(out, "{} ", keyword.word);
                    }
                }
                out.push_str(&name);
                let above = match self.scripts.parent(index) {
                    above if above.is_null() => object.base.super_field,
                    above => above,
                };
                if !above.is_null() {
                    let _ = write!(out, " extends {}", self.scripts.name(above));
                }
                out.push_str("\n{\n");
                for &field in self.scripts.children(index) {
                    // Whoever asked for it refuses what is as long as this.
                    if self.scripts.is_too_long(&out) {
                        break;
                    }
                    if let Some(property) = self.scripts.property(field) {
                        let _ = write!(out, "{INDENT}{}", self.variable(field, property, &name));
                    }
                }
                if let ObjectRef::Export(row) = index.target() {
                    out.push_str(&defaults::of_struct(self.scripts, row, &object.defaults));
                }
                out.push_str("};\n");
                Some(out)
            }
            _ => None,
        }
    }
}
