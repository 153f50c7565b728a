//! Rows of the export tables.

use super::body::{compare, records_of};
use super::{Difference, Side};
use crate::archive::{Archived, Remap};
use crate::primitive::{Index, Name};
use crate::table::{Export, ExportPreload, ModernExport};

/// A row without what is compared for itself or follows from the rest of the file.
trait Row: Archived + Clone + PartialEq {
    fn plain(side: &Side, row: usize) -> Self;
    fn object_name(&mut self) -> &mut Name;
}

impl Row for Export {
    fn plain(side: &Side, row: usize) -> Self {
        Self {
            serial_size: Index::new(0),
            serial_offset: Index::new(0),
            object_name: Name::default(),
            ..side.package.exports[row].clone()
        }
    }

    fn object_name(&mut self) -> &mut Name {
        &mut self.object_name
    }
}

impl Row for ModernExport {
    fn plain(side: &Side, row: usize) -> Self {
        let row = side.package.modern_exports().get(row).cloned().unwrap_or_default();
        Self {
            serial_size: 0,
            serial_offset: 0,
            object_name: Name::default(),
            preload: ExportPreload::default(),
            script_serialization_start_offset: 0,
            script_serialization_end_offset: 0,
            ..row
        }
    }

    fn object_name(&mut self) -> &mut Name {
        &mut self.object_name
    }
}

/// Differences of two rows, apart from name and place.
pub(super) fn differences(old: &Side, new: &Side, rows: (usize, usize)) -> Vec<Difference> {
    match old.package.is_modern() {
        true => of_rows::<ModernExport>(old, new, rows),
        false => of_rows::<Export>(old, new, rows),
    }
}

fn of_rows<T: Row>(old: &Side, new: &Side, (before, after): (usize, usize)) -> Vec<Difference> {
    let (mut before, mut after) = (T::plain(old, before), T::plain(new, after));
    let numbered = |side: &Side, row: &T| {
        let mut row = row.clone();
        let (name, object) = (|index| Some(side.name(index)), |index| Some(side.object(index)));
        let mut remap = Remap::names_and_objects(side.package.versions.clone(), &name, &object);
        // Visiting with rules that know every number does not fail.
        let _ = row.serialize(&mut remap);
        *row.object_name() = Name::default();
        row
    };
    if numbered(old, &before) == numbered(new, &after) {
        return Vec::new();
    }
    let skipped = |path: &str| matches!(path, "serial_size" | "serial_offset" | "object_name");
    let (found, _) = compare(records_of(old, &mut before), records_of(new, &mut after), skipped);
    found.into_iter().map(Difference::Attribute).collect()
}
