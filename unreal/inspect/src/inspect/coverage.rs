//! Coverage: how far each byte is understood, bodies decoded.

use crate::archive::Coverage;
use crate::package::Package;

/// The kinds of all bytes of the source, bodies as far as they can be decoded: they are decoded one after the
/// other and not kept. [`Package::coverage`] says it of the package as it is.
pub fn coverage(package: &Package) -> Coverage {
    package.full_coverage()
}
