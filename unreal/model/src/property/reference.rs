//! References to functions and properties.

use crate::primitive::{Name, PackageIndex};
use crate::version::custom::{FORTNITE_MAIN, RELEASE, fortnite_main, release};
use crate::{Archived, Versions};

/// An object and the name of one of its functions. C++: `FScriptDelegate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Archived)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Delegate {
    /// The object.
    pub object: PackageIndex,
    /// Its function.
    pub function: Name,
}

/// The path of a property: its name and those of what it lies in, the innermost first.
///
/// Spec: ue4-5/04 §5. C++: `FFieldPath`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archived)]
pub struct FieldPath {
    /// The names, the innermost first.
    pub path: Vec<Name>,
    /// The class or struct that the path starts from.
    #[archive(when = path_has_owner(ar.versions()))]
    pub owner: PackageIndex,
}

/// Whether paths of properties say where they start.
pub(crate) fn path_has_owner(versions: &Versions) -> bool {
    versions.custom(&FORTNITE_MAIN) >= fortnite_main::FIELD_PATH_OWNER_SERIALIZATION
        || versions.custom(&RELEASE) >= release::FIELD_PATH_OWNER_SERIALIZATION
}
