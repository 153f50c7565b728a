//! Several objects that are copied into another package in one call.

use std::collections::BTreeSet;

use unreal_packages::edit::{CopyOptions, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use super::common::reopen_decoded;
use super::placed_actors::{FILES, actors, map, prefix, value};

const GUID: &str = "(A=1,B=2,C=3,D=4)";

/// UE3, whose points are known to other levels by GUIDs: two levels may be loaded at once.
fn has_guids(file: u32) -> bool {
    file > 500
}

/// A map whose two lights refer to each other.
fn pair(file: u32) -> (Package, [String; 2]) {
    let mut source = map(file, "Light1");
    let prefix = prefix(source.versions().engine());
    let lights = ["Light0", "Light1"].map(|name| format!("{prefix}{name}"));
    source
        .edit(|edit| {
            for (light, other) in [(0, 1), (1, 0)] {
                edit.set_property(&lights[light], "Owner:object", &lights[other])?;
                if has_guids(file) {
                    edit.add_property(&lights[light], "NavGuid", &"struct:Guid".parse()?, GUID)?;
                }
            }
            edit.set_property(&lights[0], "Number:int", "7")
        })
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    (reopen_decoded(&source), lights)
}

fn options(prefix: &str) -> CopyOptions {
    match prefix {
        "" => CopyOptions::new(),
        prefix => CopyOptions::new().into_group(prefix.trim_end_matches('.')),
    }
}

#[test]
fn actors_that_are_copied_together_refer_to_each_others_copies() {
    for file in FILES {
        let (source, [first, second]) = pair(file);
        let prefix = prefix(source.versions().engine());
        let options = options(prefix);
        let mut target = map(file, "Light1");
        let before = actors(&target);
        let alone =
            target.clone().edit(|edit| edit.copy_from(&source, &first, &options)).unwrap_err();
        assert!(matches!(alone.unreal(), None | Some(UnrealError::Refused { .. })), "{alone}");
        let paths = [&*second, &*first, &*second];
        let copied = target.edit(|edit| edit.copy_objects_from(&source, &paths, &options)).unwrap();
        let [other, light] = [format!("{prefix}Light3"), format!("{prefix}Light2")];
        let rows = [&other, &light].map(|path| target.find_export(path).unwrap());
        assert_eq!((copied.row, &copied.rows[..]), (rows[0], &rows[..]), "{file}");
        let renamed = [(first.clone(), light.clone()), (second.clone(), other.clone())];
        assert_eq!(copied.renamed, renamed, "{file}");
        let again = reopen_decoded(&target);
        let expected: Vec<String> =
            before.iter().cloned().chain([light.clone(), other.clone()]).collect();
        assert_eq!(actors(&again), expected, "{file}");
        let value = |path: &str, property| value(&again, path, property).unwrap();
        assert_eq!(value(&light, "Owner"), format!("Light'{other}'"), "{file}");
        assert_eq!(value(&other, "Owner"), format!("Light'{light}'"), "{file}");
        assert_eq!(value(&light, "Number"), "7");
        if has_guids(file) {
            let guids = [value(&light, "NavGuid"), value(&other, "NavGuid"), GUID.to_owned()];
            let distinct: BTreeSet<_> = guids.iter().collect();
            assert_eq!(distinct.len(), 3, "{file}: {guids:?}");
        }
    }
}

#[test]
fn several_objects_have_no_common_name_and_a_level_takes_no_second_settings() {
    for file in FILES {
        let (source, [first, second]) = pair(file);
        let prefix = prefix(source.versions().engine());
        let target = map(file, "Light1");
        let fails = |paths: &[&str], options: &CopyOptions| {
            let mut package = target.clone();
            let error =
                package.edit(|edit| edit.copy_objects_from(&source, paths, options)).unwrap_err();
            assert!(package.to_bytes().unwrap() == target.to_bytes().unwrap(), "{file}");
            error.to_string()
        };
        let named = options(prefix).named("Twin");
        let error = fails(&[&first, &second], &named);
        assert!(error.contains("2 objects can't all be called 'Twin'"), "{file}: {error}");
        assert!(fails(&[], &options(prefix)).contains("no object is named"), "{file}");
        let settings = format!("{prefix}Settings");
        let error = fails(&[&settings, &first, &second], &options(prefix));
        assert!(error.contains("settings and a default volume of its own"), "{file}: {error}");
    }
}

#[test]
fn objects_of_another_file_version_are_converted_on_the_way() {
    for (from, to) in [(61, 69), (69, 61), (118, 128), (128, 118)] {
        let (source, [first, second]) = pair(from);
        let mut target = map(to, "Light1");
        let copied = target
            .edit(|edit| edit.copy_objects_from(&source, &[&first, &second], &CopyOptions::new()));
        let copied = copied.unwrap_or_else(|error| panic!("{from} to {to}: {error}"));
        assert_eq!(copied.converted_from, Some(from));
        let again = reopen_decoded(&target);
        assert_eq!(again.versions().file(), to);
        assert_eq!(value(&again, "Light2", "Owner").unwrap(), "Light'Light3'", "{from} to {to}");
        assert_eq!(value(&again, "Light2", "Number").unwrap(), "7");
        assert!(actors(&again).contains(&"Light3".to_owned()));
    }
    // Another engine says other things.
    let (source, [first, _]) = pair(128);
    let error = map(69, "Light1")
        .edit(|edit| edit.copy_from(&source, &first, &CopyOptions::new()))
        .unwrap_err();
    assert!(error.to_string().contains("can only be converted to another version"), "{error}");
}
