//! Rows go and come back, in every engine: objects are removed and restored, reordered, pruned.

use unreal_packages::edit::{PackageEdit, RemoveOptions, Renumbering};
use unreal_packages::generate::Builder;
use unreal_packages::object::ue4::structure::base::{Field, Struct};
use unreal_packages::object::ue4::structure::class::Class;
use unreal_packages::object::ue4::structure::function::Function;
use unreal_packages::object::{ue1, ue2, ue3, ue4};
use unreal_packages::package::{OpenOptions, Package, native_as};
use unreal_packages::primitive::{Map, PackageFlags, TransArray};
use unreal_packages::version::{Engine, EngineRelease, UnrealVersions};
use unreal_packages::{ErrorKind, Name, PackageIndex, Versions};

use super::common::objects::{assert_same, dump};
use super::common::{GUID, save};
use super::{paths, refused};

const FILES: [u32; 6] = [61, 69, 128, 512, 684, 868];
const RELEASES: [(u8, u8); 9] =
    [(4, 0), (4, 15), (4, 20), (4, 27), (5, 0), (5, 3), (5, 4), (5, 6), (5, 7)];

/// What a package is made for: UE1 to UE3, releases of UE4 and UE5, uncooked and cooked.
pub(super) fn engines() -> Vec<(Versions, PackageFlags)> {
    let files = FILES.map(|file| (Versions::ue1_to_3(file, 0), PackageFlags::default()));
    let cooked = PackageFlags::FILTER_EDITOR_ONLY;
    let releases = RELEASES.into_iter().flat_map(|(major, minor)| {
        let versions = EngineRelease::new(major, minor).versions();
        [PackageFlags::default(), cooked].map(|flags| {
            let mut versions = versions.clone();
            flags.apply_to(&mut versions);
            (versions, flags)
        })
    });
    files.into_iter().chain(releases).collect()
}

pub(super) fn builder(versions: &Versions, flags: PackageFlags) -> Builder {
    let builder = Builder::for_versions(versions.clone()).guid(GUID);
    if flags == PackageFlags::default() { builder } else { builder.flags(flags) }
}

/// The body of an object without properties, up to what its class adds. The name at row 0 is `None`.
pub(super) fn bare(versions: &Versions) -> Vec<u8> {
    let length = match versions.engine() {
        Engine::Ue1 if versions.file() < 58 => 2,
        Engine::Ue1 | Engine::Ue2 => 1,
        Engine::Ue3 => 4 + 8,
        _ => usize::from(versions.ue5() >= 1011) + 8 + 4,
    };
    vec![0; length]
}

pub(super) fn class(versions: &Versions, name: &str) -> String {
    match versions.has_object_versions() {
        true => format!("/Script/Engine.{name}"),
        false => format!("Engine.{name}"),
    }
}

pub(super) fn open(bytes: &[u8], versions: &Versions) -> Package {
    let mut options = OpenOptions::new();
    if let Some(release) = versions.release() {
        options = options.engine(release);
    }
    let mut package = options.open_bytes(bytes.to_vec()).unwrap();
    package.decode_all();
    for row in 0..package.exports().len() {
        let whole = package.decoded(row).is_none_or(|decoded| decoded.is_complete());
        let error = package.decoded(row).map(|decoded| decoded.error.clone());
        assert!(whole, "{versions:?}: {}: {error:?}", package.exports().path(row));
    }
    package
}

/// Saved and opened again; what is saved then is the same.
fn again(package: &Package, versions: &Versions) -> Package {
    let bytes = package.to_bytes().unwrap();
    let again = open(&bytes, versions);
    assert!(again.to_bytes().unwrap() == bytes, "{versions:?}");
    again
}

/// The package has these bytes, or says where not.
#[track_caller]
fn same(package: &Package, bytes: &[u8], what: &str) {
    let saved = package.to_bytes().unwrap();
    let first = saved.iter().zip(bytes).position(|(ours, theirs)| ours != theirs);
    let sections = package.sections();
    let place = first.and_then(|at| {
        sections.iter().find(|place| (place.start..place.end()).contains(&(at as u64)))
    });
    assert!(
        saved == bytes,
        "{} for {} bytes, {first:?} in {place:?}: {what}",
        saved.len(),
        bytes.len()
    );
}

fn set(package: &mut Package, object: &str, target: &str) {
    let kind = "object".parse().unwrap();
    package.edit(|edit| edit.add_property(object, "Target", &kind, target)).unwrap();
}

/// A group with an object in it, which holds another; two that refer to them; one that nobody needs.
fn objects(versions: &Versions, flags: PackageFlags) -> Package {
    let (info, group) = (class(versions, "Info"), class(versions, "Thing"));
    let body = || bare(versions);
    let bytes = builder(versions, flags)
        .name("Target")
        .import(
            class(versions, "Actor"),
            match versions.has_object_versions() {
                true => "/Script/CoreUObject.Class",
                false => "Core.Class",
            },
        )
        .export("Group", group, body())
        .export("Group.Skin", &info, body())
        .export("Group.Skin.Part", &info, body())
        .export("User", &info, body())
        .export("Other", &info, body())
        .export("Lone", &info, body())
        .build()
        .unwrap();
    let mut package = open(&bytes, versions);
    set(&mut package, "Group.Skin", "Group.Skin.Part");
    set(&mut package, "Group.Skin.Part", "Group.Skin");
    set(&mut package, "User", "Group.Skin");
    set(&mut package, "Other", "User");
    again(&package, versions)
}

#[test]
fn what_is_removed_comes_back_to_its_place() {
    for (versions, flags) in engines() {
        let mut package = objects(&versions, flags);
        let (bytes, before) = (package.to_bytes().unwrap(), dump(&package));
        for (path, options) in [
            ("Lone", RemoveOptions::Refuse),
            ("Other", RemoveOptions::Refuse),
            ("Group", RemoveOptions::NullReferences),
            ("Group.Skin.Part", RemoveOptions::NullReferences),
            ("User", RemoveOptions::NullReferences),
        ] {
            let rows: Vec<usize> = (0..package.exports().len())
                .filter(|&row| package.exports().path(row).starts_with(path))
                .collect();
            let removed = package.edit(|edit| edit.remove_object(path, options)).unwrap();
            let without = again(&package, &versions);
            assert!(!paths(&without).iter().any(|known| known.starts_with(path)), "{versions:?}");
            let mut expected = before.clone();
            expected.retain(|title, _| {
                let title = title.rsplit(' ').next().unwrap();
                !title.starts_with(path)
            });
            for path in &removed.nulled {
                expected.retain(|title, _| !title.ends_with(&format!(" {path}")));
            }
            let mut left = dump(&without);
            left.retain(|title, _| expected.contains_key(title));
            assert_same(&left, &expected, path);
            assert_eq!(package.edit(|edit| edit.restore(&removed)).unwrap(), rows);
            same(&package, &bytes, &format!("{versions:?} {flags:?} {path}"));
        }
        assert_same(&dump(&package), &before, "restored");
    }
}

#[test]
fn what_comes_back_finds_its_place_among_other_edits() {
    for (versions, flags) in engines() {
        let mut package = objects(&versions, flags);
        let before = dump(&package);
        let remove = |package: &mut Package, path: &str| {
            let options = RemoveOptions::NullReferences;
            package.edit(|edit| edit.remove_object(path, options)).unwrap()
        };
        let skin = remove(&mut package, "Group.Skin");
        let lone = remove(&mut package, "Lone");
        package.edit(|edit| edit.add_name("Added")).unwrap();
        package.edit(|edit| edit.restore(&skin)).unwrap();
        package.edit(|edit| edit.restore(&lone)).unwrap();
        assert_same(&dump(&again(&package, &versions)), &before, "in another order");
        assert_eq!(package.find_export("Lone").unwrap(), 5);

        let taken = package.edit(|edit| edit.restore(&lone)).unwrap_err();
        assert!(matches!(taken.kind(), ErrorKind::Exists { .. }), "{taken}");
        let skin = remove(&mut package, "Group.Skin");
        set_null_owner(&mut package, "User");
        assert_eq!(refused(package.edit(|edit| edit.restore(&skin))), ["user"]);
    }
}

/// Another value, so that the object is not as a removal has left it.
fn set_null_owner(package: &mut Package, object: &str) {
    package.edit(|edit| edit.set_property(object, "Target", "Other")).unwrap();
}

#[test]
fn what_says_only_what_was_removed_puts_nothing_back() {
    let versions = Versions::ue1_to_3(69, 0);
    let mut package = objects(&versions, PackageFlags::default());
    let removed = unreal_packages::edit::Removed::default();
    let error = package.edit(|edit| edit.restore(&removed)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
}

#[test]
fn exports_get_another_order_and_their_old_one() {
    for (versions, flags) in engines() {
        let mut package = objects(&versions, flags);
        let (bytes, before) = (package.to_bytes().unwrap(), dump(&package));
        let order = [5, 3, 0, 1, 4, 2];
        package.edit(|edit| edit.reorder_exports(&order)).unwrap();
        let moved = again(&package, &versions);
        assert_eq!(paths(&moved)[..3], ["Lone", "User", "Group"], "{versions:?}");
        assert_same(&dump(&moved), &before, "reordered");
        let mut back = [0; 6];
        order.iter().enumerate().for_each(|(new, &old)| back[old] = new);
        package.edit(|edit| edit.reorder_exports(&back)).unwrap();
        same(&package, &bytes, &format!("{versions:?} {flags:?}"));
        assert!(package.edit(|edit| edit.reorder_exports(&[0])).is_err());
        assert!(package.edit(|edit| edit.reorder_exports(&[0, 0, 1, 2, 3, 4])).is_err());

        let mut renumbering = Renumbering::identity(&package);
        renumbering.names.reverse();
        renumbering.imports.reverse();
        package.edit(|edit| edit.renumber(&renumbering)).unwrap();
        assert_same(&dump(&again(&package, &versions)), &before, "names and imports");
        package.edit(|edit| edit.renumber(&renumbering)).unwrap();
        same(&package, &bytes, &format!("{versions:?} {flags:?}"));
    }
}

#[test]
fn names_and_imports_that_nothing_uses_go() {
    for (versions, flags) in engines() {
        let mut package = objects(&versions, flags);
        let before = dump(&package);
        package.edit(|edit| edit.add_name("Unused")).unwrap();
        let pruned = package.edit(|edit| edit.prune()).unwrap();
        assert!(pruned.names.iter().any(|name| name == "Unused"), "{versions:?}: {pruned:?}");
        let actor = pruned.imports.iter().any(|path| path.ends_with(".Actor"));
        assert!(actor, "{versions:?}: {pruned:?}");
        let package = again(&package, &versions);
        assert!(package.names().find("Unused").is_none());
        assert_same(&dump(&package), &before, "pruned");
        let tables = package.tables();
        if let Some(dependencies) = &tables.further.asset_dependencies {
            assert_eq!(dependencies.import_used_in_game.len(), tables.imports.len());
        }
        if versions.ue5() >= 1001 {
            let count = tables.summary.names_referenced_from_export_data_count;
            assert!(count <= tables.names.len() as i32, "{versions:?}: {count}");
        }
        let mut once = package.clone();
        let twice = once.edit(|edit| edit.prune()).unwrap();
        assert_eq!((twice.names, twice.imports), (vec![], vec![]), "{versions:?}");
    }
}

/// What a level adds to its properties: these actors.
fn level_data(versions: &Versions, actors: Vec<PackageIndex>) -> Vec<u8> {
    let list = |items: Vec<PackageIndex>| TransArray { maximum: items.len() as i32, items };
    let saved = match versions.engine() {
        Engine::Ue1 => {
            save(&mut ue1::Level { actors: list(actors), ..Default::default() }, versions)
        }
        Engine::Ue2 => {
            save(&mut ue2::Level { actors: list(actors), ..Default::default() }, versions)
        }
        Engine::Ue3 => {
            use ue3::world::level::Level;
            let mut level = Level { actors, ..Default::default() };
            level.bsp_physics.element_size = 1;
            save(&mut level, versions)
        }
        _ => {
            let mut level = ue4::world::level::Level { actors, ..Default::default() };
            save(&mut level, versions)
        }
    };
    saved.unwrap()
}

fn actors(package: &Package) -> Vec<PackageIndex> {
    let row = package.find_export("Map").unwrap();
    let mut package = package.clone();
    package.decode_all();
    let body = &package.decoded(row).unwrap().body;
    match package.versions().engine() {
        Engine::Ue1 => native_as::<ue1::Level>(body).unwrap().actors.items.clone(),
        Engine::Ue2 => native_as::<ue2::Level>(body).unwrap().actors.items.clone(),
        Engine::Ue3 => native_as::<ue3::world::level::Level>(body).unwrap().actors.clone(),
        _ => native_as::<ue4::world::level::Level>(body).unwrap().actors.clone(),
    }
}

/// A level with settings, a brush and three lights; in the list nobody stands between two of them.
fn map(versions: &Versions, flags: PackageFlags) -> Package {
    let within = |name: &str| match versions.engine() {
        Engine::Ue1 | Engine::Ue2 => name.to_owned(),
        _ => format!("Map.{name}"),
    };
    let list = [2, 3, 4, 0, 5, 6].map(PackageIndex::new).to_vec();
    let mut body = bare(versions);
    body.extend(level_data(versions, list));
    let mut builder = builder(versions, flags).export("Map", class(versions, "Level"), body);
    for name in ["Settings", "Brush0", "Light0", "Light1", "Light2"] {
        builder = builder.export(within(name), class(versions, "Thing"), bare(versions));
    }
    open(&builder.build().unwrap(), versions)
}

#[test]
fn a_removed_actor_is_in_no_list_of_its_level() {
    for (versions, flags) in engines() {
        let mut package = map(&versions, flags);
        let bytes = package.to_bytes().unwrap();
        let path = |package: &Package, name: &str| {
            let found = paths(package).into_iter().find(|path| path.ends_with(name));
            found.unwrap()
        };
        let titles = |package: &Package| -> Vec<String> {
            actors(package).into_iter().map(|actor| package.object_name(actor)).collect()
        };
        let light = path(&package, "Light1");
        let options = RemoveOptions::Refuse;
        let removed = package.edit(|edit| edit.remove_object(&light, options)).unwrap();
        assert_eq!(removed.unlisted, ["Map"], "{versions:?}");
        assert!(removed.nulled.is_empty());
        let without = again(&package, &versions);
        let none = without.object_name(PackageIndex::NULL);
        let rest = ["Settings", "Brush0", "Light0", &none, "Light2"];
        assert_eq!(titles(&without), rest, "{versions:?}");
        // The first two places have a meaning of their own.
        let mut first = package.clone();
        let settings = path(&first, "Settings");
        assert!(first.edit(|edit| edit.remove_object(&settings, options)).is_err(), "{versions:?}");
        let nulled = RemoveOptions::NullReferences;
        let nulled = first.edit(|edit| edit.remove_object(&settings, nulled)).unwrap().nulled;
        assert_eq!(nulled, ["Map"], "{versions:?}");
        assert_eq!(titles(&again(&first, &versions))[..2], [&none, "Brush0"]);

        // Another actor goes, and the first one comes back before it.
        let other = path(&package, "Light0");
        let second = package.edit(|edit| edit.remove_object(&other, options)).unwrap();
        let mut mixed = package.clone();
        mixed.edit(|edit| edit.restore(&removed)).unwrap();
        assert_eq!(
            titles(&again(&mixed, &versions)),
            ["Settings", "Brush0", &none, "Light2", "Light1"]
        );
        package.edit(|edit| edit.restore(&second)).unwrap();
        package.edit(|edit| edit.restore(&removed)).unwrap();
        same(&package, &bytes, &format!("{versions:?} {flags:?}"));
    }
}

#[test]
fn a_function_leaves_its_class_in_ue4_and_ue5() {
    for (major, minor) in RELEASES {
        let versions = EngineRelease::new(major, minor).versions();
        let (f, g) = (PackageIndex::export(1), PackageIndex::export(2));
        let has_list = versions.custom(&unreal_packages::version::custom::FRAMEWORK)
            >= unreal_packages::version::custom::framework::REMOVE_UFIELD_NEXT;
        let mut class = Class::default();
        let base = &mut class.base;
        match has_list {
            true => base.children = vec![f, g],
            false => base.first_child = f,
        }
        class.functions = Map(vec![(Name::new(1), f), (Name::new(2), g)]);
        let function = |next: PackageIndex| Function {
            base: Struct {
                field: Field { next: if has_list { PackageIndex::NULL } else { next } },
                ..Struct::default()
            },
            ..Function::default()
        };
        let body = |native: Vec<u8>| [bare(&versions), native].concat();
        let bytes = builder(&versions, PackageFlags::default())
            .name("F")
            .name("G")
            .export(
                "BP_C",
                "/Script/Engine.BlueprintGeneratedClass",
                body(save(&mut class, &versions).unwrap()),
            )
            .export(
                "BP_C.F",
                "/Script/CoreUObject.Function",
                body(save(&mut function(g), &versions).unwrap()),
            )
            .export(
                "BP_C.G",
                "/Script/CoreUObject.Function",
                body(save(&mut function(PackageIndex::NULL), &versions).unwrap()),
            )
            .build()
            .unwrap();
        let mut package = open(&bytes, &versions);
        let removed =
            package.edit(|edit| edit.remove_object("BP_C.F", RemoveOptions::Refuse)).unwrap();
        let without = again(&package, &versions);
        let left: &Class = native_as(&without.decoded(0).unwrap().body).unwrap();
        assert_eq!(left.functions.0, [(Name::new(2), f)], "{versions:?}");
        let first = left.base.children.first().copied().unwrap_or(left.base.first_child);
        assert_eq!(first, f, "what stood behind it moved up");
        package.edit(|edit| edit.restore(&removed)).unwrap();
        assert!(package.to_bytes().unwrap() == bytes, "{versions:?}");
    }
}

#[test]
fn damaged_packages_of_ue4_and_ue5_end_in_an_error_at_worst() {
    let mut random = super::common::objects::Random(11);
    let mut opened = 0;
    for (major, minor, flags) in
        [(4, 27, PackageFlags::default()), (5, 4, PackageFlags::FILTER_EDITOR_ONLY)]
    {
        let mut versions = EngineRelease::new(major, minor).versions();
        flags.apply_to(&mut versions);
        for made in [objects(&versions, flags), map(&versions, flags)] {
            let bytes = made.to_bytes().unwrap();
            for _ in 0..150 {
                let mut bytes = bytes.clone();
                for _ in 0..=random.below(3) {
                    let at = 24 + random.below(bytes.len() - 24);
                    bytes[at] = random.below(256) as u8;
                }
                let Ok(package) = Package::from_bytes(bytes) else { continue };
                opened += 1;
                for row in 0..package.exports().len().min(6) {
                    let mut package = package.clone();
                    let path = format!("#{row}");
                    let options = RemoveOptions::NullReferences;
                    let removed = package.edit(|edit| edit.remove_object(&path, options));
                    if let Ok(removed) = removed {
                        let _ = package.edit(|edit| edit.restore(&removed)).map(drop);
                    }
                }
                let _ = package.clone().edit(|edit| edit.prune()).map(drop);
                let order: Vec<usize> = (0..package.exports().len().min(100)).rev().collect();
                let _ = package.clone().edit(|edit| edit.reorder_exports(&order));
            }
        }
    }
    assert!(opened > 50, "{opened}");
}

/// Until the edit ends the row of an object that was removed is there, and empty.
#[test]
fn the_row_of_an_object_that_was_removed_takes_nothing() {
    let mut package = super::common::level::open_level(69);
    let row = package.find_export("Lamp0").unwrap();
    package
        .edit(|edit| {
            edit.remove_object("Lamp0", RemoveOptions::NullReferences)?;
            let flags = edit.exports().get(row).unwrap().flags();
            let taken = [
                edit.replace_body(row, [0; 9]),
                edit.change_body(row, |_| Ok(())),
                edit.set_object_flags(row, flags),
            ];
            for taken in taken {
                let error = taken.unwrap_err().to_string();
                assert!(error.ends_with("not found; the row has no object"), "{error}");
            }
            Ok(())
        })
        .unwrap();
    assert!(package.find("Lamp0").is_none());
    assert!((0..package.exports().len()).all(|row| !package.exports().is_null(row)));
}
