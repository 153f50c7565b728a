//! What an edit is warned of.

use std::collections::{BTreeMap, BTreeSet};

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
    } else if let Some(changed) = changed_defaults(package, before) {
        // An engine sends of an object what differs from the defaults, which it thinks both sides have.
        all.push(format!(
            "{keeps}, but has other defaults than those who have that one play by: {changed}\n  next: --new-guid makes it \
             a package of its own"
        ));
    }
    all
}

/// Defaults of classes that are shown at most; the others are counted.
const MOST_SHOWN: usize = 3;

/// The defaults of classes that are others now, the first of them in full.
fn changed_defaults(package: &Package, before: &Package) -> Option<String> {
    let versions = before.versions();
    let (mut shown, mut more) = (Vec::new(), 0);
    for export in before.exports().iter() {
        let entry = export.entry();
        if !entry.class_index.is_null() && !entry.object_flags.is_class_default(versions) {
            continue;
        }
        let path = export.path();
        let values = |package: &Package| package.values().properties(&path);
        let (Ok(old), Ok(new)) = (values(before), values(package)) else { continue };
        let texts = |all: &[PropertyValue]| -> BTreeMap<String, String> {
            all.iter().map(|it| (it.path.clone(), it.text.clone())).collect()
        };
        let (old, new) = (texts(&old), texts(&new));
        let of = |all: &BTreeMap<String, String>, property: &str| {
            cut(all.get(property).map_or("nothing", String::as_str))
        };
        let all: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for changed in all.into_iter().filter(|it| old.get(*it) != new.get(*it)) {
            match shown.len() < MOST_SHOWN {
                true => shown.push(format!(
                    "{path}.{changed}: {} -> {}",
                    of(&old, changed),
                    of(&new, changed)
                )),
                false => more += 1,
            }
        }
    }
    let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
    (!shown.is_empty()).then(|| shown.join(", ") + &rest)
}
