//! What the defaults of a blueprint's class end with.

use crate::primitive::PackageIndex;
use crate::version::custom::{self, ue5_main};
use crate::{Archived, Versions};

/// The struct of the class's sparse data; where there is one, its value follows, which is not decoded.
///
/// Spec: ue4-5/04 §2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Archived)]
pub struct ClassDefaults {
    /// The struct; null in most.
    pub sparse_class_data_struct: PackageIndex,
}

/// Whether packages of these versions have it.
pub fn are_present(versions: &Versions) -> bool {
    versions.custom(&custom::UE5_MAIN) >= ue5_main::SPARSE_CLASS_DATA_STRUCT_SERIALIZATION
}
