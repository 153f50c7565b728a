//! What differs although its text does not, or in rows that no table has.

use crate::common;

use common::difference::difference;
use unreal_packages::archive::{Archived, Saver};
use unreal_packages::compare::{Diff, canonical, diff};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Builder, Profile, create};
use unreal_packages::package::Package;
use unreal_packages::primitive::Index;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Guid, PackageIndex, Versions};

/// The lines of all objects that changed.
fn changes(diff: &Diff) -> Vec<String> {
    let changed = diff.changed.iter();
    changed
        .flat_map(|object| {
            object.changes.iter().map(move |change| format!("{}.{change}", object.path))
        })
        .collect()
}

fn header(diff: &Diff) -> Vec<String> {
    diff.header.iter().map(ToString::to_string).collect()
}

fn text_of(package: &Package) -> String {
    let mut text = String::new();
    let done = canonical(package, |part| {
        text.push_str(part);
        Ok::<_, std::convert::Infallible>(())
    });
    let Ok(()) = done;
    text
}

/// `One` and `Two`; `One` refers to `Two` and has a name with its text.
fn named_alike(profile: &Profile) -> Package {
    let mut package = create(profile).unwrap();
    package
        .edit(|edit| -> unreal_packages::Result<()> {
            for name in ["One", "Two"] {
                edit.add_blank_object(name, "Engine.Info")?;
            }
            for (property, of, text) in [
                ("Tag", "name", "Two"),
                ("Count", "int", "1"),
                ("Friend", "object", "Two"),
                ("Tags", "array:name", "(Two,Hall)"),
                ("Friends", "array:object", "(Two)"),
            ] {
                edit.add_property("One", property, &of.parse()?, text)?;
            }
            Ok(())
        })
        .unwrap();
    package
}

/// A name is no reference: one that gets the object's new text has changed, and references to the object have not.
#[test]
fn names_with_the_text_of_a_renamed_object_are_told() {
    for profile in [&Profile::UT99, &Profile::UT2004, &Profile::UDK] {
        let old = named_alike(profile);
        let mut new = old.clone();
        new.edit(|edit| edit.rename_object("Two", "Deux")).unwrap();
        let found = difference(&old, &new);
        assert_eq!((found.renamed.len(), found.changed.len()), (1, 0), "{found:?}");
        new.edit(|edit| edit.set_property("One", "Count", "2")).unwrap();
        assert_eq!(changes(&difference(&old, &new)), ["One.Count: 1 -> 2"]);
        new.edit(|edit| -> unreal_packages::Result<()> {
            edit.set_property("One", "Tag", "Deux")?;
            edit.set_property("One", "Tags[0]", "Deux").map(drop)
        })
        .unwrap();
        let expected = ["One.Tag: Two -> Deux", "One.Count: 1 -> 2", "One.Tags[0]: Two -> Deux"];
        assert_eq!(changes(&difference(&old, &new)), expected);
    }
}

/// Values that stand in the tag and have no bytes of their own.
#[test]
fn bools_are_told() {
    for profile in [&Profile::UT99, &Profile::UT2004, &Profile::UDK] {
        let mut old = named_alike(profile);
        old.edit(|edit| edit.add_property("One", "bOn", &"bool".parse()?, "true")).unwrap();
        let mut new = old.clone();
        new.edit(|edit| edit.set_property("One", "bOn", "false")).unwrap();
        assert_eq!(changes(&difference(&old, &new)), ["One.bOn: True -> False"]);
    }
}

/// A package of version 69 whose object has one property: a reference (5) or a name (6) of this row.
fn with_row(kind: u8, row: i32) -> Package {
    let mut saver = Saver::new(Versions::ue1_to_3(69, 0));
    match kind {
        5 => PackageIndex::new(row).serialize(&mut saver).unwrap(),
        _ => Index::new(row).serialize(&mut saver).unwrap(),
    }
    let value = saver.into_bytes();
    let mut body = vec![1, kind | 0x50, value.len() as u8];
    body.extend(value);
    body.push(0);
    let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4)).name("Level");
    Package::from_bytes(builder.export("A", "Engine.Info", body).build().unwrap()).unwrap()
}

#[test]
fn rows_that_no_table_has_are_each_another() {
    const ROWS: [i32; 9] = [
        0x1000_0000,
        0x4000_0001,
        0x4000_0002,
        i32::MAX - 1,
        i32::MAX,
        -0x4000_0001,
        -0x4000_0002,
        -0x7fff_fffe,
        -0x7fff_ffff,
    ];
    for kind in [5, 6] {
        for old in ROWS {
            for new in ROWS {
                let (before, after) = (with_row(kind, old), with_row(kind, new));
                let found = diff(&before, &after);
                assert_eq!(found.is_empty(), old == new, "{kind} {old} {new}: {found:?}");
                assert_eq!(text_of(&before) == text_of(&after), old == new, "{kind} {old} {new}");
            }
        }
    }
}

/// `Foo_85` as one row of the table and the row `Foo` with a number are two names.
#[test]
fn a_name_in_one_row_is_another_than_one_with_a_number() {
    let mut whole = named_alike(&Profile::UDK);
    let tag = |package: &mut Package, text: &str| {
        package.edit(|edit| edit.set_property("One", "Tag", text)).unwrap();
    };
    whole
        .edit(|edit| {
            edit.set_checks(false);
            edit.add_name("Foo_85")
        })
        .unwrap();
    tag(&mut whole, "Foo_85");
    whole.edit(|edit| edit.rename_object("Two", "Foo_85")).unwrap();
    whole.edit(|edit| edit.add_name("Foo")).unwrap();
    let mut parted = whole.clone();
    tag(&mut parted, "Hall");
    // As the engine parts it.
    tag(&mut parted, "Foo_85");
    assert!(header(&difference(&whole, &parted)).is_empty());
    let found = changes(&difference(&whole, &parted));
    let [line] = &found[..] else { panic!("{found:?}") };
    assert!(line.ends_with(": Foo_85, one row -> Foo_85"), "{line}");
    let (one, other) = (text_of(&whole), text_of(&parted));
    let only: Vec<_> = one.lines().filter(|line| !other.contains(line)).collect();
    assert!(matches!(only[..], [line] if line.ends_with("Tag = Foo_85, one row")), "{only:?}");
    // The object's own name.
    let mut called = whole.clone();
    for name in ["Other", "Foo_85"] {
        let old = if name == "Other" { "Foo_85" } else { "Other" };
        called.edit(|edit| edit.rename_object(old, name)).unwrap();
    }
    let found = changes(&difference(&whole, &called));
    assert_eq!(found, ["Foo_85.object_name: Foo_85, one row -> Foo_85"]);
    assert!(text_of(&whole).contains("  object_name = Foo_85, one row\n"));
    assert!(!text_of(&called).contains("  object_name"));
}

#[test]
fn letters_of_names_are_told() {
    for profile in [&Profile::UT99, &Profile::UT2004, &Profile::UDK] {
        let mut old = named_alike(profile);
        old.edit(|edit| edit.set_property("One", "Tag", "Porch")).unwrap();
        let mut new = old.clone();
        new.edit(|edit| edit.rename_name("Porch", "PORCH")).unwrap();
        let found = difference(&old, &new);
        assert_eq!(header(&found), ["letters of the name Porch: Porch -> PORCH"]);
        assert!(changes(&found).is_empty());
    }
}

/// The path of an import leaves out what lies outside of the tables.
#[test]
fn the_place_of_an_import_outside_of_the_tables_is_told() {
    let bytes = Builder::new(69).export("A", "Engine.Info", vec![0]).build().unwrap();
    let package = Package::from_bytes(bytes.clone()).unwrap();
    let row = package.imports().iter().position(|import| import.path() == "Engine.Info").unwrap();
    // Two names of a byte each, the row of the place, a name.
    let at = package.summary().import_offset as usize + 7 * row + 2;
    let within = |place: i32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&place.to_le_bytes());
        Package::from_bytes(bytes).unwrap()
    };
    let (old, new) = (within(98), within(-99));
    assert_eq!(
        header(&difference(&old, &new)),
        ["import: Core.Class'Info' in #98 -> Core.Class'Info' in #-99"]
    );
    assert_ne!(text_of(&old), text_of(&new));
}

/// Counts of preload dependencies without any row for them.
#[test]
fn counts_of_preload_dependencies_are_told_without_rows() {
    let bytes = Builder::for_release(EngineRelease::new(4, 27))
        .export("Thing", "/Script/Engine.Thing", vec![0; 20])
        .build()
        .unwrap();
    let none = [[0xff; 4].as_slice(), &[0; 16]].concat();
    let at = bytes.windows(20).rposition(|window| window == none).unwrap();
    let mut changed = bytes.clone();
    changed[at + 4] = 7;
    let (old, new) = (Package::from_bytes(bytes).unwrap(), Package::from_bytes(changed).unwrap());
    assert_eq!(
        header(&difference(&old, &new)),
        ["preload of Thing: [0, 0, 0, 0] -> [7, 0, 0, 0] from row -1 on, which are not there"]
    );
    assert!(text_of(&new).contains("preload = [7, 0, 0, 0] from row -1 on"));
}
