//! An edit and its inverse, one committed after the other, give the original bytes.

use unreal_packages::Package;
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::Profile;
use unreal_packages::inspect::PackageValues;
use unreal_packages::primitive::NameContext;
use unreal_packages::table::SoftPackageReference;
use unreal_packages::version::EngineRelease;

use super::common::assets;
use super::common::everything::everything;
use super::common::level::level;

type Change = fn(&mut Edit) -> unreal_packages::Result<()>;

/// Two commits; between them the package must be another one.
fn there_and_back(package: &mut Package, what: &str, there: Change, back: Change) {
    let before = package.to_bytes().unwrap();
    package.edit(there).unwrap_or_else(|error| panic!("{what}: {error}"));
    let between = package.to_bytes().unwrap();
    assert!(before != between, "{what}: nothing has changed");
    package.edit(back).unwrap_or_else(|error| panic!("{what}, back: {error}"));
    let after = package.to_bytes().unwrap();
    assert!(before == after, "{what}: {} and then {} bytes", before.len(), after.len());
}

/// Packages of UE1 to UE3 as files.
fn older() -> Vec<(String, Package)> {
    let mut all = Vec::new();
    for profile in [Profile::UT99, Profile::UT2004, Profile::UDK] {
        let bytes = everything(&profile).to_bytes().unwrap();
        all.push((format!("{:?}", profile.versions()), Package::from_bytes(bytes).unwrap()));
    }
    all
}

/// Packages of UE4 and UE5 as files.
fn newer() -> Vec<(String, Package)> {
    let releases = [(4, 15), (4, 20), (4, 27), (5, 0), (5, 1), (5, 3), (5, 4), (5, 6), (5, 7)];
    releases
        .into_iter()
        .map(|(major, minor)| {
            let release = EngineRelease::new(major, minor);
            let bytes = assets::object().build(release).unwrap().to_bytes().unwrap();
            (release.to_string(), Package::from_bytes(bytes).unwrap())
        })
        .collect()
}

#[test]
fn a_value_set_and_set_back() {
    for (what, mut package) in older() {
        there_and_back(
            &mut package,
            &what,
            |edit| edit.set_property("Deep.Thing_3", "IntValue", "123456").map(drop),
            |edit| edit.set_property("Deep.Thing_3", "IntValue", "-7").map(drop),
        );
        // The new name comes and goes with the value.
        there_and_back(
            &mut package,
            &what,
            |edit| edit.set_property("Deep.Thing_3", "NameValue", "NobodyKnows").map(drop),
            |edit| edit.set_property("Deep.Thing_3", "NameValue", "Palette").map(drop),
        );
    }
    for (what, mut package) in newer() {
        there_and_back(
            &mut package,
            &what,
            |edit| edit.set_property("DA_Level", "Caption", "Something far longer").map(drop),
            |edit| edit.set_property("DA_Level", "Caption", "Seven").map(drop),
        );
    }
}

#[test]
fn a_property_added_and_removed() {
    for (what, mut package) in older() {
        there_and_back(
            &mut package,
            &what,
            |edit| {
                let to = "Engine.Texture'Botpack.Skins.Blue'";
                edit.add_property("Deep.Thing_3", "NewSkin", &"object".parse()?, to).map(drop)
            },
            |edit| edit.remove_property("Deep.Thing_3", "NewSkin").map(drop),
        );
    }
    for (what, mut package) in newer() {
        there_and_back(
            &mut package,
            &what,
            |edit| {
                let to = "/Script/Engine.Texture2D'/Game/T/Blue.Blue'";
                edit.add_property("DA_Level", "NewSkin", &"object".parse()?, to).map(drop)
            },
            |edit| edit.remove_property("DA_Level", "NewSkin").map(drop),
        );
    }
}

/// The header lists the package of a soft path as long as there is one.
#[test]
fn a_soft_path_added_and_removed() {
    let listed = |package: &Package| -> Vec<String> {
        let rows = &package.tables().further.soft_package_references;
        let text = |row: &SoftPackageReference| match row.path.is_empty() {
            true => package.context().name_text(&row.name).unwrap(),
            false => row.path.text(package.source()).unwrap().into_owned(),
        };
        rows.iter().map(text).collect()
    };
    for (what, mut package) in newer() {
        assert_eq!(listed(&package), [""; 0], "{what}");
        there_and_back(
            &mut package,
            &what,
            |edit| {
                let to = "/Game/T/Blue.Blue";
                edit.add_property("DA_Level", "One", &"soft-object".parse()?, to)?;
                edit.add_property("DA_Level", "Other", &"soft-object".parse()?, to).map(drop)
            },
            |edit| {
                edit.remove_property("DA_Level", "One")?;
                edit.remove_property("DA_Level", "Other").map(drop)
            },
        );
        package
            .edit(|edit| {
                let known = "array:soft-object".parse()?;
                let to = "(/Game/T/Blue.Blue,/Game/T/Blue.Blue:Part,/Game/Red.Red,None)";
                edit.add_property("DA_Level", "All", &known, to)
            })
            .unwrap();
        let both = ["/Game/T/Blue", "/Game/Red"];
        assert_eq!(listed(&package), both, "{what}");
        let again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        assert_eq!(listed(&again), both, "{what}");
        // One is left.
        package.edit(|edit| edit.set_property("DA_Level", "All[2]", "None")).unwrap();
        assert_eq!(listed(&package), ["/Game/T/Blue"], "{what}");
        // What was listed when the package was opened stays.
        let mut again = Package::from_bytes(again.to_bytes().unwrap()).unwrap();
        again.edit(|edit| edit.remove_property("DA_Level", "All")).unwrap();
        assert_eq!(listed(&again), both, "{what}");
    }
}

#[test]
fn an_object_renamed_and_renamed_back() {
    for (what, mut package) in older() {
        there_and_back(
            &mut package,
            &what,
            |edit| edit.rename_object("Deep.Thing_3", "QuiteAnother").map(drop),
            |edit| edit.rename_object("Deep.QuiteAnother", "Thing_3").map(drop),
        );
    }
    for (what, mut package) in newer() {
        there_and_back(
            &mut package,
            &what,
            |edit| edit.rename_object("DA_Level", "DA_QuiteAnother").map(drop),
            |edit| edit.rename_object("DA_QuiteAnother", "DA_Level").map(drop),
        );
    }
}

#[test]
fn a_name_that_was_asked_for_stays() {
    for (what, mut package) in older().into_iter().chain(newer()) {
        let before = package.names().len();
        package.edit(|edit| edit.add_name("AskedFor").map(drop)).unwrap();
        package.edit(|edit| edit.add_name("AndThis").map(drop)).unwrap();
        assert_eq!(package.names().len(), before + 2, "{what}");
        let again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        assert!(again.names().find("AskedFor").is_some(), "{what}");
    }
}

#[test]
fn a_name_that_was_asked_for_in_vain_is_not_kept() {
    for (what, mut package) in older() {
        let before = package.names().len();
        package
            .edit(|edit| {
                let failed = edit.add_object(
                    "Deep.Thing_3",
                    "Engine.Actor",
                    Default::default(),
                    unreal_packages::object::text::TextBuffer::default(),
                );
                assert!(failed.is_err(), "{what}");
                edit.set_property("Deep.Thing_3", "NameValue", "First").map(drop)
            })
            .unwrap();
        let failed = package.edit(|edit| {
            edit.add_name("InVain")?;
            edit.set_property("Nobody", "NameValue", "x").map(drop)
        });
        assert!(failed.is_err(), "{what}");
        package
            .edit(|edit| edit.set_property("Deep.Thing_3", "NameValue", "Second").map(drop))
            .unwrap();
        package
            .edit(|edit| edit.set_property("Deep.Thing_3", "NameValue", "Palette").map(drop))
            .unwrap();
        assert_eq!(package.names().len(), before, "{what}");
    }
}

#[test]
fn names_in_between_go_and_those_behind_move_up() {
    for (what, mut package) in older() {
        let set = |package: &mut Package, text: &str| {
            package.edit(|edit| edit.set_property("Deep.Thing_3", "NameValue", text)).unwrap();
        };
        let before = package.names().len();
        set(&mut package, "First");
        package.edit(|edit| edit.add_name("Kept").map(drop)).unwrap();
        set(&mut package, "Second");
        set(&mut package, "Third");
        let texts: Vec<_> = package.names().iter().skip(before).collect();
        assert_eq!(texts, ["Kept", "Third"], "{what}");
        let value = package.values().property("Deep.Thing_3", "NameValue").unwrap();
        assert_eq!(value.text, "Third", "{what}");
    }
}

#[test]
fn an_edit_that_fails_leaves_everything() {
    let mut package = Package::from_bytes(level(69)).unwrap();
    let before = package.to_bytes().unwrap();
    let failed = package.edit(|edit| {
        edit.set_property("Lamp0", "Count", "5")?;
        edit.add_import("Engine.Actor", "Core.Class")?;
        edit.rename_object("Lamp1", "Torch")?;
        edit.duplicate_object("Torch", "Torch2")?;
        edit.set_property("Nobody", "Count", "5")
    });
    assert!(failed.is_err());
    assert_eq!(package.to_bytes().unwrap(), before);
    assert!(package.find("Torch").is_none() && package.find("Lamp1").is_some());
    assert!(package.names().find("Torch").is_none());
    // A call that fails within an edit that succeeds leaves nothing behind either.
    package
        .edit(|edit| {
            edit.set_property("Lamp0", "Count", "5")?;
            assert!(edit.set_property("Lamp0", "Owner", "Engine.Texture'A.'").is_err());
            assert!(edit.duplicate_object("Lamp1", "Lamp0").is_err());
            Ok(())
        })
        .unwrap();
    assert!(package.names().find("A").is_none());
    package.edit(|edit| edit.remove_property("Lamp0", "Count").map(drop)).unwrap();
    assert_eq!(package.to_bytes().unwrap(), before);
}

#[test]
fn a_panic_within_an_edit_leaves_the_package() {
    let mut package = Package::from_bytes(level(69)).unwrap();
    let before = package.to_bytes().unwrap();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        package.edit(|edit| -> unreal_packages::Result<()> {
            edit.rename_object("Lamp1", "Torch")?;
            panic!("on purpose")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(package.to_bytes().unwrap(), before);
}

#[test]
fn an_object_duplicated_and_removed() {
    use unreal_packages::edit::RemoveOptions;
    for (what, mut package) in older() {
        there_and_back(
            &mut package,
            &what,
            |edit| edit.duplicate_object("Deep.Thing_3", "QuiteAnother").map(drop),
            |edit| edit.remove_object("Deep.QuiteAnother", RemoveOptions::Refuse).map(drop),
        );
    }
    for (what, mut package) in newer() {
        there_and_back(
            &mut package,
            &what,
            |edit| edit.duplicate_object("DA_Level", "QuiteAnother").map(drop),
            |edit| edit.remove_object("QuiteAnother", RemoveOptions::Refuse).map(drop),
        );
    }
}

#[test]
fn an_object_added_and_removed() {
    use unreal_packages::edit::RemoveOptions;
    for (what, mut package) in older() {
        there_and_back(
            &mut package,
            &what,
            |edit| {
                edit.add_plain_object("Deep.New", "Engine.Light", Default::default())?;
                edit.add_property("Deep.New", "Shine", &"int".parse()?, "5").map(drop)
            },
            |edit| edit.remove_object("Deep.New", RemoveOptions::Refuse).map(drop),
        );
    }
    for (what, mut package) in newer() {
        there_and_back(
            &mut package,
            &what,
            |edit| {
                edit.add_blank_object("New", "/Script/MyGame.Other")?;
                edit.add_property("New", "Shine", &"int".parse()?, "5").map(drop)
            },
            |edit| edit.remove_object("New", RemoveOptions::Refuse).map(drop),
        );
    }
}

/// Bodies that are decoded while an edit runs are read as the changed package says.
#[test]
fn an_edit_that_fails_leaves_no_body_read_in_its_light() {
    for decode in [false, true] {
        let original = Package::from_bytes(level(69)).unwrap();
        let mut package = original.clone();
        let failed = package.edit(|edit| {
            // Decodes one of the bodies.
            assert!(edit.set_property("Lamp.Where", "Nothing", "5").is_err());
            edit.retarget_import("Core.StructProperty", "Core.Stranger", "Core.Class")?;
            if decode {
                edit.decode_all();
                edit.set_property("Nobody", "Count", "5").map(drop)?;
            }
            Ok(())
        });
        assert!(failed.is_err());
        let found = unreal_packages::compare::diff(&original, &package);
        assert!(found.is_empty(), "{found:?}");
    }
}
