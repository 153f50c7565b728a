//! Structs: fields and code.

use super::Field;
use super::field::SUPER_MOVED;
use crate::object::game::is_mass_effect_3;
use crate::primitive::{PackageIndex, StoredName, script_flags};
use crate::property::PropertyList;
use crate::script::Script;
use crate::version::{UnrealVersions, threshold};
use crate::{Archive, Archived, Game};

/// First file version that keeps the friendly name in functions (spec: ue1-3/06 §6.1, inferred).
pub(super) const FRIENDLY_NAME_MOVED: u32 = 160;
/// First file version whose structs refer to their C++ text (spec: ue1-3/06 §6.1).
const CPP_TEXT_ADDED: u32 = 120;
/// First file version whose plain structs have flags and defaults (spec: ue1-3/06 §6.1).
const STRUCT_FLAGS_ADDED: u32 = 242;

/// Fields and code: what functions, states and classes build on.
///
/// The cooker of Mass Effect 3 leaves out what only the editor needs.
///
/// Spec: ue1-3/06 §6.1, §6.4, 10 §10.6. C++: `UStruct`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Struct {
    /// The part that all fields have.
    pub field: Field,
    /// The parent that it derives from.
    #[since(SUPER_MOVED)]
    pub super_field: PackageIndex,
    /// The source text.
    #[archive(when = !is_mass_effect_3(ar))]
    pub script_text: PackageIndex,
    /// The first field.
    pub children: PackageIndex,
    /// The name as it was written.
    #[until(FRIENDLY_NAME_MOVED)]
    pub friendly_name: StoredName,
    /// The C++ text.
    #[since(CPP_TEXT_ADDED)]
    #[archive(when = !is_mass_effect_3(ar) && !has_classic_flags(ar))]
    pub cpp_text: PackageIndex,
    /// Flags, in the UT2004 line and SWAT 4.
    #[archive(when = has_classic_flags(ar) || ar.versions().game() == Game::Swat4)]
    #[archive(with = script_flags::structure)]
    pub struct_flags: u32,
    /// The text after the preprocessor, in SWAT 4.
    #[archive(when = ar.versions().game() == Game::Swat4)]
    pub processed_text: PackageIndex,
    /// Line of the source where the code starts.
    #[archive(when = !is_mass_effect_3(ar))]
    pub line: i32,
    /// Place in the source where the code starts.
    #[archive(when = !is_mass_effect_3(ar))]
    pub text_pos: i32,
    /// The code.
    pub script: Script,
}

fn has_classic_flags<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().game() == Game::Ut2004 && ar.versions().licensee() >= 26
}

/// A struct of script: in UE3 with flags and defaults.
///
/// Spec: ue1-3/06 §6.1. C++: `UScriptStruct`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ScriptStruct {
    /// The part that all structs have: fields and code.
    pub base: Struct,
    /// Flags. C++: `StructFlags`.
    #[since(STRUCT_FLAGS_ADDED)]
    #[archive(with = script_flags::structure)]
    pub struct_flags: u32,
    /// Default values of the fields.
    #[since(threshold::COMPACT_INDEX_REMOVED)]
    pub defaults: PropertyList,
}
