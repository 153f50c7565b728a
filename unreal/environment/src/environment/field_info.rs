//! Properties as classes, structs and functions declare them.

use std::fmt;

use crate::primitive::FlagsOf;
use crate::version::Engine;

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
    /// UE4 and UE5: elements, each once.
    Set(Box<FieldType>),
    /// UE5: an optional value.
    Optional(Box<FieldType>),
    /// UE4 and UE5: a value of an enum in a number of any size.
    Enum(String),
    /// UE4 and UE5: a reference that does not load its object: `soft`, `soft class`, `weak`, `lazy`; and the
    /// class.
    Reference(String, String),
    /// UE4 and UE5: what the name of the property class says: `int64`, `double`, `text`.
    Plain(String),
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
            Self::Set(inner) => write!(f, "set<{inner}>"),
            Self::Optional(inner) => write!(f, "optional<{inner}>"),
            Self::Enum(path) => f.write_str(path),
            Self::Reference(kind, class) => write!(f, "{kind}<{class}>"),
            Self::Plain(name) => f.write_str(name),
            Self::Other(class) => write!(f, "{class}?"),
        }
    }
}

impl FieldInfo {
    /// Parameters and return values have it.
    pub(super) const PARAMETER: u64 = 0x80;
    const RETURN: u64 = 0x400;

    /// The names of its flags, then the others as a number.
    pub fn flag_names(&self, engine: Engine) -> Vec<String> {
        FlagsOf::Property.names(self.flags, engine)
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
