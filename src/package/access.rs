//! A package that is read, or that is given what a text needs.

use super::Package;
use super::meaning::Referred;
use crate::error::{ErrorKind, Result};
use crate::primitive::PackageIndex;

/// A package to be read, or to be given the names, imports and paths that a text needs.
pub(super) enum Access<'a> {
    Read(&'a Package),
    Write(&'a mut Package),
}

impl Access<'_> {
    pub fn package(&self) -> &Package {
        match self {
            Self::Read(package) => package,
            Self::Write(package) => package,
        }
    }

    pub fn package_mut(&mut self) -> Result<&mut Package> {
        match self {
            Self::Write(package) => Ok(package),
            Self::Read(_) => {
                let reason = "nothing is added while reading".to_owned();
                Err(ErrorKind::Invalid { reason }.into())
            }
        }
    }

    /// The object that a text means, which is imported where it has to be.
    pub fn object(&mut self, text: &str) -> Result<PackageIndex> {
        match self.package().referred(text)? {
            Referred::There(index) => Ok(index),
            Referred::Missing { path, class } => self.package_mut()?.add_import(&path, &class),
        }
    }
}
