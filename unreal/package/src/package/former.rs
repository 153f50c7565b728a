//! Bodies of a package whose rows have other numbers than when it was opened: until it is saved, those that
//! were not decoded are decoded as they were, and then renumbered.

use std::sync::{Arc, OnceLock};

use super::Package;
use super::decode::{Decoded, Decoder};
use crate::archive::Context;
use crate::error::{Error, Result};

/// Gives what a body says the numbers, and whatever else, that hold now.
#[doc(hidden)]
pub type BodyChange = Box<dyn Fn(&mut Decoded) -> Result<()> + Send + Sync>;

/// The package as its bodies mean it.
#[doc(hidden)]
pub struct Former {
    package: Package,
    /// By row now: the row then.
    rows: Vec<Option<u32>>,
    change: BodyChange,
    /// The first body that could not be renumbered, though it was asked before.
    failed: OnceLock<Error>,
}

impl std::fmt::Debug for Former {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Former").finish_non_exhaustive()
    }
}

impl Former {
    /// `rows` says of each row now which one it was, `change` what is to be done to bodies that were decoded.
    pub fn new(package: Package, rows: Vec<Option<u32>>, change: BodyChange) -> Self {
        Self { package, rows, change, failed: OnceLock::new() }
    }

    /// Whether the body of a row is one of those.
    pub fn has(&self, row: usize) -> bool {
        self.row(row).is_some_and(|row| self.package.body_range(row).1 > 0)
    }

    fn row(&self, row: usize) -> Option<usize> {
        self.rows.get(row).copied().flatten().map(|row| row as usize)
    }

    /// The decoder of its bodies.
    pub fn decoder(&self) -> Decoder {
        self.package.decoder()
    }

    /// The context in which its bodies are decoded.
    pub fn context(&self) -> Arc<Context> {
        self.package.decoding_context()
    }

    /// A body as it is now.
    pub fn decode(
        &self,
        row: usize,
        decoder: &mut Decoder,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<Arc<Decoded>> {
        let mut decoded = decoder.decode(&self.package, self.row(row)?, wanted)?;
        self.renumber(Arc::make_mut(&mut decoded));
        Some(decoded)
    }

    /// The same, with what is known when it is decoded.
    pub fn decode_with(&self, row: usize, context: &Arc<Context>) -> Decoded {
        let Some(row) = self.row(row) else { return Decoded::default() };
        let mut decoded = self.package.decode_with(row, context);
        self.renumber(&mut decoded);
        decoded
    }

    fn renumber(&self, decoded: &mut Decoded) {
        if let Err(error) = (self.change)(decoded) {
            let _ = self.failed.set(error);
        }
    }

    /// # Errors
    /// The error of a body that could not be renumbered: no decoded body may be saved then.
    pub fn check(&self) -> Result<()> {
        match self.failed.get() {
            Some(error) => Err(Error::invalid(format!("a body can't be renumbered: {error}"))),
            None => Ok(()),
        }
    }
}
