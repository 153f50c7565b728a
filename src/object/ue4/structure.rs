//! Classes, functions, structs, enums and their properties.

pub mod class;
pub mod enumeration;
pub mod function;
pub mod script_struct;
pub mod uproperty;
pub mod user_struct;

use crate::archive::layout::Layout;
use crate::archive::{Kind, Span, in_field};
use crate::error::Result;
use crate::object::Native;
use crate::object::ue4::condition::remaining;
use crate::object::ue4::field;
use crate::primitive::PackageIndex;
use crate::script::kismet::Kismet;
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// What every field starts with.
///
/// Spec: ue4-5/05 §1. C++: `UField`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Field {
    /// The next field of the object around it.
    #[until(custom = custom::FRAMEWORK, 29)]
    pub next: PackageIndex,
}

/// Fields and code: what functions, classes and structs build on.
///
/// Spec: ue4-5/05 §1. C++: `UStruct`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Struct {
    /// Base.
    pub field: Field,
    /// What it derives from.
    pub super_struct: PackageIndex,
    /// The first of its fields.
    #[until(custom = custom::FRAMEWORK, 29)]
    pub first_child: PackageIndex,
    /// Its fields.
    #[since(custom = custom::FRAMEWORK, 29)]
    pub children: Vec<PackageIndex>,
    /// Its properties, where they are no objects of their own.
    #[since(custom = custom::CORE, 4)]
    pub properties: Vec<field::Field>,
    /// The code.
    pub script: Kismet,
}

/// The fields and code of a class, struct or function.
pub fn of(native: &Native) -> Option<&Struct> {
    let Native::Object(object) = native else { return None };
    let function = object.downcast_ref().map(|function: &function::Function| &function.base);
    let class = || object.downcast_ref().map(|class: &class::Class| &class.base);
    let made = || object.downcast_ref().map(|made: &user_struct::UserDefinedStruct| &made.base);
    let plain = || object.downcast_ref().map(|plain: &script_struct::ScriptStruct| &plain.base);
    let declared = || object.downcast_ref().map(|declared: &Declared| &declared.base);
    function.or_else(class).or_else(made).or_else(plain).or_else(declared)
}

/// What a class, struct or function declares; what each of them adds stays as it is.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Declared {
    /// Fields and code.
    pub base: Struct,
    /// Everything else.
    pub rest: Span,
}

impl Archived for Declared {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("base", ar, |ar| self.base.serialize(ar))?;
        let length = if ar.is_loading() { remaining(ar) } else { self.rest.len() };
        in_field("rest", ar, |ar| ar.serialize_span(&mut self.rest, length, Kind::Opaque))
    }
}
