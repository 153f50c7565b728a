//! The system's facts about a file, which no copy of the file brings along.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The system's facts about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFacts {
    /// The number by which the file system knows it; 0 where the system gives none.
    pub number: u64,
    /// When it was made, in nanoseconds since 1970; 0 where the system does not keep that. Neither an archive nor
    /// a copy can set it.
    pub born: u128,
    /// The number of the user whose file it is, where the system has one.
    pub owner: Option<u32>,
    /// Whether it is a regular file, and neither a link nor a device.
    pub is_file: bool,
}

impl FileFacts {
    /// The facts about the file or link at `path`; `None` where there is none.
    #[doc(hidden)]
    pub fn at(path: &Path) -> io::Result<Option<Self>> {
        match path.symlink_metadata() {
            Ok(metadata) => Ok(Some(Self::of(path, &metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn of(path: &Path, metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let owner = Some(std::os::unix::fs::MetadataExt::uid(metadata));
        #[cfg(not(unix))]
        let owner = None;
        let born = metadata.created().ok().and_then(|born: SystemTime| {
            born.duration_since(UNIX_EPOCH).ok().map(|since| since.as_nanos())
        });
        Self {
            number: number(path, metadata),
            born: born.unwrap_or(0),
            owner,
            is_file: metadata.is_file(),
        }
    }
}

#[cfg(unix)]
fn number(_path: &Path, metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

/// The standard library does not give it yet.
#[cfg(windows)]
fn number(path: &Path, _metadata: &Metadata) -> u64 {
    let handle = winapi_util::Handle::from_path_any(path);
    let information = handle.and_then(|handle| winapi_util::file::information(&handle));
    information.map_or(0, |information| information.file_index())
}

#[cfg(not(any(unix, windows)))]
fn number(_path: &Path, _metadata: &Metadata) -> u64 {
    0
}

/// Opens a lock, a journal or a temporary file that is there: never through a link, and never what is no regular
/// file. A pipe does not make it wait.
pub(super) fn open_own(path: &Path, writable: bool) -> io::Result<File> {
    // Not on every system can the call itself refuse a link.
    if path.symlink_metadata()?.is_file() {
        let mut options = File::options();
        options.read(true).write(writable);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits() as i32,
        );
        let file = options.open(path)?;
        if file.metadata()?.is_file() {
            return Ok(file);
        }
    }
    Err(io::ErrorKind::InvalidInput.into())
}
