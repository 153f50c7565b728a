//! Packages made from nothing: by the model alone, read again by the library.

use crate::common;
use unreal_packages::generate::create;

use common::everything::{everything, properties};
use common::{open, save_twice, words};
use unreal_packages::edit::{NewProperties, PackageEdit};
use unreal_packages::generate::Profile;
use unreal_packages::object::{Native, text::TextBuffer};
use unreal_packages::package::native_as;
use unreal_packages::property::Value;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, FString, PackageIndex};

#[test]
fn every_profile_saves_opens_and_saves_again() {
    for profile in Profile::ALL {
        for package in [create(profile).unwrap(), everything(profile)] {
            let mut again = open(&save_twice(&package));
            again.decode_all();
            let coverage = again.coverage();
            assert_eq!((coverage.opaque, coverage.gap), (0, 0), "{profile}");
            assert!(again.to_bytes().unwrap() == again.source(), "{profile}");
            assert_eq!(again.versions().file(), profile.versions().file());
            assert_eq!(again.versions().game(), profile.versions().game());
            assert!(!again.guid().is_zero());
            assert_eq!(again.guid(), package.guid());
            if let Some(newest) = again.summary().generations.last() {
                assert_eq!(newest.export_count as usize, again.exports().len());
                assert_eq!(newest.name_count as usize, again.names().len());
            }
        }
    }
}

#[test]
fn what_is_made_is_what_is_read() {
    for profile in Profile::ALL {
        let made = everything(profile);
        let again = open(&made.to_bytes().unwrap());
        let paths: Vec<_> = again.exports().iter().map(|export| export.path()).collect();
        assert_eq!(&paths[..3], ["Deep", "Deep.Deeper", "Deep.Deeper.Text"], "{profile}");
        assert!(paths.iter().any(|path| path == "Deep.Thing_3"), "{profile}: {paths:?}");
        for row in 0..made.exports().len() {
            let (one, other) = (made.decode(row).unwrap(), again.decode(row).unwrap());
            assert_eq!(one.body.net_index, other.body.net_index, "{profile} #{row}");
            let (one, other) = (&one.body.properties, &other.body.properties);
            let (one, other) = (one.as_ref().unwrap(), other.as_ref().unwrap());
            assert_eq!(one.properties.len(), other.properties.len(), "{profile} #{row}");
            for (one, other) in one.properties.iter().zip(&other.properties) {
                let (one, other) =
                    (words::value(&made, one.value()), words::value(&again, other.value()));
                assert_eq!(one, other, "{profile} #{row}");
            }
        }
        let row = again.find_export("Deep.Deeper.Text").unwrap();
        let decoded = again.decode(row).unwrap();
        let text = native_as::<TextBuffer>(&decoded.body).unwrap();
        assert_eq!(text.text.text(again.source()).unwrap(), "A text.");
    }
}

#[test]
fn flags_and_classes_are_those_of_content() {
    for profile in Profile::ALL {
        let package = everything(profile);
        for export in package.exports().iter() {
            let names = export.flags().names(package.versions().engine());
            let group = export.class() == "Core.Package";
            let mut meant = vec!["Public", "LoadForClient", "LoadForServer", "LoadForEdit"];
            if !group {
                meant.push("Standalone");
            }
            assert_eq!(names, meant, "{profile} {}", export.path());
        }
        for import in package.imports().iter() {
            let class = if import.path().contains('.') { "Core.Class" } else { "Core.Package" };
            assert_eq!(import.class(), class, "{profile} {}", import.path());
        }
        let mut names: Vec<_> =
            package.names().iter().map(|name| name.to_ascii_lowercase()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), package.names().len(), "{profile}: a name stands twice");
    }
}

#[test]
fn failures_leave_nothing_behind() {
    for profile in Profile::ALL {
        let mut package = everything(profile);
        let before = package.to_bytes().unwrap();
        let list = package.edit(|edit| Ok(NewProperties::new(edit).finish())).unwrap();
        let mut add = |path: &str| {
            let result =
                package.edit(|edit| edit.add_plain_object(path, "Engine.Actor", list.clone()));
            assert!(package.to_bytes().unwrap() == before, "{profile} {path}");
            result.expect_err(path).into_kind()
        };
        assert!(matches!(add("Deep.Thing_3"), ErrorKind::Exists { .. }));
        assert!(matches!(
            add("New.Group..Thing"),
            ErrorKind::Invalid { .. } | ErrorKind::BadText { .. }
        ));
        assert!(matches!(add("New.None"), ErrorKind::Invalid { .. }));
        assert!(matches!(add("Deep.Deeper.Text.Inner"), ErrorKind::Invalid { .. }));
        assert!(matches!(add(&format!("New.{}", "x".repeat(2000))), ErrorKind::BadText { .. }));
        let text = TextBuffer { text: FString::new("x"), ..TextBuffer::default() };
        let wrong =
            package.edit(|edit| edit.add_object("New.Wrong", "Engine.Actor", list.clone(), text));
        assert!(matches!(wrong.unwrap_err().into_kind(), ErrorKind::Invalid { .. }));
        assert!(package.to_bytes().unwrap() == before);
        let failed = package.edit(|edit| {
            edit.change_body(2, |body| {
                body.native = Native::None;
                Err::<(), _>(ErrorKind::Invalid { reason: "no".to_owned() }.into())
            })
        });
        assert!(failed.is_err());
        assert!(package.to_bytes().unwrap() == before);
    }
}

#[test]
fn objects_are_added_to_packages_that_were_opened() {
    for profile in Profile::ALL {
        let mut package = open(&everything(profile).to_bytes().unwrap());
        package.decode_all();
        let rows = package.exports().len();
        let list = properties(&mut package, PackageIndex::export(0));
        let text = TextBuffer { text: FString::new("Late."), ..TextBuffer::default() };
        let row = package
            .edit(|edit| edit.add_object("Late.Text", "Core.TextBuffer", list, text))
            .unwrap();
        assert_eq!(row, rows + 1, "behind its group");
        let again = open(&save_twice(&package));
        assert_eq!(again.exports().len(), rows + 2);
        for row in 0..rows {
            assert_eq!(again.exports().path(row), package.exports().path(row));
        }
        assert_eq!(again.exports().path(row), "Late.Text");
    }
}

#[test]
fn values_stay_what_they_are() {
    let mut package = create(&Profile::UT99).unwrap();
    let list = properties(&mut package, PackageIndex::NULL);
    let values: Vec<_> = list.properties.iter().map(|property| property.value().clone()).collect();
    assert!(matches!(values[0], Value::Byte(200)));
    assert!(matches!(values[1], Value::Int(-7)));
    assert!(matches!((&values[2], &values[3]), (Value::Bool(true), Value::Bool(false))));
}
