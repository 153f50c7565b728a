//! Attributes that a file keeps when it is replaced, and files that can't be replaced.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::open::FileOrigin;
use super::state::{placed, resolved};
use crate::error::{Error, Result, UnrealError};

/// The true path of the file that a write to `path` is meant for: through links where the user has named it, so that
/// the file changes and not the link. A link that was found leads where its maker wants.
///
/// # Errors
/// `NotReplaceable` for a link that leads nowhere, and for one that was found.
pub(super) fn target(path: &Path, origin: FileOrigin) -> Result<PathBuf> {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    match (origin, is_link) {
        (FileOrigin::Found, true) => {
            Err(not_replaceable(path, "it is a link, and what it leads to was not named"))
        }
        (FileOrigin::Found, false) => Ok(placed(path)),
        (FileOrigin::Named, true) => dunce::canonicalize(path)
            .map_err(|_| not_replaceable(path, "it is a link that leads to no file")),
        (FileOrigin::Named, false) => Ok(resolved(path)),
    }
}

/// The metadata of the file at `path`, if it is there and can be replaced. Links were followed before.
///
/// # Errors
/// `NotReplaceable` for links, folders, devices, read-only files and files of several names; `Io`.
pub(super) fn replaceable(path: &Path) -> Result<Option<Metadata>> {
    let metadata = match path.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io(path, error)),
    };
    let refuse = |reason| Err(not_replaceable(path, reason));
    if metadata.is_symlink() {
        return refuse("it has become a link");
    }
    if metadata.is_dir() {
        return refuse("it is a folder");
    }
    if !metadata.is_file() {
        return refuse("it is a device or a pipe, no file");
    }
    if metadata.permissions().readonly() {
        return refuse("it is read-only");
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&metadata) > 1 {
        return refuse("it has other names (hard links), which would keep the old content");
    }
    Ok(Some(metadata))
}

fn not_replaceable(path: &Path, reason: &'static str) -> Error {
    UnrealError::NotReplaceable { path: path.display().to_string(), reason }.into()
}

/// Gives a new file the owner and the permissions of the one that it replaces. Where the owner or the group
/// can't be kept, the set-id bits go and the group may do no more than others.
pub(super) fn copy(old: &Metadata, new: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::fs::Permissions;
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let made = new.metadata()?;
        let mut mode = old.mode() & 0o7777;
        let (user, group) = (old.uid(), old.gid());
        if (made.uid(), made.gid()) != (user, group)
            && fchown(new, Some(user), Some(group)).is_err()
        {
            let others = mode & 0o007;
            mode = (mode & 0o700) | (mode & (others << 3)) | others;
        }
        new.set_permissions(Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    new.set_permissions(old.permissions())
}
