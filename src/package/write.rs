//! Writing saved packages to files, so that a failure leaves what was there.

use std::path::{Path, PathBuf};

use super::{CompanionKind, Saved};
use crate::error::Result;
use crate::file::{Replacement, holds};

impl Saved {
    /// Writes the package to a file, over one that is there: beside it first, then renamed over it, so that a
    /// failure leaves what was there. A package of UE4 or UE5 whose bodies were in a `.uexp` file becomes two
    /// files again, which change as one.
    ///
    /// # Errors
    /// As [`Replacement::commit`]: among others `Changed`, when the file is the one that the package was opened
    /// from and another program has written to it since.
    pub fn write_file(&self, path: impl AsRef<Path>) -> Result<()> {
        self.replacement(path.as_ref()).overwrite(true).commit().map(drop)
    }

    /// The same as a [`Replacement`], for those who want a backup, or no file that is there to be replaced.
    pub fn replacement(&self, path: impl Into<PathBuf>) -> Replacement<'_> {
        let path = path.into();
        let split = self.split.and_then(|at| usize::try_from(at).ok());
        let whole = match split.and_then(|at| self.bytes.split_at_checked(at)) {
            Some((header, bodies)) => {
                let exports = CompanionKind::Exports.path_beside(&path);
                Replacement::new(path, header).with(exports, bodies)
            }
            None => Replacement::new(path, &self.bytes),
        };
        whole.read(&self.read_from)
    }

    /// Whether the files at this path hold the package, compared in pieces.
    ///
    /// # Errors
    /// `Io`.
    pub fn is_in_files(&self, path: impl AsRef<Path>) -> Result<bool> {
        let path = path.as_ref();
        let split = self.split.and_then(|at| usize::try_from(at).ok());
        match split.and_then(|at| self.bytes.split_at_checked(at)) {
            Some((header, bodies)) => {
                let exports = CompanionKind::Exports.path_beside(path);
                Ok(holds(path, header)? && holds(&exports, bodies)?)
            }
            None => holds(path, &self.bytes),
        }
    }
}
