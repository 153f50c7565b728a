//! Script objects: fields, enums, structs, functions, states, classes, properties.

mod class;
mod field;
mod function;
mod property;
mod property_class;
mod state;
mod structure;

pub use class::{Class, ClassDependency, ImplementedInterface};
pub use field::{Const, Enum, Field};
pub use function::Function;
pub use property::UProperty;
pub use property_class::PropertyClass;
pub use state::State;
pub use structure::{ScriptStruct, Struct};

use super::{Maker, Native};
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::primitive::{Index, Name, PackageIndex};
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

/// The variants: the names of their classes, where they hold what every script object starts with, and where
/// their struct part.
macro_rules! script_objects {
    ($($variant:ident: $($name:literal)* => $($field:ident).+ $(, $($structure:ident).+)?;)*) => {
        impl ScriptObject {
            /// An empty object of this class, if it is one of these.
            pub fn blank(class: &str) -> Option<Self> {
                match class {
                    $($(it if it.eq_ignore_ascii_case($name) => Some(Self::$variant(Default::default())),)*)*
                    _ => PropertyClass::blank(class).map(|class| Self::Property(UProperty::new(class))),
                }
            }

            /// The maker of an empty object of this class, if it is a script object's.
            pub(crate) fn maker(class: &str) -> Option<Maker> {
                match class {
                    $($(it if it.eq_ignore_ascii_case($name) => {
                        Some(|_| native(Self::$variant(Default::default())))
                    })*)*
                    _ => PropertyClass::blank(class).map(|class| class.maker()),
                }
            }

            /// The part that all script objects start with.
            pub fn field(&self) -> &Field {
                match self { $(Self::$variant(object) => &object.$($field).+,)* }
            }

            /// The same, to be changed.
            pub fn field_mut(&mut self) -> &mut Field {
                match self { $(Self::$variant(object) => &mut object.$($field).+,)* }
            }

            /// The struct part with its code, of those that have one.
            pub fn structure(&self) -> Option<&Struct> {
                match self { $($(Self::$variant(object) => Some(&object.$($structure).+),)?)* _ => None }
            }

            /// The same, to be changed.
            pub fn structure_mut(&mut self) -> Option<&mut Struct> {
                match self { $($(Self::$variant(object) => Some(&mut object.$($structure).+),)?)* _ => None }
            }
        }

        /// Loads what [`ScriptObject::blank`] has prepared.
        impl Archived for ScriptObject {
            const LAYOUT: &'static Layout = Self::DESCRIBED;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                match self { $(Self::$variant(object) => object.serialize(ar),)* }
            }
        }
    };
}

script_objects! {
    Const: "Const" => field;
    Enum: "Enum" => field;
    Struct: "Struct" "ScriptStruct" => base.field, base;
    Function: "Function" => base.field, base;
    State: "State" => base.field, base;
    Class: "Class" => base.base.field, base.base;
    Property: => field;
}

fn native(object: ScriptObject) -> Native {
    Native::Script(Box::new(object))
}

impl PropertyClass {
    /// The maker of an empty property of this class.
    fn maker(self) -> Maker {
        fn property(class: PropertyClass) -> Native {
            native(ScriptObject::Property(UProperty::new(class)))
        }
        const NULL: PackageIndex = PackageIndex::NULL;
        match self {
            Self::Plain => |_| property(Self::Plain),
            Self::One(_) => |_| property(Self::One(NULL)),
            Self::Two(..) => |_| property(Self::Two(NULL, NULL)),
            Self::Delegate(..) => |_| property(Self::Delegate(NULL, Name::default(), NULL)),
            Self::FixedArray(..) => |_| property(Self::FixedArray(NULL, Index::default())),
            Self::FixedString(_) => |_| property(Self::FixedString(0)),
            Self::Bool(_) => |_| property(Self::Bool([0; 2])),
        }
    }
}

impl ScriptObject {
    /// The state part of states and classes.
    pub fn state(&self) -> Option<&State> {
        match self {
            Self::State(object) => Some(object),
            Self::Class(object) => Some(&object.base),
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
}
