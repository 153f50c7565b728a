//! Sources that count what is read of them.

use std::sync::atomic::{AtomicU64, Ordering};

use unreal_packages::Result;
use unreal_packages::container::ReadAt;

/// Counts the reads of a source and their bytes.
#[derive(Debug)]
pub struct Counted<S> {
    source: S,
    reads: AtomicU64,
    bytes: AtomicU64,
}

impl<S: ReadAt> Counted<S> {
    pub fn new(source: S) -> Self {
        Self { source, reads: AtomicU64::new(0), bytes: AtomicU64::new(0) }
    }

    /// Reads and bytes since this was called last.
    pub fn take(&self) -> (u64, u64) {
        (self.reads.swap(0, Ordering::Relaxed), self.bytes.swap(0, Ordering::Relaxed))
    }
}

impl<S: ReadAt> ReadAt for Counted<S> {
    fn length(&self) -> u64 {
        self.source.length()
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.source.read_at(at, bytes)
    }
}
