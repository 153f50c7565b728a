//! The properties of every package of UE4 and UE5 of the corpus: decoded to the last byte, re-saved from
//! their typed form. `UPK_CORPUS` names a folder with `modern/manifest.tsv`; without one the test says
//! that it is skipped.
use crate::common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::{corpus, scramble};
use farchive::package::{OpenOptions, SaveOptions};
use farchive::property::Mappings;
use farchive::property::tagged::Value;

/// Objects of a class whose declaration is in another package.
const UNKNOWN: &[(&str, usize)] = &[("0_0_Main_Menu_Widget.uasset", 213)];

#[test]
fn every_property_is_decoded_and_saves_identically() {
    let Some(folder) = corpus().map(|corpus| corpus.join("modern")) else { return };
    let Ok(text) = std::fs::read_to_string(folder.join("manifest.tsv")) else { return };
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let mut mappings = BTreeMap::<String, Arc<Mappings>>::new();
    let (mut lists, mut without_mappings, mut faults) = (0, 0, Vec::new());
    for line in lines {
        let row: BTreeMap<_, _> = head.iter().copied().zip(line).collect();
        let file = row["file"];
        if ![".uasset", ".umap"].iter().any(|end| file.ends_with(end)) {
            continue;
        }
        let mut options = OpenOptions::new();
        if let Ok(release) = row["engine_hint"].parse() {
            options = options.engine(release);
        }
        let known = row["usmap"];
        if !known.is_empty() {
            let read = || Mappings::from_bytes(&std::fs::read(folder.join(known)).unwrap());
            let known = mappings.entry(known.to_owned());
            let known = known.or_insert_with(|| Arc::new(read().unwrap()));
            options = options.mappings(known.clone());
        } else if row["unversioned_properties"] == "1" {
            without_mappings += 1;
            continue;
        }
        let mut package =
            options.open(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        package.decode_all();
        for export in package.exports().iter().filter(|export| !export.body().is_empty()) {
            let at = (file, export.row());
            let decoded = package.decoded(export.row()).unwrap();
            match &decoded.body.prologue {
                Some(prologue) => prologue.properties.walk(&mut |value| {
                    if let Value::Opaque(opaque) = value {
                        faults.push(format!("{at:?}: {:?}", opaque.error));
                    }
                }),
                None if UNKNOWN.contains(&at) => {}
                None => faults.push(format!("{at:?} {}: {:?}", export.class(), decoded.error)),
            }
            lists += 1;
        }
        // Nothing but spans is taken from the source.
        let keep: Vec<_> = package.spans().iter().map(|span| (span.start, span.end)).collect();
        let other = scramble(package.source(), &keep);
        match package.save_with_source(&other, &SaveOptions::new()) {
            Ok(saved) if saved.bytes == package.source() => {}
            Ok(_) => faults.push(format!("{file}: saves differently")),
            Err(error) => faults.push(format!("{file}: {error}")),
        }
    }
    println!("{lists} lists; {without_mappings} packages without mappings passed over");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
