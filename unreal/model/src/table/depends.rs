//! The depends table.

use super::Tables;
use crate::archive::{Step, at_index};
use crate::primitive::{PackageIndex, array};
use crate::{Archive, ArchiveExt, Archived, Result};

/// The objects that must exist before one export loads, from file version 415.
///
/// The table holds one row an export and has no count; rows that are missing at its end are absent.
/// Spec: ue1-3/03 §3.6.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct DependsRow {
    /// References to imports and exports, behind their number as an `i32`; each takes four bytes.
    #[archive(with = fixed_references)]
    pub objects: Vec<PackageIndex>,
}

fn fixed_references<A: Archive + ?Sized>(
    objects: &mut Vec<PackageIndex>,
    ar: &mut A,
) -> Result<()> {
    array::counted_i32_by(objects, ar, PackageIndex::fixed)
}

/// Saves or counts rows that others use as well. Each is copied into the same room, since a copy of all is as
/// large as the table.
#[doc(hidden)]
pub fn save_depends<A: Archive + ?Sized>(rows: &[DependsRow], ar: &mut A) -> Result<()> {
    let mut copy = DependsRow::default();
    for (index, row) in rows.iter().enumerate() {
        copy.objects.clone_from(&row.objects);
        at_index(index, ar, |ar| copy.serialize(ar))?;
    }
    Ok(())
}

impl Tables {
    /// One row an export up to the end of the section; rows that are missing there are absent, and so
    /// is everything behind a row that does not fit (spec: ue1-3/03 §3.6).
    pub(super) fn serialize_depends<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let exports = self.exports.len();
        let missing = exports as i64 - self.depends.len() as i64;
        let missing = ar.form("missing", &[], missing);
        if !ar.is_loading() {
            return array::elements(&mut self.depends, 0, ar);
        }
        self.depends.clear();
        let goes_on = |rows: usize, ar: &mut A| match missing {
            Some(missing) => (rows as i64).saturating_add(missing) < exports as i64,
            None => ar.claim(4, 0).is_ok(),
        };
        while self.depends.len() < exports && goes_on(self.depends.len(), ar) {
            ar.claim(1, size_of::<DependsRow>())?;
            let index = self.depends.len();
            let mut row = DependsRow::default();
            ar.enter(Step::Index(index));
            let read = row.serialize(ar);
            ar.leave();
            match read {
                Ok(()) => self.depends.push(row),
                Err(_) if missing.is_none() => break,
                Err(error) => return Err(error.at_index(index)),
            }
        }
        Ok(())
    }
}
