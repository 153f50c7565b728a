//! Reading files, whole or in part.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use bytes::Bytes;

use super::FileState;
use super::leftover::is_unfinished;
use super::state::Stamp;
use crate::error::{Error, ErrorKind, Result};

/// How often files that are replaced while they are read are read again.
const ATTEMPTS: usize = 4;

/// The bytes of a file, and what it was when they were read. Pipes are read to their end; they have no state
/// that could be compared later. Nothing is mapped: a map of a file that another program shortens ends the
/// process.
///
/// # Errors
/// `Io`; `Changed` when the file changes while it is read; `Unfinished` where a killed run has left it.
pub fn read(path: &Path) -> Result<File> {
    let fail = |error| Error::io(path, error);
    let mut file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(fail(error)),
        Err(_) if is_unfinished(path) => {
            return Err(ErrorKind::Unfinished { path: path.display().to_string() }.into());
        }
        // A replacement that ended meanwhile has brought it back.
        Err(_) => std::fs::File::open(path).map_err(fail)?,
    };
    let metadata = file.metadata().map_err(fail)?;
    let before = Stamp::of(&metadata);
    let mut bytes = Vec::new();
    if metadata.is_file() {
        // A size that memory can't hold is an error here and not the end of the process.
        let size = usize::try_from(before.bytes()).unwrap_or(usize::MAX);
        let reserved = bytes.try_reserve_exact(size);
        reserved.map_err(|_| fail(std::io::ErrorKind::OutOfMemory.into()))?;
    }
    file.read_to_end(&mut bytes).map_err(fail)?;
    if !metadata.is_file() {
        return Ok((bytes.into(), None));
    }
    let after = Stamp::of(&file.metadata().map_err(fail)?);
    if before != after || bytes.len() as u64 != after.bytes() {
        return Err(changed(path, "it has changed"));
    }
    let state = FileState::new(path, after, &bytes);
    Ok((bytes.into(), Some(state)))
}

/// The `size` bytes at `offset` of a file.
///
/// # Errors
/// `Io`; `BadOffset` for bytes that are not there.
pub(crate) fn read_range(path: &Path, offset: u64, size: usize) -> Result<Vec<u8>> {
    let fail = |error| Error::io(path, error);
    let mut file = std::fs::File::open(path).map_err(fail)?;
    let length = file.metadata().map_err(fail)?.len();
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
    let mut file = std::fs::File::open(path).map_err(fail)?;
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
/// them is replaced meanwhile. The second may be missing.
///
/// # Errors
/// As [`read`], for either file; `Changed` when they are replaced again and again.
pub fn read_pair(first: &Path, mut one: File, second: &Path) -> Result<Pair> {
    for _ in 0..ATTEMPTS {
        // A file that is not there costs no look at its folder: thousands of packages have none.
        let other = match second.try_exists() {
            Ok(false) => None,
            _ => match read(second) {
                Ok(file) => Some(file),
                Err(error) if error.is_not_found() => None,
                Err(error) => return Err(error),
            },
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
    ErrorKind::Changed { path: path.display().to_string(), what }.into()
}
