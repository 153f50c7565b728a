//! The parts that fields, structs, functions and classes start with.

use crate::Archived;
use crate::object::ue4::field;
use crate::primitive::PackageIndex;
use crate::script::Script;
use crate::version::custom;

/// The part that all fields start with.
///
/// Spec: ue4-5/05 §1. C++: `UField`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Field {
    /// The next field of the object around it.
    #[until(custom = custom::FRAMEWORK, custom::framework::REMOVE_UFIELD_NEXT)]
    pub next: PackageIndex,
}

/// Fields and code: what functions, classes and structs build on.
///
/// Spec: ue4-5/05 §1. C++: `UStruct`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Struct {
    /// The part that all fields have.
    pub field: Field,
    /// The parent that it derives from.
    pub super_struct: PackageIndex,
    /// The first of its fields.
    #[until(custom = custom::FRAMEWORK, custom::framework::REMOVE_UFIELD_NEXT)]
    pub first_child: PackageIndex,
    /// Its fields.
    #[since(custom = custom::FRAMEWORK, custom::framework::REMOVE_UFIELD_NEXT)]
    pub children: Vec<PackageIndex>,
    /// Its properties, where they are no objects of their own.
    #[since(custom = custom::CORE, custom::core::PROPERTIES)]
    pub properties: Vec<field::Field>,
    /// The code.
    pub script: Script,
}
