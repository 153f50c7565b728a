//! Structs of script.

use super::Struct;
use crate::Archived;
use crate::primitive::script_flags;

/// A struct that is declared in code.
///
/// Spec: ue4-5/05 §1. C++: `UScriptStruct`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ScriptStruct {
    /// The part that all structs have: fields and code.
    pub base: Struct,
    /// Flags. C++: `StructFlags`.
    #[archive(with = script_flags::structure)]
    pub struct_flags: u32,
}
