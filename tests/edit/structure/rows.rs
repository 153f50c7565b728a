//! Objects are added, renamed, moved, duplicated and removed.

use unreal_packages::edit::{PackageEdit, RemoveOptions};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Versions};

use super::common::objects::{assert_same, dump};
use super::common::parts::Parts;
use super::common::{open, save_twice};
use super::{CLASSIC, fails, fields, objects, paths, refused, reopen};

#[test]
fn adding_an_export_moves_nothing() {
    for file in [61, 69, 128, 512, 868] {
        let mut package = open(&Parts::rich(Versions::ue1_to_3(file, 0)).assemble());
        let (before, bodies) = (paths(&package), package.exports().len());
        let row =
            package.edit(|edit| edit.add_export("Group.New", "Engine.Info", *b"body")).unwrap();
        assert_eq!(row, bodies);
        let again = open(&save_twice(&package));
        assert_eq!(paths(&again)[..bodies], before);
        assert_eq!(again.body(row).unwrap(), b"body");
        assert_eq!(again.exports().path(row), "Group.New");
        if file >= 415 {
            assert_eq!(again.tables().depends.len(), again.exports().len());
        }
        let exists =
            fails(&again, |p| p.edit(|edit| edit.add_export("group.NEW", "Engine.Info", [])));
        assert!(matches!(exists, ErrorKind::Exists { .. }), "{exists}");
        let gone =
            fails(&again, |p| p.edit(|edit| edit.add_export("Nowhere.New", "Engine.Info", [])));
        assert!(matches!(gone, ErrorKind::NotFound { .. }), "{gone}");
    }
    let package = fields(69);
    let error =
        fails(&package, |p| p.edit(|edit| edit.add_export("Point.W", "Core.IntProperty", [0])));
    assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{error}");
}

#[test]
fn renaming_an_object_leaves_its_name_to_others() {
    for file in CLASSIC {
        let mut package = objects(file);
        let before = dump(&package);
        package.edit(|edit| edit.rename_object("Group.Skin", "Hide")).unwrap();
        let again = reopen(&package);
        assert!(again.find_export("Group.Hide.Part").is_ok());
        assert!(again.names().find("Skin").is_some(), "names are not objects");
        package.edit(|edit| edit.rename_object("#1", "Skin")).unwrap();
        assert_same(&dump(&reopen(&package)), &before, "there and back");
        let exists = fails(&package, |p| p.edit(|edit| edit.rename_object("User", "other")));
        assert!(matches!(exists, ErrorKind::Exists { .. }), "{exists}");
        let none = fails(&package, |p| p.edit(|edit| edit.rename_object("User", "none")));
        assert!(matches!(none, ErrorKind::Invalid { .. }), "{none}");
        fails(&package, |p| p.edit(|edit| edit.rename_object("Nobody", "Somebody")));
        fails(&package, |p| p.edit(|edit| edit.rename_object("User", "")));
    }
}

#[test]
fn moving_changes_the_group_and_nothing_else() {
    for file in CLASSIC {
        let mut package = objects(file);
        let before = dump(&package);
        package.edit(|edit| edit.move_object("Group.Skin", None)).unwrap();
        assert_eq!(paths(&reopen(&package))[1..3], ["Skin", "Skin.Part"]);
        package.edit(|edit| edit.move_object("Skin", Some("Group"))).unwrap();
        assert_same(&dump(&reopen(&package)), &before, "there and back");
        let circle =
            fails(&package, |p| p.edit(|edit| edit.move_object("Group", Some("Group.Skin.Part"))));
        assert!(matches!(circle, ErrorKind::Invalid { .. }), "{circle}");
        package.edit(|edit| edit.rename_object("Lone", "Skin")).unwrap();
        let exists = fails(&package, |p| p.edit(|edit| edit.move_object("Skin", Some("Group"))));
        assert!(matches!(exists, ErrorKind::Exists { .. }), "{exists}");
    }
    let package = fields(69);
    let field = fails(&package, |p| p.edit(|edit| edit.move_object("Point.Y", None)));
    assert!(matches!(field.unreal(), Some(UnrealError::Refused { .. })), "{field}");
}

#[test]
fn copies_refer_to_one_another() {
    for file in CLASSIC {
        let mut package = objects(file);
        let before = dump(&package);
        let row = package.edit(|edit| edit.duplicate_object("Group.Skin", "Copy")).unwrap();
        let again = reopen(&package);
        assert_eq!(paths(&again)[..6], paths(&objects(file))[..]);
        assert_eq!(paths(&again)[6..], ["Group.Copy", "Group.Copy.Part"]);
        assert_eq!(row, 6);
        let mut after = dump(&again);
        let copy = |name: &str| format!("Engine.Info Group.Copy{name}");
        let made = [copy(""), copy(".Part")].map(|title| after.remove(&title).unwrap());
        assert!(made[0].iter().any(|line| line.ends_with("= export Group.Copy.Part")), "{made:?}");
        assert!(made[1].iter().any(|line| line.ends_with("= export Group.Copy")), "{made:?}");
        assert_same(&after, &before, "originals");
        // Before it is saved, the copy can be copied and removed like any other object.
        package.edit(|edit| edit.duplicate_object("Group.Copy.Part", "Twin")).unwrap();
        package.edit(|edit| edit.remove_object("Group.Copy", RemoveOptions::Refuse)).unwrap();
        assert_same(&dump(&reopen(&package)), &before, "there and back");
        let exists = fails(&package, |p| p.edit(|edit| edit.duplicate_object("User", "LONE")));
        assert!(matches!(exists, ErrorKind::Exists { .. }), "{exists}");
    }
}

#[test]
fn removing_closes_the_table_up() {
    for file in CLASSIC {
        let mut package = objects(file);
        let before = dump(&package);
        let removed =
            package.edit(|edit| edit.remove_object("Lone", RemoveOptions::Refuse)).unwrap();
        assert_eq!((removed.objects, removed.nulled), (vec!["Lone".to_owned()], vec![]));
        let mut expected = before.clone();
        expected.remove("Engine.Info Lone").unwrap();
        assert_same(&dump(&reopen(&package)), &expected, "without Lone");

        let mut package = objects(file);
        assert_eq!(
            refused(package.edit(|edit| edit.remove_object("Group.Skin", RemoveOptions::Refuse))),
            ["User"]
        );
        fails(&package, |p| p.edit(|edit| edit.remove_object("Group", RemoveOptions::Refuse)));
        let both = package
            .edit(|edit| edit.remove_objects(&["Other", "User", "Group"], RemoveOptions::Refuse));
        assert_eq!(both.unwrap().objects.len(), 5);
        assert_eq!(paths(&reopen(&package)), ["Lone"]);

        let mut package = objects(file);
        let removed = package
            .edit(|edit| edit.remove_object("Group.Skin", RemoveOptions::NullReferences))
            .unwrap();
        assert_eq!(removed.objects, ["Group.Skin", "Group.Skin.Part"]);
        assert_eq!(removed.nulled, ["User"]);
        let after = dump(&reopen(&package));
        assert_eq!(paths(&package), ["Group", "User", "Other", "Lone"]);
        assert!(after["Engine.Info User"].iter().any(|line| line.ends_with("= null")));
        let other = &after["Engine.Info Other"];
        assert!(other.iter().any(|line| line.ends_with("= export User")), "{other:?}");
        let newest = package.summary().generations.last().copied();
        assert!(newest.is_none_or(|newest| newest.export_count == 4));
    }
}

#[test]
fn what_derives_from_an_object_keeps_it() {
    let package = Builder::new(69)
        .export("Kind", "Core.Class", [])
        .export("Thing", "Kind", [0])
        .build()
        .unwrap();
    let mut package = open(&package);
    for options in [RemoveOptions::Refuse, RemoveOptions::NullReferences] {
        assert_eq!(refused(package.edit(|edit| edit.remove_object("Kind", options))), ["Thing"]);
    }
    package.edit(|edit| edit.remove_objects(&["Kind", "Thing"], RemoveOptions::Refuse)).unwrap();
    assert_eq!(package.exports().len(), 0);
}
