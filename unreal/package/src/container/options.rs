//! How containers are opened, and what is said of their files.

use super::{BlockMethod, Keys};
use crate::error::{Result, UnrealError};
use crate::file::Links;

/// Bytes that any file of a container may decompress to.
const ALWAYS: u64 = 64 << 20;
/// Bytes that each byte of it may decompress to: containers hold images of one colour.
const PER_BYTE: u64 = 256;

/// How containers are opened.
#[derive(Debug, Clone, Default)]
pub struct ContainerOptions {
    pub(super) keys: Keys,
    pub(super) most: Option<u64>,
    pub(super) unproven_keys: bool,
    pub(super) links: Links,
}

impl ContainerOptions {
    /// Without keys, which is `Default`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Decrypts with these keys.
    #[must_use]
    pub fn keys(mut self, keys: Keys) -> Self {
        self.keys = keys;
        self
    }

    /// Lets a compressed file become this many bytes. Without it 64 MiB, or 256 bytes for each that is stored
    /// of the file where that is more.
    #[must_use]
    pub fn max_file(mut self, bytes: u64) -> Self {
        self.most = Some(bytes);
        self
    }

    /// Decrypts with the first key where nothing proves one: the content may be noise.
    #[must_use]
    pub fn unproven_keys(mut self, are_used: bool) -> Self {
        self.unproven_keys = are_used;
        self
    }

    /// Which links are followed of the files that belong to a container: `.ucas`.
    #[must_use]
    pub fn links(mut self, links: Links) -> Self {
        self.links = links;
        self
    }

    /// Refuses to make `size` bytes of `stored`.
    pub(super) fn check_size(&self, size: u64, stored: u64) -> Result<()> {
        let limit = self.most.unwrap_or(ALWAYS.max(stored.saturating_mul(PER_BYTE)));
        match size > limit {
            true => Err(UnrealError::TooLarge { size, limit }.into()),
            false => Ok(()),
        }
    }
}

/// Facts about a file in a container from its tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainedFile {
    /// Its path, with what the mount point adds: `Game/Content/Maps/Town.umap`.
    pub path: String,
    /// Size of the file, bytes.
    pub size: u64,
    /// Size as it is stored, bytes.
    pub stored: u64,
    /// How it is compressed.
    pub method: Option<BlockMethod>,
    /// Whether it is encrypted.
    pub encrypted: bool,
    /// Whether the container says that the file is not there.
    pub deleted: bool,
}
