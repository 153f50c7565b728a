//! The bytes of an object's body.

use std::sync::Arc;

use super::Package;
use super::decode::Decoded;
use super::saving::Saving;
use crate::archive::{Annotate, Archive, Archived, Context, Record, Saver, Span};
use crate::error::{ErrorKind, Result, noun};
use crate::object::Body;
use crate::version::UnrealVersions;
use crate::version::threshold::ue5;

impl Package {
    /// Start and size that an export's row gives to its body.
    #[doc(hidden)]
    pub fn body_range(&self, row: usize) -> (u64, u64) {
        self.tables.exports.get(row).map_or((0, 0), |row| (row.offset(), row.size()))
    }

    /// The body of an export, as a range of the source or as the bytes that replaced it.
    #[doc(hidden)]
    pub fn body_span(&self, row: usize) -> Span {
        if let Some(span) = self.bodies.replaced.get(&row) {
            return span.clone();
        }
        match self.body_range(row) {
            // Where nothing stands may be anywhere.
            (_, 0) => Span::default(),
            (start, size) => Span::source(start, size),
        }
    }

    /// A body as bytes at `start`, and what they are.
    #[doc(hidden)]
    pub fn written(
        &self,
        body: &mut Body,
        start: u64,
        context: Arc<Context>,
    ) -> Result<(Vec<u8>, Vec<Record>)> {
        let mut saver = Saver::new(self.versions.of_bodies()).at(start).with_context(context);
        let mut annotate = Annotate::new(&mut saver);
        body.serialize(&mut annotate as &mut dyn Archive)?;
        let records = annotate.into_records();
        Ok((saver.into_bytes(), records))
    }

    /// The bytes of an export's body.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn body(&self, row: usize) -> Result<&[u8]> {
        if let Some(bytes) = self.bodies.replaced.get(&row).and_then(Span::as_owned) {
            return Ok(bytes);
        }
        if row >= self.export_count() {
            let hint = format!("; there are {} exports", self.export_count());
            return Err(
                ErrorKind::NotFound { what: noun::EXPORT, name: format!("#{row}"), hint }.into()
            );
        }
        let (start, size) = self.body_range(row);
        // Opening has checked the range.
        Ok(self.source.get(start as usize..(start + size) as usize).unwrap_or_default())
    }
}

impl Saving<'_> {
    /// From UE5 1010 the row says where the properties stand: it follows them, unless it said otherwise
    /// before.
    pub(super) fn settle_script_range(
        &mut self,
        row: usize,
        decoded: &mut Arc<Decoded>,
    ) -> Result<()> {
        let versions = &self.package.versions;
        if versions.ue5() < ue5::SCRIPT_SERIALIZATION_OFFSET || versions.unversioned_properties() {
            return Ok(());
        }
        let body = &mut Arc::make_mut(decoded).body;
        let Some([old, new]) = body.script_range(versions, self.drafts.context())? else {
            return Ok(());
        };
        let signed = |(start, end)| (start as i64, end as i64);
        let export = self.package.tables.exports.get(row);
        if old != new && export.is_some_and(|export| export.script_range() == signed(old)) {
            self.settled.set_script_range(row, signed(new));
        }
        Ok(())
    }
}
