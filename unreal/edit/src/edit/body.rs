//! Changing the body of one object.

use std::sync::Arc;

use super::Edit;
use crate::archive::{Context, Span};
use crate::decompile::Decompiler;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::inspect::PackageValues;
use crate::object::Body;
use crate::package::Package;

impl Edit {
    /// Replaces the body of an export by these bytes, which may be more or fewer.
    ///
    /// In UE5.4 and newer the row also says where the tagged properties end within the body: that end is
    /// kept, or becomes the body's where that is shorter.
    ///
    /// # Errors
    /// `NotFound`, also for the empty row of an object that was removed. Code in it that can't run is `Doubtful` where
    /// the body is decoded, at the end of the edit at the latest.
    pub fn replace_body(&mut self, row: usize, bytes: impl Into<Vec<u8>>) -> Result<()> {
        self.check_object(row)?;
        let bytes = bytes.into();
        let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        self.change_export(row, |export| {
            let end = export.script_serialization_end_offset.min(length);
            export.script_serialization_end_offset = end;
            export.script_serialization_start_offset =
                export.script_serialization_start_offset.min(end);
        });
        self.set_replaced(row, Span::owned(bytes));
        self.given_bodies.insert(row);
        Ok(())
    }

    /// Whether the code of bodies that came as bytes can run, in a package that has them.
    pub(super) fn check_given(&self, package: &Package) -> Result<()> {
        if !self.checks || self.given_bodies.is_empty() {
            return Ok(());
        }
        let rows = self.given_bodies.iter().copied();
        Decompiler::new(package).check_code(rows.filter(|&row| row < package.exports().len()))
    }

    /// Refuses a row without an object: none would come of what it is given.
    pub(super) fn check_object(&self, row: usize) -> Result<()> {
        self.body(row)?;
        match self.exports().is_null(row) {
            false => Ok(()),
            true => {
                let (name, hint) = (format!("#{row}"), "; the row has no object".to_owned());
                Err(ErrorKind::NotFound { what: noun::EXPORT, name, hint }.into())
            }
        }
    }

    /// Keeps a body as what it is read as now: what says how its bytes are read may change then.
    pub(super) fn hold_body(&mut self, row: usize, context: &Arc<Context>) -> Result<()> {
        if !self.bodies().decoded.contains_key(&row) {
            let decoded = self.values().editable(row, context)?;
            self.set_decoded(row, decoded);
        }
        Ok(())
    }

    /// Changes a body where it is. `change` leaves it as it was where it fails; what else it has added is
    /// taken back. Whether the body can be read as what it is now is proved when the edit ends.
    pub(super) fn edit_body<T>(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Self, &mut Body, Arc<Context>) -> Result<T>,
    ) -> Result<T> {
        let context = self.decoding_context();
        self.hold_body(row, &context)?;
        self.values().check_editable(row)?;
        let Some(mut decoded) = self.take_decoded(row) else {
            return Err(self.values().about(row, Error::invalid("its body is not decoded")));
        };
        let referred = self.preload_references(&decoded.body);
        // What the object stores says types of what is new in it.
        self.put_decoded(row, decoded.clone());
        let body = &mut Arc::make_mut(&mut decoded).body;
        let done = self.transact(|edit| change(edit, body, context));
        self.put_decoded(row, decoded);
        let done = done.map_err(|error| self.values().about(row, error))?;
        let now = self.bodies().decoded.get(&row).map(|decoded| &decoded.body);
        if now.is_some_and(|body| self.preload_references(body) != referred) {
            self.settle_preload_since(row, &referred)?;
        }
        Ok(done)
    }

    /// Changes the typed form of a body; a change that fails leaves it as it was.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` when the body is not decoded; what `change` reports. A body that would not be read
    /// as it was written is an error where the edit ends.
    pub fn change_body<T>(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Body) -> Result<T>,
    ) -> Result<T> {
        self.check_object(row)?;
        self.edit_body(row, |_, body, _| {
            let mut changed = body.clone();
            let done = change(&mut changed)?;
            *body = changed;
            Ok(done)
        })
    }
}
