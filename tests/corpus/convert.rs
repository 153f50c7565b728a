//! Real packages saved for another file version: every value is kept, or refused by its path.

use std::collections::BTreeMap;
use unreal_packages::edit::converted;

use unreal_packages::compare::{Difference, FieldDifference, diff};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Engine, ErrorKind};

use crate::files;

pub fn generations_and_predecessors_that_would_be_lost_are_refused() {
    for (name, bytes) in files::of("conform").into_iter().take(2) {
        let package = Package::from_bytes(bytes).unwrap();
        let error = converted(&package, 63).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{name}: {error}");
        assert_eq!(error.path(), "summary.generations", "{name}");
    }
}

/// Every package of UE1 whose bodies are all typed, to each version that can hold it and back.
pub fn real_packages_go_to_other_versions_and_back() {
    let mut done: BTreeMap<(u32, u32), (usize, usize)> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (name, bytes) in ["classic", "conform"].into_iter().flat_map(files::of) {
        let Ok(mut package) = Package::from_bytes(bytes.clone()) else { continue };
        if package.versions().engine() != Engine::Ue1 {
            continue;
        }
        package.decode_all();
        let rows = 0..package.exports().len();
        if !rows.clone().all(|row| package.decoded(row).is_none_or(|d| d.is_complete())) {
            println!("{name}: not typed whole");
            continue;
        }
        let from = package.versions().file();
        for to in [61, 63, 68, 69] {
            let count = done.entry((from, to)).or_default();
            let converted = match unreal_packages::edit::converted(&package, to) {
                Ok(converted) => converted,
                Err(error) => {
                    let path = error.path();
                    let field = path.rsplit('.').next().unwrap_or_default().to_owned();
                    let reason = match (error.kind(), error.unreal()) {
                        (ErrorKind::NotInVersion, _) => format!("{to}: no place for {field}"),
                        (_, Some(UnrealError::Refused { objects, .. })) => {
                            let field = objects[0].rsplit('.').next().unwrap_or_default();
                            format!(
                                "{to}: {} ({field})",
                                error.to_string().split('(').next().unwrap()
                            )
                        }
                        _ => panic!("{name} to {to}: {error}"),
                    };
                    if matches!(error.kind(), ErrorKind::NotInVersion) {
                        assert!(!path.is_empty(), "{name} to {to}: {error}");
                    }
                    *reasons.entry(reason).or_default() += 1;
                    count.1 += 1;
                    continue;
                }
            };
            count.0 += 1;
            let saved = converted.to_bytes().unwrap();
            let reopened = Package::from_bytes(saved).unwrap();
            assert_eq!(reopened.versions().file(), to, "{name}");
            let found = diff(&package, &reopened);
            assert!(found.added.is_empty() && found.removed.is_empty(), "{name} to {to}");
            let back = unreal_packages::edit::converted(&reopened, from)
                .unwrap_or_else(|e| panic!("{name} to {to}: {e}"));
            let changed = diff(&package, &back);
            if from < 66 && to >= 66 {
                // Alpha counts from 66 on, and is 255 from then on: nothing else may differ.
                assert!(changed.header.is_empty() && changed.added.is_empty(), "{name}");
                for change in changed.changed.iter().flat_map(|object| &object.changes) {
                    let Difference::Field(FieldDifference { field, old, new, .. }) = change else {
                        panic!("{name} to {to} and back: {change}")
                    };
                    let colour = |text: &Option<String>| text.as_ref().unwrap()[..6].to_owned();
                    assert!(field.starts_with("colors["), "{name} to {to}: {change}");
                    assert_eq!(colour(old), colour(new), "{name} to {to}");
                    assert!(new.as_ref().unwrap().ends_with("ff"), "{name} to {to}");
                }
                continue;
            }
            assert!(changed.is_empty(), "{name} to {to} and back");
            assert!(back.to_bytes().unwrap() == bytes, "{name} to {to} and back");
        }
    }
    neighbours_of_later_engines();
    for ((from, to), (fine, refused)) in &done {
        println!("{from} to {to}: {fine} and back, {refused} refused");
    }
    println!("{reasons:#?}");
    assert!(done.values().map(|count| count.0).sum::<usize>() > 200);
}

/// UE2 and UE3: to the version before and behind; what succeeds comes back byte for byte.
fn neighbours_of_later_engines() {
    let (mut fine, mut refused) = (0, 0);
    for (name, bytes) in files::of("classic") {
        let Ok(package) = Package::from_bytes(bytes.clone()) else { continue };
        if package.versions().engine() == Engine::Ue1 || bytes.len() > 700_000 {
            continue;
        }
        let from = package.versions().file();
        for to in [from - 1, from + 1] {
            let Ok(converted) = unreal_packages::edit::converted(&package, to) else {
                refused += 1;
                continue;
            };
            fine += 1;
            let back = unreal_packages::edit::converted(&converted, from)
                .unwrap_or_else(|e| panic!("{name} to {to}: {e}"));
            assert!(diff(&package, &back).is_empty(), "{name} to {to} and back");
            assert!(back.to_bytes().unwrap() == bytes, "{name} to {to} and back");
        }
    }
    println!("UE2 and UE3, one version up and down: {fine} and back, {refused} refused");
    assert!(fine > 0);
}
