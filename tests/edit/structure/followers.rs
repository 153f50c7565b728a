//! Bodies that nobody has decoded follow their rows as those do that somebody has.

use unreal_packages::edit::{Edit, PackageEdit, RemoveOptions, Renumbering, converted};
use unreal_packages::generate::{Builder, Profile};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::{EngineRelease, Guid, Result};

use crate::common::everything::everything;
use crate::common::level::level;
use crate::common::objects::{Random, permute};
use crate::common::{assets, open};

type Change = fn(&mut Edit) -> Result<()>;

/// A GUID that does not differ from run to run.
const SAME: Guid = Guid::new(7, 7, 7, 7);

const CHANGES: &[(&str, Change)] = &[
    ("renumber", |edit| {
        let mut random = Random(0x5eed);
        let mut renumbering = Renumbering::identity(edit);
        random.shuffle(&mut renumbering.names);
        random.shuffle(&mut renumbering.imports);
        random.shuffle(&mut renumbering.exports);
        edit.renumber(&renumbering)
    }),
    ("reorder", |edit| {
        let order: Vec<usize> = (0..edit.export_rows()).rev().collect();
        edit.reorder_exports(&order)
    }),
    ("remove the first that can go", |edit| remove(edit, false)),
    ("remove the last that can go", |edit| remove(edit, true)),
    ("remove two", |edit| {
        remove(edit, true)?;
        remove(edit, false)
    }),
    ("prune", |edit| {
        edit.add_kept("Unneeded")?;
        edit.prune()?;
        if edit.guid() != Guid::default() { edit.set_guid(SAME) } else { Ok(()) }
    }),
    ("remove and prune", |edit| {
        remove(edit, true)?;
        edit.prune()?;
        if edit.guid() != Guid::default() { edit.set_guid(SAME) } else { Ok(()) }
    }),
];

/// What the changes need beside the calls of the library.
trait Rows {
    fn export_rows(&self) -> usize;
    fn add_kept(&mut self, name: &str) -> Result<()>;
}

impl Rows for Edit {
    fn export_rows(&self) -> usize {
        self.exports().len()
    }

    fn add_kept(&mut self, name: &str) -> Result<()> {
        self.add_name(name).map(drop)
    }
}

fn remove(edit: &mut Edit, last: bool) -> Result<()> {
    let mut paths: Vec<String> = edit.exports().iter().map(|export| export.path()).collect();
    if last {
        paths.reverse();
    }
    let mut first = Ok(());
    for path in paths {
        match edit.remove_object(&path, RemoveOptions::NullReferences) {
            Ok(_) => return Ok(()),
            Err(error) => first = first.and(Err(error)),
        }
    }
    first
}

fn packages() -> Vec<(String, Package)> {
    let made = [Profile::UT99, Profile::UT2004, Profile::UDK];
    let made = made.iter().map(|profile| (profile.slug.to_owned(), everything(profile)));
    let assets = [(4, 20), (4, 27), (5, 3), (5, 6)].map(|(major, minor)| {
        let release = EngineRelease::new(major, minor);
        (release.to_string(), assets::object().build(release).unwrap())
    });
    let levels = [61, 69, 128].map(|file| (format!("level {file}"), open(&level(file))));
    made.chain(assets).chain(levels).map(|(what, package)| (what, reopened(&package))).collect()
}

/// With no body decoded.
fn reopened(package: &Package) -> Package {
    let package = open(&package.to_bytes().unwrap());
    assert!((0..package.exports().len()).all(|row| package.decoded(row).is_none()));
    package
}

/// What comes out, or why nothing does.
fn outcome(
    mut package: Package,
    change: impl FnOnce(&mut Package) -> Result<()>,
) -> Result<Vec<u8>, String> {
    change(&mut package).map_err(|error| error.to_string())?;
    package.to_bytes().map_err(|error| error.to_string())
}

#[test]
fn what_is_decoded_makes_no_difference() {
    let mut done = 0;
    for (what, package) in packages() {
        let mut decoded = package.clone();
        decoded.decode_all();
        for (call, change) in CHANGES {
            let fresh = outcome(package.clone(), |package| package.edit(*change));
            let known = outcome(decoded.clone(), |package| package.edit(*change));
            done += usize::from(fresh.is_ok());
            assert!(fresh == known, "{what}, {call}: {:?}, {:?}", fresh.err(), known.err());
        }
    }
    assert!(done > 40, "{done} changes worked");
}

#[test]
fn conforming_and_converting_follow_as_well() {
    let (mut conformed, mut done) = (0, 0);
    for (what, package) in packages() {
        // None is not row 0, and rows stand where the old package has others.
        let mut old = package.clone();
        permute(&mut old, 0x0dd);
        let mut package = package;
        permute(&mut package, 0xe7e);
        let package = reopened(&package);
        if old.edit(|edit| remove(edit, true)).is_err() {
            continue;
        }
        let old = Package::from_bytes(old.to_bytes().unwrap()).unwrap_or(old);
        let mut decoded = package.clone();
        decoded.decode_all();
        let conform = |package: Package| {
            outcome(package, |package| {
                package.edit(|edit| {
                    edit.conform_to(&old)?;
                    edit.set_guid(SAME)
                })
            })
        };
        let (fresh, known) = (conform(package.clone()), conform(decoded.clone()));
        conformed += usize::from(fresh.is_ok());
        assert!(fresh == known, "{what}: {:?}, {:?}", fresh.err(), known.err());
        for file in [62, 66, 68, 69, 100, 128] {
            let convert = |package: &Package| {
                let converted = converted(package, file).map_err(|error| error.to_string())?;
                converted.to_bytes().map_err(|error| error.to_string())
            };
            let (fresh, known) = (convert(&package), convert(&decoded));
            done += usize::from(fresh.is_ok());
            assert!(fresh == known, "{what} to {file}: {:?}, {:?}", fresh.err(), known.err());
        }
    }
    assert!(conformed > 4 && done > 8, "{conformed} and {done} worked");
}

/// Objects without anything in them.
fn bare() -> Package {
    let info = "Engine.Info";
    let builder = Builder::new(69).name("None").export("A", info, [0]).export("B", info, [0]);
    let builder = builder.export("C", info, [0]).export("D", info, [0]);
    open(&builder.build().unwrap())
}

fn says(package: &Package) {
    let package = reopened(package);
    let value = |path: &str| package.values().property("A", path).unwrap().text;
    assert_eq!(
        (value("Tag"), value("Next")),
        ("Newest".to_owned(), "Class'Engine.Pawn.Late'".to_owned())
    );
}

fn set_new(edit: &mut Edit) -> Result<()> {
    // Names and imports in front of those that stay in use.
    edit.add_property("B", "Tag", &"name".parse()?, "Newer")?;
    edit.add_property("B", "Next", &"object".parse()?, "Engine.Pawn.Early")?;
    edit.add_property("A", "Tag", &"name".parse()?, "Newest")?;
    edit.add_property("A", "Next", &"object".parse()?, "Engine.Pawn.Late").map(drop)
}

#[test]
fn what_came_with_edits_stays_while_bodies_use_it() {
    // In one edit, which saves and opens what it has so far.
    let mut package = bare();
    let late = |edit: &mut Edit, path: &str| edit.add_import(path, "Core.Class").map(drop);
    let done = package.edit(|edit| {
        late(edit, "Engine.Pawn.Early")?;
        late(edit, "Engine.Pawn.Late")?;
        edit.replace_body(2, [0])?;
        set_new(edit)?;
        edit.remove_object("D", RemoveOptions::Refuse)?;
        edit.remove_property("B", "Tag")?;
        edit.remove_property("B", "Next")
    });
    done.map(drop).unwrap();
    says(&package);
    // In several, of which one moves rows.
    let mut package = bare();
    package
        .edit(|edit| {
            late(edit, "Engine.Pawn.Early")?;
            late(edit, "Engine.Pawn.Late")?;
            set_new(edit)?;
            edit.remove_object("D", RemoveOptions::Refuse)
        })
        .unwrap();
    says(&package);
    package.edit(|edit| edit.remove_property("B", "Tag")).unwrap();
    says(&package);
    package.edit(|edit| edit.remove_object("B", RemoveOptions::Refuse)).unwrap();
    says(&package);
}
