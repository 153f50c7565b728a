//! The first changes: names, imports, flags, GUID, bodies. A call that fails changes nothing.

mod flags;
mod guid;
mod import;
mod name;

pub(super) use import::ImportStep;
pub(super) use name::numbered;

use super::Package;
use crate::archive::Span;
use crate::error::{ErrorKind, Result};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::threshold::ue5;

impl Package {
    /// Replaces the body of an export by these bytes, which may be more or fewer.
    ///
    /// In UE5.4 and newer the row also says where the tagged properties end within the body: that end is
    /// kept, or becomes the body's where that is shorter.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn replace_body(&mut self, row: usize, bytes: impl Into<Vec<u8>>) -> Result<()> {
        self.body(row)?;
        self.claims();
        self.bodies.decoded.remove(&row);
        let bytes = bytes.into();
        if let Some(export) = self.tables.exports.get_mut(row) {
            let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
            let end = export.script_serialization_end_offset.min(length);
            export.script_serialization_end_offset = end;
            export.script_serialization_start_offset =
                export.script_serialization_start_offset.min(end);
        }
        self.bodies.replaced.insert(row, Span::owned(bytes));
        Ok(())
    }

    /// Whether an object with this reference is there.
    pub fn contains(&self, index: PackageIndex) -> bool {
        match index.target() {
            ObjectRef::Null => false,
            ObjectRef::Import(row) => row < self.tables.imports.len(),
            ObjectRef::Export(row) => row < self.export_count(),
        }
    }

    /// Brings the counts of the summary and of the newest generation up to date.
    pub(super) fn sync_counts(&mut self) -> Result<()> {
        let summary = &mut self.tables.summary;
        let names = next_row(self.tables.names.len())?;
        if summary.name_count != names
            && self.versions.ue5 >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA
        {
            // New names stand at the end and bodies may use them (spec: ue4-5/03 §1).
            summary.names_referenced_from_export_data_count = names;
        }
        summary.name_count = names;
        summary.import_count = next_row(self.tables.imports.len())?;
        summary.export_count = next_row(self.tables.exports.len())?;
        if let Some(newest) = summary.generations.last_mut() {
            newest.name_count = summary.name_count;
            newest.export_count = summary.export_count;
        }
        Ok(())
    }
}

/// The number of the next row of a table.
pub(super) fn next_row(rows: usize) -> Result<i32> {
    i32::try_from(rows).map_err(|_| ErrorKind::OutOfRange { value: rows as i128, bits: 31 }.into())
}
