//! Differences between two packages, object by object, by path.

mod attribute;
mod body;
mod difference;
mod header;
mod pair;
mod properties;
mod records;
mod renaming;
mod side;
mod tables;

pub use self::difference::{Diff, Difference, FieldDifference, ObjectDifference, ObjectTitle};
use self::pair::ObjectPairs;
use self::side::Side;
use crate::package::Package;

/// Compares two packages by the paths of their objects; names, references and table rows are compared by
/// what they mean, so the order of tables does not matter. Every byte of an object counts: what is not
/// decoded is compared as it stands. What follows from something else is no difference: places, sizes,
/// counts, hashes, names and imports that nothing but the change uses.
pub fn diff(old: &Package, new: &Package) -> Diff {
    let mut sides = (Side::new(old), Side::new(new));
    let renaming = renaming::find(&mut sides.0, &sides.1);
    let pairs = ObjectPairs::find(&mut sides.0, &mut sides.1);
    let (old, new) = (&mut sides.0, &mut sides.1);
    let mut diff = Diff { header: header::differences(old, new, &pairs), ..Diff::default() };
    diff.header.retain(|field| !renaming::explains(old, field));
    diff.header.splice(0..0, renaming);
    diff.removed = pairs.removed.iter().map(|&row| old.title(row)).collect();
    diff.added = pairs.added.iter().map(|&row| new.title(row)).collect();
    for &(before, after) in &pairs.both {
        let mut changes = attribute::differences(old, new, (before, after));
        changes.extend(body::differences(old, new, (before, after)));
        changes.retain(|change| !renaming::explains_change(old, change));
        if !changes.is_empty() {
            let title = new.title(after);
            let (path, class) = (title.path, title.class);
            diff.changed.push(ObjectDifference { path, class, rows: (before, after), changes });
        }
    }
    diff
}
