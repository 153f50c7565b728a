//! Where containers are read from: bytes at places, so that nothing is read but what is asked for.

use std::fmt::Debug;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::error::{Error, ErrorKind, Result};
use crate::file::{self, FileOrigin};

/// Bytes that can be read at any place: a file, or memory.
pub trait ReadAt: Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// How many bytes there are.
    fn length(&self) -> u64;

    /// Fills `bytes` with those at `at` bytes from the start.
    ///
    /// # Errors
    /// `Io`; `OutsideSource` for a range that is not there.
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<()>;
}

/// A file that stays open: whoever replaces it does not change what is read here.
#[derive(Debug)]
pub struct DiskFile {
    path: PathBuf,
    length: u64,
    file: Mutex<File>,
}

impl DiskFile {
    /// Opens the file at `path`; nothing is read.
    ///
    /// # Errors
    /// `NotReadable` for what is no file; `Io`.
    pub fn open(path: &Path) -> Result<Self> {
        // A pipe can't be read at places, so that even one that the user names is refused.
        let (file, metadata) = file::open(path, FileOrigin::Found)?;
        let length = metadata.len();
        Ok(Self { path: path.to_owned(), length, file: Mutex::new(file) })
    }
}

impl ReadAt for DiskFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        check(at, bytes.len() as u64, self.length)?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(bytes));
        read.map_err(|error| Error::io(&self.path, error))
    }
}

impl ReadAt for Bytes {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        check(at, bytes.len() as u64, self.length())?;
        let start = at as usize;
        bytes.copy_from_slice(self.get(start..start + bytes.len()).unwrap_or_default());
        Ok(())
    }
}

fn check(start: u64, size: u64, length: u64) -> Result<()> {
    match start.checked_add(size) {
        Some(end) if end <= length => Ok(()),
        end => {
            let end = end.unwrap_or(u64::MAX);
            Err(ErrorKind::OutsideSource { start, end, length }.into())
        }
    }
}

/// The `size` bytes at `at`; no memory is taken for a range that is not there.
#[doc(hidden)]
pub fn read_range(source: &dyn ReadAt, at: u64, size: u64) -> Result<Vec<u8>> {
    check(at, size, source.length())?;
    let size = usize::try_from(size)
        .map_err(|_| ErrorKind::OutOfRange { value: size.into(), bits: usize::BITS })?;
    let mut bytes = vec![0; size];
    source.read_at(at, &mut bytes)?;
    Ok(bytes)
}
