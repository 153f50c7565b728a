//! Objects are copied from package to package.

use unreal_packages::edit::{CopyOptions, Dependencies, PackageEdit};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue4::asset::small;
use unreal_packages::package::{Package, PackageSpan, Section, native_as};
use unreal_packages::primitive::{
    Map, NameContext, ObjectFlags, SoftObjectPath, SoftPath, Utf8String,
};
use unreal_packages::table::{FurtherSections, MetaData, MetaDataValue, ObjectMetaData};
use unreal_packages::version::EngineRelease;
use unreal_packages::{ErrorKind, FString, Name, PackageIndex};

use super::chains::chain;
use super::common::assets;
use super::common::objects::{assert_same, dump};
use super::common::open;
use super::{CLASSIC, fails, fields, objects, paths, refused, reopen};

#[test]
fn copying_takes_along_what_is_needed() {
    for file in CLASSIC {
        let mut source = objects(file);
        let private = |package: &mut Package, path: &str| {
            let row = package.find_export(path).unwrap();
            let flags = package.exports().entries()[row].object_flags;
            package.edit(|edit| edit.set_object_flags(row, ObjectFlags(flags.0 & !4))).unwrap();
        };
        private(&mut source, "User");
        let target = || {
            let builder = Builder::new(file).name("Elsewhere").export("Mine", "Engine.Info", [0]);
            open(&builder.export("Place", "Core.Package", []).build().unwrap())
        };
        // Nobody knows what the source is called: everything comes along.
        let mut all = target();
        let before = dump(&all);
        let copied =
            all.edit(|edit| edit.copy_from(&source, "Other", &CopyOptions::new())).unwrap();
        let again = reopen(&all);
        let expected = ["Group", "Group.Skin", "Group.Skin.Part", "User", "Other"];
        assert_eq!(copied.objects, expected);
        assert_eq!(paths(&again)[2..], expected);
        let (mut ours, theirs) = (dump(&again), dump(&source));
        for title in before.keys() {
            assert_eq!(ours.remove(title), before.get(title).cloned());
        }
        let mut theirs = theirs.clone();
        theirs.remove("Engine.Info Lone");
        assert_same(&ours, &theirs, "copied");

        // Public objects are imported, private ones come along.
        let mut some = target();
        let options = CopyOptions::new().source_name("Source").into_group("Place");
        let copied = some.edit(|edit| edit.copy_from(&source, "Other", &options)).unwrap();
        let again = reopen(&some);
        assert_eq!(paths(&again)[2..], ["User", "Place.Other"]);
        assert_eq!(copied.imported, ["Source.Group.Skin"]);
        assert_eq!(again.exports().path(copied.row), "Place.Other");
        let user = &dump(&again)["Engine.Info User"];
        assert!(user.iter().any(|line| line.ends_with("= import Source.Group.Skin")), "{user:?}");
        assert!(again.find("Source.Group.Skin").is_some());

        // What is there already is used: what it imports is what the source has.
        let options = CopyOptions::new().source_name("Source");
        let copied = some.edit(|edit| edit.copy_from(&source, "Other", &options)).unwrap();
        assert_eq!((copied.objects, copied.reused), (vec!["Other".into()], vec!["User".into()]));
        let exists =
            fails(&some, |p| p.edit(|edit| edit.copy_from(&source, "Other", &CopyOptions::new())));
        assert!(matches!(exists, ErrorKind::Exists { .. }), "{exists}");

        let options = CopyOptions::new().source_name("Source").dependencies(Dependencies::Import);
        let result = target().edit(|edit| edit.copy_from(&source, "Other", &options));
        assert_eq!(refused(result), ["User"]);
        let unnamed = CopyOptions::new().dependencies(Dependencies::Import);
        let error = fails(&target(), |p| p.edit(|edit| edit.copy_from(&source, "User", &unnamed)));
        assert!(matches!(error, ErrorKind::Invalid { .. }), "{error}");
        let options = CopyOptions::new().source_name("Source").dependencies(Dependencies::Copy);
        assert_eq!(
            target().edit(|edit| edit.copy_from(&source, "Other", &options)).unwrap().objects.len(),
            5
        );
    }
    let (source, mut target) = (fields(69), objects(69));
    assert_eq!(
        refused(target.edit(|edit| edit.copy_from(&source, "Point.X", &CopyOptions::new()))),
        ["Point.X"]
    );
    target.edit(|edit| edit.copy_from(&source, "Point", &CopyOptions::new())).unwrap();
    assert_eq!(chain(&reopen(&target), "Point"), ["X", "Y", "Z"]);
    let error = fails(&target, |p| {
        p.edit(|edit| edit.copy_from(&fields(128), "Point", &CopyOptions::new()))
    });
    assert!(matches!(error, ErrorKind::Invalid { .. }), "{error}");
}

#[test]
fn an_import_of_the_target_becomes_its_object() {
    let builder = Builder::new(69).name("Target").import("Mod.Thing", "Engine.Info");
    // The thing is import 1: what came with it stands before it.
    let draft = open(&builder.clone().build().unwrap());
    let thing = draft.find("Mod.Thing").unwrap().value();
    let body = vec![1, 0x05, 0x80 | thing.unsigned_abs() as u8, 0];
    let source = open(&builder.export("User", "Engine.Info", body).build().unwrap());
    let target = Builder::new(69).export("Thing", "Engine.Info", [0]).build().unwrap();
    let mut target = open(&target);
    target
        .edit(|edit| edit.copy_from(&source, "User", &CopyOptions::new().target_name("mod")))
        .unwrap();
    let user = &dump(&reopen(&target))["Engine.Info User"];
    assert!(user.iter().any(|line| line.ends_with("= export Thing")), "{user:?}");
}

/// Objects of several classes may have one path: an import means that of its class.
#[test]
fn an_import_of_the_target_is_found_by_its_class() {
    let builder = Builder::new(69).name("Target").import("Mod.Thing", "Engine.Info");
    let draft = open(&builder.clone().build().unwrap());
    let thing = draft.find("Mod.Thing").unwrap().value();
    let body = vec![1, 0x05, 0x80 | thing.unsigned_abs() as u8, 0];
    let source = open(&builder.export("User", "Engine.Info", body).build().unwrap());
    let options = CopyOptions::new().target_name("Mod");
    let other = Builder::new(69).export("Thing", "Engine.Note", [0]).build().unwrap();
    let mut target = open(&other);
    let error =
        fails(&target, |target| target.edit(|edit| edit.copy_from(&source, "User", &options)));
    assert!(matches!(error, ErrorKind::NotFound { .. }), "{error}");
    target
        .edit(|edit| {
            edit.add_plain_object("Thing", "Engine.Info", Default::default())?;
            edit.copy_from(&source, "User", &options)
        })
        .unwrap();
    let again = reopen(&target);
    assert_eq!(again.values().property("User", "Target").unwrap().text, "Info'Thing'");
}

#[test]
fn what_a_copy_takes_from_the_source_is_listed() {
    let mut package = objects(69);
    package.edit(|edit| edit.duplicate_object("Lone", "Twin")).unwrap();
    let body = package.decode(package.find_export("Twin").unwrap()).unwrap();
    assert!(body.is_complete());
    let mut texts = Builder::new(69);
    // No properties, two numbers, five characters and their end.
    let body = [&[0][..], &[0; 8], &[6], b"hello\0"].concat();
    texts = texts.export("Notes", "Core.TextBuffer", body);
    let mut package = open(&texts.build().unwrap());
    let listed = |package: &Package| {
        let is_body = |section| matches!(section, Section::Body(_));
        PackageSpan::of(package).iter().filter(|span| is_body(span.section)).count()
    };
    package.decode_all();
    let before = listed(&package);
    package.edit(|edit| edit.duplicate_object("Notes", "More")).unwrap();
    assert_eq!(listed(&package), 2 * before);
    assert!(before > 0);
}

#[test]
fn strings_are_independent_of_their_source() {
    let mut text = FString::new("hello");
    text.materialize(b"").unwrap();
    assert_eq!(text.text(b"").unwrap(), "hello");
}

/// What the editor notes about an object in the header, from UE5 object version 1014.
#[test]
fn metadata_comes_along() {
    let release = EngineRelease::new(5, 6);
    let names = ["None", "/Game/Old", "Lamp", "Key"];
    for listed in [false, true] {
        let path = SoftObjectPath {
            package_name: Name::new(1),
            asset_name: Name::new(2),
            sub_path_utf8: Utf8String::new("Part"),
            ..SoftObjectPath::default()
        };
        let mut sections = FurtherSections::default();
        if listed {
            sections.soft_object_paths = vec![path.clone()];
        }
        let object = if listed { SoftPath::Listed(0) } else { SoftPath::Full(path) };
        let values = vec![MetaDataValue { key: Name::new(3), value: FString::new("noted") }];
        let objects = vec![ObjectMetaData { object, values }];
        sections.meta_data = Some(MetaData { objects, root: Vec::new() });
        let body = crate::ue4::empty_body(release, 0);
        let mut builder = Builder::for_release(release).sections(sections);
        for name in names {
            builder = builder.name(name);
        }
        let builder = builder.export("Lamp", "/Script/Mine.Lamp", body.clone()).export(
            "Lamp.Part",
            "/Script/Mine.Lamp",
            body,
        );
        let source = Package::from_bytes(builder.build().unwrap()).unwrap();
        let target = assets::object().build(release).unwrap().to_bytes().unwrap();
        let mut target = Package::from_bytes(target).unwrap();
        target.edit(|edit| edit.copy_from(&source, "Lamp", &CopyOptions::new())).unwrap();
        let again = Package::from_bytes(target.to_bytes().unwrap()).unwrap();
        let noted = &again.tables().further.meta_data.as_ref().unwrap().objects;
        assert_eq!(noted.len(), 1, "{listed}");
        let context = again.context();
        assert_eq!(noted[0].object.text(&context), "/Game/Data/DA_Level.Lamp:Part");
        let [MetaDataValue { key, value }] = &noted[0].values[..] else { panic!("{noted:?}") };
        assert_eq!(context.name_text(key).unwrap(), "Key");
        assert_eq!(value.text(again.source()).unwrap(), "noted");
    }
}

/// An asset with a part, and what the editor notes about `noted` in an object of its own.
fn with_notes(release: EngineRelease, asset: &str, noted: i32, text: &str) -> Package {
    let body = || crate::ue4::empty_body(release, 0);
    let length = i32::try_from(text.len() + 1).unwrap();
    // One object, with one key: the name at row 2; nothing about the package.
    let notes = [1, noted, 1, 2, 0, length].map(i32::to_le_bytes).concat();
    let notes = [&body()[..], &notes, text.as_bytes(), &[0], &[0; 4]].concat();
    let mut builder = Builder::for_release(release);
    for name in ["None", asset, "Key"] {
        builder = builder.name(name);
    }
    let builder = builder
        .export(asset, "/Script/Mine.Lamp", body())
        .export(format!("{asset}.Part"), "/Script/Mine.Lamp", body())
        .export("PackageMetaData", "/Script/CoreUObject.MetaData", notes);
    Package::from_bytes(builder.build().unwrap()).unwrap()
}

/// The objects with notes, by path, with their keys and texts.
fn notes(package: &Package) -> Vec<(String, Vec<(String, String)>)> {
    let row = package.find_export("PackageMetaData").unwrap();
    let decoded = package.decode(row).unwrap();
    assert!(decoded.is_complete(), "{:?}", decoded.error);
    let notes: &small::MetaData = native_as(&decoded.body).unwrap();
    let text = |(key, value): &(Name, FString)| {
        (package.name_text(*key), value.text(package.source()).unwrap().into_owned())
    };
    let of = |(object, notes): &(PackageIndex, Map<Name, FString>)| {
        (package.path(*object), notes.0.iter().map(text).collect())
    };
    notes.objects.0.iter().map(of).collect()
}

/// Before UE5 object version 1014 the notes are an object.
#[test]
fn metadata_in_an_object_comes_along() {
    for (major, minor) in [(4, 27), (5, 0), (5, 4)] {
        let release = EngineRelease::new(major, minor);
        let source = with_notes(release, "Lamp", 2, "noted");
        let mut target = with_notes(release, "Table", 1, "own");
        let note = |text: &str| vec![("Key".to_owned(), text.to_owned())];
        assert_eq!(notes(&source), [("Lamp.Part".to_owned(), note("noted"))]);
        target.edit(|edit| edit.copy_from(&source, "Lamp", &CopyOptions::new())).unwrap();
        let again = Package::from_bytes(target.to_bytes().unwrap()).unwrap();
        let both = [("Table".to_owned(), note("own")), ("Lamp.Part".to_owned(), note("noted"))];
        assert_eq!(notes(&again), both, "{release}");
        assert_eq!(again.exports().iter().filter(|it| it.path() == "PackageMetaData").count(), 1);
    }
}
