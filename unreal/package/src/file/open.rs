//! The one gate through which files are opened for reading.
//!
//! Files that the command line or the caller names may be anything that can be read, a pipe too. Everything else was
//! found: beside a package, in a folder, in a configuration. A folder may have been made to harm, so what was
//! found is opened where it is a file and nothing else: a pipe would wait forever, a device has no end and may do
//! something when it is opened. Its size is looked at first, and a file that is mostly holes is refused, since its
//! size costs its maker nothing and its reader all memory.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use crate::error::{Error, Result, Unreadable, UnrealError};

/// Where a path comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum FileOrigin {
    /// Found in a folder or a container, or named by something that was found.
    Found,
    /// Named by the user.
    #[default]
    Named,
}

/// Bytes of a file that may be holes without a word.
#[cfg(unix)]
const FREE: u64 = 256 << 20;
/// How many bytes a larger file may have for each one that is stored of it.
#[cfg(unix)]
const RATIO: u64 = 64;
/// Bytes that are read of a device.
pub(super) const MOST_OF_A_DEVICE: u64 = 256 << 20;

/// A file that is not read, with the rule and the reason.
#[doc(hidden)]
pub fn refused(path: &Path, why: Unreadable, reason: impl Into<String>) -> Error {
    let path = path.display().to_string();
    UnrealError::NotReadable { path, why, reason: reason.into() }.into()
}

/// Opens a file for reading, and says what it is. One that was found is a file: pipes, devices and folders are
/// refused before they are opened, and nothing waits.
///
/// # Errors
/// `NotReadable`; `Io`.
pub fn open(path: &Path, origin: FileOrigin) -> Result<(File, Metadata)> {
    let fail = |error| Error::io(path, error);
    // Before the file is opened: opening a device may already do something.
    let before = std::fs::metadata(path).map_err(fail)?;
    if !before.is_file() {
        if origin == FileOrigin::Found {
            let (why, what) = kind(&before);
            return Err(refused(path, why, format!("it is {what}")));
        }
        let file = File::open(path).map_err(fail)?;
        let metadata = file.metadata().map_err(fail)?;
        return Ok((file, metadata));
    }
    let file = open_now(path).map_err(fail)?;
    let metadata = file.metadata().map_err(fail)?;
    if !metadata.is_file() {
        let (why, what) = kind(&metadata);
        return Err(refused(path, why, format!("it has become {what}")));
    }
    check_stored(path, &file, &metadata)?;
    Ok((file, metadata))
}

/// Opens what was a file a moment ago: should a pipe have taken its place, that does not wait for a writer.
#[cfg(unix)]
fn open_now(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    const ATTEMPTS: u32 = 50;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let mut options = File::options();
    options.read(true).custom_flags(flags.bits() as i32);
    let mut attempt = 0;
    loop {
        match options.open(path) {
            // Another machine holds a lease on the file, and is being asked for it.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && attempt < ATTEMPTS => {
                attempt += 1;
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            done => return done,
        }
    }
}

#[cfg(not(unix))]
fn open_now(path: &Path) -> io::Result<File> {
    super::disk::patiently(|| File::open(path))
}

/// The kind of thing at a path that is no file: the rule and the words.
fn kind(metadata: &Metadata) -> (Unreadable, &'static str) {
    if metadata.is_dir() {
        return (Unreadable::Folder, "a folder, no file");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return (Unreadable::SpecialFile, "a pipe, no file");
        }
        if kind.is_socket() {
            return (Unreadable::SpecialFile, "a socket, no file");
        }
    }
    (Unreadable::SpecialFile, "a device, no file")
}

/// Refuses a file of a size that it only claims: one whose holes are more than all else.
#[cfg(unix)]
fn check_stored(path: &Path, file: &File, metadata: &Metadata) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let length = metadata.len();
    if length <= FREE {
        return Ok(());
    }
    let stored = metadata.blocks().saturating_mul(512);
    // Some file systems count no blocks: then there are none only where there is no data.
    let has_data = || rustix::fs::seek(file, rustix::fs::SeekFrom::Data(0)).is_ok();
    let is_empty = stored == 0 && !has_data();
    if stored == 0 && !is_empty {
        // Where the data began is no place to read from.
        let rewound = rustix::fs::seek(file, rustix::fs::SeekFrom::Start(0));
        return rewound.map(drop).map_err(|error| Error::io(path, error.into()));
    }
    if is_empty || stored.saturating_mul(RATIO) < length {
        let reason = format!("it claims {length} bytes, and the disk stores {stored} of them");
        return Err(refused(path, Unreadable::Holes, reason));
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_stored(_: &Path, _: &File, _: &Metadata) -> Result<()> {
    Ok(())
}

/// Whether a device stands at this path: what is read of it has a limit.
pub(super) fn is_device(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        kind.is_char_device() || kind.is_block_device()
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// A new file for writing; one that is there, a link among them, is an error.
///
/// # Errors
/// `Io`, with the system's `AlreadyExists`.
pub fn create_new(path: &Path) -> Result<File> {
    let made = File::options().read(true).write(true).create_new(true).open(path);
    made.map_err(|error| Error::io(path, error))
}

/// A file that processes lock: made where it is not there, never emptied. A link of its name is refused, since
/// its maker would have another file made or locked.
///
/// # Errors
/// `NotReadable`; `Io`.
pub fn open_lock(path: &Path) -> Result<File> {
    let fail = |error| Error::io(path, error);
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => {
            let (why, what) = match metadata.is_symlink() {
                true => (Unreadable::Link, "a link"),
                false => kind(&metadata),
            };
            return Err(refused(path, why, format!("it is {what}")));
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fail(error)),
        _ => {}
    }
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits() as i32);
    }
    options.open(path).map_err(fail)
}
