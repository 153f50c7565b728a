//! Types of values.

use super::symbols::{ClassId, SymbolId, Symbols};

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// No value.
    Void,
    /// The value `None`.
    None,
    /// A byte, perhaps of an enum.
    Byte(Option<SymbolId>),
    /// A whole number.
    Int,
    /// A truth.
    Bool,
    /// A number with a fraction.
    Float,
    /// A name.
    Name,
    /// A text.
    Text,
    /// An object; `None` of a class that is not at hand.
    Object(Option<ClassId>),
    /// A class that is this one or extends it; `None` of one that is not at hand.
    Class(Option<ClassId>),
    /// A struct.
    Struct(SymbolId),
    /// A dynamic array.
    Array(Option<Box<ValueType>>),
    /// A map.
    Map,
    /// A delegate, perhaps with its function.
    Delegate(Option<SymbolId>),
    /// A value that only the engine reads.
    Pointer,
}

/// The sorts of types that conversions and the choice of operators tell apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sort {
    Void,
    Byte,
    Int,
    Bool,
    Float,
    Name,
    Text,
    Object,
    Interface,
    /// A struct by its name in lower case.
    Struct(String),
    Array,
    Map,
    Delegate,
    Pointer,
}

impl ValueType {
    pub(super) fn sort(&self, symbols: &Symbols, has_interfaces: bool) -> Sort {
        match self {
            Self::Void => Sort::Void,
            Self::Byte(_) => Sort::Byte,
            Self::Int => Sort::Int,
            Self::Bool => Sort::Bool,
            Self::Float => Sort::Float,
            Self::Name => Sort::Name,
            Self::Text => Sort::Text,
            Self::Object(Some(class)) if has_interfaces => {
                let declarations = symbols.class(*class);
                match declarations.is_interface
                    || declarations.name.eq_ignore_ascii_case("Interface")
                {
                    true => Sort::Interface,
                    false => Sort::Object,
                }
            }
            Self::None | Self::Object(_) | Self::Class(_) => Sort::Object,
            Self::Struct(id) => Sort::Struct(
                symbols.structure(*id).map_or_else(String::new, |it| it.name.to_ascii_lowercase()),
            ),
            Self::Array(_) => Sort::Array,
            Self::Map => Sort::Map,
            Self::Delegate(_) => Sort::Delegate,
            Self::Pointer => Sort::Pointer,
        }
    }

    /// Whether it is a number that literals are written for.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Byte(_) | Self::Int | Self::Float)
    }

    /// The type in words, for messages.
    pub fn describe(&self, symbols: &Symbols) -> String {
        let class = |class: &Option<ClassId>| {
            class.map_or("an unknown class", |class| symbols.class(class).name.as_str()).to_owned()
        };
        match self {
            Self::Void => "nothing".to_owned(),
            Self::None => "None".to_owned(),
            Self::Byte(Some(id)) => {
                symbols.enumeration(*id).map_or_else(|| "byte".to_owned(), |it| it.name.clone())
            }
            Self::Byte(None) => "byte".to_owned(),
            Self::Int => "int".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Float => "float".to_owned(),
            Self::Name => "name".to_owned(),
            Self::Text => "string".to_owned(),
            Self::Object(it) => class(it),
            Self::Class(it) => format!("class<{}>", class(it)),
            Self::Struct(id) => {
                symbols.structure(*id).map_or_else(|| "struct".to_owned(), |it| it.name.clone())
            }
            Self::Array(Some(inner)) => format!("array<{}>", inner.describe(symbols)),
            Self::Array(None) => "array".to_owned(),
            Self::Map => "map".to_owned(),
            Self::Delegate(_) => "delegate".to_owned(),
            Self::Pointer => "pointer".to_owned(),
        }
    }
}
