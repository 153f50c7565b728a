//! Copies: what is in the target is used where it says the same, and nowhere else.

use unreal_packages::edit::{Copied, CopyOptions, Dependencies, NewProperties, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{Explanation, PackageValues};
use unreal_packages::object::ue3::world::light_component::ShadowMap1D;
use unreal_packages::package::{Package, native_as};
use unreal_packages::{ErrorKind, Guid, Result};

use super::common::{GUID, reopen_decoded};

/// File versions of each engine before UE4.
const FILES: [u32; 6] = [61, 69, 118, 128, 512, 868];

/// Objects of one class: the path of each, a number, and the object that it refers to, if any.
fn package(file: u32, objects: &[(&str, i32, &str)]) -> Package {
    let bytes = Builder::new(file).guid(GUID).build().unwrap();
    let mut package = Package::from_bytes(bytes).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        for (path, _, _) in objects {
            edit.add_blank_object(path, "Engine.Info")?;
        }
        for (path, number, to) in objects {
            edit.add_property(path, "Number", &"int".parse()?, &number.to_string())?;
            if !to.is_empty() {
                edit.add_property(path, "Other", &"object".parse()?, to)?;
            }
        }
        Ok(())
    });
    made.unwrap_or_else(|error| panic!("{file}: {error}"));
    reopen_decoded(&package)
}

fn copy(
    source: &Package,
    path: &str,
    target: &Package,
    options: &CopyOptions,
) -> Result<(Copied, Package)> {
    let mut target = target.clone();
    let copied = target.edit(|edit| edit.copy_from(source, path, options))?;
    Ok((copied, reopen_decoded(&target)))
}

fn value(package: &Package, path: &str, property: &str) -> String {
    package.values().property(path, property).unwrap().text
}

fn pair(old: &str, new: &str) -> (String, String) {
    (old.to_owned(), new.to_owned())
}

#[test]
fn an_object_of_the_same_path_is_used_only_where_it_says_the_same() {
    for file in FILES {
        let source = package(file, &[("Palette", 1, ""), ("Skin", 2, "Palette")]);
        let same = package(file, &[("Own", 9, ""), ("Palette", 1, "")]);
        let other = package(file, &[("Own", 9, ""), ("Palette", 7, ""), ("Palette1", 8, "")]);
        for dependencies in [Dependencies::Auto, Dependencies::Copy] {
            let options = CopyOptions::new().dependencies(dependencies);
            let (copied, again) = copy(&source, "Skin", &same, &options).unwrap();
            assert_eq!(
                (&copied.reused[..], &copied.objects[..]),
                (&["Palette".into()][..], &["Skin".into()][..])
            );
            assert_eq!(value(&again, "Skin", "Other"), "Info'Palette'", "{file}");

            let (copied, again) = copy(&source, "Skin", &other, &options).unwrap();
            assert_eq!(copied.objects, ["Palette2", "Skin"], "{file}");
            assert!(copied.reused.is_empty(), "{copied:?}");
            assert_eq!(copied.renamed, [pair("Palette", "Palette2")]);
            assert_eq!(value(&again, "Skin", "Other"), "Info'Palette2'", "{file}");
            assert_eq!(value(&again, "Palette2", "Number"), "1");
            assert_eq!(value(&again, "Palette", "Number"), "7");
        }
        // A public object is imported where the name of its package is known.
        let options = CopyOptions::new().source_name("Source");
        let (copied, again) = copy(&source, "Skin", &other, &options).unwrap();
        assert_eq!(copied.imported, ["Source.Palette"]);
        assert_eq!(value(&again, "Skin", "Other"), "Info'Source.Palette'");
    }
}

#[test]
fn what_an_object_refers_to_is_a_part_of_what_it_says() {
    let chain = |last| {
        [("Last", last, ""), ("Middle", 2, "Last"), ("First", 3, "Middle"), ("Root", 4, "First")]
    };
    let circle = |number| [("A", 1, "B"), ("B", number, "A"), ("Root", 4, "A")];
    for file in FILES {
        let source = package(file, &chain(1));
        let (copied, _) =
            copy(&source, "Root", &package(file, &chain(1)[..3]), &CopyOptions::new()).unwrap();
        assert_eq!(copied.reused, ["First"], "{file}");
        // What differs is far away: all that lead there are others.
        let target = package(file, &chain(7)[..3]);
        let (copied, again) = copy(&source, "Root", &target, &CopyOptions::new()).unwrap();
        assert_eq!(copied.objects, ["Last1", "Middle1", "First1", "Root"], "{file}");
        assert_eq!(value(&again, "Root", "Other"), "Info'First1'");
        assert_eq!(value(&again, "First1", "Other"), "Info'Middle1'");
        assert_eq!(value(&again, "Middle1", "Other"), "Info'Last1'");

        let source = package(file, &circle(2));
        let (copied, _) =
            copy(&source, "Root", &package(file, &circle(2)[..2]), &CopyOptions::new()).unwrap();
        assert_eq!(copied.reused, ["A"], "{file}");
        let target = package(file, &circle(7)[..2]);
        let (copied, again) = copy(&source, "Root", &target, &CopyOptions::new()).unwrap();
        assert_eq!(copied.objects, ["A1", "B1", "Root"], "{file}");
        assert_eq!(value(&again, "B1", "Other"), "Info'A1'");
    }
}

/// What refers back to the copied object means the copy, not what has its name in the target.
#[test]
fn an_object_that_refers_to_the_copied_one_comes_along() {
    for file in FILES {
        let both = [("Root", 4, "Part"), ("Part", 1, "Root")];
        let (source, target) = (package(file, &both), package(file, &both));
        let options = CopyOptions::new().named("Twin");
        let (copied, again) = copy(&source, "Root", &target, &options).unwrap();
        assert_eq!(copied.objects, ["Twin", "Part1"], "{file}");
        assert_eq!(copied.renamed, [pair("Root", "Twin"), pair("Part", "Part1")]);
        assert_eq!(value(&again, "Part1", "Other"), "Info'Twin'");
        assert_eq!(value(&again, "Part", "Other"), "Info'Root'");
    }
}

#[test]
fn a_copy_can_have_another_name() {
    for file in FILES {
        let source = package(file, &[("Skin", 2, "")]);
        let options = CopyOptions::new();
        let error = copy(&source, "Skin", &source, &options).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Exists { .. }), "{file}: {error}");
        let (copied, again) = copy(&source, "Skin", &source, &options.named("Hide")).unwrap();
        assert_eq!(copied.renamed, [pair("Skin", "Hide")]);
        assert_eq!(value(&again, "Hide", "Number"), "2");
        let options = CopyOptions::new().named("Not a name");
        let error = copy(&source, "Skin", &source, &options).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Doubtful { .. })), "{file}: {error}");
    }
}

/// An object in a group that is in the target as well: the group is a place, whatever else lies in it.
#[test]
fn groups_are_places() {
    for file in FILES.into_iter().filter(|&file| file > 61) {
        let objects = [("Skins.Palette", 1, ""), ("Skins.Blue", 2, "Skins.Palette")];
        let source = package(file, &[&objects[..], &[("User", 3, "Skins.Blue")]].concat());
        let target = package(file, &[("Skins.Green", 8, ""), ("Skins.Palette", 9, "")]);
        let (copied, again) = copy(&source, "User", &target, &CopyOptions::new()).unwrap();
        assert_eq!(copied.reused, ["Skins"], "{file}");
        assert_eq!(copied.renamed, [pair("Skins.Palette", "Skins.Palette1")], "{file}");
        assert_eq!(value(&again, "User", "Other"), "Info'Skins.Blue'");
        assert_eq!(value(&again, "Skins.Blue", "Other"), "Info'Skins.Palette1'");
    }
}

/// In packages that UE3 has cooked, objects of other packages lie in exports that stand for these: they are imported
/// from there, not from the package that carries their copies.
#[test]
fn copies_of_other_packages_objects_are_imported_from_those() {
    for file in [512, 684, 868] {
        let objects = [
            ("BioVFX.Armors.Armor", 1, ""),
            ("Own.Skin", 2, ""),
            ("User", 3, "BioVFX.Armors.Armor"),
            ("Other", 4, "Own.Skin"),
        ];
        let source = package(file, &objects);
        // The flag of the export that stands for a package.
        let row = source.find_export("BioVFX").unwrap();
        let path = format!("exports[{row}].details.export_flags");
        let fields = Explanation::of(&source).unwrap();
        let field = fields.iter().find(|field| field.record.path == path).unwrap();
        let mut bytes = source.to_bytes().unwrap();
        bytes[field.record.start as usize] = 1;
        let source = Package::from_bytes(bytes).unwrap();
        let options = CopyOptions::new().source_name("BioD").dependencies(Dependencies::Import);
        let target = package(file, &[("Mine", 1, "")]);
        let (copied, again) = copy(&source, "User", &target, &options).unwrap();
        assert_eq!(copied.imported, ["BioVFX.Armors.Armor"], "{file}");
        assert_eq!(value(&again, "User", "Other"), "Info'BioVFX.Armors.Armor'");
        let (copied, _) = copy(&source, "Other", &target, &options).unwrap();
        assert_eq!(copied.imported, ["BioD.Own.Skin"], "{file}");
    }
}

/// Another release of the target is no package that it could import from: the engine would find the target itself.
#[test]
fn nothing_is_imported_from_another_file_of_the_same_name() {
    for file in FILES {
        let source = package(file, &[("Palette", 1, ""), ("Skin", 2, "Palette")]);
        let target = package(file, &[("Palette", 7, "")]);
        let options = CopyOptions::new().source_name("Skins").target_name("skins");
        let (copied, again) = copy(&source, "Skin", &target, &options).unwrap();
        assert_eq!(copied.objects, ["Palette1", "Skin"], "{file}");
        assert_eq!(value(&again, "Skin", "Other"), "Info'Palette1'");
        let options = options.dependencies(Dependencies::Import);
        let error = copy(&source, "Skin", &target, &options).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{file}: {error}");
    }
}

/// What a class stores itself: the light that shadows are of.
#[test]
fn native_references_by_guid_among_copies_are_to_the_copies() {
    let guids = [Guid::new(1, 2, 3, 4), Guid::new(5, 6, 7, 8)];
    let bytes = Builder::new(868).guid(GUID).build().unwrap();
    let mut package = Package::from_bytes(bytes).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        let none = NewProperties::new(edit).finish();
        edit.add_blank_object("Light", "Engine.PointLightComponent")?;
        edit.add_property("Light", "LightGuid", &"struct:Guid".parse()?, "(A=1,B=2,C=3,D=4)")?;
        for (name, light) in ["Near", "Far"].into_iter().zip(guids) {
            let shadow = ShadowMap1D { light, ..ShadowMap1D::default() };
            edit.add_object(name, "Engine.ShadowMap1D", none.clone(), shadow)?;
        }
        Ok(())
    });
    made.unwrap();
    let package = reopen_decoded(&package);
    let light = |package: &Package, row: usize| {
        native_as::<ShadowMap1D>(&package.decoded(row).unwrap().body).unwrap().light
    };
    for with_light in [true, false] {
        let mut twice = package.clone();
        let mut paths = vec!["Near", "Far"];
        paths.extend(with_light.then_some("Light"));
        let rows = twice.edit(|edit| edit.duplicate_objects(&paths)).unwrap();
        let twice = reopen_decoded(&twice);
        let [near, far] = [rows[0], rows[1]].map(|row| light(&twice, row));
        // Of another light, and of one that is not copied, nothing changes.
        assert_eq!(far, guids[1]);
        let expected = match with_light {
            true => {
                let value = twice.values().property(&format!("#{}", rows[2]), "LightGuid").unwrap();
                let Guid { a, b, c, d } = near;
                let shown = [a, b, c, d].map(|part| (part as i32).to_string());
                let [a, b, c, d] = &shown;
                assert_eq!(value.text, format!("(A={a},B={b},C={c},D={d})"));
                assert_ne!(near, guids[0]);
                near
            }
            false => guids[0],
        };
        assert_eq!(near, expected);
        let old = ["Near", "Far"].map(|name| light(&twice, twice.find_export(name).unwrap()));
        assert_eq!(old, guids);
    }
}
