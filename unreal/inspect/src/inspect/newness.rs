//! Whether a package came after all that is known.

use crate::package::Package;
use crate::version::UnrealVersions;

/// Whether a package was saved by an engine that came after all releases whose rules are known, or is read as of
/// one: its header, its versions or its release say so. It is read with the newest known rules, which may not be
/// its own.
pub fn is_newer_than_known(package: &Package) -> bool {
    package.summary().versions.is_newer_form() || package.versions().are_newer_than_known()
}
