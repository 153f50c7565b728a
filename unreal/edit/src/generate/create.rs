//! Packages with nothing in them.

use super::{Builder, Profile};
use crate::error::Result;
use crate::package::Package;

/// A new package of this game with nothing in it but the name `None`; its GUID is a new one.
///
/// It has no source: save it to get a file.
///
/// # Errors
/// `OutOfRange` for versions that no header can hold.
pub fn create(profile: &Profile) -> Result<Package> {
    let mut edit = Builder::for_versions(profile.versions()).flags(profile.flags).begin()?;
    edit.tables_mut().summary.engine_version = profile.engine_version;
    Ok(edit.into_package())
}
