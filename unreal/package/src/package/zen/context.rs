//! What a package does not say of itself.

use super::write::package_name;
use crate::error::Result;
use crate::package::Package;

/// What containers store of a package and it does not say itself: before 5.1 its name.
///
/// Spec: ue4-5/12 §4, §11.
#[derive(Debug, Clone, Copy, Default)]
pub struct ZenContext<'a> {
    name: Option<&'a str>,
}

impl<'a> ZenContext<'a> {
    /// Nothing beside the package.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of the package, such as `/Game/Maps/Town`, where its header says none.
    #[must_use]
    pub fn name(self, name: &'a str) -> Self {
        Self { name: Some(name) }
    }

    pub(super) fn name_of(&self, package: &Package) -> Result<String> {
        match (package_name(package), self.name) {
            (Ok(name), _) => Ok(name),
            (Err(_), Some(name)) if name.starts_with('/') => Ok(name.to_owned()),
            (Err(error), _) => Err(error),
        }
    }
}
