//! How much of the bodies of the corpus of UE4 and UE5 nobody decodes.

use std::collections::BTreeMap;

use crate::manifest;
use unreal_packages::version::UnrealVersions;

/// Bodies of a group of packages, bytes.
#[derive(Default)]
struct Share {
    bodies: u64,
    payload: u64,
    opaque: u64,
}

/// Opaque bytes of all that are no payload, in hundredths of a percent. What is left are shader maps of UE4.20 to
/// 4.27, the memory in those of UE5, and a class of a plugin.
const BARS: &[(&str, u64)] = &[("uncooked", 33), ("tagged", 41), ("unversioned", 770)];

pub fn most_of_every_body_is_decoded() {
    let mut shares = BTreeMap::<&str, Share>::new();
    for entry in manifest::packages() {
        let unversioned = entry.is_unversioned();
        if unversioned && !entry.has_mappings() {
            continue;
        }
        let mut package = entry.options_with_mappings().open(&entry.path).unwrap();
        package.decode_all();
        let group = match package.versions().has_editor_only_data() {
            true => "uncooked",
            false if unversioned => "unversioned",
            false => "tagged",
        };
        let share = shares.entry(group).or_default();
        for export in package.exports().iter() {
            let Some(decoded) = package.decoded(export.row()) else { continue };
            share.bodies += export.size();
            share.payload += decoded.payload;
            share.opaque += decoded.opaque;
        }
    }
    for (group, bar) in BARS {
        let share = shares.get(group).unwrap_or_else(|| panic!("no package is {group}"));
        let hundredths = share.opaque * 10_000 / (share.bodies - share.payload).max(1);
        println!("{group}: {} opaque of {}: {hundredths}", share.opaque, share.bodies);
        assert!(hundredths <= *bar, "{group}: {hundredths} hundredths of a percent are opaque");
    }
}
