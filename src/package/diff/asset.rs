//! Headers and tables of UE4 and UE5.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::Section;
use super::body::{compare, records_of};
use super::header::{depends, guids, is_derived, records_of_section, without_bodies};
use super::pair::Pairs;
use super::{FieldDifference, Side};
use crate::primitive::PackageIndex;
use crate::table::{Generation, Summary};

/// Sections that are compared field by field.
const PLAIN: &[Section] = &[
    Section::GatherableText,
    Section::MetaData,
    Section::CellImports,
    Section::CellExports,
    Section::SearchableNames,
    Section::ImportTypeHierarchies,
    Section::WorldTileInfo,
    Section::DataResources,
    Section::BulkData,
    Section::ClosingTag,
    Section::Trailer,
];

/// The differences that belong to no object.
pub(super) fn differences(old: &mut Side, new: &mut Side, pairs: &Pairs) -> Vec<FieldDifference> {
    let unused = [unused_names(old), unused_names(new)];
    without_bodies(old, new, |old, new| {
        let mut found = of_tables(old, new, pairs);
        found.extend(names(old, new, unused));
        found
    })
}

/// The summary without what follows from the rest of the file.
fn summary(side: &Side) -> Summary {
    let mut summary = side.package.tables.summary.clone();
    summary.saved_hash = Default::default();
    summary.package_source = 0;
    let counts = (summary.name_count, summary.export_count);
    if let Some(newest) = summary.generations.last_mut()
        && (newest.name_count, newest.export_count) == counts
    {
        *newest = Generation::default();
    }
    summary
}

fn of_tables(old: &Side, new: &Side, pairs: &Pairs) -> Vec<FieldDifference> {
    let mut found: Vec<_> = guids(old, new).into_iter().collect();
    let (fields, _) =
        compare(records_of(old, &mut summary(old)), records_of(new, &mut summary(new)), is_derived);
    found.extend(fields);
    found.extend(imports(old, new));
    let soft = |side: &Side| {
        let paths = side.package.soft_object_paths().iter();
        paths.map(|path| side.now(path.text(&side.context))).collect()
    };
    found.extend(lists("soft object path", soft(old), soft(new)));
    found.extend(lists("soft package reference", soft_packages(old), soft_packages(new)));
    found.extend(registry(old, new));
    found.extend(thumbnails(old, new));
    found.extend(depends(old, new, pairs));
    found.extend(preload(old, new, pairs));
    for &section in PLAIN {
        let fields = |side: &Side| records_of_section(side, section);
        let skipped = |path: &str| path.ends_with("_offset") && path.contains("cell_exports");
        let (fields, data) = compare(fields(old), fields(new), skipped);
        found.extend(fields);
        found.extend(data.into_iter().map(|data| {
            FieldDifference::of(
                section.to_string(),
                Some("bytes".to_owned()),
                Some(data.to_string()),
            )
        }));
    }
    found
}

/// Rows of the name table that nothing uses, as far as that is seen.
fn unused_names(side: &Side) -> Vec<String> {
    let references = crate::inspect::references(&side.package);
    let used = references.names();
    let names = side.package.names();
    let rows = (0..names.len()).filter(|row| !used.contains_key(&(*row as i32)));
    rows.filter_map(|row| names.get(row)).map(|name| name.into_owned()).collect()
}

/// Names that no other difference tells of: those that one side does not use, and the other lacks.
fn names(old: &Side, new: &Side, unused: [Vec<String>; 2]) -> Vec<FieldDifference> {
    let known = |side: &Side| -> HashSet<String> {
        side.package.names().iter().map(|name| name.to_ascii_lowercase()).collect()
    };
    let (old_names, new_names) = (known(old), known(new));
    let [gone, added] = unused;
    let lacks =
        |names: &HashSet<String>, name: &String| !names.contains(&name.to_ascii_lowercase());
    let now: HashSet<String> =
        old_names.iter().map(|name| old.now(name.clone()).to_ascii_lowercase()).collect();
    let stays =
        |name: &String| !lacks(&new_names, name) || !lacks(&new_names, &old.now(name.clone()));
    let gone = gone.into_iter().filter(|name| !stays(name));
    let added = added.into_iter().filter(|name| lacks(&old_names, name) && lacks(&now, name));
    gone.map(|name| FieldDifference::of("name", Some(name), None))
        .chain(added.map(|name| FieldDifference::of("name", None, Some(name))))
        .collect()
}

/// Two lists of texts: row by row where they are as long, else what only one has.
fn lists(what: &str, old: Vec<String>, new: Vec<String>) -> Vec<FieldDifference> {
    if old.len() == new.len() {
        let rows = old.into_iter().zip(new).filter(|(old, new)| old != new);
        return rows.map(|(old, new)| FieldDifference::of(what, Some(old), Some(new))).collect();
    }
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for (texts, step) in [(old, -1), (new, 1)] {
        texts.into_iter().for_each(|text| *counts.entry(text).or_default() += step);
    }
    let rows = counts.into_iter().filter(|(_, count)| *count != 0);
    rows.map(|(text, count)| match count {
        ..0 => FieldDifference::of(what, Some(text), None),
        _ => FieldDifference::of(what, None, Some(text)),
    })
    .collect()
}

/// Imports by what they are, however they are used.
fn imports(old: &Side, new: &Side) -> Vec<FieldDifference> {
    let texts = |side: &Side| -> Vec<String> {
        let used = side.package.tables.further.asset_dependencies.as_ref();
        let rows = side.package.imports().iter().map(|import| {
            let (entry, path) = (import.entry(), import.path());
            let mut text = format!("{}'{path}'", import.class());
            let package = side.package.name_text(entry.package_name);
            if !entry.package_name.eq(&Default::default()) && !package.eq_ignore_ascii_case("None")
            {
                text = format!("{text} in {package}");
            }
            if entry.import_optional.is_true() {
                text.push_str(", optional");
            }
            match used.and_then(|used| used.import_used_in_game.get(import.row())) {
                Some(false) => format!("{text}, for the editor alone"),
                _ => text,
            }
        });
        rows.collect()
    };
    let (mut before, mut after) = (texts(old), texts(new));
    if before.len() != after.len() {
        return lists("import", before, after);
    }
    // The order does not matter.
    let same = |a: &[String], b: &[String]| {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        a.sort();
        b.sort();
        a == b
    };
    if same(&before, &after) {
        before.clear();
        after.clear();
    }
    lists("import", before, after)
}

fn soft_packages(side: &Side) -> Vec<String> {
    let further = &*side.package.tables().further;
    let used = further.asset_dependencies.as_ref().map(|known| &known.soft_package_used_in_game);
    let extra = further.asset_dependencies.iter();
    let extra = extra
        .flat_map(|known| &known.extra_package_dependencies)
        .map(|row| format!("{} (flags {})", side.package.name_text(row.package), row.flags));
    let rows = further.soft_package_references.iter().enumerate().map(|(at, row)| {
        let path = row.path.text(side.package.source()).unwrap_or_default();
        let text = match path.is_empty() {
            true => side.now(side.package.name_text(row.name)),
            false => side.now(path.into_owned()),
        };
        match used.and_then(|used| used.get(at)) {
            Some(false) => format!("{text}, for the editor alone"),
            _ => text,
        }
    });
    rows.chain(extra).collect()
}

/// Tags by asset and key.
fn registry(old: &Side, new: &Side) -> Vec<FieldDifference> {
    let tags = |side: &Side| {
        let mut tags = BTreeMap::new();
        let registry = side.package.tables.further.asset_registry.as_ref();
        let text = |string: &crate::FString| {
            string.text(side.package.source()).unwrap_or_default().into_owned()
        };
        for asset in registry.iter().flat_map(|registry| &registry.assets) {
            let path = side.now(text(&asset.object_path));
            tags.insert((path.clone(), "class".to_owned(), 0), text(&asset.object_class_name));
            let mut counts: HashMap<String, usize> = HashMap::new();
            for tag in &asset.tags {
                let key = text(&tag.key);
                let count = counts.entry(key.clone()).or_default();
                *count += 1;
                tags.insert((path.clone(), key, *count), text(&tag.value));
            }
        }
        tags
    };
    keyed(tags(old), tags(new), |(path, key, _)| format!("asset registry: {path}: {key}"))
}

fn keyed<K: Ord + Clone>(
    old: BTreeMap<K, String>,
    mut new: BTreeMap<K, String>,
    name: impl Fn(&K) -> String,
) -> Vec<FieldDifference> {
    let mut found = Vec::new();
    for (key, old) in old {
        let new = new.remove(&key);
        if new.as_ref() != Some(&old) {
            found.push(FieldDifference::of(name(&key), Some(old), new));
        }
    }
    found
        .extend(new.into_iter().map(|(key, new)| FieldDifference::of(name(&key), None, Some(new))));
    found
}

/// Thumbnails by their objects, images byte for byte.
fn thumbnails(old: &Side, new: &Side) -> Vec<FieldDifference> {
    let images = |side: &Side| {
        let package = &side.package;
        let rows = package.tables().thumbnails.iter().map(|row| {
            let text = |string: &crate::FString| {
                string.text(package.source()).unwrap_or_default().into_owned()
            };
            let shown = match package.tables().image(row) {
                Some(image) => {
                    let bytes = image.image.bytes(package.source()).unwrap_or_default();
                    let (width, height) = (image.width, image.height);
                    let hash = blake3::hash(bytes);
                    format!("{width}x{height}, {} bytes, {:.8}", bytes.len(), hash.to_hex())
                }
                None => "no image".to_owned(),
            };
            ((side.now(text(&row.object_path)), text(&row.class_name)), shown)
        });
        rows.collect()
    };
    keyed(images(old), images(new), |(path, class)| format!("thumbnail of {path} ({class})"))
}

/// What must be loaded before an object, by path.
fn preload(old: &Side, new: &Side, pairs: &Pairs) -> Vec<FieldDifference> {
    let rows = |side: &Side, row: usize| {
        let preload = side.package.tables.exports.get(row)?.preload;
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
            .tables
            .further
            .preload_dependencies
            .get(first..first.checked_add(length)?)?;
        Some((counts, objects.to_vec()))
    };
    let numbered = |side: &Side, row: usize| {
        let (counts, objects) = rows(side, row)?;
        Some((counts, objects.iter().map(|index| side.object(index.value())).collect::<Vec<_>>()))
    };
    let shown = |side: &Side, row: usize| {
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
