//! The classes of many packages: inheritance, properties, structs, enums, functions.

use std::collections::BTreeMap;
use std::fmt;

use super::{Environment, FileId};
use crate::Engine;

/// Parents are followed this far.
pub(super) const DEEPEST: usize = 64;

/// Classes and structs by their full path, in any case.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    classes: BTreeMap<String, ClassInfo>,
    structs: BTreeMap<String, StructInfo>,
    enums: BTreeMap<String, EnumInfo>,
    /// The engine of the first package; `None` before there is one.
    pub(super) engine: Option<Engine>,
}

/// A class.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClassInfo {
    /// The package that it lies in.
    pub package: String,
    /// Its name.
    pub name: String,
    /// Path of the class that it derives from: `Engine.Actor`.
    pub parent: Option<String>,
    /// Class flags.
    pub flags: u32,
    /// Whether code of the engine or of a DLL belongs to it, which knows its layout.
    pub native: bool,
    /// Path of the class that its objects must lie in.
    pub within: Option<String>,
    /// The ini file of its configured properties.
    pub config: Option<String>,
    /// Its own properties in the order of memory.
    pub fields: Vec<FieldInfo>,
    /// Paths of the structs that it declares.
    pub structs: Vec<String>,
    /// Paths of the enums that it declares.
    pub enums: Vec<String>,
    /// Its constants: name and value as written.
    pub constants: Vec<(String, String)>,
    /// Its own functions.
    pub functions: Vec<FunctionInfo>,
}

/// A struct.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StructInfo {
    /// The package that it lies in.
    pub package: String,
    /// Path within the package: `Object.Vector`.
    pub path: String,
    /// Path of the struct that it derives from, with its package.
    pub parent: Option<String>,
    /// Struct flags, 0 where the version has none.
    pub flags: u32,
    /// Its own fields in order.
    pub fields: Vec<FieldInfo>,
}

/// An enum.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EnumInfo {
    /// Path with its package.
    pub path: String,
    /// The values from 0.
    pub values: Vec<String>,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FunctionInfo {
    /// Its name.
    pub name: String,
    /// Function flags.
    pub flags: u32,
    /// Index of the native function, 0 for none.
    pub native_index: u16,
    /// Its parameters in order, the return value among them.
    pub parameters: Vec<FieldInfo>,
}

/// A property, a field of a struct, a parameter.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FieldInfo {
    /// Its name.
    pub name: String,
    /// Its type.
    #[cfg_attr(feature = "serde", serde(rename = "type", serialize_with = "as_text"))]
    pub field_type: FieldType,
    /// Elements of a static array, 1 for a single value.
    pub dimension: u32,
    /// Property flags.
    pub flags: u64,
    /// Category in the editor; empty for none.
    pub category: String,
}

#[cfg(feature = "serde")]
fn as_text<S: serde::Serializer>(
    value: &FieldType,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// The type of a property. Paths start with the package.
///
/// Displays as script writes it: `array<class<Engine.Actor>>`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldType {
    /// One byte; with the path of its enum.
    Byte(Option<String>),
    /// Four bytes.
    Int,
    /// One bit.
    Bool,
    /// Four bytes.
    Float,
    /// A reference to an object of this class.
    Object(String),
    /// A reference to a class that derives from this one.
    Class(String),
    /// A reference to an object with this interface.
    Interface(String),
    /// A name.
    Name,
    /// A string.
    Str,
    /// UE1: characters in a fixed size.
    FixedString(i32),
    /// A function of an object.
    Delegate,
    /// A pointer that only native code uses.
    Pointer,
    /// A struct.
    Struct(String),
    /// Elements.
    Array(Box<FieldType>),
    /// UE1: a fixed number of elements.
    FixedArray(Box<FieldType>, i32),
    /// Keys and values.
    Map(Box<FieldType>, Box<FieldType>),
    /// A property class that is not known, or a declaration that can't be read.
    Other(String),
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(Some(path)) | Self::Object(path) | Self::Interface(path) => {
                f.write_str(path)
            }
            Self::Byte(None) => f.write_str("byte"),
            Self::Int => f.write_str("int"),
            Self::Bool => f.write_str("bool"),
            Self::Float => f.write_str("float"),
            Self::Class(path) => write!(f, "class<{path}>"),
            Self::Name => f.write_str("name"),
            Self::Str => f.write_str("string"),
            Self::FixedString(size) => write!(f, "string[{size}]"),
            Self::Delegate => f.write_str("delegate"),
            Self::Pointer => f.write_str("pointer"),
            Self::Struct(path) => write!(f, "struct {path}"),
            Self::Array(inner) => write!(f, "array<{inner}>"),
            Self::FixedArray(inner, count) => write!(f, "{inner}[{count}]"),
            Self::Map(key, value) => write!(f, "map<{key}, {value}>"),
            Self::Other(class) => write!(f, "{class}?"),
        }
    }
}

/// Names of property flags that are the same in all engines (spec: ue1-3/08 §8.5).
const PROPERTY_FLAGS: &[(u64, &str)] = &[
    (0x1, "Edit"),
    (0x2, "Const"),
    (0x4, "Input"),
    (0x8, "ExportObject"),
    (0x10, "OptionalParm"),
    (0x20, "Net"),
    (0x80, "Parm"),
    (0x100, "OutParm"),
    (0x200, "SkipParm"),
    (0x400, "ReturnParm"),
    (0x800, "CoerceParm"),
    (0x1000, "Native"),
    (0x2000, "Transient"),
    (0x4000, "Config"),
    (0x8000, "Localized"),
    (0x1_0000, "Travel"),
    (0x2_0000, "EditConst"),
    (0x4_0000, "GlobalConfig"),
    (0x40_0000, "NeedCtorLink"),
];

impl FieldInfo {
    /// Parameters and return values have it.
    pub(super) const PARAMETER: u64 = 0x80;
    const RETURN: u64 = 0x400;

    /// The names of its flags, then the others as a number.
    pub fn flag_names(&self) -> Vec<String> {
        let mut rest = self.flags;
        let mut names = Vec::new();
        for (bit, name) in PROPERTY_FLAGS {
            if rest & bit != 0 {
                names.push((*name).to_owned());
                rest &= !bit;
            }
        }
        if rest != 0 {
            names.push(format!("{rest:#x}"));
        }
        names
    }

    /// Whether it is the return value of a function.
    pub fn is_return_value(&self) -> bool {
        self.flags & Self::RETURN != 0
    }

    /// Type and dimension: `int[4]`.
    pub fn type_text(&self) -> String {
        match self.dimension {
            1 => self.field_type.to_string(),
            count => format!("{}[{count}]", self.field_type),
        }
    }
}

impl FunctionInfo {
    const NATIVE: u32 = 0x400;

    /// Whether its body is in native code.
    pub fn is_native(&self) -> bool {
        self.flags & Self::NATIVE != 0
    }
}

impl ClassInfo {
    /// Its path: `Engine.Actor`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.package, self.name)
    }
}

impl StructInfo {
    /// Its path with the package: `Core.Object.Vector`.
    pub fn full_path(&self) -> String {
        format!("{}.{}", self.package, self.path)
    }

    /// Its bare name.
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }
}

impl Classes {
    /// Every class, by path.
    pub fn iter(&self) -> impl Iterator<Item = &ClassInfo> {
        self.classes.values()
    }

    /// Every struct, by path.
    pub fn structs(&self) -> impl Iterator<Item = &StructInfo> {
        self.structs.values()
    }

    /// Every enum, by path.
    pub fn enums(&self) -> impl Iterator<Item = &EnumInfo> {
        self.enums.values()
    }

    /// The class with this path, or the first of this bare name.
    pub fn get(&self, class: &str) -> Option<&ClassInfo> {
        let lower = class.to_ascii_lowercase();
        self.classes.get(&lower).or_else(|| {
            let bare = !class.contains('.');
            self.iter().find(|known| bare && known.name.eq_ignore_ascii_case(class))
        })
    }

    /// The struct with this path, or the first of this bare name.
    pub fn structure(&self, path: &str) -> Option<&StructInfo> {
        let lower = path.to_ascii_lowercase();
        self.structs.get(&lower).or_else(|| {
            let bare = !path.contains('.');
            self.structs().find(|known| bare && known.name().eq_ignore_ascii_case(path))
        })
    }

    /// The enum with this path.
    pub fn enumeration(&self, path: &str) -> Option<&EnumInfo> {
        self.enums.get(&path.to_ascii_lowercase())
    }

    /// A class and those that it derives from, itself first; ends where a parent is not known.
    pub fn chain(&self, class: &str) -> Vec<&ClassInfo> {
        let mut chain = Vec::new();
        let mut at = self.get(class);
        while let Some(class) = at.filter(|_| chain.len() < DEEPEST) {
            chain.push(class);
            at = class.parent.as_ref().and_then(|parent| self.get(parent));
        }
        chain
    }

    /// Whether every class that it derives from is known, up to one that derives from nothing.
    pub fn is_rooted(&self, class: &str) -> bool {
        self.chain(class).last().is_some_and(|root| root.parent.is_none())
    }

    /// The classes that derive from this one directly.
    pub fn children<'a>(&'a self, class: &'a str) -> impl Iterator<Item = &'a ClassInfo> {
        self.iter().filter(move |child| {
            child.parent.as_ref().is_some_and(|parent| parent.eq_ignore_ascii_case(class))
        })
    }

    pub(super) fn insert(&mut self, class: ClassInfo) {
        self.classes.entry(class.path().to_ascii_lowercase()).or_insert(class);
    }

    pub(super) fn insert_struct(&mut self, structure: StructInfo) {
        self.structs.entry(structure.full_path().to_ascii_lowercase()).or_insert(structure);
    }

    pub(super) fn insert_enum(&mut self, enumeration: EnumInfo) {
        self.enums.entry(enumeration.path.to_ascii_lowercase()).or_insert(enumeration);
    }
}

impl Environment {
    /// The classes of every code package that is found by its name; `progress` hears how many files are
    /// done. Packages that can't be opened are passed over.
    pub fn classes(&self, progress: &mut dyn FnMut(usize)) -> Classes {
        let mut classes = Classes::default();
        for (done, (id, _)) in self.files().enumerate() {
            progress(done);
            self.add_classes(id, &mut classes);
        }
        classes
    }

    /// The classes of a package, and of those that it builds on as far as they are there.
    pub fn classes_around(&self, package: &crate::Package, name: &str) -> Classes {
        let mut classes = Classes::default();
        classes.add(package, name);
        for id in self.sources_of(&super::Digest::of(package)) {
            self.add_classes(id, &mut classes);
        }
        classes
    }

    fn add_classes(&self, id: FileId, classes: &mut Classes) {
        let code = self.digest(id).is_ok_and(|digest| digest.has_code());
        if code
            && self.is_found(id)
            && let Ok(package) = self.open_file(id)
        {
            classes.add(&package, &self.file(id).name);
        }
    }
}
