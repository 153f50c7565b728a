//! The header: the summary, and the tables by the list of sections.

use super::pair::ObjectPairs;
use super::records::{SerializedValue, compare, records_of};
use super::{FieldDifference, Side, tables};
use crate::archive::Archived;
use crate::package::{Package, Section};
use crate::primitive::PackageIndex;
use crate::table::{Generation, Summary};

/// Where sections stand and how many rows they have: known from what is in them.
fn is_derived(field: &str) -> bool {
    field.ends_with("_offset")
        || field.ends_with("_count")
        || matches!(field, "total_header_size" | "tag" | "guid" | "saved_hash" | "package_source")
        || field.starts_with("compressed_chunks")
}

/// The differences that belong to no object.
pub(super) fn differences(
    old: &Side<'_>,
    new: &Side<'_>,
    pairs: &ObjectPairs,
) -> Vec<FieldDifference> {
    let mut found: Vec<_> = guids(old, new).into_iter().collect();
    let (fields, _) =
        compare(records_of(old, &mut summary(old)), records_of(new, &mut summary(new)), is_derived);
    found.extend(fields);
    let mut models = None;
    let there = [old.package.header_sections(), new.package.header_sections()].concat();
    for section in Section::listed().filter(|section| there.contains(section)) {
        match section {
            // The summary is compared above, rows of exports with their objects; what the asset registry's
            // dependencies say of imports and soft references is part of those.
            Section::Summary | Section::Exports | Section::AssetDependencies => {}
            Section::Names => found.extend(tables::names(old, new)),
            Section::Imports => found.extend(tables::imports(old, new)),
            Section::SoftObjectPaths => found.extend(tables::soft_object_paths(old, new)),
            Section::SoftPackageReferences => found.extend(tables::soft_packages(old, new)),
            Section::ThumbnailTable => found.extend(tables::thumbnails(old, new)),
            Section::AssetRegistry => found.extend(tables::registry(old, new)),
            Section::Depends => found.extend(depends(old, new, pairs)),
            Section::PreloadDependencies => found.extend(preload(old, new, pairs)),
            _ => {
                let copies = || (old.package.without_objects(), new.package.without_objects());
                let (before, after) = models.get_or_insert_with(copies);
                let records = (rows(old, before, section), rows(new, after, section));
                let last =
                    old.package.tables().heritage.len().max(new.package.tables().heritage.len());
                let skipped = |path: &str| match section {
                    // The newest is the package's GUID.
                    Section::Heritage => path.ends_with(&format!("[{}]", last.wrapping_sub(1))),
                    Section::CellExports => path.ends_with("_offset"),
                    _ => false,
                };
                let (fields, data) = compare(records.0, records.1, skipped);
                found.extend(fields);
                found.extend(data.into_iter().map(|data| {
                    let (bytes, data) = ("bytes".to_owned(), data.to_string());
                    FieldDifference::of(section.to_string(), Some(bytes), Some(data))
                }));
            }
        }
    }
    found
}

/// The summary without what follows from the tables: the counts of the newest generation.
fn summary(side: &Side<'_>) -> Summary {
    let mut summary = side.package.summary().clone();
    if let Some(newest) = summary.generations.last_mut()
        && newest.name_count == summary.name_count
        && newest.export_count == summary.export_count
    {
        *newest = Generation { net_object_count: newest.net_object_count, ..Generation::default() };
    }
    summary
}

/// The GUIDs, where they differ.
fn guids(old: &Side<'_>, new: &Side<'_>) -> Option<FieldDifference> {
    let (old, new) = (old.package.guid(), new.package.guid());
    let text = |guid: crate::Guid| Some(guid.to_string());
    (old != new).then(|| FieldDifference::of("guid", text(old), text(new)))
}

/// The rows of a section and what they say.
fn rows(side: &Side<'_>, model: &mut Package, section: Section) -> SerializedValue {
    struct Rows<'a>(&'a mut Package, Section);
    impl Archived for Rows<'_> {
        fn serialize<A: crate::Archive + ?Sized>(&mut self, ar: &mut A) -> crate::Result<()> {
            self.0.serialize_section(self.1, ar)
        }
    }
    records_of(side, &mut Rows(model, section))
}

/// What must exist before an object loads, by path.
fn depends(old: &Side<'_>, new: &Side<'_>, pairs: &ObjectPairs) -> Vec<FieldDifference> {
    let row = |side: &Side<'_>, row: usize| {
        let objects = side.package.tables().depends.get(row).map(|row| row.objects.as_slice());
        objects
            .unwrap_or_default()
            .iter()
            .map(|index| side.object(index.value()))
            .collect::<Vec<_>>()
    };
    let shown = |side: &Side<'_>, row: usize| {
        let objects = side.package.tables().depends.get(row).map(|row| row.objects.as_slice());
        let texts = objects.unwrap_or_default().iter().map(|&i| side.reference_text(i));
        Some(texts.collect::<Vec<_>>().join(", "))
    };
    let differing =
        pairs.both.iter().filter(|(before, after)| row(old, *before) != row(new, *after));
    differing
        .map(|&(before, after)| {
            let path = new.package.path(PackageIndex::export(after));
            let (old, new) = (shown(old, before), shown(new, after));
            FieldDifference::of(format!("depends of {path}"), old, new)
        })
        .collect()
}

/// What must be loaded before an object, by path.
fn preload(old: &Side<'_>, new: &Side<'_>, pairs: &ObjectPairs) -> Vec<FieldDifference> {
    let rows = |side: &Side<'_>, row: usize| {
        let preload = side.package.exports().entries().get(row)?.preload;
        let counts = [
            preload.serialization_before_serialization,
            preload.create_before_serialization,
            preload.serialization_before_create,
            preload.create_before_create,
        ];
        let first = usize::try_from(preload.first).ok()?;
        let length: usize = counts.iter().map(|&count| usize::try_from(count).unwrap_or(0)).sum();
        let objects = side
            .package
            .tables()
            .further
            .preload_dependencies
            .get(first..first.checked_add(length)?)?;
        Some((counts, objects.to_vec()))
    };
    let numbered = |side: &Side<'_>, row: usize| {
        let (counts, objects) = rows(side, row)?;
        Some((counts, objects.iter().map(|index| side.object(index.value())).collect::<Vec<_>>()))
    };
    let shown = |side: &Side<'_>, row: usize| {
        let (counts, objects) = rows(side, row)?;
        let texts: Vec<_> = objects.iter().map(|&index| side.package.path(index)).collect();
        Some(format!("{counts:?} {}", texts.join(", ")))
    };
    let differing = pairs.both.iter().filter(|(a, b)| numbered(old, *a) != numbered(new, *b));
    differing
        .map(|&(before, after)| {
            let path = new.package.path(PackageIndex::export(after));
            FieldDifference::of(format!("preload of {path}"), shown(old, before), shown(new, after))
        })
        .collect()
}
