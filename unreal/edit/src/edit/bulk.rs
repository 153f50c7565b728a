//! Bulk data outside of bodies: in files beside the package, behind its bodies, in the table of data resources.

use bytes::Bytes;

use super::Edit;
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::package::CompanionKind;
use crate::table::DataResource;

impl Edit {
    /// Gives a file of bulk data beside the package (`.ubulk`, `.uptnl`) other bytes; saving writes it beside the
    /// package.
    ///
    /// # Errors
    /// `NotFound` where the package has no such file.
    pub fn set_companion(&mut self, kind: CompanionKind, bytes: impl Into<Bytes>) -> Result<()> {
        if !self.companions().iter().any(|companion| companion.kind == kind) {
            let (what, name) = (noun::COMPANION_FILE, format!(".{}", kind.extension()));
            let hint = " beside the package".to_owned();
            return Err(ErrorKind::NotFound { what, name, hint }.into());
        }
        self.whole().set_companion(kind, bytes.into());
        Ok(())
    }

    /// Gives some of the bulk data behind the bodies other bytes, from `start` on, which counts from the start of
    /// the package.
    ///
    /// # Errors
    /// `BadOffset` for bytes that are no bulk data.
    pub fn set_bulk_data(&mut self, start: u64, bytes: &[u8]) -> Result<()> {
        let first = u64::try_from(self.tables().summary.bulk_data_start_offset).unwrap_or(0);
        let mut all = self.tables().further.bulk_data.bytes(self.source())?.to_vec();
        let length = first.saturating_add(all.len() as u64);
        let place = start.checked_sub(first).and_then(|at| usize::try_from(at).ok());
        let range = place.and_then(|at| all.get_mut(at..at.checked_add(bytes.len())?));
        let offset = i64::try_from(start).unwrap_or(i64::MAX);
        range.ok_or(ErrorKind::BadOffset { offset, length })?.copy_from_slice(bytes);
        self.further_mut().bulk_data = Span::owned(all);
        Ok(())
    }

    /// Changes a row of the table of data resources. The places of payloads in bodies follow by themselves when the
    /// package is saved.
    ///
    /// # Errors
    /// `Invalid` for a row that the table does not have.
    pub fn change_data_resource(
        &mut self,
        row: i32,
        change: impl FnOnce(&mut DataResource),
    ) -> Result<()> {
        let at = usize::try_from(row).ok();
        let table = self.further_mut().data_resources.as_mut();
        let known = table.zip(at).and_then(|(table, at)| table.rows.get_mut(at));
        let known = known
            .ok_or_else(|| Error::invalid(format!("data resource {row} is not in the table")))?;
        change(known);
        Ok(())
    }
}
