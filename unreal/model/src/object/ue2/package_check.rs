//! Checksums of packages.

use crate::Archived;
use crate::primitive::FString;

/// The checksums that a package of this name may have.
///
/// Spec: ue1-3/10 §10.4. C++: `UPackageCheckInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PackageCheckInfo {
    /// Name of the package.
    pub package_id: FString,
    /// Its checksums as hexadecimal digits.
    pub allowed_ids: Vec<FString>,
    /// Meaning not known.
    pub unknown: [i32; 2],
}
