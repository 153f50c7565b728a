//! How much of the bodies of the corpora nobody decodes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use unreal_packages::Engine;
use unreal_packages::package::Package;

use crate::folders::corpus;
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

/// The same for packages of public projects, a collection kept apart.
const SECOND_BARS: &[(Engine, u64)] = &[
    (Engine::Ue1, 1),
    (Engine::Ue2, 65),
    (Engine::Ue3, 130),
    (Engine::Ue4, 30),
    (Engine::Ue5, 45),
];

pub fn most_of_every_body_of_the_second_collection_is_decoded() {
    let folders = ["wild/classic", "wild/modern"].map(|folder| corpus().join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = files.map(|entry| entry.unwrap().path());
    let mut shares = BTreeMap::<&str, Share>::new();
    // Files of bodies are read with their headers.
    let is_package = |path: &PathBuf| {
        !path.extension().is_some_and(|extension| extension == "tsv" || extension == "uexp")
    };
    for path in paths.filter(is_package) {
        let package = Package::open(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        // Of compressed ones the bodies stand in the image.
        if package.container().is_some() {
            continue;
        }
        let mut package = package;
        package.decode_all();
        let share = shares.entry(name(package.versions().engine())).or_default();
        for export in package.exports().iter() {
            let Some(decoded) = package.decoded(export.row()) else { continue };
            share.bodies += export.size();
            share.payload += decoded.payload;
            share.opaque += decoded.opaque;
        }
    }
    for (engine, bar) in SECOND_BARS {
        let engine = name(*engine);
        let share = shares.get(engine).unwrap_or_else(|| panic!("no package is of {engine}"));
        let hundredths = share.opaque * 10_000 / (share.bodies - share.payload).max(1);
        println!("{engine}: {} opaque of {}: {hundredths}", share.opaque, share.bodies);
        assert!(hundredths <= *bar, "{engine}: {hundredths} hundredths of a percent are opaque");
    }
}

fn name(engine: Engine) -> &'static str {
    match engine {
        Engine::Ue1 => "UE1",
        Engine::Ue2 => "UE2",
        Engine::Ue3 => "UE3",
        Engine::Ue4 => "UE4",
        Engine::Ue5 => "UE5",
    }
}
