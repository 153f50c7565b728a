//! Reading files, whole or in part.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use bytes::Bytes;

use super::leftover::is_unfinished;
use super::open::{MOST_OF_A_DEVICE, is_device, open, refused};
use super::state::Stamp;
use super::{FileOrigin, FileState, Links};
use crate::error::{Error, ErrorKind, Result, Unreadable, UnrealError};

/// How often files that are replaced while they are read are read again.
const ATTEMPTS: usize = 4;

/// Bytes that are read of a file before the rest, so that what it is can be seen; smaller ones are read at once.
const START: u64 = 1 << 16;
/// Bytes at the end of a file that say what some are.
const END: i64 = 256;

/// The start of a file whose rest has not been read.
#[doc(hidden)]
pub struct FileStart<'a> {
    /// The first bytes: all of a small file.
    pub bytes: &'a [u8],
    /// Bytes of the file; of a pipe that goes on the most that there are.
    pub length: u64,
    file: &'a mut std::fs::File,
}

impl std::fmt::Debug for FileStart<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileStart").finish_non_exhaustive()
    }
}

impl FileStart<'_> {
    /// The last bytes; the file is not read on afterwards.
    pub fn end(&mut self) -> Vec<u8> {
        if self.length == self.bytes.len() as u64 {
            return self.bytes.to_vec();
        }
        let mut end = Vec::new();
        // A pipe has no end yet, and what can't be read says nothing.
        let seek = self.file.seek(SeekFrom::End(-END));
        let _ = seek.and_then(|_| self.file.take(END as u64).read_to_end(&mut end));
        end
    }
}

/// The bytes of a file that the user names, and what it was when they were read. Pipes are read to their end; they
/// have no state that could be compared later. Nothing is mapped: a map of a file that another program shortens ends
/// the process.
///
/// # Errors
/// `Io`; `NotReadable` for a file that is mostly holes, and a device without an end; `Changed` when the file changes
/// while it is read; `Unfinished` where a killed run has left it.
pub fn read(path: &Path) -> Result<File> {
    read_with(path, FileOrigin::Named, |_| Ok(()))
}

/// As [`read`], for a file that was found: pipes and devices are refused.
///
/// # Errors
/// As [`read`]; `NotReadable` for what is no file.
pub fn read_found(path: &Path) -> Result<File> {
    read_with(path, FileOrigin::Found, |_| Ok(()))
}

/// As [`read`]; the file is read on only if `check` does not refuse its start.
///
/// # Errors
/// As [`read`] and [`read_found`]; that of `check`.
#[doc(hidden)]
pub fn read_with(
    path: &Path,
    origin: FileOrigin,
    check: impl FnOnce(&mut FileStart<'_>) -> Result<()>,
) -> Result<File> {
    let fail = |error| Error::io(path, error);
    let (mut file, metadata) = match open(path, origin) {
        Err(error) if !error.is_not_found() => return Err(error),
        Err(_) if is_unfinished(path) => {
            return Err(UnrealError::Unfinished { path: path.display().to_string() }.into());
        }
        // A replacement that ended meanwhile has brought it back.
        Err(_) => open(path, origin)?,
        Ok(file) => file,
    };
    let is_file = metadata.is_file();
    let before = Stamp::of(&metadata);
    let mut bytes = Vec::new();
    let reserve = |bytes: &mut Vec<u8>, size: u64| {
        // A size that memory can't hold is an error here and not the end of the process.
        let more = size.saturating_sub(bytes.len() as u64);
        let reserved = bytes.try_reserve_exact(usize::try_from(more).unwrap_or(usize::MAX));
        reserved.map_err(|_| fail(std::io::ErrorKind::OutOfMemory.into()))
    };
    if is_file {
        reserve(&mut bytes, before.bytes().min(START))?;
    }
    file.by_ref().take(START).read_to_end(&mut bytes).map_err(fail)?;
    let length = match (is_file, bytes.len() as u64) {
        (true, _) => before.bytes(),
        (false, START) => u64::MAX,
        (false, length) => length,
    };
    check(&mut FileStart { bytes: &bytes, length, file: &mut file })?;
    if bytes.len() as u64 == START {
        if is_file {
            reserve(&mut bytes, before.bytes())?;
        }
        let most = if is_device(&metadata) { MOST_OF_A_DEVICE } else { u64::MAX };
        file.by_ref().take(most).read_to_end(&mut bytes).map_err(fail)?;
        if bytes.len() as u64 > most {
            return Err(refused(path, Unreadable::TooLarge, "it is a device without an end"));
        }
    }
    if !is_file {
        return Ok((bytes.into(), None));
    }
    let after = Stamp::of(&file.metadata().map_err(fail)?);
    if before != after || bytes.len() as u64 != after.bytes() {
        return Err(changed(path, "it has changed"));
    }
    let state = FileState::new(path, after, &bytes);
    Ok((bytes.into(), Some(state)))
}

/// The BLAKE3 hash of a file's bytes, which are not kept.
///
/// # Errors
/// `Io`; `NotReadable`.
#[doc(hidden)]
pub fn hash_of(path: &Path, origin: FileOrigin) -> Result<blake3::Hash> {
    let (file, _) = open(path, origin)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).map_err(|error| Error::io(path, error))?;
    Ok(hasher.finalize())
}

/// The `size` bytes at `offset` of a file.
///
/// # Errors
/// `Io`; `BadOffset` for bytes that are not there.
#[doc(hidden)]
pub fn read_range(path: &Path, offset: u64, size: usize) -> Result<Vec<u8>> {
    let fail = |error| Error::io(path, error);
    let (mut file, metadata) = open(path, FileOrigin::Found)?;
    let length = metadata.len();
    if offset.checked_add(size as u64).is_none_or(|end| end > length) {
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        return Err(ErrorKind::BadOffset { offset, length }.into());
    }
    file.seek(SeekFrom::Start(offset)).map_err(fail)?;
    let mut bytes = vec![0; size];
    file.read_exact(&mut bytes).map_err(fail)?;
    Ok(bytes)
}

/// Whether a file holds these bytes and no others, read in pieces.
///
/// # Errors
/// `Io`.
pub fn holds(path: &Path, bytes: &[u8]) -> Result<bool> {
    let fail = |error| Error::io(path, error);
    let (mut file, _) = open(path, FileOrigin::Found)?;
    let mut piece = [0; 1 << 16];
    let mut rest = bytes;
    loop {
        let count = match file.read(&mut piece) {
            Ok(0) => return Ok(rest.is_empty()),
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(fail(error)),
        };
        match rest.strip_prefix(&piece[..count]) {
            Some(behind) => rest = behind,
            None => return Ok(false),
        }
    }
}

/// A second file that belongs to one that was just read, as both stood at one moment: read again when one of
/// them is replaced meanwhile. The second may be missing; nobody has named it, so it must be a file, and a link only
/// within the folder.
///
/// # Errors
/// As [`read`], for either file; `NotReadable` for the second; `Changed` when they are replaced again and again.
pub fn read_pair(first: &Path, one: File, second: &Path) -> Result<Pair> {
    read_pair_with(first, one, second, Links::Inside)
}

/// As [`read_pair`], with these links.
#[doc(hidden)]
pub fn read_pair_with(first: &Path, mut one: File, second: &Path, links: Links) -> Result<Pair> {
    for _ in 0..ATTEMPTS {
        // A file that is not there costs no look at its folder: thousands of packages have none.
        let other = match second.symlink_metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            metadata => {
                if metadata.is_ok_and(|metadata| metadata.is_symlink()) {
                    links.check_beside(first, second)?;
                }
                match read_found(second) {
                    Ok(file) => Some(file),
                    Err(error) if error.is_not_found() => None,
                    Err(error) => return Err(error),
                }
            }
        };
        // A replacement takes the first file away before it touches the second one: where the first still
        // stands, the second has not been touched since.
        let stamp = std::fs::metadata(first).map(|metadata| Stamp::of(&metadata));
        let is_same = |state: &FileState| stamp.as_ref().is_ok_and(|stamp| state.has(stamp));
        if one.1.as_ref().is_none_or(is_same) {
            return Ok((one, other));
        }
        one = read(first)?;
    }
    Err(changed(first, "it has been replaced again and again"))
}

/// Two files, the second of which may be missing.
pub type Pair = (File, Option<File>);

/// The bytes of a file with its state, which pipes have none of.
pub type File = (Bytes, Option<FileState>);

fn changed(path: &Path, what: &'static str) -> Error {
    UnrealError::Changed { path: path.display().to_string(), what }.into()
}
