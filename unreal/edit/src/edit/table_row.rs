//! Rows of data tables, curve tables and string tables.

use super::Edit;
use super::property::PropertyChange;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::inspect::table_rows::{RowTable, check_name, missing, no_table, row_path};
use crate::object::ue4::table::string_table::StringTable;
use crate::package::decode::native_as_mut;
use crate::primitive::{FString, Name, PackageIndex};

impl Edit {
    /// Gives a row of a table another name.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `Invalid` for an object that is no table, and for a name that is empty or `None`.
    pub fn rename_table_row(
        &mut self,
        object: &str,
        old: &str,
        new: &str,
    ) -> Result<PropertyChange> {
        let row = self.find_export(object)?;
        self.edit_body(row, |package, body, _| {
            let taken = || Error::from(ErrorKind::Exists { what: noun::ROW, name: new.to_owned() });
            if let Some(table) = native_as_mut::<StringTable>(body) {
                let source = package.source_bytes();
                let is = |key: &FString, text: &str| key.text(&source).is_ok_and(|key| key == text);
                if table.entries.0.iter().any(|(key, _)| is(key, new)) {
                    return Err(taken());
                }
                let renamed = package.string(new);
                let entries = table.entries.0.iter_mut().map(|(key, _)| key);
                let data = table.meta_data.0.iter_mut().map(|(key, _)| key);
                let mut found = entries.chain(data).filter(|key| is(key, old)).peekable();
                found.peek().ok_or_else(|| missing(old, Vec::new()))?;
                found.for_each(|key| *key = renamed.clone());
                return Ok(());
            }
            let mut table = RowTable::of(body).ok_or_else(no_table)?;
            let is = |name: &Name, text: &str| package.name_text(*name).eq_ignore_ascii_case(text);
            let names = table.names();
            if !old.eq_ignore_ascii_case(new) && names.iter().any(|name| is(name, new)) {
                return Err(taken());
            }
            let at = names.iter().position(|name| is(name, old));
            let at = at.ok_or_else(|| missing(old, Vec::new()))?;
            check_name("row", new)?;
            table.rename(at, package.needed_name(new)?);
            Ok(())
        })?;
        Ok(PropertyChange {
            object: self.path(PackageIndex::export(row)),
            property: row_path(old),
            old: Some(row_path(old)),
            new: Some(row_path(new)),
        })
    }
}
