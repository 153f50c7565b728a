//! The bytes of an object's body.

use std::sync::Arc;

use super::Package;
use crate::archive::{Archived, Context, Counter, Span};
use crate::error::{ErrorKind, Result};
use crate::version::threshold::ue5;

impl Package {
    /// Start and size that an export's row gives to its body.
    pub(super) fn body_range(&self, row: usize) -> (u64, u64) {
        self.export_row(row).map_or((0, 0), |row| (row.serial_offset, row.serial_size))
    }

    /// The body of an export, as a range of the source or as the bytes that replaced it.
    pub(super) fn body_span(&self, row: usize) -> Span {
        if let Some(span) = self.replaced.get(&row) {
            return span.clone();
        }
        let (start, size) = self.body_range(row);
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
                let length = counter.length();
                self.settle_script_range(row, context)?;
                Ok(length)
            }
            None => Ok(self.body_span(row).len()),
        }
    }

    /// From UE5 1010 the row says where the properties stand: it follows them, unless it said otherwise
    /// before.
    fn settle_script_range(&mut self, row: usize, context: &Arc<Context>) -> Result<()> {
        let versions = &self.versions;
        if versions.ue5 < ue5::SCRIPT_SERIALIZATION_OFFSET || versions.unversioned_properties {
            return Ok(());
        }
        let Some(decoded) = self.decoded.get_mut(&row) else { return Ok(()) };
        let Some([old, new]) = decoded.body.script_range(&self.versions, context)? else {
            return Ok(());
        };
        let export = self.modern.as_mut().and_then(|modern| modern.exports.get_mut(row));
        if let Some(export) = export {
            let start = &mut export.script_serialization_start_offset;
            let end = &mut export.script_serialization_end_offset;
            let signed = |(start, end)| (start as i64, end as i64);
            if old != new && (*start, *end) == signed(old) {
                (*start, *end) = signed(new);
            }
        }
        Ok(())
    }

    /// The bytes of an export's body.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn body(&self, row: usize) -> Result<&[u8]> {
        if let Some(bytes) = self.replaced.get(&row).and_then(Span::as_owned) {
            return Ok(bytes);
        }
        if row >= self.export_count() {
            let hint = format!("; there are {} exports", self.export_count());
            return Err(
                ErrorKind::NotFound { what: "export", name: format!("#{row}"), hint }.into()
            );
        }
        let (start, size) = self.body_range(row);
        // Opening has checked the range.
        Ok(self.source.get(start as usize..(start + size) as usize).unwrap_or_default())
    }
}
