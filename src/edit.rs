//! The editor: the one way in which a package changes.
//!
//! [`Package::edit`] runs a change on a working copy, which takes the package's place when it succeeds.

mod add;
mod body;
mod chain;
mod conform;
mod conformance;
mod convert;
mod copy;
mod duplicate;
mod flags;
mod guid;
mod import;
mod name;
mod naming;
mod new_properties;
mod object;
mod property;
mod prune;
mod refusal;
mod remove;
mod rename;
mod rename_package;
mod renaming;
mod renumber;
mod retarget;
mod table_row;
mod thumbnail;
mod typed;

use std::ops::{Deref, DerefMut};

use bytes::Bytes;

pub use conform::Conformed;
pub use conformance::{Mismatch, mismatches};
pub use convert::converted;
pub use copy::{Copied, CopyOptions, Dependencies};
pub use new_properties::NewProperties;
pub use property::PropertyChange;
pub use prune::Pruned;
pub use remove::{RemoveOptions, Removed};
pub use rename_package::RenamePackage;
pub use renaming::Renamed;
pub use renumber::Renumbering;
pub use thumbnail::{PictureKind, ThumbnailChange};

use crate::error::Result;
use crate::package::Package;
use crate::package::tables::{Bodies, Tables};
use crate::version::Versions;

/// A package that is being changed; everything that a package shows, it shows as well.
///
/// A call that fails leaves it as it was.
#[derive(Debug, Clone)]
pub struct Edit {
    package: Package,
}

impl Package {
    /// Changes the package: all that `change` does, or, where it fails, nothing.
    ///
    /// ```
    /// use farchive::{Package, generate::Builder};
    ///
    /// # fn main() -> farchive::Result<()> {
    /// let mut package = Package::from_bytes(Builder::new(69).name("Hello").build()?)?;
    /// package.edit(|edit| {
    ///     edit.rename_name("Hello", "Goodbye")?;
    ///     edit.add_import("Engine.Actor", "Core.Class")
    /// })?;
    /// assert!(package.find("Engine.Actor").is_some());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// What `change` reports; the package is as before then.
    pub fn edit<T>(&mut self, change: impl FnOnce(&mut Edit) -> Result<T>) -> Result<T> {
        self.claims();
        let mut edit = Edit::of(self.clone());
        let done = change(&mut edit)?;
        *self = edit.package;
        Ok(done)
    }
}

impl Edit {
    fn of(package: Package) -> Self {
        Self { package }
    }

    /// A package of these versions with nothing in it.
    pub(crate) fn blank(versions: Versions) -> Self {
        let mut package = Package::empty(Bytes::new());
        *package.parts_mut().versions = versions;
        Self { package }
    }

    /// The package as it is now.
    pub(crate) fn into_package(self) -> Package {
        self.package
    }

    /// Runs `change` on a copy that takes the place of this one if it succeeds.
    fn transact<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let mut copy = self.clone();
        let done = change(&mut copy)?;
        *self = copy;
        Ok(done)
    }

    pub(crate) fn tables_mut(&mut self) -> &mut Tables {
        self.package.parts_mut().tables
    }

    pub(crate) fn bodies_mut(&mut self) -> &mut Bodies {
        self.package.parts_mut().bodies
    }

    pub(crate) fn sync_counts(&mut self) -> Result<()> {
        let parts = self.package.parts_mut();
        parts.tables.sync_counts(parts.versions)
    }
}

impl Deref for Edit {
    type Target = Package;

    fn deref(&self) -> &Package {
        &self.package
    }
}

impl DerefMut for Edit {
    fn deref_mut(&mut self) -> &mut Package {
        &mut self.package
    }
}
