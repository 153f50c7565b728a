//! The versions in errors.

use std::fmt;

/// A format, which knows how errors show its versions.
pub trait ShowVersions: fmt::Debug + Sync {
    /// Writes these versions: `69/0`, `3, engine 7`.
    ///
    /// # Errors
    /// The errors of the writer.
    fn show(&self, numbers: &[u32; 8], f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// The versions that an error names; displays as their format shows them.
#[derive(Clone, Copy)]
pub struct VersionStamp {
    format: &'static dyn ShowVersions,
    numbers: [u32; 8],
}

impl VersionStamp {
    /// These versions of a format.
    #[inline]
    pub fn new(format: &'static dyn ShowVersions, numbers: [u32; 8]) -> Self {
        Self { format, numbers }
    }
}

impl fmt::Display for VersionStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.format.show(&self.numbers, f)
    }
}

impl fmt::Debug for VersionStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {self}", self.format)
    }
}
