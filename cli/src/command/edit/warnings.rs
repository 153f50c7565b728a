//! What an edit is warned of.

use std::collections::BTreeMap;

use unreal_packages::Engine;
use unreal_packages::edit::mismatches;
use unreal_packages::inspect::{PackageValues, PropertyValue};
use unreal_packages::package::Package;

use unreal_packages::version::UnrealVersions;

use super::Change;
use crate::output::cut;

/// What the command itself warns of, and a release that changes in place: those who have it can't meet the
/// package on the net any more, or play by other values, though both have one GUID.
pub(super) fn warnings(change: &Change, package: &Package, before: &Package) -> Vec<String> {
    let own = change.json["warnings"].as_array().into_iter().flatten();
    let mut all: Vec<String> = own.filter_map(|text| text.as_str().map(str::to_owned)).collect();
    let generations = |package: &Package| match package.tables().heritage.len() {
        0 => package.summary().generations.len(),
        heritage => heritage,
    };
    let newest = generations(before);
    // Most released packages have one generation. Of those only code is warned of, which both sides of a game share:
    // maps and textures are edited all the time before anybody has them.
    let is_release = newest > 1
        || newest == 1
            && before.versions().engine() <= Engine::Ue3
            && before.exports().iter().any(|export| export.entry().class_index.is_null());
    let goes_on = is_release && newest == generations(package) && before.guid() == package.guid();
    if !goes_on {
        return all;
    }
    let keeps = format!("the package keeps its GUID and generation {newest}");
    if let Some(first) = mismatches(package, before).first() {
        all.push(format!(
            "{keeps}, but does not fit those who have that one: {first}\n  next: --new-guid makes it a package of its \
             own; `upk conform` against the released file makes it a new generation"
        ));
    } else if let Some(first) = changed_default(package, before) {
        // An engine sends of an object what differs from the defaults, which it thinks both sides have.
        all.push(format!(
            "{keeps}, but has other defaults than those who have that one play by: {first}\n  next: --new-guid makes it \
             a package of its own"
        ));
    }
    all
}

/// The first default of a class that is another one now.
fn changed_default(package: &Package, before: &Package) -> Option<String> {
    let versions = before.versions();
    before.exports().iter().find_map(|export| {
        let entry = export.entry();
        if !entry.class_index.is_null() && !entry.object_flags.is_class_default(versions) {
            return None;
        }
        let path = export.path();
        let old = before.values().properties(&path).ok()?;
        let new = package.values().properties(&path).ok()?;
        let texts = |all: &[PropertyValue]| -> BTreeMap<String, String> {
            all.iter().map(|it| (it.path.clone(), it.text.clone())).collect()
        };
        let (old, new) = (texts(&old), texts(&new));
        let of = |all: &BTreeMap<String, String>, property: &str| {
            all.get(property).cloned().unwrap_or_else(|| "nothing".to_owned())
        };
        let mut all = old.keys().chain(new.keys());
        let changed = all.find(|property| old.get(*property) != new.get(*property))?;
        let (was, is) = (cut(&of(&old, changed)), cut(&of(&new, changed)));
        Some(format!("{path}.{changed}: {was} -> {is}"))
    })
}
