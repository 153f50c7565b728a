//! Headers, tables and the rows of exports.

use super::super::{Package, Section};
use super::body::{compare, records_of};
use super::pair::Pairs;
use super::{Difference, FieldDifference, Side};
use crate::archive::{Archived, Remap};
use crate::primitive::{Index, PackageIndex};
use crate::table::{Export, Generation, Summary};

/// Where sections stand and how many rows they have: known from what is in them.
pub(super) fn is_derived(field: &str) -> bool {
    field.ends_with("_offset")
        || field.ends_with("_count")
        || matches!(field, "total_header_size" | "tag" | "guid")
        || field.starts_with("compressed_chunks")
}

/// The differences that belong to no object.
pub(super) fn differences(old: &mut Side, new: &mut Side, pairs: &Pairs) -> Vec<FieldDifference> {
    // Put aside, so that the tables can be copied cheaply.
    let bodies = [&mut *old, &mut *new].map(|side| std::mem::take(&mut side.package.decoded));
    let found = without_bodies(old, new, pairs);
    [old.package.decoded, new.package.decoded] = bodies;
    found
}

fn without_bodies(old: &Side, new: &Side, pairs: &Pairs) -> Vec<FieldDifference> {
    let mut found = Vec::new();
    let (before, after) = (old.package.guid(), new.package.guid());
    if before != after {
        found.push(FieldDifference {
            field: "guid".to_owned(),
            old: Some(before.to_string()),
            new: Some(after.to_string()),
        });
    }
    let fields = |side: &Side| records_of(side, &mut summary(&side.package));
    found.extend(compare(fields(old), fields(new), is_derived).0);
    for section in [Section::Heritage, Section::Guids, Section::ThumbnailTable] {
        let fields = |side: &Side| records_of_section(side, section);
        let skipped = |path: &str| path.ends_with("file_offset");
        found.extend(compare(fields(old), fields(new), skipped).0);
    }
    let images = old.package.images.len().max(new.package.images.len());
    for image in 0..images {
        let fields = |side: &Side| match side.package.images.get(image) {
            Some(_) => records_of_section(side, Section::ThumbnailImage(image as u32)),
            None => Default::default(),
        };
        let (found_here, data) = compare(fields(old), fields(new), |_| false);
        found.extend(found_here);
        found.extend(data.into_iter().map(|data| FieldDifference {
            field: format!("thumbnail_images[{image}]"),
            old: Some("an image".to_owned()),
            new: Some(data.to_string()),
        }));
    }
    found.extend(depends(old, new, pairs));
    found
}

/// The summary without what follows from the tables: the counts of the newest generation.
fn summary(package: &Package) -> Summary {
    let mut summary = package.summary.clone();
    if let Some(newest) = summary.generations.last_mut()
        && newest.name_count == summary.name_count
        && newest.export_count == summary.export_count
    {
        *newest = Generation { net_object_count: newest.net_object_count, ..Generation::default() };
    }
    summary
}

pub(super) fn records_of_section(side: &Side, section: Section) -> super::body::Written {
    struct Rows<'a>(&'a mut Package, Section);
    impl Archived for Rows<'_> {
        fn serialize<A: crate::Archive + ?Sized>(&mut self, ar: &mut A) -> crate::Result<()> {
            self.0.serialize_section(self.1, ar)
        }
    }
    let mut package = side.package.clone();
    // The GUID is compared for itself.
    if section == Section::Heritage {
        package.heritage.pop();
    }
    records_of(side, &mut Rows(&mut package, section))
}

/// What must exist before an object loads, by path.
pub(super) fn depends(old: &Side, new: &Side, pairs: &Pairs) -> Vec<FieldDifference> {
    let row = |side: &Side, row: usize| {
        let objects = side.package.depends.get(row).map(|row| row.objects.as_slice());
        objects
            .unwrap_or_default()
            .iter()
            .map(|index| side.object(index.value()))
            .collect::<Vec<_>>()
    };
    let shown = |side: &Side, row: usize| {
        let objects = side.package.depends.get(row).map(|row| row.objects.as_slice());
        let texts = objects.unwrap_or_default().iter().map(|&i| side.reference_text(i));
        Some(texts.collect::<Vec<_>>().join(", "))
    };
    let differing =
        pairs.both.iter().filter(|(before, after)| row(old, *before) != row(new, *after));
    differing
        .map(|&(before, after)| FieldDifference {
            field: format!("depends of {}", new.package.path(PackageIndex::export(after))),
            old: shown(old, before),
            new: shown(new, after),
        })
        .collect()
}

/// Differences of two rows of the export tables, apart from name and place.
pub(super) fn attributes(
    old: &Side,
    new: &Side,
    (before, after): (usize, usize),
) -> Vec<Difference> {
    let plain = |side: &Side, row: usize| Export {
        serial_size: Index::new(0),
        serial_offset: Index::new(0),
        object_name: Default::default(),
        ..side.package.exports[row].clone()
    };
    let numbered = |side: &Side, row: usize| {
        let mut export = plain(side, row);
        let (name, object) = (|index| Some(side.name(index)), |index| Some(side.object(index)));
        let mut remap = Remap::new(side.package.versions.clone(), &name, &object);
        // Visiting with rules that know every number does not fail.
        let _ = export.serialize(&mut remap);
        export.object_name = Default::default();
        export
    };
    if numbered(old, before) == numbered(new, after) {
        return Vec::new();
    }
    let fields = |side: &Side, row: usize| records_of(side, &mut plain(side, row));
    let skipped = |path: &str| matches!(path, "serial_size" | "serial_offset" | "object_name");
    let (found, _) = compare(fields(old, before), fields(new, after), skipped);
    found.into_iter().map(Difference::Attribute).collect()
}
