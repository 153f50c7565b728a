//! Classes, functions, structs, enums and their properties.

pub mod class;
pub mod enumeration;
pub mod function;
pub mod property;
pub mod script_struct;
pub mod uproperty;
pub mod user_struct;

use crate::Archived;
use crate::primitive::PackageIndex;
use crate::script::kismet::Kismet;
use crate::version::custom;
use property::FieldProperty;

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
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | field | | |
/// | 2 | idx | super | |
/// | 3 | idx | first child | framework below 29 |
/// | 4 | i32 n, n × idx | children | framework from 29 |
/// | 5 | i32 n, n × property | properties | core from 4 |
/// | 6 | | code | |
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
    pub properties: Vec<FieldProperty>,
    /// The code.
    pub script: Kismet,
}
