//! The header: the summary, and the tables by the list of sections.

use super::canonical::{is_nothing, line};
use super::pair::ObjectPairs;
use super::records::{SerializedValue, compare, records_of};
use super::{FieldDifference, FieldOrigin, Side, companions, tables};
use crate::archive::Archived;
use crate::package::checksum::saved_hash_is_right;
use crate::package::{Package, Section};
use crate::primitive::{Guid, PackageIndex};
use crate::table::{Generation, SECTIONS, Summary};

/// The differences that belong to no object.
pub(super) fn differences(
    old: &Side<'_>,
    new: &Side<'_>,
    pairs: &ObjectPairs,
) -> Vec<FieldDifference> {
    let mut found: Vec<_> = guids(old, new).into_iter().collect();
    let (fields, _) =
        compare(&records_of(old, &mut summary(old)), &records_of(new, &mut summary(new)), |_| {
            false
        });
    found.extend(fields);
    found.extend(with_origin(companions::differences(old, new), FieldOrigin::Companion));
    let mut models = None;
    let there = [old.package.header_sections(), new.package.header_sections()].concat();
    for section in Section::listed().filter(|section| there.contains(section)) {
        let mut made = |section: Section, fields: Vec<FieldDifference>| {
            let derived = |field: FieldDifference| match section.is_derived() {
                true => field.with_origin(FieldOrigin::Derived),
                false => field,
            };
            found.extend(fields.into_iter().map(derived));
        };
        match section {
            // The summary is compared above, rows of exports with their objects; what the asset registry's
            // dependencies say of imports and soft references is part of those, preload dependencies stand below.
            Section::Summary
            | Section::Exports
            | Section::AssetDependencies
            | Section::PreloadDependencies => {}
            Section::Names => {
                found.extend(with_origin(tables::names(old, new), FieldOrigin::Unused));
                found.extend(with_origin(tables::name_rows(old, new), FieldOrigin::Derived));
            }
            Section::Imports => {
                found.extend(with_origin(tables::imports(old, new), FieldOrigin::Unused));
            }
            Section::SoftObjectPaths => made(section, tables::soft_object_paths(old, new)),
            Section::SoftPackageReferences => made(section, tables::soft_packages(old, new)),
            Section::ThumbnailTable => made(section, tables::thumbnails(old, new)),
            Section::AssetRegistry => made(section, tables::registry(old, new)),
            Section::Depends => made(section, depends(old, new, pairs)),
            _ => {
                let copies = || (old.package.without_objects(), new.package.without_objects());
                let (before, after) = models.get_or_insert_with(copies);
                let records = (rows(old, before, section), rows(new, after, section));
                let (fields, data) = compare(&records.0, &records.1, |_| false);
                made(section, fields);
                let data = data.into_iter().map(|data| {
                    let (bytes, data) = ("bytes".to_owned(), data.to_string());
                    FieldDifference::of(section.to_string(), Some(bytes), Some(data))
                });
                made(section, data.collect());
            }
        }
    }
    // Rows of exports have counts of them also where the table has no rows.
    found.extend(preload(old, new, pairs));
    found
}

/// Differences that all come to be there in one way.
fn with_origin(
    fields: Vec<FieldDifference>,
    origin: FieldOrigin,
) -> impl Iterator<Item = FieldDifference> {
    fields.into_iter().map(move |field| field.with_origin(origin))
}

/// The parts that belong to no object, as lines.
pub(super) fn canonical(side: &Side<'_>) -> String {
    let mut out = "package\n".to_owned();
    line(&mut out, "guid", &side.package.guid().to_string());
    let fields = records_of(side, &mut summary(side)).texts(|_| false);
    for (field, text) in fields.filter(|(_, text)| !is_nothing(text)) {
        line(&mut out, &field, &text);
    }
    companions::texts(side).for_each(|(field, text)| line(&mut out, &field, &text));
    line(&mut out, "names", &tables::names_text(side));
    let mut sorted = |what: &str, mut texts: Vec<String>| {
        texts.sort_by_cached_key(|text| text.to_ascii_lowercase());
        texts.iter().for_each(|text| line(&mut out, what, text));
    };
    sorted("import", tables::import_texts(side));
    sorted("soft object path", tables::path_texts(side));
    sorted("soft package reference", tables::package_texts(side));
    for ((path, key, _), text) in tables::registry_tags(side) {
        line(&mut out, &format!("asset registry: {path}: {key}"), &text);
    }
    for ((path, class), text) in tables::thumbnail_texts(side) {
        line(&mut out, &format!("thumbnail of {path} ({class})"), &text);
    }
    let (mut model, there) = (None, side.package.header_sections());
    for section in Section::listed().filter(|section| there.contains(section)) {
        match section {
            // Said above, or with the objects.
            Section::Summary
            | Section::Exports
            | Section::AssetDependencies
            | Section::Names
            | Section::Imports
            | Section::SoftObjectPaths
            | Section::SoftPackageReferences
            | Section::ThumbnailTable
            | Section::AssetRegistry
            | Section::Depends
            | Section::PreloadDependencies => {}
            _ => {
                let model = model.get_or_insert_with(|| side.package.without_objects());
                for (field, text) in rows(side, model, section).texts(|_| false) {
                    line(&mut out, &field, &text);
                }
            }
        }
    }
    out
}

/// The entries of other tables about an object.
pub(super) fn texts_of(side: &Side<'_>, row: usize) -> impl Iterator<Item = (String, String)> {
    let depends = depends_text(side, row).filter(|text| !text.is_empty());
    let has_preload = preload_rows(side, row).is_some_and(|known| known.counts != [0; 4]);
    let preload = preload_text(side, row).filter(|_| has_preload);
    let both = [("depends", depends), ("preload", preload)];
    both.into_iter().filter_map(|(what, text)| Some((what.to_owned(), text?)))
}

/// The summary without what another line says, the GUID, and what follows from the tables and the bytes of the
/// file: where sections stand, how many rows they have, the counts of the newest generation.
fn summary(side: &Side<'_>) -> Summary {
    let mut summary = Summary {
        guid: Guid::default(),
        total_header_size: 0,
        bulk_data_start_offset: 0,
        compressed_chunks: Vec::new(),
        // How many names come first since bodies use them: an edit that adds a name makes it anew.
        names_referenced_from_export_data_count: 0,
        ..side.package.summary().clone()
    };
    if let Some(newest) = summary.generations.last_mut()
        && newest.name_count == summary.name_count
        && newest.export_count == summary.export_count
    {
        *newest = Generation { net_object_count: newest.net_object_count, ..Generation::default() };
    }
    for entry in SECTIONS {
        for field in [entry.offset, entry.count].into_iter().flatten() {
            *field(&mut summary) = 0;
        }
    }
    (summary.import_guids_count, summary.export_guids_count) = (0, 0);
    summary.payload_toc_offset = 0;
    // A hash that is wrong is kept, and so is one of which nothing is known.
    if saved_hash_is_right(side.package) == Some(true) {
        summary.saved_hash = Default::default();
    }
    summary
}

/// The GUIDs, where they differ.
fn guids(old: &Side<'_>, new: &Side<'_>) -> Option<FieldDifference> {
    let (old, new) = (old.package.guid(), new.package.guid());
    let text = |guid: crate::Guid| Some(guid.to_string());
    let guid = || FieldDifference::of("guid", text(old), text(new));
    (old != new).then(|| guid().with_origin(FieldOrigin::Derived))
}

/// The rows of a section and what they say.
fn rows(side: &Side<'_>, model: &mut Package, section: Section) -> SerializedValue {
    struct Rows<'a>(&'a mut Package, Section);
    impl Archived for Rows<'_> {
        fn serialize<A: crate::Archive + ?Sized>(&mut self, ar: &mut A) -> crate::Result<()> {
            self.0.serialize_section(self.1, ar)
        }
    }
    // The newest GUID is the package's, which another line says; where cells stand follows from the file.
    match section {
        Section::Heritage => {
            let tables = model.parts_mut().tables;
            if tables.heritage.pop().is_some() {
                tables.summary.heritage_count = tables.summary.heritage_count.saturating_sub(1);
            }
        }
        Section::CellExports => {
            let cells = &mut model.parts_mut().tables.further.cell_exports;
            cells.iter_mut().for_each(|cell| cell.serial_offset = 0);
        }
        _ => {}
    }
    records_of(side, &mut Rows(model, section))
}

/// The objects that must exist before an object loads, by path.
fn depends(old: &Side<'_>, new: &Side<'_>, pairs: &ObjectPairs) -> Vec<FieldDifference> {
    let row = |side: &Side<'_>, row: usize| {
        let objects = side.package.tables().depends.get(row).map(|row| row.objects.as_slice());
        objects
            .unwrap_or_default()
            .iter()
            .map(|index| side.object(index.value()))
            .collect::<Vec<_>>()
    };
    let differing =
        pairs.both.iter().filter(|(before, after)| row(old, *before) != row(new, *after));
    differing
        .map(|&(before, after)| {
            let path = new.package.path(PackageIndex::export(after));
            let (old, new) = (depends_text(old, before), depends_text(new, after));
            FieldDifference::of(format!("depends of {path}"), old, new)
        })
        .collect()
}

fn depends_text(side: &Side<'_>, row: usize) -> Option<String> {
    let objects = side.package.tables().depends.get(row).map(|row| row.objects.as_slice());
    let texts = objects.unwrap_or_default().iter().map(|&index| side.reference_text(index));
    Some(texts.collect::<Vec<_>>().join(", "))
}

/// The preload dependencies of an object.
struct PreloadRows {
    /// How many objects must be made or loaded before it is made or loaded.
    counts: [i32; 4],
    /// Which; the row of the first where the table does not have them.
    objects: Result<Vec<PackageIndex>, i32>,
}

fn preload_rows(side: &Side<'_>, row: usize) -> Option<PreloadRows> {
    let preload = side.package.exports().entries().get(row)?.preload;
    let counts = [
        preload.serialization_before_serialization,
        preload.create_before_serialization,
        preload.serialization_before_create,
        preload.create_before_create,
    ];
    let length: usize = counts.iter().map(|&count| usize::try_from(count).unwrap_or(0)).sum();
    let rows = &side.package.tables().further.preload_dependencies;
    let objects = || {
        let first = usize::try_from(preload.first).ok()?;
        rows.get(first..first.checked_add(length)?).map(<[_]>::to_vec)
    };
    let objects = match length {
        0 => Ok(Vec::new()),
        _ => objects().ok_or(preload.first),
    };
    Some(PreloadRows { counts, objects })
}

fn preload_text(side: &Side<'_>, row: usize) -> Option<String> {
    let PreloadRows { counts, objects } = preload_rows(side, row)?;
    Some(match objects {
        Ok(objects) => {
            let texts: Vec<_> = objects.iter().map(|&index| side.package.path(index)).collect();
            format!("{counts:?} {}", texts.join(", ")).trim_end().to_owned()
        }
        Err(first) => format!("{counts:?} from row {first} on, which are not there"),
    })
}

/// The objects that must be loaded before an object, by path.
fn preload(old: &Side<'_>, new: &Side<'_>, pairs: &ObjectPairs) -> Vec<FieldDifference> {
    let numbered = |side: &Side<'_>, row: usize| {
        let PreloadRows { counts, objects } = preload_rows(side, row)?;
        let number = |index: &PackageIndex| side.object(index.value());
        Some((counts, objects.map(|objects| objects.iter().map(number).collect::<Vec<_>>())))
    };
    let differing = pairs.both.iter().filter(|(a, b)| numbered(old, *a) != numbered(new, *b));
    differing
        .map(|&(before, after)| {
            let path = new.package.path(PackageIndex::export(after));
            let (old, new) = (preload_text(old, before), preload_text(new, after));
            FieldDifference::of(format!("preload of {path}"), old, new)
        })
        .collect()
}
