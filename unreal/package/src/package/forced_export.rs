//! Exports that stand for other packages.

use crate::primitive::PackageIndex;

const FORCED_EXPORT: u32 = 0x1;

/// Whether an export of this outer, these flags and this class stands for another package: UE3's cooker puts
/// objects of other packages into the one that needs them, within an export of their package's name.
#[doc(hidden)]
pub fn stands_for_package(outer: PackageIndex, export_flags: u32, class: &str) -> bool {
    outer.is_null()
        && export_flags & FORCED_EXPORT != 0
        && class.rsplit('.').next().is_some_and(|name| name.eq_ignore_ascii_case("Package"))
}
