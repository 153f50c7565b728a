//! What real packages differ in.

use unreal_packages::compare::diff;
use unreal_packages::package::Package;

use crate::common::difference::difference;
use crate::files;

/// Every file of the corpus is the same as itself; releases of one package differ, and in known ways.
pub fn packages_are_the_same_as_themselves_and_releases_differ_in_known_ways() {
    for (name, bytes) in ["classic", "conform"].into_iter().flat_map(files::of) {
        let Ok(package) = Package::from_bytes(bytes.clone()) else { continue };
        let again = Package::from_bytes(bytes).unwrap();
        assert!(diff(&package, &again).is_empty(), "{name}");
    }
    let files = files::of("conform");
    let mut pairs = 0;
    for pair in files.windows(2) {
        let ((old_name, old), (new_name, new)) = (&pair[0], &pair[1]);
        let family = |name: &str| name.split("_gen").next().map(str::to_owned);
        if family(old_name) != family(new_name) {
            continue;
        }
        let open = |bytes: &[u8]| Package::from_bytes(bytes.to_vec()).unwrap();
        let diff = difference(&open(old), &open(new));
        let (added, removed, changed) = (diff.added.len(), diff.removed.len(), diff.changed.len());
        println!("{old_name} -> {new_name}: {added} added, {removed} removed, {changed} changed");
        // A conformed package keeps the GUID, and its list of generations grows.
        assert!(!diff.header.iter().any(|field| field.field == "guid"), "{new_name}");
        assert!(
            diff.header.iter().any(|field| field.field.starts_with("generations")),
            "{new_name}"
        );
        pairs += 1;
    }
    assert!(pairs > 0);
}
