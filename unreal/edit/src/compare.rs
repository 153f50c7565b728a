//! Differences between two packages, object by object, by path.

mod alignment;
mod attribute;
mod body;
mod canonical;
mod code;
mod companions;
mod difference;
mod elements;
mod entries;
mod header;
mod identity;
mod lines;
mod pair;
mod properties;
mod records;
mod renamed_objects;
mod renaming;
pub(crate) mod sequence;
mod side;
mod tables;
mod text_hash;
mod value;
mod whole_names;

pub use self::canonical::canonical;
pub use self::difference::{
    Diff, Difference, FieldDifference, FieldOrigin, FoundDifference, ObjectDifference, ObjectTitle,
    RenamedObject,
};
pub use self::entries::{EntryDifference, EntryState, entry_differences};
pub(crate) use self::identity::Identity;
pub use self::lines::{LineHunk, WordPart, line_hunks, word_parts};
use self::pair::ObjectPairs;
use self::side::Side;
pub(crate) use self::side::settled;
pub use self::value::ComparedValue;
use crate::package::Package;

/// Compares two packages by the paths of their objects; names, references and table rows are compared by
/// what they mean, so the order of tables does not matter. Every byte of an object counts: what is not
/// decoded is compared as it stands. What follows from something else is no difference: places, sizes,
/// counts, hashes, names and imports that nothing but the change uses. The files beside packages are compared where
/// it is known which there are: not of those that were opened from bytes.
pub fn diff(old: &Package, new: &Package) -> Diff {
    collected(false, old, new)
}

/// The same with code item by item, whose lines say nothing of what else the packages declare.
pub(crate) fn plain_diff(old: &Package, new: &Package) -> Diff {
    collected(true, old, new)
}

fn collected(plain_code: bool, old: &Package, new: &Package) -> Diff {
    let mut diff = Diff::default();
    let collect = |found: FoundDifference| -> Result<(), std::convert::Infallible> {
        match found {
            FoundDifference::Header(field) => diff.header.push(field),
            FoundDifference::Removed(title) => diff.removed.push(title),
            FoundDifference::Added(title) => diff.added.push(title),
            FoundDifference::Renamed(object) => diff.renamed.push(object),
            FoundDifference::Changed(object) => diff.changed.push(object),
        }
        Ok(())
    };
    match differences(plain_code, old, new, collect) {
        Ok(()) => diff,
    }
}

/// Compares two packages as [`diff`] does and hands each difference on as it is found, the header's first: what
/// is in memory is bounded by the tables and the largest object.
///
/// # Errors
/// The error of `found`, which ends it.
pub fn each_difference<E>(
    old: &Package,
    new: &Package,
    found: impl FnMut(FoundDifference) -> Result<(), E>,
) -> Result<(), E> {
    differences(false, old, new, found)
}

fn differences<E>(
    plain_code: bool,
    old: &Package,
    new: &Package,
    mut found: impl FnMut(FoundDifference) -> Result<(), E>,
) -> Result<(), E> {
    let (old, new) = (settled(old), settled(new));
    let mut sides = (Side::new(&old), Side::new(&new));
    sides.0.has_plain_code = plain_code;
    let renaming = renaming::find(&mut sides.0, &sides.1);
    let pairs = ObjectPairs::find(&mut sides.0, &mut sides.1);
    let renamed = renamed_objects::name(&mut sides.0, &sides.1, &pairs);
    sides.0.set_twins(&sides.1, &pairs);
    let (old, new) = (&sides.0, &sides.1);
    renaming.into_iter().try_for_each(|field| found(FoundDifference::Header(field)))?;
    for field in header::differences(old, new, &pairs) {
        if !renaming::explains(old, &field) {
            found(FoundDifference::Header(field))?;
        }
    }
    pairs.removed.iter().try_for_each(|&row| found(FoundDifference::Removed(old.title(row))))?;
    pairs.added.iter().try_for_each(|&row| found(FoundDifference::Added(new.title(row))))?;
    renamed.into_iter().try_for_each(|object| found(FoundDifference::Renamed(object)))?;
    for &(before, after) in &pairs.both {
        let mut changes = attribute::differences(old, new, (before, after));
        changes.extend(body::differences(old, new, (before, after)));
        changes.retain(|change| !renaming::explains_change(old, change));
        renamed_objects::drop_own_names(old, new, (before, after), &mut changes);
        if !changes.is_empty() {
            let title = new.title(after);
            let (path, class) = (title.path, title.class);
            let rows = (before, after);
            found(FoundDifference::Changed(ObjectDifference { path, class, rows, changes }))?;
        }
    }
    Ok(())
}

/// The rows of the same objects in both packages, in the order of the new one.
pub(crate) fn paired(old: &Package, new: &Package) -> Vec<(usize, usize)> {
    let (old, new) = (settled(old), settled(new));
    let mut sides = (Side::new(&old), Side::new(&new));
    renaming::find(&mut sides.0, &sides.1);
    ObjectPairs::find(&mut sides.0, &mut sides.1).both
}
