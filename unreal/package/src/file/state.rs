//! The state of a file when it was read.

use std::fs::{File, Metadata};
use std::io::Seek;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::{Error, Result, UnrealError};

/// A file as it was read: compared with what stands there right before it is replaced, so that what another
/// program has written meanwhile is not lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    path: PathBuf,
    stamp: Stamp,
    hash: [u8; 32],
}

/// The system's facts about a file, without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Device and number, where the system tells.
    identity: Option<(u64, u64)>,
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    pub fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let identity = None;
        Self { identity, bytes: metadata.len(), modified: metadata.modified().ok() }
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the file that stands at `path` now is still this one, and as it was.
    ///
    /// # Errors
    /// `Changed` with what differs.
    pub fn check(&self, path: &Path, now: Option<&Metadata>) -> Result<()> {
        let now = now.map(Self::of);
        let what = match now {
            None => "it is gone",
            Some(now) if now.identity != self.identity => "another file has taken its place",
            Some(now) if now.bytes != self.bytes => "its size has changed",
            Some(now) if now.modified != self.modified => "it has been written to",
            Some(_) => return Ok(()),
        };
        Err(UnrealError::Changed { path: path.display().to_string(), what }.into())
    }

    /// Whether both are the same file, where the system tells.
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}

impl FileState {
    pub(super) fn new(path: &Path, stamp: Stamp, contents: &[u8]) -> Self {
        Self { path: resolved(path), stamp, hash: *blake3::hash(contents).as_bytes() }
    }

    /// Whether the file is the one of this stamp.
    pub(super) fn has(&self, stamp: &Stamp) -> bool {
        self.stamp == *stamp
    }

    /// The file, through links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The BLAKE3 hash of its bytes, hexadecimal.
    pub fn content_hash(&self) -> String {
        blake3::Hash::from(self.hash).to_hex().to_string()
    }

    /// The BLAKE3 hash of its bytes.
    #[doc(hidden)]
    pub fn hash(&self) -> blake3::Hash {
        self.hash.into()
    }

    /// When it was written, where the system tells.
    #[doc(hidden)]
    pub fn modified(&self) -> Option<SystemTime> {
        self.stamp.modified
    }

    /// Whether the file is still what it was: the same one, of the same size, time and content. `now` is the
    /// file that stands there, open, since some systems let no other handle read a file that is locked.
    ///
    /// # Errors
    /// `Changed` with what differs; `Io`.
    pub(super) fn check(&self, now: Option<&File>) -> Result<()> {
        let fail = |error| Error::io(&self.path, error);
        let metadata = now.map(File::metadata).transpose().map_err(fail)?;
        self.stamp.check(&self.path, metadata.as_ref())?;
        let Some(mut file) = now else { return Ok(()) };
        let mut hasher = blake3::Hasher::new();
        file.rewind().and_then(|()| std::io::copy(&mut file, &mut hasher)).map_err(fail)?;
        if hasher.finalize() != self.hash {
            let (path, what) = (self.path.display().to_string(), "its content has changed");
            return Err(UnrealError::Changed { path, what }.into());
        }
        Ok(())
    }
}

/// The true path of a file, which may not be there yet.
pub(super) fn resolved(path: &Path) -> PathBuf {
    dunce::canonicalize(path).unwrap_or_else(|_| placed(path))
}

/// The path of a file by the true path of its folder; a link in its place is not followed.
pub(super) fn placed(path: &Path) -> PathBuf {
    let folder = dunce::canonicalize(folder_of(path));
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// The folder that a file lies in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
