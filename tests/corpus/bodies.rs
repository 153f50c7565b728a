//! Every body of the corpus: decoded, rebuilt, renumbered, explained.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use unreal_packages::inspect::{Explanation, references};
use unreal_packages::package::PackageSpan;

use unreal_packages::archive::{Context, RecordValue, Remap};
use unreal_packages::object::Native;
use unreal_packages::package::{Package, SaveOptions, Section};
use unreal_packages::primitive::{NameReferences, NameRemap};
use unreal_packages::property::PackageContext;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, Engine, Game, Saver};

use crate::files;

/// Every package that can be opened, decoded.
fn each_decoded(folders: &[&str], mut check: impl FnMut(&str, Package)) {
    let mut opened = 0;
    for (name, bytes) in folders.iter().copied().flat_map(files::of) {
        if let Ok(mut package) = Package::from_bytes(bytes) {
            opened += 1;
            package.decode_all();
            check(&name, package);
        }
    }
    assert!(opened > 0, "none of {folders:?} can be opened");
}

/// The groups whose shares of opaque bytes the README states, and the most that each may be.
fn group(package: &Package) -> (&'static str, f64) {
    let versions = package.versions();
    match versions.engine() {
        Engine::Ue1 => ("UE1", 0.001),
        Engine::Ue2 if versions.game() == Game::Swat4 => ("SWAT 4", 0.01),
        Engine::Ue2 => ("UE2", 0.005),
        _ if versions.licensee() == 0 => ("UE3", 0.02),
        _ => ("Mass Effect and XCOM 2", 0.05),
    }
}

pub fn bodies_decode_and_are_rebuilt() {
    let mut shares: BTreeMap<&str, (f64, u64, u64)> = BTreeMap::new();
    let mut failed = Vec::new();
    let mut bodies = 0;
    each_decoded(&["classic", "conform"], |name, package| {
        let coverage = package.coverage();
        let (group, bar) = group(&package);
        let share = shares.entry(group).or_insert((bar, 0, 0));
        share.1 += coverage.opaque;
        share.2 += package.source().len() as u64 - coverage.payload;
        for row in 0..package.exports().len() {
            let Some(decoded) = package.decoded(row) else { continue };
            bodies += 1;
            if let Some(error) = &decoded.error {
                failed.push(format!("{name} {}: {error}", package.exports().path(row)));
            }
        }
        let (source, file) = (package.source(), package.file());
        let saved = package.save(&SaveOptions::new()).unwrap();
        assert!(saved.bytes == file, "{name}");
        assert!(saved.image.is_none_or(|image| image == source), "{name}");
    });
    assert!(bodies > 0);
    assert!(failed.len() * 1000 <= bodies, "{} of {bodies}: {failed:#?}", failed.len());
    for (group, (bar, opaque, bytes)) in shares {
        let share = opaque as f64 / bytes as f64;
        println!("{group}: {opaque} of {bytes} bytes opaque, {:.4} %", share * 100.0);
        assert!(share <= bar, "{group}: {share}");
    }
}

pub fn every_script_decodes_with_both_sizes_exact() {
    let mut scripts = 0;
    each_decoded(&["classic", "conform"], |name, package| {
        for row in 0..package.exports().len() {
            let class = package.exports().get(row).unwrap().class();
            let coded = ["Core.Function", "Core.State", "Core.Class"];
            let Some(decoded) = package.decoded(row).filter(|_| coded.contains(&&*class)) else {
                continue;
            };
            let path = package.exports().path(row);
            // The size on disk is exact, or the body would not have decoded.
            let Native::Script(object) = &decoded.body.native else {
                panic!("{name} {path}: {:?}", decoded.error)
            };
            let script = &object.structure().unwrap().script;
            // So is the size in memory: the items are read until it is reached exactly.
            assert!(script.memory_size(&package.versions().of_bodies()) < 1 << 32, "{name} {path}");
            scripts += 1;
        }
    });
    println!("{scripts} scripts");
    assert!(scripts > 0);
}

pub fn renumbering_by_nothing_changes_nothing() {
    each_decoded(&["classic", "conform"], |name, package| {
        let versions = package.versions().of_bodies();
        let context = Arc::new(Context::new(package.source().to_vec().into(), Vec::new()));
        let same = |index: i32| Some(index);
        for export in package.exports().iter() {
            let Some(decoded) = package.decoded(export.row()) else { continue };
            let mut body = decoded.body.clone();
            body.serialize(&mut Remap::names_and_objects(versions.clone(), &same, &same)).unwrap();
            let start = export.entry().serial_offset.value() as u64;
            let mut saver = Saver::new(versions.clone()).at(start).with_context(context.clone());
            body.serialize(&mut saver).unwrap();
            assert!(saver.bytes() == export.body(), "{name} {}", export.path());
        }
    });
}

pub fn explanations_of_decoded_packages_leave_no_byte_out() {
    each_decoded(&["classic"], |name, package| {
        let mut at = 0;
        for explained in Explanation::of(&package).unwrap() {
            assert_eq!(explained.record.start, at, "{name} {}", explained.record.path);
            at = explained.record.end;
        }
        assert_eq!(at, package.source().len() as u64, "{name}");
    });
}

pub fn decoded_packages_take_nothing_but_their_spans_from_the_source() {
    each_decoded(&["classic"], |name, package| {
        let mut scrambled: Vec<u8> = package.source().iter().map(|byte| !byte).collect();
        for span in PackageSpan::of(&package) {
            let range = span.start as usize..span.end as usize;
            scrambled[range.clone()].copy_from_slice(&package.source()[range]);
        }
        let saved = package.save(&SaveOptions::new().source(scrambled.to_vec())).unwrap();
        assert!(saved.bytes == package.file(), "{name}");
    });
}

/// What the bodies hold, with texts instead of indices.
fn dump(package: &Package) -> Vec<String> {
    let bodies = Explanation::of(package).unwrap().into_iter();
    bodies
        .filter(|explained| matches!(explained.section, Section::Body(_)))
        .map(|explained| {
            let record = explained.record;
            // The index of a name may not change, but its text tells more.
            let value = match record.value {
                RecordValue::Reference { .. } => String::new(),
                value => value.to_string(),
            };
            format!("{} {value} {}", record.path, record.meaning)
        })
        .collect()
}

/// Names and imports that nothing was found to use are made unrecognisable: what the bodies say must not
/// change, so the search has missed nothing.
pub fn references_finds_every_name_and_import_in_use() {
    let (mut all, mut unused) = (0usize, 0usize);
    for folder in ["classic", "conform"] {
        each_decoded(&[folder], |name, package| {
            if package.versions().engine() != Engine::Ue1 {
                return;
            }
            let found = references(&package);
            let names: BTreeSet<usize> = (0..package.names().len())
                .filter(|&row| !found.names().contains_key(&(row as i32)))
                .collect();
            let imports: BTreeSet<usize> = package
                .imports()
                .iter()
                .filter(|import| !found.objects().contains_key(&import.index().value()))
                .map(|import| import.row())
                .collect();
            if folder == "classic" {
                all += package.names().len();
                unused += names.len();
                if !names.is_empty() {
                    let shown: Vec<_> =
                        names.iter().filter_map(|&row| package.names().get(row)).collect();
                    println!("{name}: unused names {shown:?}");
                }
            }
            let mut bytes = package.source().to_vec();
            for explained in Explanation::of(&package).unwrap() {
                let record = explained.record;
                let row = |table: &str| {
                    let rest = record.path.strip_prefix(table)?.strip_prefix('[')?;
                    rest.split_once(']')?.0.parse::<usize>().ok()
                };
                let range = record.start as usize..record.end as usize;
                if row("names").is_some_and(|row| names.contains(&row))
                    && matches!(record.value, RecordValue::Span(_))
                {
                    bytes[range].fill(b'~');
                } else if row("imports").is_some_and(|row| imports.contains(&row)) {
                    // Zero in a compact index of any length.
                    let last = range.end - 1;
                    let compact = record.type_name == "name";
                    bytes[range.clone()].fill(if compact { 0x80 } else { 0 });
                    if compact {
                        bytes[range.start] = if range.len() > 1 { 0x40 } else { 0 };
                        if range.len() > 1 {
                            bytes[last] = 0;
                        }
                    }
                }
            }
            let mut nulled = Package::from_bytes(bytes).unwrap();
            nulled.decode_all();
            assert_eq!(dump(&nulled), dump(&package), "{name}");
        });
    }
    println!("{unused} of {all} names are used by nothing");
    assert!(unused * 100 <= all, "{unused} of {all}");
}
