//! What two packages differ in, looked at from both sides.

use unreal_packages::compare::{Diff, diff};
use unreal_packages::package::Package;

pub fn difference(old: &Package, new: &Package) -> Diff {
    let there = diff(old, new);
    let back = diff(new, old);
    // The other way round the same things differ.
    assert_eq!(there.header.len(), back.header.len());
    assert_eq!(there.added, back.removed);
    assert_eq!(there.removed, back.added);
    assert_eq!(there.changed.len(), back.changed.len());
    there
}
