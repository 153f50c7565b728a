//! The types of properties.

use std::sync::Arc;

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
    pub fn of_class(class: &str) -> Option<Self> {
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
        if class.eq_ignore_ascii_case("StructProperty") {
            return Some(Self::Struct(Arc::from("")));
        }
        let known = CLASSES.iter().find(|(name, _)| name.eq_ignore_ascii_case(class));
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
}
