//! Files that stay with the worker: of them only those bytes are read that are asked for.

use std::sync::Arc;

use serde::Deserialize;
use unreal_packages::container::ReadAt;
use unreal_packages::package::{Companion, CompanionKind};
use unreal_packages::{Error, ErrorKind, Result};

use crate::boundary;

/// A file by the number that the worker has given it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct LentFile {
    pub number: u32,
    pub name: String,
    pub size: u64,
}

impl LentFile {
    /// One that is not there: whoever reads from it is told so.
    pub fn missing(name: String) -> Self {
        Self { number: u32::MAX, name, size: 0 }
    }

    pub fn is_missing(&self) -> bool {
        self.number == u32::MAX
    }

    /// All of its bytes.
    pub fn read(&self) -> Result<Vec<u8>> {
        let fail = || Error::io(self.name.as_ref(), std::io::ErrorKind::OutOfMemory.into());
        let size = usize::try_from(self.size).map_err(|_| fail())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| fail())?;
        bytes.resize(size, 0);
        self.read_at(0, &mut bytes)?;
        Ok(bytes)
    }

    /// What it is to the package that it lies beside.
    pub fn companion(&self) -> Option<Companion> {
        let name = self.name.to_ascii_lowercase();
        // `.m.ubulk` ends as `.ubulk` does.
        let mut kinds = CompanionKind::ALL;
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.extension().len()));
        let kind =
            kinds.into_iter().find(|kind| name.ends_with(&format!(".{}", kind.extension())))?;
        Some(Companion::lent(kind, self.name.clone().into(), Arc::new(self.clone())))
    }
}

impl ReadAt for LentFile {
    fn length(&self) -> u64 {
        self.size
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        let end = at.saturating_add(bytes.len() as u64);
        if end > self.size {
            return Err(ErrorKind::OutsideSource { start: at, end, length: self.size }.into());
        }
        match boundary::read_lent(self.number, at, bytes) {
            true => Ok(()),
            // The browser does not say more: the file was moved or changed.
            false => Err(Error::io(self.name.as_ref(), std::io::ErrorKind::NotFound.into())),
        }
    }
}
