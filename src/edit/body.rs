//! Changing the body of one object: on a copy, which takes its place when it is proved to read back.

use crate::archive::Span;
use crate::package::Decoded;
use crate::package::resource::HIDDEN;
use crate::package::scan::shows_positions;
use std::sync::Arc;

use super::Edit;
use super::add::Before;
use crate::archive::{ArchiveExt, Archived, Context, Loader};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Body, Shape};

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}

impl Edit {
    /// Replaces the body of an export by these bytes, which may be more or fewer.
    ///
    /// In UE5.4 and newer the row also says where the tagged properties end within the body: that end is
    /// kept, or becomes the body's where that is shorter.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn replace_body(&mut self, row: usize, bytes: impl Into<Vec<u8>>) -> Result<()> {
        self.body(row)?;
        self.bodies_mut().decoded.remove(&row);
        let bytes = bytes.into();
        if let Some(export) = self.tables_mut().exports.get_mut(row) {
            let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
            let end = export.script_serialization_end_offset.min(length);
            export.script_serialization_end_offset = end;
            export.script_serialization_start_offset =
                export.script_serialization_start_offset.min(end);
        }
        self.bodies_mut().replaced.insert(row, Span::owned(bytes));
        Ok(())
    }

    /// Changes a copy of a body, proves that it reads back, and only then puts it in its place.
    pub(super) fn edit_body<T>(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Self, &mut Body, Arc<Context>) -> Result<T>,
    ) -> Result<T> {
        let context = self.decoding_context();
        let decoded = self.values().editable(row, &context)?;
        let before = Before::of(self);
        let mut body = decoded.body.clone();
        let done = change(self, &mut body, context.clone());
        match done
            .and_then(|value| self.check_body(row, &decoded, &mut body, &context).map(|()| value))
        {
            Ok(value) => {
                self.bodies_mut().decoded.insert(row, Decoded { body, ..decoded });
                Ok(value)
            }
            Err(error) => {
                before.restore(self);
                Err(self.values().about(row, error))
            }
        }
    }

    /// Changes the typed form of a body; a change that fails leaves it as it was.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` when the body is not decoded, or would not be read as it was written; what
    /// `change` reports.
    pub fn change_body<T>(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Body) -> Result<T>,
    ) -> Result<T> {
        self.body(row)?;
        self.edit_body(row, |_, body, _| change(body))
    }

    /// Refuses a body that would not be read as it was written: native data may depend on a property, and
    /// undecoded bytes may hold positions.
    pub(super) fn check_body(
        &self,
        row: usize,
        old: &Decoded,
        body: &mut Body,
        context: &Context,
    ) -> Result<()> {
        let (old_start, old_size) = self.body_range(row);
        let start = self.source().len() as u64;
        let known = |source: bytes::Bytes| Arc::new(self.value_context_now(context, source));
        let (bytes, records) = self.written(body, start, known(self.source_bytes()))?;
        let size = bytes.len() as u64;
        let old_body = self.source().get(old_start as usize..(old_start + old_size) as usize);
        let old_body = old_body.filter(|body| !body.is_empty());
        if old.opaque > 0
            && size != old_size
            && old_body.is_none_or(|body| self.may_hold_positions(row, body, old_start, start))
        {
            let reason = "part of its body is not decoded and seems to hold file positions, so its \
                          size can't change";
            return Err(invalid(reason.to_owned()));
        }
        if size != old_size && self.hides_payloads(row, &records, start) {
            return Err(invalid(HIDDEN.to_owned()));
        }
        // Behind the source, so that the names that context knows stay where they are.
        let mut source = Vec::with_capacity(self.source().len() + bytes.len());
        source.extend_from_slice(self.source());
        source.extend_from_slice(&bytes);
        let source = bytes::Bytes::from(source);
        let context = known(source.clone());
        let shape = Shape { end: start + size, ..body.shape().clone() };
        let mut read = Body::blank(shape);
        let mut loader =
            Loader::new(&source, self.versions().of_bodies()).with_context(context.clone());
        loader.seek(&source, start, start + size)?;
        let loaded = loader.part(size, &mut |ar| read.serialize(ar));
        let depends = "the class's own data depends on this property, or its type has another form \
                       than this value";
        loaded.map_err(|error| {
            let error = error.into_kind();
            invalid(format!("changed so, it could not be read again ({error}): {depends}"))
        })?;
        let (again, found) = self.written(&mut read, start, context)?;
        if again != bytes || found != records {
            let first = records.iter().zip(&found).find(|(a, b)| a != b);
            let place = first.map(|(record, _)| record.path.as_str()).unwrap_or("its end");
            return Err(invalid(format!(
                "changed so, it would be read as something else from {place} on: {depends}"
            )));
        }
        Ok(())
    }

    /// Whether bytes of a body that nobody decodes may be positions in the file.
    fn may_hold_positions(&self, row: usize, body: &[u8], old_start: u64, start: u64) -> bool {
        match self.bulk_scan() {
            Some(scan) => {
                let is_held = |class: &String| scan.class_has_positions(class);
                self.class_chain(row).iter().any(is_held) || scan.shows_absolute(body, old_start)
            }
            None => shows_positions(body, old_start, start, self.versions()),
        }
    }
}
