//! Proof that saving rebuilds the file from the model instead of handing the input back.

use crate::common;
use unreal_packages::inspect::Explanation;
use unreal_packages::package::PackageSpan;

use common::parts::Parts;
use common::rebuild::{rebuilds, spans_are_characters};
use common::{ORDERS, all_versions, builder, differences, open};
use unreal_packages::edit::PackageEdit;
use unreal_packages::package::{LayoutChoice, Package, SaveOptions, Section};
use unreal_packages::primitive::{ObjectFlags, PackageFlags};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Guid, Versions};

const FILES: [u32; 6] = [61, 69, 128, 512, 684, 868];

fn packages() -> impl Iterator<Item = Package> {
    FILES.iter().flat_map(|&file| {
        ORDERS.map(|order| {
            let versions = Versions::ue1_to_3(file, 0).with_byte_order(order);
            open(&Parts::rich(versions).assemble())
        })
    })
}

/// Where a field stands, as the explanation says.
fn place(package: &Package, path: &str) -> (u64, u64) {
    let explained = Explanation::of(package).unwrap();
    let found = explained.iter().find(|explanation| explanation.record.path == path);
    let record = &found.unwrap_or_else(|| panic!("{}: no {path}", package.versions())).record;
    (record.start, record.end)
}

/// Saves after an edit: exactly these ranges may differ, and each must differ in every byte.
#[track_caller]
fn changes_only(package: &Package, edited: &Package, expected: &[(u64, u64)]) {
    let saved = edited.to_bytes().unwrap();
    assert_eq!(differences(&saved, package.source()), expected, "{}", package.versions());
}

#[test]
fn new_package_flags_change_four_bytes() {
    for package in packages() {
        let mut edited = package.clone();
        let flags = PackageFlags(!package.summary().package_flags.0);
        edited.edit(|edit| edit.set_package_flags(flags)).unwrap();
        changes_only(&package, &edited, &[place(&package, "summary.package_flags")]);
    }
}

#[test]
fn a_new_guid_changes_sixteen_bytes() {
    for package in packages() {
        let old = package.guid();
        let mut edited = package.clone();
        edited.edit(|edit| edit.set_guid(Guid::new(!old.a, !old.b, !old.c, !old.d))).unwrap();
        let heritage = package.versions().file() < 68;
        let path = if heritage { "heritage[0]" } else { "summary.guid" };
        let range = place(&package, path);
        assert_eq!(range.1 - range.0, 16);
        changes_only(&package, &edited, &[range]);
    }
}

#[test]
fn a_name_of_the_same_length_changes_its_characters() {
    for package in packages() {
        for row in 1..package.names().len() {
            let old = package.names().get(row).unwrap().into_owned();
            let new: String = old.chars().map(|letter| (letter as u8 ^ 3) as char).collect();
            let mut edited = package.clone();
            let renamed = edited.edit(|edit| {
                // Among them are names of classes.
                edit.set_checks(false);
                edit.rename_name(&old, &new)
            });
            assert_eq!(renamed.unwrap(), row);
            let range = match package.versions().file() {
                ..64 => {
                    // Its characters and their zero are one value.
                    let (start, end) = place(&package, &format!("names[{row}].text"));
                    (start, end - 1)
                }
                _ => place(&package, &format!("names[{row}].text.characters")),
            };
            assert_eq!(range.1 - range.0, old.len() as u64);
            changes_only(&package, &edited, &[range]);
        }
    }
}

#[test]
fn new_object_flags_change_their_row() {
    for package in packages() {
        let stack = 0x0200_0000u64;
        for row in 0..package.exports().len() {
            let old = package.exports().get(row).unwrap().flags().0;
            let keep = if package.versions().file() < 195 {
                0xffff_ffff_0000_0000 | stack
            } else {
                // HasStack and ClassDefaultObject say what the body holds.
                stack << 32 | 0x200
            };
            let mut edited = package.clone();
            edited.edit(|edit| edit.set_object_flags(row, ObjectFlags(old ^ !keep))).unwrap();
            let range = place(&package, &format!("exports[{row}].object_flags"));
            changes_only(&package, &edited, &[range]);
        }
    }
}

#[test]
fn a_body_of_the_same_length_changes_its_bytes() {
    for package in packages() {
        for row in 0..package.exports().len() {
            let old = package.body(row).unwrap();
            let mut edited = package.clone();
            edited
                .edit(|edit| {
                    edit.replace_body(row, old.iter().map(|byte| !byte).collect::<Vec<_>>())
                })
                .unwrap();
            if old.is_empty() {
                changes_only(&package, &edited, &[]);
            } else {
                changes_only(&package, &edited, &[place(&package, &format!("bodies[{row}]"))]);
            }
        }
    }
}

#[test]
fn several_edits_change_what_each_changes() {
    for package in packages() {
        let mut edited = package.clone();
        edited
            .edit(|edit| edit.set_package_flags(PackageFlags(!package.summary().package_flags.0)))
            .unwrap();
        edited.edit(|edit| edit.replace_body(1, vec![0xaa; 70])).unwrap();
        let mut expected =
            vec![place(&package, "summary.package_flags"), place(&package, "bodies[1]")];
        expected.sort_unstable();
        changes_only(&package, &edited, &expected);
    }
}

#[test]
fn every_byte_that_no_span_lists_may_be_overwritten() {
    for versions in all_versions() {
        let what = format!("{versions} {:?} {:?}", versions.byte_order, versions.game());
        for bytes in [Parts::rich(versions.clone()).assemble(), builder(versions).build().unwrap()]
        {
            rebuilds(&open(&bytes), &SaveOptions::new(), &what);
        }
    }
}

#[test]
fn edited_packages_take_only_the_spans_from_their_source() {
    for package in packages() {
        let mut edited = package.clone();
        edited.edit(|edit| edit.rename_name("Alpha", "A_name_that_is_longer_than_before")).unwrap();
        edited.edit(|edit| edit.replace_body(1, vec![1; 999])).unwrap();
        edited.edit(|edit| edit.add_import("Fresh.Skins.Blue", "Engine.Texture")).unwrap();
        for layout in [LayoutChoice::Auto, LayoutChoice::Canonical, LayoutChoice::Keep] {
            let what = format!("{} {layout:?}", package.versions());
            rebuilds(&edited, &SaveOptions::new().layout(layout), &what);
        }
        // What was replaced is no longer taken from there.
        let listed = |package: &Package, section| {
            PackageSpan::of(package).iter().any(|s| s.section == section)
        };
        assert!(listed(&package, Section::Body(1)) && !listed(&edited, Section::Body(1)));
        assert!(listed(&edited, Section::Body(2)));
    }
}

#[test]
fn every_listed_span_is_taken_from_the_source() {
    for package in packages() {
        for span in PackageSpan::of(&package).iter().filter(|span| span.end > span.start) {
            for at in [span.start, span.end - 1] {
                let mut other = package.source().to_vec();
                other[at as usize] ^= 0x80;
                let saved = package.save(&SaveOptions::new().source(other.to_vec())).unwrap();
                assert!(saved.bytes == other, "{} {span:?}", package.versions());
            }
        }
        let shorter = &package.source()[1..];
        assert!(package.save(&SaveOptions::new().source(shorter.to_vec())).is_err());
    }
}

#[test]
fn in_the_header_only_characters_are_spans() {
    for versions in all_versions() {
        let what = format!("{versions} {:?} {:?}", versions.byte_order, versions.game());
        spans_are_characters(&open(&Parts::rich(versions).assemble()), &what);
    }
}
