//! Script objects: fields, enums, structs, functions, states, classes, properties.

mod class;
mod field;
mod function;
mod property;
mod state;
mod structure;

pub use class::{Class, ClassDependency, ImplementedInterface};
pub use field::{Const, Enum, Field};
pub use function::Function;
pub use property::{PropertyClass, UProperty};
pub use state::State;
pub use structure::{ScriptStruct, Struct};

use crate::archive::layout::Layout;
use crate::error::Result;
use crate::{Archive, Archived, Described};

/// Any script object.
#[derive(Described, Debug, Clone, PartialEq)]
pub enum ScriptObject {
    /// A constant.
    Const(Const),
    /// An enum.
    Enum(Enum),
    /// A struct.
    Struct(ScriptStruct),
    /// A function.
    Function(Function),
    /// A state.
    State(State),
    /// A class.
    Class(Box<Class>),
    /// A declared property.
    Property(UProperty),
}

/// The simplest one: an empty constant.
impl Default for ScriptObject {
    fn default() -> Self {
        Self::Const(Const::default())
    }
}

impl ScriptObject {
    /// An empty object of this class, if it is one of these.
    pub fn blank(class: &str) -> Option<Self> {
        type Blank = fn() -> ScriptObject;
        const SIMPLE: &[(&str, Blank)] = &[
            ("Const", || ScriptObject::Const(Const::default())),
            ("Enum", || ScriptObject::Enum(Enum::default())),
            ("Struct", || ScriptObject::Struct(ScriptStruct::default())),
            ("ScriptStruct", || ScriptObject::Struct(ScriptStruct::default())),
            ("Function", || ScriptObject::Function(Function::default())),
            ("State", || ScriptObject::State(State::default())),
            ("Class", || ScriptObject::Class(Box::default())),
        ];
        let simple = SIMPLE.iter().find(|(name, _)| name.eq_ignore_ascii_case(class));
        simple.map(|(_, blank)| blank()).or_else(|| {
            PropertyClass::blank(class).map(|class| Self::Property(UProperty::new(class)))
        })
    }

    /// What every script object starts with.
    pub fn field(&self) -> &Field {
        match self {
            Self::Const(object) => &object.field,
            Self::Enum(object) => &object.field,
            Self::Struct(object) => &object.base.field,
            Self::Function(object) => &object.base.field,
            Self::State(object) => &object.base.field,
            Self::Class(object) => &object.base.base.field,
            Self::Property(object) => &object.field,
        }
    }

    /// The same, to be changed.
    pub fn field_mut(&mut self) -> &mut Field {
        match self {
            Self::Const(object) => &mut object.field,
            Self::Enum(object) => &mut object.field,
            Self::Struct(object) => &mut object.base.field,
            Self::Function(object) => &mut object.base.field,
            Self::State(object) => &mut object.base.field,
            Self::Class(object) => &mut object.base.base.field,
            Self::Property(object) => &mut object.field,
        }
    }

    /// The struct part of those that have one, to be changed.
    pub fn structure_mut(&mut self) -> Option<&mut Struct> {
        match self {
            Self::Struct(object) => Some(&mut object.base),
            Self::Function(object) => Some(&mut object.base),
            Self::State(object) => Some(&mut object.base),
            Self::Class(object) => Some(&mut object.base.base),
            _ => None,
        }
    }

    /// The state part of states and classes, to be changed.
    pub fn state_mut(&mut self) -> Option<&mut State> {
        match self {
            Self::State(object) => Some(object),
            Self::Class(object) => Some(&mut object.base),
            _ => None,
        }
    }

    /// The struct part with its code, of those that have one.
    pub fn structure(&self) -> Option<&Struct> {
        match self {
            Self::Struct(object) => Some(&object.base),
            Self::Function(object) => Some(&object.base),
            Self::State(object) => Some(&object.base),
            Self::Class(object) => Some(&object.base.base),
            _ => None,
        }
    }
}

/// Loads what [`ScriptObject::blank`] has prepared.
impl Archived for ScriptObject {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Const(object) => object.serialize(ar),
            Self::Enum(object) => object.serialize(ar),
            Self::Struct(object) => object.serialize(ar),
            Self::Function(object) => object.serialize(ar),
            Self::State(object) => object.serialize(ar),
            Self::Class(object) => object.serialize(ar),
            Self::Property(object) => object.serialize(ar),
        }
    }
}
