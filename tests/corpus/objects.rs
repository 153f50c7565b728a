//! How much of the bodies of the corpus of UE4 and UE5 nobody decodes. `UPK_CORPUS` names a folder with
//! `modern/manifest.tsv`; without one the test says that it is skipped.
use crate::common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::corpus;
use farchive::package::OpenOptions;
use farchive::property::Mappings;

/// Bodies of a group of packages, bytes.
#[derive(Default)]
struct Share {
    bodies: u64,
    payload: u64,
    opaque: u64,
}

/// Opaque bytes of all that are no payload, in hundredths of a percent. What is left are shader maps,
/// shapes of the physics engine, and previews of the engine.
const BARS: &[(&str, u64)] = &[("uncooked", 100), ("tagged", 1200), ("unversioned", 1250)];

#[test]
fn most_of_every_body_is_decoded() {
    let Some(folder) = corpus().map(|corpus| corpus.join("modern")) else { return };
    let Ok(text) = std::fs::read_to_string(folder.join("manifest.tsv")) else { return };
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let mut shares = BTreeMap::<&str, Share>::new();
    for line in lines {
        let row: BTreeMap<_, _> = head.iter().copied().zip(line).collect();
        let (file, known) = (row["file"], row["usmap"]);
        let unversioned = row["unversioned_properties"] == "1";
        let is_package = [".uasset", ".umap"].iter().any(|end| file.ends_with(end));
        if !is_package || unversioned && known.is_empty() {
            continue;
        }
        let mut options = OpenOptions::new();
        if let Ok(release) = row["engine_hint"].parse() {
            options = options.engine(release);
        }
        if !known.is_empty() {
            let mappings = Mappings::from_bytes(&std::fs::read(folder.join(known)).unwrap());
            options = options.mappings(Arc::new(mappings.unwrap()));
        }
        let mut package = options.open(folder.join(file)).unwrap();
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
        let Some(share) = shares.get(group) else { continue };
        let hundredths = share.opaque * 10_000 / (share.bodies - share.payload).max(1);
        println!("{group}: {} opaque of {}: {hundredths}", share.opaque, share.bodies);
        assert!(hundredths <= *bar, "{group}: {hundredths} hundredths of a percent are opaque");
    }
}
