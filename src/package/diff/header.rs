//! Headers and tables.

use super::super::{Package, Section};
use super::body::{compare, records_of};
use super::pair::Pairs;
use super::{FieldDifference, Side};
use crate::archive::Archived;
use crate::primitive::PackageIndex;
use crate::table::{Generation, Summary};

/// Where sections stand and how many rows they have: known from what is in them.
pub(super) fn is_derived(field: &str) -> bool {
    field.ends_with("_offset")
        || field.ends_with("_count")
        || matches!(field, "total_header_size" | "tag" | "guid")
        || field.starts_with("compressed_chunks")
}

/// The differences that belong to no object.
pub(super) fn differences(old: &mut Side, new: &mut Side, pairs: &Pairs) -> Vec<FieldDifference> {
    without_bodies(old, new, |old, new| of_tables(old, new, pairs))
}

/// Looks at two packages whose bodies are put aside, so that the tables can be copied cheaply.
pub(super) fn without_bodies<T>(
    old: &mut Side,
    new: &mut Side,
    look: impl FnOnce(&Side, &Side) -> T,
) -> T {
    let bodies =
        [&mut *old, &mut *new].map(|side| std::mem::take(&mut side.package.bodies.decoded));
    let found = look(old, new);
    [old.package.bodies.decoded, new.package.bodies.decoded] = bodies;
    found
}

/// The GUIDs, where they differ.
pub(super) fn guids(old: &Side, new: &Side) -> Option<FieldDifference> {
    let (old, new) = (old.package.guid(), new.package.guid());
    let text = |guid: crate::Guid| Some(guid.to_string());
    (old != new).then(|| FieldDifference::of("guid", text(old), text(new)))
}

fn of_tables(old: &Side, new: &Side, pairs: &Pairs) -> Vec<FieldDifference> {
    let mut found: Vec<_> = guids(old, new).into_iter().collect();
    let fields = |side: &Side| records_of(side, &mut summary(&side.package));
    found.extend(compare(fields(old), fields(new), is_derived).0);
    for section in [Section::Heritage, Section::Guids, Section::ThumbnailTable] {
        let fields = |side: &Side| records_of_section(side, section);
        let skipped = |path: &str| path.ends_with("file_offset");
        found.extend(compare(fields(old), fields(new), skipped).0);
    }
    let images = old.package.tables.images.len().max(new.package.tables.images.len());
    for image in 0..images {
        let fields = |side: &Side| match side.package.tables.images.get(image) {
            Some(_) => records_of_section(side, Section::ThumbnailImage(image as u32)),
            None => Default::default(),
        };
        let (found_here, data) = compare(fields(old), fields(new), |_| false);
        found.extend(found_here);
        found.extend(data.into_iter().map(|data| {
            let field = format!("thumbnail_images[{image}]");
            FieldDifference::of(field, Some("an image".to_owned()), Some(data.to_string()))
        }));
    }
    found.extend(depends(old, new, pairs));
    found
}

/// The summary without what follows from the tables: the counts of the newest generation.
fn summary(package: &Package) -> Summary {
    let mut summary = package.tables.summary.clone();
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
        package.tables.heritage.pop();
    }
    records_of(side, &mut Rows(&mut package, section))
}

/// What must exist before an object loads, by path.
pub(super) fn depends(old: &Side, new: &Side, pairs: &Pairs) -> Vec<FieldDifference> {
    let row = |side: &Side, row: usize| {
        let objects = side.package.tables.depends.get(row).map(|row| row.objects.as_slice());
        objects
            .unwrap_or_default()
            .iter()
            .map(|index| side.object(index.value()))
            .collect::<Vec<_>>()
    };
    let shown = |side: &Side, row: usize| {
        let objects = side.package.tables.depends.get(row).map(|row| row.objects.as_slice());
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
