//! Edits that can't be done yet to packages whose layouts follow object versions.

use crate::error::{Error, Result, UnrealErrors};
use crate::package::Package;
use crate::version::UnrealVersions;

/// The ways of UE4 and UE5 to do what only older packages can have done to them.
const INSTEAD: &[(&str, &str)] = &[
    ("moving objects", "rename the object, or retarget what refers to it"),
    ("duplicating objects", "copy the file and give the copy another path (rename --package)"),
    ("copying objects", "copy the file and give the copy another path (rename --package)"),
    ("converting", "open the package in the newer editor and save it there"),
    ("conforming", "later engines find packages by their paths and know no generations"),
];

/// Refuses what only packages of UE1 to UE3 can have done to them.
///
/// # Errors
/// `Unsupported` with what is done instead.
pub(super) fn refuse_object_versions(package: &Package, what: &str) -> Result<()> {
    if !package.versions().has_object_versions() {
        return Ok(());
    }
    let instead = INSTEAD.iter().find(|(known, _)| *known == what).map(|(_, instead)| instead);
    let instead = instead.map_or_else(String::new, |instead| format!("; {instead}"));
    Err(Error::unsupported(format!("{what} is for packages of Unreal Engine 1 to 3{instead}")))
}
