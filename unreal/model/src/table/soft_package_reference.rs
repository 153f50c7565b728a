//! Packages that a package refers to without loading them.

use crate::Archived;
use crate::primitive::{FString, Name};
use crate::version::UE4;
use crate::version::threshold::ue4;

/// A package that is referred to softly, from UE4 object version 384.
///
/// Spec: ue4-5/03 §7.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct SoftPackageReference {
    /// Path of the object, from 484 of the package.
    #[until(ue4 = ue4::ADDED_SOFT_OBJECT_PATH)]
    pub path: FString,
    /// The package.
    #[since(ue4 = ue4::ADDED_SOFT_OBJECT_PATH)]
    pub name: Name,
}
