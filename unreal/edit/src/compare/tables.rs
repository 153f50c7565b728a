//! Tables whose rows have no order: compared by what each row says.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::canonical::HASH;
use super::text_hash::TextHasher;
use super::{FieldDifference, Side, whole_names};
use crate::primitive::{NameReferences, ObjectRef, PackageIndex};

/// What the rows of the name table that nothing uses are called.
pub(super) const NAME: &str = "name";

/// Names that no other difference tells of: those that one side does not use, and the other lacks.
pub(super) fn names(old: &Side<'_>, new: &Side<'_>) -> Vec<FieldDifference> {
    let hasher = TextHasher::default();
    let known = |side: &Side<'_>, now: bool| -> HashSet<u128> {
        let names = side.package.names();
        let hash = |name: Cow<'_, str>| match now {
            true => hasher.of(&[&side.now(name.into_owned())]),
            false => hasher.of(&[&name]),
        };
        names.iter().map(hash).collect()
    };
    let (before, after) = (known(old, false), known(new, false));
    let renamed = if old.renamed.is_some() { known(old, true) } else { HashSet::new() };
    let lacks = |names: &HashSet<u128>, name: &str| !names.contains(&hasher.of(&[name]));
    let gone = unused(old, |name, now| lacks(&after, name) && lacks(&after, now));
    let added = unused(new, |name, _| lacks(&before, name) && lacks(&renamed, name));
    gone.into_iter()
        .map(|name| FieldDifference::of(NAME, Some(name), None))
        .chain(added.into_iter().map(|name| FieldDifference::of(NAME, None, Some(name))))
        .collect()
}

/// The name table beside the meaning of names: flags, or hashes that are not those of the text, rows that stand
/// there twice, capital and small letters.
pub(super) fn name_rows(old: &Side<'_>, new: &Side<'_>) -> Vec<FieldDifference> {
    let hasher = TextHasher::default();
    // The hash of each text that the table has: its first row, how many there are, and the sum of their flags.
    let rows = |side: &Side<'_>| {
        let mut rows: HashMap<u128, (usize, u32, u64)> = HashMap::new();
        let names = side.package.names();
        for row in 0..names.len() {
            let name = names.get(row).unwrap_or_default();
            let flags = side.package.tables().names.get(row).map_or(0, |name| name.flags.0);
            let known = rows.entry(hasher.of_bytes(name.as_bytes())).or_insert((row, 0, 0));
            (known.1, known.2) = (known.1 + 1, known.2.wrapping_add(flags));
        }
        rows
    };
    let (before, after) = (rows(old), rows(new));
    let mut found: Vec<(usize, FieldDifference)> = Vec::new();
    // Names that only have other letters now are the same for the engines and for all else that is compared.
    let folded = |side: &Side<'_>, row: usize| -> u128 {
        hasher.of(&[&side.package.names().get(row).unwrap_or_default()])
    };
    let recased: HashMap<u128, usize> = after
        .iter()
        .filter(|(text, _)| !before.contains_key(text))
        .map(|(_, &(row, ..))| (folded(new, row), row))
        .collect();
    for (text, (row, count, sum)) in before {
        let Some(&(other, others, other_sum)) = after.get(&text) else {
            if let Some(&other) = recased.get(&folded(old, row)) {
                let name =
                    |side: &Side<'_>, row| side.package.names().get(row).map(Cow::into_owned);
                let (was, is) = (name(old, row), name(new, other));
                let field = format!("letters of the name {}", was.as_deref().unwrap_or_default());
                found.push((row, FieldDifference::of(field, was, is)));
            }
            continue;
        };
        let name = || old.package.names().get(row).unwrap_or_default();
        if count != others {
            let [old, new] = [count, others].map(|count| Some(count.to_string()));
            found
                .push((row, FieldDifference::of(format!("rows of the name {}", name()), old, new)));
        }
        let flags = |side: &Side<'_>, row: usize| {
            side.package.tables().names.get(row).map(|name| format!("{:#x}", name.flags.0))
        };
        let (mut old, mut new) = (flags(old, row), flags(new, other));
        if old == new && count == others && sum != other_sum {
            (old, new) = (Some(format!("{sum:#x} in all")), Some(format!("{other_sum:#x} in all")));
        }
        if old != new {
            found.push((
                row,
                FieldDifference::of(format!("flags of the name {}", name()), old, new),
            ));
        }
    }
    found.sort_by_key(|(row, _)| *row);
    found.into_iter().map(|(_, field)| field).collect()
}

/// All rows of the name table in one text, whatever their order.
pub(super) fn names_text(side: &Side<'_>) -> String {
    let names = side.package.names();
    let texts = (0..names.len()).map(|row| names.get(row).unwrap_or_default());
    let flags = side.package.tables().names.iter().map(|entry| entry.flags.0);
    let mut rows: Vec<_> = texts.zip(flags).collect();
    rows.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    for (text, flags) in &rows {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        hasher.update(&flags.to_le_bytes());
    }
    format!("{} rows, {}", rows.len(), &hasher.finalize().to_hex()[..HASH])
}

/// The names that are wanted, given as they are and as they are called now, and that nothing uses, as far as
/// that is seen.
fn unused(side: &Side<'_>, wanted: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let names = side.package.names();
    let mut rows: Vec<_> = names
        .iter()
        .zip(0_i32..)
        .filter(|(name, _)| match side.renamed.is_some() {
            true => wanted(name, &side.now(name.to_string())),
            false => wanted(name, name),
        })
        .map(|(name, row)| (name.into_owned(), row))
        .collect();
    if !rows.is_empty() {
        let references = side.references();
        rows.retain(|(_, row)| !references.names().contains_key(row));
    }
    rows.into_iter().map(|(name, _)| name).collect()
}

/// The rows that only one of two lists has, however they are ordered.
fn unmatched(old: &[String], new: &[String]) -> (Vec<usize>, Vec<usize>) {
    // Names with other letters are the same for the engines.
    let folded = |texts: &[String]| -> Vec<String> {
        texts.iter().map(|text| text.to_ascii_lowercase()).collect()
    };
    let (old, new) = (folded(old), folded(new));
    let mut counts: HashMap<&str, i64> = HashMap::new();
    new.iter().for_each(|text| *counts.entry(text).or_default() += 1);
    let (mut gone, mut added) = (Vec::new(), Vec::new());
    for (row, text) in old.iter().enumerate() {
        match counts.get_mut(&**text) {
            Some(count) if *count > 0 => *count -= 1,
            _ => gone.push(row),
        }
    }
    for (row, text) in new.iter().enumerate().rev() {
        if let Some(count) = counts.get_mut(&**text)
            && *count > 0
        {
            *count -= 1;
            added.push(row);
        }
    }
    added.reverse();
    (gone, added)
}

/// Rows that only one side has; as many on both sides are each other's.
fn changed(
    what: &str,
    old: impl ExactSizeIterator<Item = String>,
    new: impl ExactSizeIterator<Item = String>,
) -> Vec<FieldDifference> {
    if old.len() == new.len() {
        let rows = old.zip(new);
        return rows.map(|(old, new)| FieldDifference::of(what, Some(old), Some(new))).collect();
    }
    old.map(|text| FieldDifference::of(what, Some(text), None))
        .chain(new.map(|text| FieldDifference::of(what, None, Some(text))))
        .collect()
}

fn lists(what: &str, old: Vec<String>, new: Vec<String>) -> Vec<FieldDifference> {
    let (gone, added) = unmatched(&old, &new);
    let rows = |list: &[String], rows: &[usize]| -> Vec<String> {
        rows.iter().map(|&row| list[row].clone()).collect()
    };
    changed(what, rows(&old, &gone).into_iter(), rows(&new, &added).into_iter())
}

/// Imports by what they are. One that comes or goes with what uses it is shown by that.
pub(super) fn imports(old: &Side<'_>, new: &Side<'_>) -> Vec<FieldDifference> {
    let (before, after) = (import_texts(old), import_texts(new));
    let (gone, added) = unmatched(&before, &after);
    // One that says another thing of the same object is no other import, and nothing else shows that.
    let paths = |side: &Side<'_>, rows: &[usize]| -> HashSet<String> {
        rows.iter().map(|&row| import_path(side, row)).collect()
    };
    let (old_paths, new_paths) = (paths(old, &gone), paths(new, &added));
    let is_other = |side: &Side<'_>, paths: &HashSet<String>, row: usize| {
        paths.contains(&import_path(side, row))
    };
    let gone = unshown(old, new, gone, |row| is_other(old, &new_paths, row));
    let added = unshown(new, old, added, |row| is_other(new, &old_paths, row));
    let text = |texts: Vec<String>, rows: Vec<usize>| -> Vec<String> {
        rows.into_iter().map(|row| texts[row].clone()).collect()
    };
    changed("import", text(before, gone).into_iter(), text(after, added).into_iter())
}

pub(super) fn import_texts(side: &Side<'_>) -> Vec<String> {
    let used = side.package.tables().further.asset_dependencies.as_ref();
    let rows = side.package.imports().iter().map(|import| {
        let (entry, path) = (import.entry(), import.path());
        let mut text = format!("{}'{path}'", import.class());
        if let Some(package) = side.package.file_package(entry) {
            text = format!("{text} in {}", side.package.name_text(package));
        }
        // The path leaves out what no table has.
        if !is_there(side, entry.outer_index) {
            text = format!("{text} in #{}", entry.outer_index.value());
        }
        if whole_names::is_whole(side, entry.object_name) {
            text.push_str(whole_names::WHOLE);
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
}

/// Whether there is an object of this index, or it is null.
fn is_there(side: &Side<'_>, index: PackageIndex) -> bool {
    match index.target() {
        ObjectRef::Null => true,
        ObjectRef::Import(row) => side.package.imports().get(row).is_some(),
        ObjectRef::Export(row) => side.package.exports().get(row).is_some(),
    }
}

/// The path of an import as the new package has it.
fn import_path(side: &Side<'_>, row: usize) -> String {
    side.now_in_full(side.package.path(PackageIndex::import(row)))
}

/// The `rows` that nothing on this side uses, as far as that is seen, those that the other side has
/// as well, and those that are `shown` in any case.
fn unshown(
    side: &Side<'_>,
    other: &Side<'_>,
    mut rows: Vec<usize>,
    shown: impl Fn(usize) -> bool,
) -> Vec<usize> {
    if rows.is_empty() {
        return rows;
    }
    let imports = side.package.imports().entries().to_vec();
    let references = side.references();
    let mut uses: Vec<i64> = (0..imports.len())
        .map(|row| references.objects().get(&PackageIndex::import(row).value()).copied())
        .map(|count| count.unwrap_or(0).try_into().unwrap_or(i64::MAX))
        .collect();
    let outer = |row: usize| match imports.get(row)?.outer_index.target() {
        ObjectRef::Import(outer) => Some(outer),
        _ => None,
    };
    // What lies in another import does not use it, unless it is used itself.
    for count in (0..imports.len()).filter_map(outer) {
        if let Some(count) = uses.get_mut(count) {
            *count -= 1;
        }
    }
    let mut used = vec![false; imports.len()];
    for row in (0..imports.len()).filter(|&row| uses[row] > 0) {
        let mut next = Some(row);
        while let Some(row) = next.filter(|&row| used.get(row) == Some(&false)) {
            used[row] = true;
            next = outer(row);
        }
    }
    let is_there: HashSet<i32> = other.imports.iter().copied().collect();
    rows.retain(|&row| {
        !used[row]
            || shown(row)
            || side.imports.get(row).is_some_and(|number| is_there.contains(number))
    });
    rows
}

/// The list of paths that bodies refer to by row.
pub(super) fn soft_object_paths(old: &Side<'_>, new: &Side<'_>) -> Vec<FieldDifference> {
    lists("soft object path", path_texts(old), path_texts(new))
}

pub(super) fn path_texts(side: &Side<'_>) -> Vec<String> {
    let paths = side.package.soft_object_paths().iter();
    paths.map(|path| side.now(path.text(&side.context))).collect()
}

/// Packages that are referred to softly, and what else is depended on.
pub(super) fn soft_packages(old: &Side<'_>, new: &Side<'_>) -> Vec<FieldDifference> {
    lists("soft package reference", package_texts(old), package_texts(new))
}

pub(super) fn package_texts(side: &Side<'_>) -> Vec<String> {
    let further = &side.package.tables().further;
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
pub(super) fn registry(old: &Side<'_>, new: &Side<'_>) -> Vec<FieldDifference> {
    let name = |(path, key, _): &TagKey| format!("asset registry: {path}: {key}");
    keyed(registry_tags(old), registry_tags(new), name)
}

/// The path of an asset, the key of a tag, and which tag of that key it is.
type TagKey = (String, String, usize);

/// The tags of each asset, and its class as the first.
pub(super) fn registry_tags(side: &Side<'_>) -> BTreeMap<TagKey, String> {
    let mut tags = BTreeMap::new();
    let registry = side.package.tables().further.asset_registry.as_ref();
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
pub(super) fn thumbnails(old: &Side<'_>, new: &Side<'_>) -> Vec<FieldDifference> {
    let name = |(path, class): &(String, String)| format!("thumbnail of {path} ({class})");
    keyed(thumbnail_texts(old), thumbnail_texts(new), name)
}

/// Texts of each object's thumbnail.
pub(super) fn thumbnail_texts(side: &Side<'_>) -> BTreeMap<(String, String), String> {
    let package = side.package;
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
}
