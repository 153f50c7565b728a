//! A package as what is in it.

use std::ops::Deref;

use crate::package::Package;

/// The objects of a package as files: textures, sounds, music, texts, tables.
#[derive(Debug, Clone, Copy)]
pub struct Contents<'a> {
    pub(super) package: &'a Package,
}

/// The objects of a [`Package`] as files.
pub trait PackageContents {
    /// Its objects as files.
    fn contents(&self) -> Contents<'_>;
}

impl PackageContents for Package {
    fn contents(&self) -> Contents<'_> {
        Contents { package: self }
    }
}

impl Deref for Contents<'_> {
    type Target = Package;

    fn deref(&self) -> &Package {
        self.package
    }
}
