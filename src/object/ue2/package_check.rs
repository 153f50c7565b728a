//! Checksums of packages.

use crate::Archived;
use crate::primitive::FString;

/// The checksums that a package of this name may have.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | FString | name of the package |
/// | 2 | array FString | its checksums |
/// | 3 | i32, i32 | unknown |
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
