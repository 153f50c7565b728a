//! Packages saved for another file version: every value is kept, or refused by its path.

use crate::common::level;
use unreal_packages::edit::{PackageEdit, converted};

use level::open_level;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{Package, SaveOptions};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Guid, Versions};

const GUID: Guid = Guid::new(1, 2, 3, 4);

/// A package of what every version can hold: texts, palettes, objects with properties.
fn plain(file: u32) -> Package {
    let bytes = Builder::new(file)
        .guid(GUID)
        .name("Lonely")
        .export("Group", "Core.Package", [])
        .export("Group.Readme", "Core.TextBuffer", {
            let mut body = vec![0; if file <= 56 { 3 } else { 1 + usize::from(file == 57) }];
            body.extend([0, 0, 0, 0, 0, 0, 0, 0, 6, b'h', b'e', b'l', b'l', b'o', 0]);
            body
        })
        .export(
            "Thing",
            "Engine.Light",
            vec![0; if file <= 56 { 3 } else { 1 + usize::from(file == 57) }],
        )
        .build()
        .unwrap();
    let mut package = Package::from_bytes(bytes).unwrap();
    package.decode_all();
    package.edit(|edit| edit.add_property("Thing", "Count", &"int".parse().unwrap(), "7")).unwrap();
    package
        .edit(|edit| edit.add_property("Thing", "Title", &"string".parse().unwrap(), "abc"))
        .unwrap();
    package
        .edit(|edit| edit.add_property("Thing", "Tag", &"name".parse().unwrap(), "Lonely"))
        .unwrap();
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

#[test]
fn every_version_of_ue1_is_reached_from_every_other_and_back() {
    let versions = [54, 56, 57, 58, 61, 62, 63, 64, 67, 68, 69, 98];
    for from in versions {
        let package = plain(from);
        for to in versions {
            let converted = unreal_packages::edit::converted(&package, to)
                .unwrap_or_else(|e| panic!("{from} to {to}: {e}"));
            assert_eq!(converted.versions().file(), to);
            assert_eq!(converted.guid(), GUID, "{from} to {to}");
            assert_eq!(converted.values().property("Thing", "Title").unwrap().text, "\"abc\"");
            let generations = &converted.summary().generations;
            assert_eq!(generations.len(), usize::from(to >= 68), "{from} to {to}");
            // What the target's own builder makes is what conversion makes of it.
            let expected = plain(to);
            assert!(
                converted.to_bytes().unwrap() == expected.to_bytes().unwrap(),
                "{from} to {to}"
            );
            let back = unreal_packages::edit::converted(&converted, from).unwrap();
            assert!(back.to_bytes().unwrap() == package.to_bytes().unwrap(), "{from} to {to}");
        }
    }
}

#[test]
fn converting_leaves_the_package_as_it_is() {
    let package = plain(69);
    let before = package.to_bytes().unwrap();
    let saved = converted(&package, 63).unwrap().save(&SaveOptions::new()).unwrap();
    let reopened = Package::from_bytes(saved.bytes).unwrap();
    assert_eq!(reopened.versions(), &Versions::ue1_to_3(63, 0));
    assert_eq!(package.to_bytes().unwrap(), before);
}

/// Lazy arrays gain and lose their end; palettes and texts between them move.
#[test]
fn lazy_arrays_gain_and_lose_their_end() {
    let sound = |samples: &[u8]| {
        let mut body = vec![0, 0, samples.len() as u8];
        body.extend(samples);
        body
    };
    let bytes = Builder::new(61)
        .guid(GUID)
        .export("One", "Engine.Sound", sound(&[1, 2, 3]))
        .export("Two", "Engine.Sound", sound(&[4; 60]))
        .build()
        .unwrap();
    let old = Package::from_bytes(bytes.clone()).unwrap();
    let new = converted(&old, 69).unwrap();
    for (row, size) in [(0, 3), (1, 60)] {
        let body = new.body(row).unwrap();
        let start = new.exports().entries()[row].serial_offset.value() as u64;
        let end = u32::from_le_bytes(body[2..6].try_into().unwrap());
        assert_eq!(u64::from(end), start + body.len() as u64);
        assert_eq!(body.len(), 7 + size);
    }
    assert!(converted(&new, 61).unwrap().to_bytes().unwrap() == bytes);
    // An end that was wrong is a value that version 61 has no place for.
    let mut broken = new.to_bytes().unwrap();
    let at = new.exports().entries()[1].serial_offset.value() as usize + 2;
    broken[at] ^= 1;
    let broken = Package::from_bytes(broken).unwrap();
    let error = converted(&broken, 61).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    assert!(error.path().contains("Two.") && error.path().ends_with("end"), "{error}");
    assert!(converted(&broken, 63).is_ok());
}

#[test]
fn what_the_target_lacks_is_refused_by_its_path() {
    let package = open_level(69);
    // A class of 61 has a record size that nobody knows; a function of 63 the size of its parameters.
    let error = converted(&package, 61).unwrap_err().to_string();
    assert!(error.contains("Lamp.old_record_size"), "{error}");
    assert!(converted(&package, 63).is_ok());
    let mut named = package.clone();
    named.edit(|edit| edit.add_name("日本")).unwrap();
    let error = converted(&named, 63).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BadText { .. }), "{error}");
    assert!(error.path().starts_with("names["), "{error}");
    assert!(converted(&named, 64).is_ok());
    for wrong in [0, 34, 99, 128, 178, 70_000] {
        let error = converted(&package, wrong).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{wrong}: {error}");
    }
    let opaque = {
        let mut package = package.clone();
        package
            .edit(|edit| edit.replace_body(edit.find_export("Stranger").unwrap(), vec![99; 5]))
            .unwrap();
        Package::from_bytes(package.to_bytes().unwrap()).unwrap()
    };
    let error = converted(&opaque, 68).unwrap_err();
    assert!(
        matches!(error.unreal(), Some(UnrealError::Refused { objects, .. }) if objects == &["Stranger"])
    );
}

/// Below version 66 every colour of a palette is read as opaque, whatever is stored.
#[test]
fn the_alpha_of_palettes_keeps_its_meaning() {
    let build = |file: u32, alpha: u8| {
        let mut body = vec![0, 2];
        body.extend([1, 2, 3, alpha, 4, 5, 6, 255]);
        let builder = Builder::new(file).guid(GUID).export("P", "Engine.Palette", body);
        Package::from_bytes(builder.build().unwrap()).unwrap()
    };
    let body = |package: &Package| package.body(0).unwrap()[2..].to_vec();
    assert_eq!(body(&converted(&build(61, 9), 69).unwrap()), [1, 2, 3, 255, 4, 5, 6, 255]);
    assert_eq!(body(&converted(&build(61, 9), 63).unwrap()), [1, 2, 3, 9, 4, 5, 6, 255]);
    assert_eq!(body(&converted(&build(69, 9), 68).unwrap()), [1, 2, 3, 9, 4, 5, 6, 255]);
    assert_eq!(body(&converted(&build(69, 255), 61).unwrap()), [1, 2, 3, 255, 4, 5, 6, 255]);
    let error = converted(&build(69, 9), 61).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    assert_eq!(error.path(), "P.colors[0].alpha");
}

#[test]
fn functions_are_not_given_sizes_that_nobody_knows() {
    use unreal_packages::archive::{Archived, Saver};
    use unreal_packages::object::script_object::Function;
    let build = |file: u32, size: u16| {
        let mut function = Function { params_size: size, ..Function::default() };
        let mut saver = Saver::new(Versions::ue1_to_3(file, 0));
        function.serialize(&mut saver).unwrap();
        let mut body = vec![0];
        body.extend(saver.bytes());
        let builder = Builder::new(file).guid(GUID).export("F", "Core.Function", body);
        Package::from_bytes(builder.build().unwrap()).unwrap()
    };
    let error = converted(&build(69, 0), 63).unwrap_err().to_string();
    assert!(error.contains("F.params_size") && error.contains("63 needs values"), "{error}");
    let error = converted(&build(63, 8), 69).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    assert!(error.path().starts_with("F.") && error.path().ends_with("params_size"), "{error}");
    assert!(converted(&build(63, 0), 69).is_ok());
}

/// Where none is not the first name: a field of type name that the old version lacks becomes none, and one
/// that the new version lacks may be none.
#[test]
fn names_that_a_version_lacks_are_none() {
    use unreal_packages::archive::{Archived, Saver};
    use unreal_packages::object::script_object::Class;
    let mut class = Class::default();
    // The rows once they have changed places: `Some` is 0, `None` is 1.
    *class.defaults.terminator_mut().unwrap() = unreal_packages::Name::new(1);
    let mut saver = Saver::new(Versions::ue1_to_3(61, 0));
    class.serialize(&mut saver).unwrap();
    let builder = Builder::new(61).guid(GUID).name("Some");
    let mut bytes = builder.export("C", "Core.Class", saver.into_bytes()).build().unwrap();
    let at = |bytes: &[u8], text: &[u8]| bytes.windows(4).position(|four| four == text).unwrap();
    let (none, some) = (at(&bytes, b"None"), at(&bytes, b"Some"));
    bytes[none..none + 4].copy_from_slice(b"Some");
    bytes[some..some + 4].copy_from_slice(b"None");
    let old = Package::from_bytes(bytes.clone()).unwrap();
    let new = converted(&old, 69).unwrap();
    let unreal_packages::object::Native::Script(object) =
        new.decode(0).unwrap().into_owned().body.native
    else {
        panic!("no class")
    };
    let unreal_packages::object::script_object::ScriptObject::Class(class) = *object else {
        panic!("no class")
    };
    assert_eq!(new.name_text(class.config_name.get().unwrap()), "None");
    assert_eq!(new.name_text(class.base.base.friendly_name.get().unwrap()), "Some");
    // Back it is refused for the size of the record alone, which nobody knows.
    let error = converted(&new, 61).unwrap_err().to_string();
    assert!(error.contains("C.old_record_size") && !error.contains("config_name"), "{error}");
}
