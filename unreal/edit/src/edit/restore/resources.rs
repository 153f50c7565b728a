//! Rows of the table of data resources of what comes back (spec: ue4-5/03 §16).

use std::collections::{HashMap, VecDeque};

use super::places::CurrentPlaces;
use crate::edit::Edit;
use crate::edit::data_resource::visit;
use crate::edit::remove::KeptObjects;
use crate::edit::renumber::HiddenRows;
use crate::error::Result;
use crate::primitive::PackageIndex;
use crate::table::{DataResource, DataResources, next_row};

/// Where rows from before stand now; `owner` says an object's number now, null for one that has gone. The
/// rows of an object stand one behind the other as before; rows without an owner are known by what they say.
pub(super) fn current_rows(
    now: Option<&DataResources>,
    before: Option<&DataResources>,
    owner: impl Fn(PackageIndex) -> PackageIndex,
) -> Vec<Option<usize>> {
    let rows = |table: Option<&DataResources>| table.map_or_else(Vec::new, |it| it.rows.clone());
    let key = |row: DataResource| match row.outer_index.is_null() {
        true => row,
        false => DataResource { outer_index: row.outer_index, ..DataResource::default() },
    };
    let mut places: HashMap<DataResource, VecDeque<usize>> = HashMap::new();
    for (at, row) in rows(now).into_iter().enumerate() {
        places.entry(key(row)).or_default().push_back(at);
    }
    let place = |row: DataResource| {
        let row = DataResource { outer_index: owner(row.outer_index), ..row };
        places.get_mut(&key(row))?.pop_front()
    };
    rows(before).into_iter().map(place).collect()
}

impl Edit {
    /// The rows of what comes back stand at their old places again, behind what stood before them, and bodies
    /// follow. Where some are not decoded whole, which may know rows by their numbers, they come last.
    pub(super) fn return_resources(
        &mut self,
        kept: &KeptObjects,
        places: &mut CurrentPlaces,
    ) -> Result<()> {
        let before = kept.tables().further.data_resources.as_ref();
        let (Some(before), Some(now)) = (before, &self.tables().further.data_resources) else {
            return Ok(());
        };
        let is_back = |row: &DataResource| kept.is_gone(row.outer_index);
        if !before.rows.iter().any(is_back) {
            return Ok(());
        }
        let restored = |row: &DataResource| DataResource {
            outer_index: places.object(row.outer_index),
            ..*row
        };
        let is_hidden = !HiddenRows::of(self, |_| false).bodies.is_empty();
        let mut behind: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let mut rows = now.rows.clone();
        let mut last = None;
        for (old, row) in before.rows.iter().enumerate() {
            match places.resources[old] {
                Some(place) => {
                    last = Some(place);
                    if is_back(row) {
                        rows[place].outer_index = restored(row).outer_index;
                    }
                }
                None if is_back(row) => {
                    let end = rows.len().checked_sub(1);
                    behind.entry(if is_hidden { end } else { last }).or_default().push(old);
                }
                None => {}
            }
        }
        // The new number of each row of now.
        let mut moved = Vec::with_capacity(rows.len());
        let mut table = Vec::with_capacity(before.rows.len());
        let mut returned = Vec::new();
        for place in std::iter::once(None).chain((0..rows.len()).map(Some)) {
            if let Some(place) = place {
                moved.push(table.len());
                table.push(rows[place]);
            }
            for old in behind.remove(&place).unwrap_or_default() {
                returned.push((old, table.len()));
                table.push(restored(&before.rows[old]));
            }
        }
        next_row(table.len())?;
        for place in &mut places.resources {
            *place = place.and_then(|row| moved.get(row).copied());
        }
        returned.into_iter().for_each(|(old, row)| places.resources[old] = Some(row));
        if let Some(now) = &mut self.further_mut().data_resources {
            now.rows = table;
        }
        if moved.iter().enumerate().all(|(old, new)| old == *new) {
            return Ok(());
        }
        let versions = self.versions().clone();
        let number = |row: i32| {
            let new = moved.get(usize::try_from(row).ok()?)?;
            i32::try_from(*new).ok()
        };
        for (_, decoded) in self.bodies_mut().decoded.iter_mut() {
            visit(&mut decoded.body, &versions, &mut |row| number(row).unwrap_or(row));
        }
        Ok(())
    }
}
