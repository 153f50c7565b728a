//! One leaf of a made package is changed at a time: `diff` and the canonical text both show it.

use unreal_packages::Package;
use unreal_packages::generate::Profile;
use unreal_packages::package::OpenOptions;
use unreal_packages::version::UnrealVersions;

use crate::common::everything::everything;
use crate::common::{forms, level};

#[path = "../common/leaves.rs"]
mod swept;

use swept::{Swept, sweep};

/// Leaves of each package.
const LEAVES: usize = 60;

#[test]
fn one_changed_leaf_is_shown() {
    let made = [Profile::UT99, Profile::UT2004, Profile::UDK].map(|profile| everything(&profile));
    let levels = [69, 128].map(level::open_level);
    let tagged = [forms::tagged(), forms::pinned(), forms::complete(), forms::unversioned()];
    let mut total = Swept::default();
    for (package, seed) in made.into_iter().chain(levels).chain(tagged).zip(1..) {
        let bytes = package.save(&Default::default()).unwrap().bytes;
        let mut options = OpenOptions::new();
        if let Some(release) = package.versions().release() {
            options = options.engine(release);
        }
        if let Some(mappings) = package.mappings() {
            options = options.mappings(mappings.clone());
        }
        let package: Package = options.open_bytes(bytes).unwrap();
        total.add(sweep(&package, &options, seed, LEAVES));
    }
    println!("{total}");
    assert!(total.shown > 100, "{total}");
    let hidden = &total.hidden;
    assert!(hidden.is_empty(), "{} changes are hidden:\n{}", hidden.len(), hidden.join("\n"));
}
