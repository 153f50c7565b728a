//! Fields, constants and enums.

use crate::Archived;
use crate::primitive::{FString, Name, PackageIndex};

/// First file version that keeps the super elsewhere (spec: ue1-3/06 §6.1).
pub(super) const SUPER_MOVED: u32 = 756;

/// The part that all script objects start with.
///
/// Spec: ue1-3/06 §6.1. C++: `UField`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Field {
    /// The parent that it derives from.
    #[until(SUPER_MOVED)]
    pub super_field: PackageIndex,
    /// The next field of the object around it.
    pub next: PackageIndex,
}

/// A constant: its value as text. Spec: ue1-3/06 §6.1. C++: `UConst`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Const {
    /// The part that all fields have.
    pub field: Field,
    /// The value as it was written.
    pub value: FString,
}

/// An enum: the names of its values. Spec: ue1-3/06 §6.1. C++: `UEnum`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Enum {
    /// The part that all fields have.
    pub field: Field,
    /// The values, from 0.
    pub names: Vec<Name>,
}
