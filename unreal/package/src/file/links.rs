//! Links, and which of them are followed.

use std::path::Path;

use super::open::refused;
use crate::error::{Result, Unreadable};

/// Which links are followed that a folder holds.
///
/// A link may lead anywhere: what stands there was not given, and may be another user's, or this user's own
/// secrets on their way into a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Links {
    /// Links that stay within the folder.
    #[default]
    Inside,
    /// All of them.
    Followed,
}

impl Links {
    /// Whether what stands at `path` may be looked at: it is no link, or a link that does not leave any of these
    /// folders, or links are followed.
    #[doc(hidden)]
    pub fn allow(self, path: &Path, folders: &[&Path]) -> bool {
        let is_link = || path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        self == Self::Followed || !is_link() || leads_into(path, folders)
    }

    /// The same for a file that belongs to the one at `first`: both may be links into one folder.
    ///
    /// # Errors
    /// `NotReadable` for a link that leads out of their folder.
    pub(crate) fn check_beside(self, first: &Path, path: &Path) -> Result<()> {
        let folder = super::state::folder_of(path);
        let there = dunce::canonicalize(first);
        let target = there.as_deref().ok().and_then(Path::parent).unwrap_or(folder);
        match self.allow(path, &[folder, target]) {
            true => Ok(()),
            false => Err(refused(
                path,
                Unreadable::OutwardLink,
                "it is a link that leads out of its folder; if you trust it, follow it (--follow-links; in the \
                 library OpenOptions::links)",
            )),
        }
    }
}

/// Whether a path leads to something within one of these folders.
#[doc(hidden)]
pub fn leads_into(path: &Path, folders: &[&Path]) -> bool {
    // Compared in the system's own form alone: the plain one has another beginning where a path is long.
    let Ok(target) = path.canonicalize() else { return false };
    let mut folders = folders.iter().filter_map(|folder| folder.canonicalize().ok());
    folders.any(|folder| target.starts_with(folder))
}
