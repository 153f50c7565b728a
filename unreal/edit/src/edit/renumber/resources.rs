//! Rows of the table of data resources, whose payloads go with their objects (spec: ue4-5/03 §16).

use super::hidden::HiddenRows;
use super::numbers::Numbers;
use crate::edit::Edit;
use crate::edit::data_resource::visit;
use crate::error::Result;
use crate::primitive::PackageIndex;
use crate::table::next_row;

impl Edit {
    /// Rows whose objects are dropped leave the table, and bodies follow. Where bodies are not decoded whole,
    /// which may know rows by their numbers, only the last rows go and the others have no owner any more.
    pub(super) fn drop_resources(&mut self, numbers: &Numbers, hidden: &HiddenRows) -> Result<()> {
        let Some(table) = &self.tables().further.data_resources else { return Ok(()) };
        let has_owner = |owner: PackageIndex| !numbers.drops(owner);
        let mut stays: Vec<bool> =
            table.rows.iter().map(|row| has_owner(row.outer_index)).collect();
        if stays.iter().all(|&stays| stays) {
            return Ok(());
        }
        let versions = self.versions().clone();
        // The exports with bulk data, and which of them stay.
        let mut users = Vec::new();
        for (export, decoded) in self.bodies_mut().decoded.iter_mut() {
            if numbers.drops_export(export) {
                continue;
            }
            visit(&mut decoded.body, &versions, &mut |row| {
                if users.last() != Some(&export) {
                    users.push(export);
                }
                if let Some(stays) = usize::try_from(row).ok().and_then(|row| stays.get_mut(row)) {
                    *stays = true;
                }
                row
            });
        }
        let is_hidden = !hidden.bodies.is_empty();
        if is_hidden {
            let last = stays.iter().rposition(|&stays| stays).map_or(0, |last| last + 1);
            stays[..last].fill(true);
        }
        // Without any row bodies hold headers instead of numbers.
        if (is_hidden || !users.is_empty())
            && !stays.contains(&true)
            && let Some(first) = stays.first_mut()
        {
            *first = true;
        }
        let mut moved = Vec::with_capacity(stays.len());
        let mut next = 0;
        for &stays in &stays {
            moved.push(next_row(next)?);
            next += usize::from(stays);
        }
        let first_move = stays.iter().position(|&stays| !stays).unwrap_or(stays.len());
        if stays[first_move..].contains(&true) {
            let number =
                |row: i32| usize::try_from(row).ok().and_then(|row| moved.get(row).copied());
            for export in users {
                let Some(decoded) = self.bodies_mut().decoded.get_mut(&export) else { continue };
                visit(&mut decoded.body, &versions, &mut |row| number(row).unwrap_or(row));
            }
        }
        let mut stays = stays.into_iter();
        if let Some(table) = &mut self.further_mut().data_resources {
            table.rows.retain(|_| stays.next().unwrap_or(true));
            for row in table.rows.iter_mut().filter(|row| !has_owner(row.outer_index)) {
                row.outer_index = PackageIndex::NULL;
            }
        }
        Ok(())
    }
}
