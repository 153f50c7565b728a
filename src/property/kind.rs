//! The types of properties.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};

/// The type of a property's value, as its class declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PropertyType {
    /// One byte, or in UE3 the name of an enum's value.
    Byte,
    /// Four bytes.
    Int,
    /// In the tag; in arrays and structs its own bytes.
    Bool,
    /// Four bytes.
    Float,
    /// A reference.
    Object,
    /// A reference to a class.
    Class,
    /// A name.
    Name,
    /// A string.
    Str,
    /// UE1: characters up to a zero byte, in a fixed size.
    FixedString,
    /// An object and the name of a function.
    Delegate,
    /// Elements of one type; `None` where the declaration is not known.
    Array(Option<Arc<PropertyType>>),
    /// Keys and values; `None` where the declaration is not known.
    Map(Option<Arc<(PropertyType, PropertyType)>>),
    /// A struct of this name; empty where only the tag can say it.
    Struct(Arc<str>),
}

impl PropertyType {
    /// The type that a property class declares; containers and structs still without their inner type.
    pub fn of_class(class: impl AsRef<[u8]>) -> Option<Self> {
        const CLASSES: &[(&str, PropertyType)] = &[
            ("ByteProperty", PropertyType::Byte),
            ("IntProperty", PropertyType::Int),
            ("BoolProperty", PropertyType::Bool),
            ("FloatProperty", PropertyType::Float),
            ("ObjectProperty", PropertyType::Object),
            ("ComponentProperty", PropertyType::Object),
            ("InterfaceProperty", PropertyType::Object),
            ("ClassProperty", PropertyType::Class),
            ("NameProperty", PropertyType::Name),
            ("StrProperty", PropertyType::Str),
            ("StringProperty", PropertyType::FixedString),
            ("DelegateProperty", PropertyType::Delegate),
            ("ArrayProperty", PropertyType::Array(None)),
            ("MapProperty", PropertyType::Map(None)),
            ("StringRefProperty", PropertyType::Int),
            ("BioMask4Property", PropertyType::Byte),
        ];
        // Every name of a package is asked.
        let class = class.as_ref();
        let head = class.len().checked_sub("Property".len())?;
        if !class[head..].eq_ignore_ascii_case(b"Property") {
            return None;
        }
        if class.eq_ignore_ascii_case(b"StructProperty") {
            return Some(Self::Struct(Arc::from("")));
        }
        let known = CLASSES.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(class));
        known.map(|(_, property)| property.clone())
    }

    /// The type that the number in a UE1 or UE2 tag stands for (spec: ue1-3/05 §5.3).
    pub(super) fn of_number(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Byte,
            2 => Self::Int,
            3 => Self::Bool,
            4 => Self::Float,
            5 => Self::Object,
            6 => Self::Name,
            7 => Self::FixedString,
            8 => Self::Class,
            9 => Self::Array(None),
            10 => Self::Struct(Arc::from("")),
            11 => Self::Struct(Arc::from("Vector")),
            12 => Self::Struct(Arc::from("Rotator")),
            13 => Self::Str,
            14 => Self::Map(None),
            _ => return None,
        })
    }

    /// The number that stands for the type in a UE1 or UE2 tag (spec: ue1-3/05 §5.3).
    pub(super) fn number(&self) -> Option<u8> {
        Some(match self {
            Self::Byte => 1,
            Self::Int => 2,
            Self::Bool => 3,
            Self::Float => 4,
            Self::Object => 5,
            Self::Name => 6,
            // Delegates of UE2 have the number that strings of a fixed size had.
            Self::FixedString => 7,
            Self::Delegate => return None,
            Self::Class => 8,
            Self::Array(_) => 9,
            Self::Struct(_) => 10,
            Self::Str => 13,
            Self::Map(_) => 14,
        })
    }

    /// The property class that declares values of this type: `IntProperty`, ...
    pub fn class_name(&self) -> &'static str {
        match self {
            Self::Byte => "ByteProperty",
            Self::Int => "IntProperty",
            Self::Bool => "BoolProperty",
            Self::Float => "FloatProperty",
            Self::Object => "ObjectProperty",
            Self::Class => "ClassProperty",
            Self::Name => "NameProperty",
            Self::Str => "StrProperty",
            Self::FixedString => "StringProperty",
            Self::Delegate => "DelegateProperty",
            Self::Array(_) => "ArrayProperty",
            Self::Map(_) => "MapProperty",
            Self::Struct(_) => "StructProperty",
        }
    }

    /// Whether values of both are stored alike: what is known of one may be less than of the other, and
    /// classes are objects.
    pub fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Object | Self::Class, Self::Object | Self::Class) => true,
            (Self::Array(Some(one)), Self::Array(Some(other))) => one.agrees_with(other),
            (Self::Array(_), Self::Array(_)) | (Self::Map(_), Self::Map(_)) => true,
            (Self::Struct(one), Self::Struct(other)) => {
                one.is_empty() || other.is_empty() || one.eq_ignore_ascii_case(other)
            }
            _ => self == other,
        }
    }
}

/// `int`, `IntProperty`, `struct:Vector`, `array:int`, `map:int:string`.
impl fmt::Display for PropertyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.class_name().trim_end_matches("Property");
        match self {
            // The words that people use.
            Self::Str => f.write_str("string"),
            Self::FixedString => f.write_str("fixed-string"),
            Self::Struct(name) if !name.is_empty() => write!(f, "struct:{name}"),
            Self::Array(Some(element)) => write!(f, "array:{element}"),
            Self::Map(Some(pair)) => write!(f, "map:{}:{}", pair.0, pair.1),
            _ => f.write_str(&word.to_ascii_lowercase()),
        }
    }
}

/// As it is displayed; the class of the property (`IntProperty`) does as well. Of a map, neither key nor
/// value may be a container.
impl FromStr for PropertyType {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || {
            Error::from(ErrorKind::NotFound {
                what: "type",
                name: text.to_owned(),
                hint: "; known are byte, int, bool, float, object, class, name, string, \
                       fixed-string, struct:NAME, array:TYPE, map:TYPE:TYPE"
                    .to_owned(),
            })
        };
        const LONGEST: usize = 256;
        if text.len() > LONGEST {
            return Err(unknown());
        }
        let (word, rest) =
            text.split_once(':').map_or((text, None), |(word, rest)| (word, Some(rest)));
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        let found = match () {
            () if is("string") || is("str") => Self::Str,
            () if is("fixed-string") => Self::FixedString,
            () => Self::of_class(word)
                .or_else(|| Self::of_class(format!("{word}Property")))
                .ok_or_else(unknown)?,
        };
        Ok(match (found, rest) {
            (Self::Struct(_), Some(name)) if !name.is_empty() => Self::Struct(name.into()),
            (Self::Struct(_), _) => return Err(unknown()),
            (Self::Array(_), Some(element))
                if !element.to_ascii_lowercase().starts_with("array") =>
            {
                Self::Array(Some(Arc::new(element.parse()?)))
            }
            (Self::Array(_), _) => return Err(unknown()),
            (Self::Map(_), Some(pair)) => {
                let (key, value) = pair.split_once(':').ok_or_else(unknown)?;
                let pair: (Self, Self) = (key.parse()?, value.parse()?);
                Self::Map(Some(Arc::new(pair)))
            }
            (Self::Map(_), None) => return Err(unknown()),
            (plain, None) => plain,
            (_, Some(_)) => return Err(unknown()),
        })
    }
}
