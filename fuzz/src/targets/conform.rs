//! Two versions of a package that the input has changed: the one conforms to the other, or there is an error, and
//! its objects stay what they were.

use unreal_packages::compare::{Difference, diff};
use unreal_packages::edit::{PackageEdit, mismatches};

use super::input::Input;
use super::is_readable;
use super::operations::{base, change, reopened};

/// Most commits of each package.
const COMMITS: usize = 3;

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let mut old = base(&mut input);
    let mut new = if input.byte().is_multiple_of(4) { base(&mut input) } else { old.clone() };
    for package in [&mut old, &mut new] {
        for _ in 0..input.below(COMMITS + 1) {
            change(package, &mut input);
        }
    }
    let before = new.clone();
    match new.edit(|edit| edit.conform_to(&old)) {
        Err(error) => {
            is_readable(&error);
            assert!(new.to_bytes().ok() == before.to_bytes().ok(), "{error} changed the package");
        }
        Ok(_) => {
            let again = reopened(&new);
            let found = mismatches(&again, &old);
            assert!(found.is_empty(), "what conforms does not: {found:?}");
            let found = diff(&before, &again);
            // Objects take the net index that they have in the old package.
            let is_net_index = |change: &Difference| match change {
                Difference::Field(field) => field.field == "net_index",
                _ => false,
            };
            let mut changes = found.changed.iter().flat_map(|object| &object.changes);
            let same = found.added.is_empty() && found.removed.is_empty();
            let same = same && changes.all(is_net_index);
            assert!(same, "conforming has changed objects: {found:?}");
        }
    }
}
