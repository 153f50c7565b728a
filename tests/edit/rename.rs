//! Names, paths, soft references and thumbnails of UE4 and UE5 packages: changed, saved, opened again.

use unreal_packages::compare::diff;
use unreal_packages::edit::{PackageEdit, PictureKind, RenamePackage};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{PackageValues, ReferencePlace, folder_name, package_path};
use unreal_packages::package::checksum::{package_source, saved_hash_is_right};
use unreal_packages::package::{FurtherSections, OpenOptions, Package, Section};
use unreal_packages::primitive::SoftObjectPath;
use unreal_packages::table::{
    AssetData, AssetRegistryData, AssetTag, NameHashes, SoftPackageReference,
};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, ErrorKind, FString, Name, PackageIndex};

const OLD: &str = "/Game/Doors/BP_Door";
const NEW: &str = "/Game/Gates/BP_Gate";

/// Before soft paths had names; with one name; with two, in a list; hashed.
const RELEASES: [(u8, u8); 8] = [(4, 13), (4, 20), (4, 27), (5, 0), (5, 1), (5, 4), (5, 6), (5, 7)];

/// Rows of these names are the first of the table.
const NAMES: [&str; 11] = [
    "None",
    OLD,
    "BP_Door",
    "BP_Door_C",
    "/Game/Wood",
    "Wood",
    "Ref",
    "SoftObjectProperty",
    "/Game/Doors/BP_Door.BP_Door_C",
    "/Game/Wood.Wood",
    "Spare",
];

fn row(text: &str) -> i32 {
    NAMES.iter().position(|name| *name == text).unwrap() as i32
}

fn name(text: &str) -> Vec<u8> {
    [row(text).to_le_bytes(), [0; 4]].concat()
}

/// A property list with one soft path in full, and the zero behind it.
fn body(release: EngineRelease, one_name: &str) -> Vec<u8> {
    let (v4, v5) = (release.ue4(), release.ue5());
    if v4 < 514 || v5 >= 1007 {
        // Those have strings, or rows of the list.
        let control = if v5 >= 1011 { vec![0] } else { Vec::new() };
        return [control, name("None"), vec![0; 4]].concat();
    }
    let value = [name(one_name), vec![0; 4]].concat();
    let tag = [name("Ref"), name("SoftObjectProperty"), vec![12, 0, 0, 0, 0, 0, 0, 0, 0]].concat();
    [tag, value, name("None"), vec![0; 4]].concat()
}

/// A blueprint that refers softly to its own class and to a material.
pub(crate) fn blueprint(release: EngineRelease) -> Package {
    let versions = release.versions();
    let text = |text: &str| FString::new(text);
    let mut sections = FurtherSections::default();
    let soft = |package: &str, asset: &str| SoftObjectPath {
        package_name: Name::new(row(package)),
        asset_name: Name::new(row(asset)),
        ..SoftObjectPath::default()
    };
    if versions.ue5() >= 1008 {
        sections.soft_object_paths = vec![soft(OLD, "BP_Door_C"), soft("/Game/Wood", "Wood")];
    }
    sections.soft_package_references = match versions.ue4() {
        514.. => {
            vec![SoftPackageReference { name: Name::new(row("/Game/Wood")), ..Default::default() }]
        }
        _ => vec![SoftPackageReference { path: text("/Game/Wood"), ..Default::default() }],
    };
    let generated = format!("Class'{OLD}.BP_Door_C'");
    let tags = [("GeneratedClass", generated.as_str()), ("Material", "Material'/Game/Wood.Wood'")];
    let tags = tags.map(|(key, value)| AssetTag { key: text(key), value: text(value) }).to_vec();
    let assets = vec![AssetData {
        object_path: text("BP_Door"),
        object_class_name: text("Blueprint"),
        tags,
    }];
    sections.asset_registry = Some(AssetRegistryData { assets, ..Default::default() });
    if versions.ue4() >= 521 {
        sections.asset_dependencies.get_or_insert_default().soft_package_used_in_game.push(true);
    }
    let mut builder = Builder::for_release(release);
    for name in NAMES {
        builder = builder.name(name);
    }
    let bytes = builder
        .sections(sections)
        .export("BP_Door", "/Script/Engine.Thing", body(release, "/Game/Wood.Wood"))
        .export("BP_Door_C", "/Script/Engine.Thing", body(release, "/Game/Doors/BP_Door.BP_Door_C"))
        .export("BP_Door.Part", "/Script/Engine.Thing", body(release, "/Game/Wood.Wood"))
        .build()
        .unwrap_or_else(|error| panic!("{release}: {error}"));
    let package = open(release, bytes);
    assert_eq!(package.names().find(OLD), Some(row(OLD) as usize));
    package
}

fn open(release: EngineRelease, bytes: Vec<u8>) -> Package {
    let opened = OpenOptions::new().engine(release).open_bytes(bytes);
    opened.unwrap_or_else(|error| panic!("{release}: {error}"))
}

/// Saved and opened again; every name has its hashes.
pub(crate) fn again(release: EngineRelease, package: &Package) -> Package {
    let again = open(release, package.to_bytes().unwrap_or_else(|e| panic!("{release}: {e}")));
    assert_eq!(again.to_bytes().unwrap(), again.source(), "{release}");
    assert_ne!(saved_hash_is_right(&again), Some(false), "{release}");
    if again.versions().ue4() >= 504 {
        for (entry, text) in again.names().entries().iter().zip(again.names().iter()) {
            assert_eq!(entry.hashes(), NameHashes::of(&text), "{release} {text}");
        }
    }
    again
}

pub(crate) fn releases() -> impl Iterator<Item = EngineRelease> {
    RELEASES.into_iter().map(|(major, minor)| EngineRelease::new(major, minor))
}

/// Every soft path of a package, of tables and bodies.
fn soft_paths(package: &Package) -> Vec<String> {
    use unreal_packages::property::Value;
    let mut package = package.clone();
    package.decode_all();
    let context = package.context();
    let listed = package.tables().further.soft_object_paths.iter();
    let mut all: Vec<String> = listed.map(|path| path.text(&context)).collect();
    for row in 0..package.exports().len() {
        let prologue = package.decoded(row).unwrap().body.prologue.as_ref().unwrap();
        prologue.properties.walk(&mut |value| {
            if let Value::SoftObject(path) = value {
                all.push(path.text(&context));
            }
        });
    }
    all
}

fn tags(package: &Package) -> Vec<String> {
    let registry = package.tables().further.asset_registry.as_ref().unwrap();
    let asset = &registry.assets[0];
    let texts = [&asset.object_path].into_iter().chain(asset.tags.iter().map(|tag| &tag.value));
    texts.map(|text| text.text(package.source()).unwrap().into_owned()).collect()
}

fn paths(package: &Package) -> Vec<String> {
    package.exports().iter().map(|export| export.path()).collect()
}

#[test]
fn a_package_gets_another_path_wherever_it_stands() {
    for release in releases() {
        let old = blueprint(release);
        assert_eq!(package_path(&old).as_deref(), Some(OLD), "{release}");
        let mut package = old.clone();
        let done =
            package.edit(|edit| edit.rename_package(NEW, &RenamePackage::new().from(OLD))).unwrap();
        assert_eq!(done.objects.len(), 2, "{release}: {done:?}");
        let new = again(release, &package);
        assert_eq!(paths(&new), ["BP_Gate", "BP_Gate_C", "BP_Gate.Part"], "{release}");
        assert_eq!(tags(&new)[..2], ["BP_Gate".to_owned(), format!("Class'{NEW}.BP_Gate_C'")]);
        assert!(new.names().find(OLD).is_none(), "{release}");
        assert!(!soft_paths(&new).iter().any(|path| path.starts_with(OLD)), "{release}");
        assert_eq!(soft_paths(&new).len(), soft_paths(&old).len());
        if soft_paths(&old).iter().any(|path| path.starts_with(OLD)) {
            let own = format!("{NEW}.BP_Gate_C");
            assert!(soft_paths(&new).contains(&own), "{release}: {:?}", soft_paths(&new));
        }
        assert_eq!(package_path(&new).as_deref(), Some(NEW), "{release}");
        if release.ue5() >= 1008 {
            assert_eq!(folder_name(&new), NEW);
        }
        // Nothing but the name is another.
        let found = diff(&old, &new);
        assert!(found.added.is_empty() && found.removed.is_empty(), "{release}: {found:?}");
        assert!(found.changed.is_empty(), "{release}: {found:?}");
        let only = ["main asset", "package path", "folder_name"];
        assert!(found.header.iter().all(|field| only.contains(&&*field.field)), "{found:?}");
        // And back again.
        let mut back = new.clone();
        back.edit(|edit| edit.rename_package(OLD, &RenamePackage::new().from(NEW))).unwrap();
        assert_eq!(soft_paths(&back), soft_paths(&old), "{release}");
        assert_eq!((paths(&back), tags(&back)), (paths(&old), tags(&old)), "{release}");
    }
}

#[test]
fn objects_may_keep_their_names_and_the_source_follows_when_it_was_right() {
    for release in releases() {
        let mut package = blueprint(release);
        let keep = RenamePackage::new().from(OLD).keep_object(true);
        package.edit(|edit| edit.rename_package(NEW, &keep)).unwrap();
        let kept = again(release, &package);
        assert_eq!(paths(&kept)[0], "BP_Door", "{release}");
        assert_eq!(tags(&kept)[1], format!("Class'{NEW}.BP_Door_C'"), "{release}");
        // The builder writes none.
        let source = kept.summary().package_source;
        assert!(source == 0 || source == package_source("BP_Gate"), "{release}");
    }
}

#[test]
fn paths_that_no_package_can_have_are_refused() {
    let release = EngineRelease::new(5, 4);
    let package = blueprint(release);
    for path in [
        "Game/X",
        "/Game",
        "/Game/",
        "/Game//X",
        "/Game/X Y",
        "/Game/X.X",
        "/Game/X:Y",
        "/Script/X",
        "/Game/None",
        "",
        "/",
        "/Game/X'",
    ] {
        let mut other = package.clone();
        let error =
            other.edit(|edit| edit.rename_package(path, &RenamePackage::new())).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{path}: {error}");
        assert_eq!(other.to_bytes().unwrap(), package.source(), "{path}");
    }
    // Another package that it imports has the path.
    let mut other = package.clone();
    other.edit(|edit| edit.add_import("/Game/Taken.Taken", "/Script/Engine.Thing")).unwrap();
    let before = other.to_bytes().unwrap();
    let error =
        other.edit(|edit| edit.rename_package("/game/taken", &RenamePackage::new())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Exists { .. }), "{error}");
    assert_eq!(other.to_bytes().unwrap(), before);
}

#[test]
fn an_object_gets_another_name_and_others_keep_theirs() {
    for release in releases() {
        let old = blueprint(release);
        let mut package = old.clone();
        // A part: alone in its name.
        let done = package.edit(|edit| edit.rename_object("BP_Door.Part", "Handle")).unwrap();
        assert_eq!(done.objects, [("BP_Door.Part".to_owned(), "BP_Door.Handle".to_owned())]);
        let new = again(release, &package);
        assert_eq!(paths(&new), ["BP_Door", "BP_Door_C", "BP_Door.Handle"], "{release}");
        assert_eq!(new.names().len(), old.names().len(), "{release}: the row has another text");
        // A numbered name.
        package.edit(|edit| edit.rename_object("BP_Door.Handle", "Spare_7")).unwrap();
        let new = again(release, &package);
        assert_eq!(paths(&new)[2], "BP_Door.Spare_7", "{release}");
        let stored = new.exports().entries()[2].object_name;
        assert_eq!((stored.index.value(), stored.number), (row("Spare"), 8), "{release}");
        // A name that properties have as well: the row stays theirs.
        package.edit(|edit| edit.rename_object("BP_Door.Spare_7", "Ref")).unwrap();
        package.edit(|edit| edit.rename_object("BP_Door.Ref", "Another")).unwrap();
        let new = again(release, &package);
        let has_property = release.ue4() >= 514 && release.ue5() < 1007;
        assert_eq!(new.names().find("Ref").is_some(), has_property, "{release}");
        assert_eq!(paths(&new)[2], "BP_Door.Another", "{release}");
        assert_eq!(soft_paths(&new), soft_paths(&old), "{release}");
        // Refused names leave everything as it is.
        for (path, name) in
            [("BP_Door", "None"), ("BP_Door", "A.B"), ("Nobody", "X"), ("BP_Door", "")]
        {
            let before = package.to_bytes().unwrap();
            assert!(
                package.edit(|edit| edit.rename_object(path, name)).is_err(),
                "{release} {path} {name}"
            );
            assert_eq!(package.to_bytes().unwrap(), before, "{release}");
        }
        let error = package.edit(|edit| edit.rename_object("BP_Door.Another", "BP_Door")).err();
        assert!(error.is_none(), "another group: {error:?}");
    }
}

#[test]
fn the_main_asset_takes_class_paths_and_tags_with_it() {
    for release in releases() {
        let mut package = blueprint(release);
        let done = package.edit(|edit| edit.rename_object("BP_Door", "BP_Gate")).unwrap();
        assert!(done.care.iter().any(|care| care.contains("package")), "{release}: {done:?}");
        let new = again(release, &package);
        assert_eq!(paths(&new), ["BP_Gate", "BP_Gate_C", "BP_Gate.Part"], "{release}");
        assert_eq!(tags(&new)[1], format!("Class'{OLD}.BP_Gate_C'"), "{release}");
        let own = format!("{OLD}.BP_Gate_C");
        let paths = soft_paths(&new);
        assert!(paths.iter().all(|path| !path.starts_with(OLD) || *path == own), "{paths:?}");
    }
}

#[test]
fn soft_references_go_elsewhere_and_imports_stay() {
    for release in releases() {
        let old = blueprint(release);
        let mut package = old.clone();
        package.edit(|edit| edit.add_import("/Game/Wood.Wood", "/Script/Engine.Material")).unwrap();
        let done = package.edit(|edit| edit.retarget_soft("/Game/Wood.Wood", "/Game/New/Oak.Oak"));
        if release.ue4() < 514 {
            // A row of a table, which says the package alone.
            assert!(done.is_ok_and(|done| done.changes.len() == 1), "{release}");
        } else {
            assert!(done.unwrap().soft_paths > 0, "{release}");
        }
        let new = again(release, &package);
        assert!(!soft_paths(&new).contains(&"/Game/Wood.Wood".to_owned()), "{release}");
        let moved = |path: &String| path == "/Game/New/Oak.Oak";
        let was = soft_paths(&old).iter().filter(|path| *path == "/Game/Wood.Wood").count();
        assert_eq!(soft_paths(&new).iter().filter(|path| moved(path)).count(), was, "{release}");
        let reference = &new.tables().further.soft_package_references[0];
        let said = match release.ue4() {
            514.. => new.name_text(reference.name),
            _ => reference.path.text(new.source()).unwrap().into_owned(),
        };
        assert_eq!(said, "/Game/New/Oak", "{release}");
        assert!(new.imports().iter().any(|row| row.path() == "/Game/Wood.Wood"), "{release}");
        // What is not there is said, and nothing changes.
        let before = package.to_bytes().unwrap();
        let error = package
            .edit(|edit| edit.retarget_soft("/Game/Nothing.Nothing", "/Game/X.X"))
            .unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotFound { .. }), "{release}: {error}");
        assert_eq!(package.to_bytes().unwrap(), before, "{release}");
    }
}

#[test]
fn a_package_is_exchanged_for_another_by_import_and_softly() {
    for release in releases() {
        let mut package = blueprint(release);
        package.edit(|edit| edit.add_import("/Game/Wood.Wood", "/Script/Engine.Material")).unwrap();
        package
            .edit(|edit| edit.add_import("/Game/Wood.Grain", "/Script/Engine.Material"))
            .unwrap();
        // Its class comes from there as well.
        package
            .edit(|edit| edit.add_import("/Game/Wood.Default__Wood_C", "/Game/Wood.Wood_C"))
            .unwrap();
        package.edit(|edit| edit.retarget("/Game/Wood", "/Game/New/Oak")).unwrap();
        let new = again(release, &package);
        let imports: Vec<_> = new.imports().iter().map(|row| row.path()).collect();
        let default = "/Game/New/Oak.Default__Oak_C";
        let class = new.imports().iter().find(|row| row.path() == default).map(|row| row.class());
        assert_eq!(class.as_deref(), Some("/Game/New/Oak.Oak_C"), "{release}: {imports:?}");
        for path in ["/Game/New/Oak", "/Game/New/Oak.Oak", "/Game/New/Oak.Grain"] {
            assert!(imports.iter().any(|known| known == path), "{release}: {imports:?}");
        }
        assert!(!imports.iter().any(|path| path.starts_with("/Game/Wood")), "{release}");
        assert!(!soft_paths(&new).iter().any(|path| path.starts_with("/Game/Wood")), "{release}");
        assert_eq!(tags(&new)[2], "Material'/Game/New/Oak.Oak'", "{release}");
        // One object alone: its package stays for the others.
        let mut package = blueprint(release);
        package.edit(|edit| edit.add_import("/Game/Wood.Wood", "/Script/Engine.Material")).unwrap();
        package
            .edit(|edit| edit.add_import("/Game/Wood.Grain", "/Script/Engine.Material"))
            .unwrap();
        let index = package.edit(|edit| {
            edit.retarget_import("/Game/Wood.Wood", "/Game/Oak.Oak", "/Script/Engine.Thing")
        });
        let index = index.unwrap();
        let new = again(release, &package);
        assert_eq!(new.path(index), "/Game/Oak.Oak", "{release}");
        let class = new.imports().iter().find(|row| row.index() == index).map(|row| row.class());
        assert_eq!(class.as_deref(), Some("/Script/Engine.Thing"), "{release}");
        assert!(new.imports().iter().any(|row| row.path() == "/Game/Wood.Grain"), "{release}");
        // The class alone, of an object that stays where it is.
        let (path, class) = ("/Game/Wood.Grain", "/Script/Engine.Other");
        let index = package.edit(|edit| edit.retarget_import(path, path, class)).unwrap();
        let new = again(release, &package);
        let row = new.imports().iter().find(|row| row.index() == index).unwrap();
        assert_eq!((&*row.path(), &*row.class()), (path, class), "{release}");
        let error = package
            .edit(|edit| edit.retarget_import("/Game/No.No", "/Game/No.No", class))
            .unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotFound { .. }), "{release}: {error}");
    }
}

#[test]
fn a_soft_path_that_can_not_be_leaves_no_names_behind() {
    use unreal_packages::property::Naming;
    for release in releases().filter(|release| release.ue4() >= 514) {
        let mut package = blueprint(release);
        let names = package.names().len();
        let path = format!("/Game/Never/Seen.{}", "x".repeat(1024));
        assert!(package.edit(|edit| edit.soft_path(&path)).is_err(), "{release}");
        assert_eq!(package.names().len(), names, "{release}");
        assert_eq!(package.to_bytes().unwrap(), package.source(), "{release}");
        // What was looked up meanwhile is forgotten.
        package.edit(|edit| edit.soft_path("/Game/Never/Seen.Seen")).unwrap();
        assert!(package.names().iter().any(|name| name.starts_with("/Game/Never/Seen")));
    }
}

#[test]
fn references_are_found_by_number_and_by_path() {
    for release in releases() {
        let mut package = blueprint(release);
        package.decode_all();
        let class = PackageIndex::export(1);
        let found = ReferencePlace::to(&package, class);
        let soft = found.iter().filter(|reference| reference.soft).count();
        let expected = soft_paths(&package).iter().filter(|path| path.starts_with(OLD)).count();
        assert_eq!(soft, expected, "{release}: {found:?}");
        let outer = ReferencePlace::to(&package, PackageIndex::export(0));
        let is_outer = |place: &str| place == "exports[2].outer_index";
        assert!(
            outer.iter().any(|r| r.section == Section::Exports && is_outer(&r.place)),
            "{outer:?}"
        );
    }
}

/// The start of a JPEG file of this size.
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8];
    bytes.extend([height.to_be_bytes(), width.to_be_bytes()].concat());
    bytes.extend([3; 10]);
    bytes
}

pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
    bytes.extend([8, 2, 0, 0, 0]);
    bytes
}

#[test]
fn thumbnails_come_change_and_go() {
    for release in releases() {
        let old = blueprint(release);
        let mut package = old.clone();
        let change = package.edit(|edit| edit.set_thumbnail("BP_Door", &png(64, 32))).unwrap();
        assert_eq!((change.added, change.kind, change.width), (true, PictureKind::Png, 64));
        let new = again(release, &package);
        let image = new.tables().image(&new.tables().thumbnails[0]).unwrap();
        assert_eq!((image.width, image.height), (64, 32), "{release}");
        assert_eq!(image.image.bytes(new.source()).unwrap(), png(64, 32), "{release}");
        let found = diff(&old, &new);
        assert_eq!(found.header.len(), 1, "{release}: {found:?}");
        // Another object gets one; then the first another picture.
        let mut package = new.clone();
        package.edit(|edit| edit.set_thumbnail("BP_Door.Part", &png(1, 2))).unwrap();
        let jpeg_set = package.edit(|edit| edit.set_thumbnail("BP_Door", &jpeg(256, 128)));
        assert_eq!(jpeg_set.is_ok(), release.ue5() > 0, "{release}: {jpeg_set:?}");
        let new = again(release, &package);
        assert_eq!(new.tables().thumbnails.len(), 2, "{release}");
        let image = new.tables().image(&new.tables().thumbnails[0]).unwrap();
        if release.ue5() > 0 {
            assert_eq!((image.width, image.height), (256, -128), "{release}");
        }
        // It follows a renaming.
        let mut package = new.clone();
        package.edit(|edit| edit.rename_object("BP_Door.Part", "Handle")).unwrap();
        let path =
            package.tables().thumbnails[1].object_path.text(package.source()).unwrap().into_owned();
        assert_eq!(path.replace(':', "."), "BP_Door.Handle", "{release}");
        // The first goes, the second stays.
        let mut package = new.clone();
        package.edit(|edit| edit.remove_thumbnail("BP_Door")).unwrap();
        let new = again(release, &package);
        let left = new.tables().image(&new.tables().thumbnails[0]).unwrap();
        assert_eq!((left.width, left.height), (1, 2), "{release}");
        assert!(new.coverage().gap == 0, "{release}");
        assert!(package.edit(|edit| edit.remove_thumbnail("BP_Door")).is_err(), "{release}");
        for picture in [&b""[..], b"GIF89a", &png(0, 1), &jpeg(1, 1)[..9], b"\xff\xd8\xff\xff\xff"]
        {
            assert!(
                package.edit(|edit| edit.set_thumbnail("BP_Door", picture)).is_err(),
                "{release}"
            );
        }
    }
}

#[test]
fn differences_are_those_that_were_made() {
    for release in releases() {
        let old = blueprint(release);
        assert!(diff(&old, &old).is_empty(), "{release}");
        let lines = |package: &Package| {
            let found = diff(&old, package);
            assert!(found.added.is_empty() && found.removed.is_empty(), "{release}: {found:?}");
            let objects = found.changed.iter().flat_map(|object| {
                object.changes.iter().map(|change| format!("{}: {change}", object.path))
            });
            let header = found.header.iter().map(ToString::to_string);
            header.chain(objects).collect::<Vec<_>>()
        };
        let mut package = old.clone();
        package.edit(|edit| edit.add_name("Unused")).unwrap();
        assert_eq!(lines(&again(release, &package)), ["name: (not stored) -> Unused"], "{release}");
        let mut package = old.clone();
        package
            .edit(|edit| edit.add_import("/Game/Stone.Stone", "/Script/Engine.Material"))
            .unwrap();
        let found = lines(&again(release, &package));
        assert_eq!(found.len(), 2, "{release}: {found:?}");
        assert!(found.iter().all(|line| line.starts_with("import: (not stored)")), "{found:?}");
        let mut package = old.clone();
        let flags = package
            .exports()
            .get(2)
            .unwrap()
            .flags()
            .with(unreal_packages::primitive::ObjectFlags(0x40));
        package.edit(|edit| edit.set_object_flags(2, flags)).unwrap();
        let found = lines(&again(release, &package));
        assert_eq!(found.len(), 1, "{release}: {found:?}");
        assert!(found[0].starts_with("BP_Door.Part: object_flags"), "{release}: {found:?}");
        // A soft path in a body, or in the list that bodies refer to.
        let mut package = old.clone();
        if package.edit(|edit| edit.retarget_soft("/Game/Wood", "/Game/Oak")).is_ok() {
            let found = lines(&again(release, &package));
            let says = |line: &String| line.contains("/Game/Wood") && line.contains("/Game/Oak");
            assert!(!found.is_empty() && found.iter().all(says), "{release}: {found:?}");
        }
    }
}

/// Tags hold texts with paths in them: whole parts of paths change, at the edges of paths.
#[test]
fn paths_and_texts_change_in_whole_parts_only() {
    const NEW: &str = "/Game/Sub/New";
    let release = EngineRelease::new(5, 4);
    let texts = [
        ("/Game/Old", Some("/Game/Sub/New")),
        ("/game/old.OLD", Some("/Game/Sub/New.New")),
        ("/Game/Old.Old_C", Some("/Game/Sub/New.New_C")),
        ("/Game/Old.Default__Old_C:Root", Some("/Game/Sub/New.Default__New_C:Root")),
        ("/Game/Old.Other", Some("/Game/Sub/New.Other")),
        ("/Game/Old2", None),
        ("/Game/Old/Old.Old", None),
        ("/Game/Older.Old", None),
        ("Class'/Game/Old.Old_C'", Some("Class'/Game/Sub/New.New_C'")),
        (
            "(A=/Game/Old,B=\"/Game/Old.Old:X\")",
            Some("(A=/Game/Sub/New,B=\"/Game/Sub/New.New:X\")"),
        ),
        ("See /Game/Old.", Some("See /Game/Sub/New.")),
        ("D:/Game/Old.fbx", None),
        ("/Root/Game/Old.Old", None),
        ("/Game/Old/Other", None),
        ("/Game/Old_2.Old_2", None),
    ];
    let tag =
        |&(text, _): &(&str, _)| AssetTag { key: FString::new("Text"), value: FString::new(text) };
    let asset = AssetData {
        object_path: FString::new("Old"),
        object_class_name: FString::new("Blueprint"),
        tags: texts.iter().map(tag).collect(),
    };
    let registry = AssetRegistryData { assets: vec![asset], ..AssetRegistryData::default() };
    let mut sections = FurtherSections::default();
    sections.asset_registry = Some(registry);
    let builder = Builder::for_release(release).name("None").sections(sections);
    let builder = builder.export("Old", "/Script/Engine.Thing", body(release, ""));
    let mut package = open(release, builder.build().unwrap());
    package.edit(|edit| edit.rename_package(NEW, &RenamePackage::new().from("/Game/Old"))).unwrap();
    let found = tags(&again(release, &package));
    for ((text, mapped), found) in texts.iter().zip(&found[1..]) {
        assert_eq!(found, mapped.unwrap_or(text), "{text}");
    }
}

/// The blueprint's path in its package follows; what bytes say does not, and is named.
#[test]
fn tags_that_hold_the_path_otherwise_follow_or_are_named() {
    // Bytes with the texts `/Game/Old` and `Old_C`, and with `/Game/Older`.
    const DESCRIPTION: &str = "BAAAAAEBAQEBAQEBAQEBAQEBAQEKAAAAL0dhbWUvT2xkAAYAAABPbGRfQwA=";
    const OTHER: &str = "BAAAAAwAAAAvR2FtZS9PbGRlcgA=";
    for release in releases() {
        let tags_of = [
            ("BlueprintPath", "Old"),
            ("ActorMetaData", DESCRIPTION),
            ("OtherData", OTHER),
            ("Title", "Old"),
        ];
        let tag = |(key, value)| AssetTag { key: FString::new(key), value: FString::new(value) };
        let asset = AssetData {
            object_path: FString::new("Old"),
            object_class_name: FString::new("Blueprint"),
            tags: tags_of.map(tag).to_vec(),
        };
        let registry = AssetRegistryData { assets: vec![asset], ..AssetRegistryData::default() };
        let mut sections = FurtherSections::default();
        sections.asset_registry = Some(registry);
        let mut builder = Builder::for_release(release).sections(sections);
        for name in NAMES {
            builder = builder.name(name);
        }
        let builder =
            builder.export("Old", "/Script/Engine.Thing", body(release, "/Game/Wood.Wood"));
        let package = open(release, builder.build().unwrap());
        let options = RenamePackage::new().from("/Game/Old");
        let mut moved = package.clone();
        let renamed = moved.edit(|edit| edit.rename_package("/Game/New", &options)).unwrap();
        assert_eq!(tags(&again(release, &moved)), ["New", "New", DESCRIPTION, OTHER, "Old"]);
        let named: Vec<_> = renamed.care.iter().filter(|care| care.contains("tag ")).collect();
        assert_eq!(named.len(), 1, "{release}: {renamed:?}");
        assert!(named[0].contains("tag ActorMetaData of Old holds the old path"), "{named:?}");
        let mut called = package.clone();
        called.edit(|edit| edit.rename_object("Old", "New")).unwrap();
        assert_eq!(tags(&again(release, &called))[1], "New", "{release}");
    }
}

/// Below UE4 514 a soft path is a string: the names behind it in the file are another one's.
#[test]
fn a_path_that_is_a_string_takes_no_name_with_it() {
    let release = EngineRelease::new(4, 13);
    let names = ["None", "Ref", "StructProperty", "StringAssetReference", "Old", "IntProperty"];
    let name = |text: &str| {
        let row = names.iter().position(|name| *name == text).unwrap() as i32;
        [row.to_le_bytes(), [0; 4]].concat()
    };
    let path = b"/Game/Old.Old\0";
    let path = [&(path.len() as i32).to_le_bytes()[..], path].concat();
    let tag = |property: &str, kind: &str, size: usize| {
        [name(property), name(kind), (size as i32).to_le_bytes().to_vec(), vec![0; 4]].concat()
    };
    let list = [
        tag("Ref", "StructProperty", path.len()),
        // The struct, which has no GUID, as the property.
        [name("StringAssetReference"), vec![0; 16], vec![0]].concat(),
        path,
        tag("Old", "IntProperty", 4),
        [vec![0], vec![7, 0, 0, 0]].concat(),
        [name("None"), vec![0; 4]].concat(),
    ];
    let builder = names.iter().fold(Builder::for_release(release), |it, name| it.name(*name));
    let builder = builder.export("Old", "/Script/Engine.Thing", list.concat());
    let mut package = open(release, builder.build().unwrap());
    let options = RenamePackage::new().from("/Game/Old");
    package.edit(|edit| edit.rename_package("/Game/New", &options)).unwrap();
    let new = again(release, &package);
    let text = |property: &str| new.values().property("New", property).unwrap().text;
    assert_eq!(text("Ref").trim_matches('"'), "/Game/New.New");
    assert_eq!(text("Old"), "7", "the property keeps its name");
}

/// Every name is found by its text, whatever names were changed in whatever order.
#[test]
fn a_row_that_changes_is_found_by_its_new_text_alone() {
    let mut texts = ["a", "B", "/x", "b2", "c", "B3"].map(str::to_owned).to_vec();
    let builder = texts.iter().fold(Builder::new(69), |builder, name| builder.name(name.as_str()));
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let first = package.names().find("a").unwrap();
    let changes =
        [(1, "/y"), (3, "d"), (0, "b"), (2, "e"), (4, "/z"), (5, "a"), (1, "B9"), (1, "/x")];
    for (row, new) in changes {
        for text in ["a", "b", "B", "b2", "b3", "B9", "c", "d", "e", "/x", "/y", "/z"] {
            let same = |known: &String| known.eq_ignore_ascii_case(text);
            let found = package.names().find(text).map(|row| row - first);
            assert_eq!(found, texts.iter().position(same), "{text} in {texts:?}");
        }
        package
            .edit(|edit| {
                // What an edit looks up itself goes by what it has changed.
                edit.rename_name(&texts[row], new)?;
                assert_eq!(edit.add_name(new)?.index.value() as usize, first + row);
                Ok(())
            })
            .unwrap();
        texts[row] = new.to_owned();
    }
}
