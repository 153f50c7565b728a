//! Writing saved packages to files, so that a failure leaves what was there.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::{CompanionKind, Saved};
use crate::compression::lineage;
use crate::error::{Error, Result};
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

    /// The same as a [`Replacement`], for those who want a backup, or no file that is there to be replaced. A package
    /// that is encrypted for the name of its file (Lineage II, Ver121) is encrypted for the new one.
    pub fn replacement(&self, path: impl Into<PathBuf>) -> Replacement<'_> {
        let path = path.into();
        let beside = path.clone();
        let split = self.split.and_then(|at| usize::try_from(at).ok());
        let whole = match split.and_then(|at| self.bytes.split_at_checked(at)) {
            Some((header, bodies)) => {
                let exports = CompanionKind::Exports.path_beside(&path);
                Replacement::new(path, header).with(exports, bodies)
            }
            None => {
                let shown = path.clone();
                Replacement::by(path, move |file| {
                    let bytes = self.bytes_for(&shown)?;
                    file.write_all(&bytes).map_err(|error| Error::io(&shown, error))
                })
            }
        };
        let whole = self
            .companions
            .iter()
            .fold(whole, |whole, (kind, bytes)| whole.with(kind.path_beside(&beside), bytes));
        whole.read(&self.read_from)
    }

    /// The bytes of the file under a name.
    fn bytes_for(&self, path: &Path) -> Result<Cow<'_, [u8]>> {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let old = self.read_from.first().and_then(|file| name(file.path()));
        let new = name(path).unwrap_or_default();
        let renamed = lineage::renamed(&self.bytes, old.as_deref(), &new)?;
        Ok(renamed.map_or(Cow::Borrowed(&self.bytes), Cow::Owned))
    }

    /// Whether the files at this path hold the package, compared in pieces.
    ///
    /// # Errors
    /// `Io`.
    pub fn is_in_files(&self, path: impl AsRef<Path>) -> Result<bool> {
        let path = path.as_ref();
        for (kind, bytes) in &self.companions {
            if !holds(&kind.path_beside(path), bytes)? {
                return Ok(false);
            }
        }
        let split = self.split.and_then(|at| usize::try_from(at).ok());
        match split.and_then(|at| self.bytes.split_at_checked(at)) {
            Some((header, bodies)) => {
                let exports = CompanionKind::Exports.path_beside(path);
                Ok(holds(path, header)? && holds(&exports, bodies)?)
            }
            None => holds(path, &self.bytes_for(path)?),
        }
    }
}
