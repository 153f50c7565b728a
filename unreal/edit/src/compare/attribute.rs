//! Rows of the export tables.

use super::canonical::is_nothing;
use super::records::{compare, records_of};
use super::{Difference, Side, whole_names};
use crate::archive::{Archived, Remap};
use crate::primitive::{Name, NameRemap, PackageIndex, WideIndex};
use crate::table::{Export, ExportPreload};

/// A row without what is compared for itself or follows from the rest of the file.
fn plain(side: &Side<'_>, row: usize) -> Export {
    Export {
        serial_size: WideIndex::new(0),
        serial_offset: WideIndex::new(0),
        object_name: Name::default(),
        preload: ExportPreload::default(),
        script_serialization_start_offset: 0,
        script_serialization_end_offset: 0,
        ..side.package.exports().entries()[row].clone()
    }
}

/// Whether a field is the name of the object: row 0 in [`plain`], whose text says nothing.
fn is_name(path: &str) -> bool {
    path == "object_name"
}

/// Texts of a row's fields, apart from name, class and place, and from those that are zero.
pub(super) fn texts(side: &Side<'_>, row: usize) -> impl Iterator<Item = (String, String)> {
    let (class_index, outer_index) = (PackageIndex::NULL, PackageIndex::NULL);
    let mut said = Export { class_index, outer_index, ..plain(side, row) };
    let fields = records_of(side, &mut said).texts(is_name);
    let name = side.package.exports().entries()[row].object_name;
    let whole = whole_names::is_whole(side, name).then(|| {
        (
            "object_name".to_owned(),
            format!("{}{}", side.package.name_text(name), whole_names::WHOLE),
        )
    });
    whole.into_iter().chain(fields.filter(|(_, text)| !is_nothing(text)))
}

/// Differences of two rows, apart from name and place.
pub(super) fn differences(
    old: &Side<'_>,
    new: &Side<'_>,
    (before, after): (usize, usize),
) -> Vec<Difference> {
    let own_name = whole_names::own(old, new, (before, after)).map(Difference::Attribute);
    let (mut before, mut after) = (plain(old, before), plain(new, after));
    let numbered = |side: &Side<'_>, row: &Export| {
        let mut row = row.clone();
        let (name, object) = (|index| Some(side.name(index)), |index| Some(side.object(index)));
        let mut remap = Remap::names_and_objects(side.package.versions().clone(), &name, &object);
        // Visiting with rules that know every number does not fail.
        let _ = row.serialize(&mut remap);
        row.object_name = Name::default();
        row
    };
    if numbered(old, &before) == numbered(new, &after) {
        return own_name.into_iter().collect();
    }
    let (found, _) = compare(&records_of(old, &mut before), &records_of(new, &mut after), is_name);
    own_name.into_iter().chain(found.into_iter().map(Difference::Attribute)).collect()
}
