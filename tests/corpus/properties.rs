//! The properties of every package of UE4 and UE5 of the corpus: decoded to the last byte, re-saved from
//! their typed form.

use unreal_packages::package::{PackageSpan, SaveOptions};
use unreal_packages::property::Value;

use crate::common::scramble;
use crate::manifest;

/// Objects of a class whose declaration is in another package.
const UNKNOWN: &[(&str, usize)] = &[("0_0_Main_Menu_Widget.uasset", 213)];

pub fn every_property_is_decoded_and_saves_identically() {
    let (mut lists, mut without_mappings, mut faults) = (0, 0, Vec::new());
    for entry in manifest::packages() {
        let file = entry.name();
        if entry.is_unversioned() && !entry.has_mappings() {
            without_mappings += 1;
            continue;
        }
        let opened = entry.options_with_mappings().open(&entry.path);
        let mut package = opened.unwrap_or_else(|error| panic!("{file}: {error}"));
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
        let keep: Vec<_> =
            PackageSpan::of(&package).iter().map(|span| (span.start, span.end)).collect();
        let other = scramble(package.source(), &keep);
        match package.save(&SaveOptions::new().source(other.to_vec())) {
            Ok(saved) if saved.bytes == package.source() => {}
            Ok(_) => faults.push(format!("{file}: saves differently")),
            Err(error) => faults.push(format!("{file}: {error}")),
        }
    }
    println!("{lists} lists; {without_mappings} packages without mappings passed over");
    assert!(lists > 0);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
