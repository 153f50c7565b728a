//! A package that is read, or that is given what a text needs.

use super::meaning::Referred;
use super::rows_by_name::RowsByName;
use crate::error::{ErrorKind, Result};
use crate::inspect::meaning::ReferenceTexts;
use crate::package::Package;
use crate::primitive::{Name, PackageIndex};
use crate::property::Naming;

/// A package that can be given names, imports and paths.
#[doc(hidden)]
pub trait Additions: Naming {
    /// The package as it is.
    fn package(&self) -> &Package;

    /// Whether values that look wrong are refused.
    fn is_checked(&self) -> bool;

    /// The names that have this text, case apart.
    fn names_called(&mut self, text: &str) -> Vec<Name>;

    /// Where the rows of the table stand that was changed last.
    fn rows_by_name(&mut self) -> &mut RowsByName;

    /// The import of this path and class, which is added where it is not there.
    fn import(&mut self, path: &str, class: &str) -> Result<PackageIndex>;
}

/// A package to be read, or to be given the names, imports and paths that a text needs.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub enum Access<'a> {
    Read(&'a Package),
    Write(&'a mut dyn Additions),
}

impl Access<'_> {
    pub fn package(&self) -> &Package {
        match self {
            Self::Read(package) => package,
            Self::Write(edit) => edit.package(),
        }
    }

    /// Whether values that look wrong are refused.
    pub fn is_checked(&self) -> bool {
        match self {
            Self::Read(_) => false,
            Self::Write(edit) => edit.is_checked(),
        }
    }

    /// The object that a text means, which is imported where it has to be.
    pub fn object(&mut self, text: &str) -> Result<PackageIndex> {
        match (self.package().referred(text)?, self) {
            (Referred::There(index), _) => Ok(index),
            (Referred::Missing { path, class }, Self::Write(edit)) => edit.import(&path, &class),
            (Referred::Missing { .. }, Self::Read(_)) => {
                let reason = "nothing is added while reading".to_owned();
                Err(ErrorKind::Invalid { reason }.into())
            }
        }
    }
}
