//! Three versions of a package, two of which the input has changed: they merge into a package that is saved and
//! opens again, or conflicts are named and nothing has changed.

use unreal_packages::compare::diff;
use unreal_packages::edit::{MergeOptions, MergePreference, PackageEdit};

use super::input::Input;
use super::is_readable;
use super::operations::{base, change, reopened};

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let base = base(&mut input);
    let preference = [MergePreference::Neither, MergePreference::Ours, MergePreference::Theirs];
    let preference = preference[input.below(preference.len())];
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    for package in [&mut ours, &mut theirs] {
        for _ in 0..=input.below(2) {
            change(package, &mut input);
        }
    }
    let before = ours.to_bytes().expect("what was committed is saved");
    let options = MergeOptions::new().prefer(preference);
    let merged = ours.edit(|edit| edit.merge(&base, &theirs, &options));
    let after = ours.to_bytes().expect("a package is saved after a merge");
    match merged {
        Err(error) => {
            is_readable(&error);
            assert!(before == after, "a merge that failed changed the package: {error}");
        }
        Ok(merged) if !merged.conflicts.is_empty() => {
            assert!(before == after, "a merge with conflicts changed the package");
        }
        Ok(_) => {
            let again = reopened(&ours);
            if before == base.to_bytes().expect("a base is saved") {
                let found = diff(&theirs, &again);
                let is_theirs = found.changed.is_empty() && found.added.is_empty();
                assert!(
                    is_theirs && found.removed.is_empty(),
                    "one side alone has changed something, and the merge says else: {found:?}"
                );
            }
        }
    }
}
