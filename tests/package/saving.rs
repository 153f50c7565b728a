//! Bodies that a save decodes one after the other: the same bytes as with all of them decoded before.

use std::collections::BTreeSet;
use std::sync::Arc;

use unreal_packages::compare::{FoundDifference, diff, each_difference};
use unreal_packages::edit::{Edit, NewProperties, PackageEdit, RemoveOptions};
use unreal_packages::generate::{Builder, Profile, create};
use unreal_packages::inspect::Rebuilt;
use unreal_packages::package::{LayoutChoice, Package, SaveOptions};
use unreal_packages::property::{PropertyKind, Type};
use unreal_packages::version::EngineRelease;

use super::common::everything::everything;
use super::common::forms;

const LAYOUTS: [LayoutChoice; 3] =
    [LayoutChoice::Auto, LayoutChoice::Canonical, LayoutChoice::Keep];

/// Enough objects of different sizes for several threads.
fn many() -> Package {
    let mut package = create(&Profile::UT99).unwrap();
    let filled = package.edit(|edit| {
        for at in 0..400 {
            let object = format!("Thing{at}");
            edit.add_blank_object(&object, "Engine.Light")?;
            let text = "x".repeat(at * 7 % 90);
            edit.add_property(&object, "Text", &Type::new(PropertyKind::Str), &text)?;
        }
        Ok(())
    });
    filled.unwrap();
    package
}

fn packages() -> Vec<(&'static str, Package)> {
    let opened = |(what, package): (_, Package)| {
        (what, Package::from_bytes(package.to_bytes().unwrap()).unwrap())
    };
    [
        ("UT99", everything(&Profile::UT99)),
        ("UT2004", everything(&Profile::UT2004)),
        ("UDK", everything(&Profile::UDK)),
        ("tagged", forms::tagged()),
        ("complete", forms::complete()),
        ("many", many()),
    ]
    .map(opened)
    .into()
}

/// The same with all bodies decoded before, or why it can't be saved.
fn decoded_before(package: &Package, options: &SaveOptions) -> Result<Vec<u8>, String> {
    let mut copy = package.clone();
    copy.decode_all();
    options.save(&mut copy).map(|saved| saved.bytes.into()).map_err(|error| error.to_string())
}

fn one_by_one(package: &Package, options: &SaveOptions) -> Result<Vec<u8>, String> {
    let saved = options.save_typed(package, |_, _, _| {});
    saved.map(|saved| saved.bytes.into()).map_err(|error| error.to_string())
}

#[test]
fn each_body_is_shown_once_and_none_is_kept() {
    for (what, mut package) in packages() {
        let before = package.to_bytes().unwrap();
        let mut shown = BTreeSet::new();
        let saved = SaveOptions::new().save_typed(&package, |_, row, _| {
            assert!(shown.insert(row), "{what}: {row} again");
        });
        assert!(saved.unwrap().bytes == before, "{what}");
        let sizes = package.exports().iter().filter(|export| export.size() > 0);
        assert_eq!(shown, sizes.map(|export| export.row()).collect(), "{what}");
        assert!(shown.iter().all(|&row| package.decoded(row).is_none()), "{what}");
        assert!(package.to_bytes().unwrap() == before, "{what}: it is another package now");
        let rebuilt = Rebuilt::of(&package);
        assert!(rebuilt.saved.unwrap().bytes == before, "{what}");
        let mut decoded = package.clone();
        decoded.decode_all();
        assert_eq!(rebuilt.coverage, decoded.coverage(), "{what}");
        // Bodies that were decoded before count as well.
        let again = Rebuilt::of(&decoded);
        let rebuilt_bodies = rebuilt.bodies;
        assert_eq!((again.coverage, &again.bodies), (rebuilt.coverage, &rebuilt_bodies), "{what}");
        assert_eq!(again.positions, rebuilt.positions, "{what}");
        // Asking only whether it is its source says the same.
        let mut seen = BTreeSet::new();
        let (same, proved) = Rebuilt::proving(&package, |_, row, _| {
            seen.insert(row);
        });
        assert_eq!(same, Some(before == package.source()), "{what}");
        assert_eq!((proved.coverage, proved.bodies), (again.coverage, rebuilt_bodies), "{what}");
        assert_eq!(seen, shown, "{what}");
        package.edit(|edit| edit.add_name("AnotherName")).unwrap();
        assert_eq!(Rebuilt::proving(&package, |_, _, _| {}).0, Some(false), "{what}");
    }
}

/// All that is asked of a package is to be looked at: one that others hold is saved by several at once, bodies
/// that are decoded and rows that are settled among them.
#[test]
fn a_package_that_others_hold_is_saved() {
    for (what, mut package) in packages() {
        package.edit(|edit| edit.add_name("AnotherName")).unwrap();
        package.decode_all();
        let decoded = |package: &Package| -> Vec<_> {
            (0..package.exports().len())
                .map(|row| package.decoded(row).map(std::ptr::from_ref))
                .collect()
        };
        let exports = package.tables().exports.clone();
        for layout in LAYOUTS {
            let options = SaveOptions::new().layout(layout);
            let bodies = decoded(&package);
            let own = options.save(&mut package).map(|saved| saved.bytes);
            let own = own.map_err(|error| error.to_string());
            assert!(decoded(&package) == bodies, "{what} {layout:?}: bodies are copied");
            let held = Arc::new(package);
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        let shared = held.save(&options).map(|saved| saved.bytes);
                        assert!(
                            shared.map_err(|error| error.to_string()) == own,
                            "{what} {layout:?}"
                        );
                        assert_eq!(
                            one_by_one(&held, &options).ok().as_deref(),
                            own.as_deref().ok()
                        );
                    });
                }
            });
            package = Arc::into_inner(held).unwrap();
            assert!(decoded(&package) == bodies, "{what} {layout:?}: other bodies");
            assert!(package.tables().exports == exports, "{what} {layout:?}: rows are settled");
        }
    }
}

#[test]
fn what_a_save_settles_is_not_in_the_package_afterwards() {
    let bytes = Builder::for_release(EngineRelease::new(5, 4)).name("None").build().unwrap();
    let add = |edit: &mut Edit| {
        let mut list = NewProperties::new(edit);
        list.int("Number", 7)?;
        let list = list.finish();
        edit.add_plain_object("Thing", "/Script/Engine.PointLight", list)
    };
    let grow = |name: &'static str| {
        let text = Type::new(PropertyKind::Str);
        move |edit: &mut Edit| edit.add_property("Thing", name, &text, "some text").map(drop)
    };
    let mut one = Package::from_bytes(bytes.clone()).unwrap();
    one.edit(add).unwrap();
    one.edit(grow("First")).unwrap();
    one.edit(grow("Second")).unwrap();
    let mut other = Package::from_bytes(bytes).unwrap();
    other.edit(add).unwrap();
    let mut other = Package::from_bytes(other.to_bytes().unwrap()).unwrap();
    other.edit(grow("First")).unwrap();
    let mut other = Package::from_bytes(other.to_bytes().unwrap()).unwrap();
    other.edit(grow("Second")).unwrap();
    let saved = |package: &Package| Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let (one, other) = (saved(&one), saved(&other));
    let end = |package: &Package| {
        let row = package.find_export("Thing").unwrap();
        package.exports().entries()[row].script_serialization_end_offset
    };
    assert!(end(&one) > 0);
    assert_eq!(end(&one), end(&other), "where its properties end");
    assert!(one.source() == other.source());
}

#[test]
fn who_has_decoded_bodies_goes_on_with_them() {
    for decodes in [false, true] {
        let mut package = Package::from_bytes(many().to_bytes().unwrap()).unwrap();
        if decodes {
            package.decode_all();
        }
        package.edit(|edit| edit.remove_object("Thing7", RemoveOptions::Refuse)).unwrap();
        assert_eq!(package.decoded(100).is_some(), decodes);
    }
}

#[test]
fn bodies_that_move_are_saved_as_if_all_were_decoded() {
    for (what, mut package) in packages() {
        // A name moves what stands behind the names; a longer value moves the bodies behind it.
        let object = package.exports().path(package.exports().len() / 3);
        package
            .edit(|edit| {
                edit.add_name("BrandNew")?;
                let grown = edit.add_property(
                    &object,
                    "Grown",
                    &Type::new(PropertyKind::Str),
                    &"longer ".repeat(20),
                );
                // Not every object has properties.
                drop(grown);
                Ok(())
            })
            .unwrap();
        let (exports, summary) = (package.tables().exports.clone(), package.summary().clone());
        for layout in LAYOUTS {
            let options = SaveOptions::new().layout(layout);
            let wanted = decoded_before(&package, &options);
            assert_eq!(one_by_one(&package, &options), wanted, "{what} {layout:?}");
            assert!(package.tables().exports == exports, "{what} {layout:?}: rows are settled");
            assert!(*package.summary() == summary, "{what} {layout:?}: the header is settled");
        }
        let saved = package.to_bytes().unwrap();
        let again = Package::from_bytes(saved.clone()).unwrap();
        assert!(one_by_one(&again, &SaveOptions::new()).unwrap() == saved, "{what}");
        assert!(again.names().find("BrandNew").is_some(), "{what}");
    }
}

#[test]
fn who_takes_differences_may_end_the_comparison() {
    let old = Package::from_bytes(many().to_bytes().unwrap()).unwrap();
    let mut new = old.clone();
    let changed = new.edit(|edit| {
        (0..5).try_for_each(|at| edit.set_property(&format!("Thing{at}"), "Text", "y").map(drop))
    });
    changed.unwrap();
    assert_eq!(diff(&old, &new).changed.len(), 5);
    let mut met = 0;
    let ended = each_difference(&old, &new, |found| {
        assert!(matches!(found, FoundDifference::Changed(_)), "{found:?}");
        met += 1;
        if met == 2 { Err("enough") } else { Ok(()) }
    });
    assert_eq!((ended, met), (Err("enough"), 2));
}
