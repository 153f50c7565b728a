//! Bulk data outside of bodies: in files beside the package, in the table of data resources. What stands behind the bodies
//! is in `payload`.

use bytes::Bytes;

use std::collections::HashSet;

use super::Edit;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::package::CompanionKind;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::table::DataResource;

/// Bulk data that the cooker has left out.
const UNUSED: u32 = 0x20;

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

    /// Changes a row of the table of data resources. The places of payloads in bodies follow by themselves when the
    /// package is saved.
    ///
    /// # Errors
    /// `Invalid` for a row that the table does not have, and where the body of its object can't be changed.
    pub fn change_data_resource(
        &mut self,
        row: i32,
        change: impl FnOnce(&mut DataResource),
    ) -> Result<()> {
        let at = usize::try_from(row).ok();
        self.hold_users(at)?;
        let table = self.further_mut().data_resources.as_mut();
        let known = table.zip(at).and_then(|(table, at)| table.rows.get_mut(at));
        let known = known
            .ok_or_else(|| Error::invalid(format!("data resource {row} is not in the table")))?;
        change(known);
        Ok(())
    }

    /// Gives an object other rows in the table of data resources than `old`, which it has now, and says which they are.
    /// Old rows are taken first; those that are left over go where they end the table, or are unused.
    ///
    /// # Errors
    /// `Invalid` for a row that the table does not have, that is named twice or that another object has, and where the
    /// body of the object can't be changed.
    pub fn set_data_resources(
        &mut self,
        owner: usize,
        old: &[i32],
        new: Vec<DataResource>,
    ) -> Result<Vec<i32>> {
        let context = self.decoding_context();
        self.hold_body(owner, &context)?;
        self.package.parts_kept().caches.context = Default::default();
        let missing = || Error::invalid("the package has no such data resource");
        let table = self.further_mut().data_resources.as_mut().ok_or_else(missing)?;
        let mut places: Vec<usize> = Vec::with_capacity(old.len());
        let mut known = HashSet::with_capacity(old.len());
        for row in old {
            let at = usize::try_from(*row).ok().filter(|at| *at < table.rows.len());
            let at = at.ok_or_else(missing)?;
            if !known.insert(at) {
                let reason = format!("two payloads have one data resource, #{at}");
                return Err(Error::invalid(reason));
            }
            let outer = table.rows.get(at).map(|row| row.outer_index);
            if outer.is_some_and(|outer| !outer.is_null() && outer != PackageIndex::export(owner)) {
                let reason = format!("data resource #{at} belongs to another object");
                return Err(Error::invalid(reason));
            }
            places.push(at);
        }
        let mut given = Vec::with_capacity(new.len());
        let mut free = places.iter().copied();
        for row in new {
            let row = DataResource { outer_index: PackageIndex::export(owner), ..row };
            match free.next() {
                Some(at) => {
                    table.rows[at] = row;
                    given.push(i32::try_from(at).map_err(|_| missing())?);
                }
                None => {
                    given.push(crate::table::next_row(table.rows.len())?);
                    table.rows.push(row);
                }
            }
        }
        let mut left: Vec<usize> = free.collect();
        left.sort_unstable();
        while left.last().is_some_and(|at| at + 1 == table.rows.len()) {
            table.rows.pop();
            left.pop();
        }
        for at in left {
            let row = &mut table.rows[at];
            (row.serial_offset, row.serial_size, row.raw_size) = (0, 0, 0);
            row.legacy_bulk_data_flags = UNUSED;
        }
        Ok(given)
    }

    /// Keeps the bodies that may have a row of the table as they are read now: its sizes and flags say how.
    fn hold_users(&mut self, at: Option<usize>) -> Result<()> {
        let table = self.tables().further.data_resources.as_ref();
        let row = table.zip(at).and_then(|(table, at)| table.rows.get(at));
        let Some(owner) = row.map(|row| row.outer_index.target()) else { return Ok(()) };
        let context = self.decoding_context();
        match owner {
            ObjectRef::Export(owner) => self.hold_body(owner, &context)?,
            // Whoever has it: what can't be read has no known one.
            _ => (0..self.exports().len()).for_each(|row| drop(self.hold_body(row, &context))),
        }
        self.package.parts_kept().caches.context = Default::default();
        Ok(())
    }
}
