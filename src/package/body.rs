//! The bytes of an object's body.

use std::sync::Arc;

use super::Package;
use crate::archive::{Archived, Context, Counter, Span};
use crate::error::{ErrorKind, Result};
use crate::table::Export;

/// The range that an export's row gives to its body.
pub(super) fn stored_range(export: &Export) -> (u64, u64) {
    let size = u64::try_from(export.serial_size.value()).unwrap_or(0);
    (u64::try_from(export.serial_offset.value()).unwrap_or(0), size)
}

impl Package {
    /// The body of an export, as a range of the source or as the bytes that replaced it.
    pub(super) fn body_span(&self, row: usize) -> Span {
        if let Some(span) = self.replaced.get(&row) {
            return span.clone();
        }
        let (start, size) = self.exports.get(row).map_or((0, 0), stored_range);
        Span::source(start, size)
    }

    /// Bytes that a body takes when it is saved at `start`.
    pub(super) fn body_size(
        &mut self,
        row: usize,
        start: u64,
        context: &Arc<Context>,
    ) -> Result<u64> {
        match self.decoded.get_mut(&row) {
            Some(decoded) => {
                let counter = Counter::new(self.versions.of_bodies()).at(start);
                let mut counter = counter.with_context(context.clone());
                let counted = decoded.body.serialize(&mut counter);
                counted.map_err(|error| error.at_index(row).in_field("bodies"))?;
                Ok(counter.length())
            }
            None => Ok(self.body_span(row).len()),
        }
    }

    /// The bytes of an export's body.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn body(&self, row: usize) -> Result<&[u8]> {
        if let Some(bytes) = self.replaced.get(&row).and_then(Span::as_owned) {
            return Ok(bytes);
        }
        let export = self.exports.get(row).ok_or_else(|| ErrorKind::NotFound {
            what: "export",
            name: format!("#{row}"),
            hint: format!("; there are {} exports", self.exports.len()),
        })?;
        let (start, size) = stored_range(export);
        // Opening has checked the range.
        Ok(self.source.get(start as usize..(start + size) as usize).unwrap_or_default())
    }
}
