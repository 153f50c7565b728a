//! Properties of UE4 and UE5: lists of every type at every version where a layout changes, written by hand
//! from the specification, then loaded, saved, counted, visited, renumbered, explained and damaged.

use crate::common;

mod check;
mod list;
mod types;
mod values;

use std::sync::Arc;

use check::{damage, lists_hold, load_list};
use common::object_versions;
use list::{List, Ty};
use unreal_packages::archive::Context;
use unreal_packages::property::{Elements, Property, PropertyList, Text, Value};
use unreal_packages::version::{UnrealVersions, custom};
use unreal_packages::{Archived, EngineRelease, ErrorKind, Loader, Versions};

/// Object versions where properties change, with no custom versions, those of their release, and the
/// newest; with and without editor-only data.
fn versions() -> Vec<Versions> {
    let steps4 = [225, 226, 281, 282, 367, 368, 388, 389, 421, 422, 440, 441, 487, 488];
    let steps4 = steps4.into_iter().chain([499, 500, 502, 503, 508, 509, 513, 514, 522]);
    let steps5 = [1003, 1004, 1006, 1007, 1008, 1010, 1011, 1012, 1018];
    let pairs = steps4.map(|ue4| (ue4, 0)).chain(steps5.map(|ue5| (522, ue5)));
    assert!(object_versions().contains(&(522, 1012)), "the versions are real ones");
    let mut all = Vec::new();
    for (ue4, ue5) in pairs {
        let release = EngineRelease::of_versions(ue4, ue5);
        let newest = EngineRelease::all().next_back().unwrap();
        for customs in [Vec::new(), custom::defaults(release), custom::defaults(newest)] {
            for filter_editor_only in [false, true] {
                let mut versions =
                    Versions::ue4_and_5(ue4, ue5).with_filter_editor_only(filter_editor_only);
                versions.set_custom_versions(customs.clone());
                all.push(versions);
            }
        }
    }
    all
}

#[test]
fn every_type_at_every_version() {
    let mut count = 0;
    for versions in versions() {
        for (what, ty, value) in values::all(&versions) {
            let mut list = List::new(&versions);
            list.property("Before", &Ty::plain("IntProperty"), &7_i32.to_le_bytes());
            list.property("Wanted", &ty, &value(&mut list.names()));
            list.property("After", &Ty::Bool(true), &[]);
            let list = list.end();
            lists_hold(&list, &versions, &what);
            // Every type is met at several versions.
            count += 1;
            if count % 29 == 0 {
                damage(&list, &versions, &what);
            }
        }
    }
}

#[test]
fn indices_and_guids_of_properties() {
    for versions in versions() {
        let mut list = List::new(&versions);
        let int = Ty::plain("IntProperty");
        for index in 0..3 {
            list.indexed("Numbers", &int, index, &index.to_le_bytes());
        }
        list.with_guid = versions.ue4() >= 503;
        list.property("Known", &int, &9_i32.to_le_bytes());
        let loaded = lists_hold(&list.end(), &versions, "indices");
        let indices: Vec<_> = loaded.properties.iter().map(|p| p.array_index()).collect();
        assert_eq!(indices, [0, 1, 2, 0], "{versions}");
        assert_eq!(loaded.properties[3].guid().is_some(), versions.ue4() >= 503, "{versions}");
    }
}

#[test]
fn extensions_of_tags() {
    for versions in versions().into_iter().filter(|versions| versions.ue5() >= 1011) {
        let mut list = List::new(&versions);
        list.extensions = Some([2, 1, 1, 0, 0, 0]);
        list.property("Overridden", &Ty::plain("IntProperty"), &9_i32.to_le_bytes());
        let loaded = lists_hold(&list.end(), &versions, "extensions");
        let extensions = loaded.properties[0].extensions().unwrap();
        assert_eq!((extensions.flags, extensions.overridden.operation), (2, 1));
    }
}

#[test]
fn sizes_follow_changed_values() {
    for versions in versions() {
        let string = Ty::plain("StrProperty");
        let short = List::new(&versions).property("Text", &string, &values::string("a")).end();
        let long = List::new(&versions).property("Text", &string, &values::string("abcdef")).end();
        let (mut changed, context) = load_list(&short, &versions);
        *changed.properties[0].value_mut() = Value::Str(Box::new("abcdef".into()));
        let saved = check::save(&mut changed, &versions, &context).unwrap();
        assert_eq!(saved, long.bytes, "{versions}");
    }
}

#[test]
fn plain_elements_are_kept_plainly() {
    let versions = Versions::ue4_and_5(522, 1009);
    let floats = Ty::Array(Box::new(Ty::plain("FloatProperty")));
    let stored = values::counted(3, &[1_f32, 2.0, 3.0].map(f32::to_le_bytes).concat());
    let list = List::new(&versions).property("Numbers", &floats, &stored).end();
    let (loaded, _) = load_list(&list, &versions);
    let expected = Value::Array(Elements::Float(vec![1.0, 2.0, 3.0]));
    assert_eq!(loaded.properties[0].value(), &expected);
    assert!(size_of::<Value>() <= 48, "{} bytes a value", size_of::<Value>());
    assert!(size_of::<Property>() <= 120, "{} bytes a property", size_of::<Property>());
}

#[test]
fn what_does_not_fit_stays_and_says_why() {
    for versions in versions() {
        let mut list = List::new(&versions);
        // A string that is longer than its property, a struct in no known form.
        list.property("Long", &Ty::plain("StrProperty"), &[9, 0, 0, 0, 65, 0]);
        list.property("Odd", &Ty::Struct("Vector", true), &[1, 2, 3, 4, 5]);
        list.property("After", &Ty::plain("IntProperty"), &7_i32.to_le_bytes());
        let list = list.end();
        let (mut loaded, context) = load_list(&list, &versions);
        for property in &loaded.properties[..2] {
            let Value::Opaque(opaque) = property.value() else { panic!("{property:?}") };
            assert!(opaque.error.is_some());
        }
        assert_eq!(loaded.properties[2].value(), &Value::Int(7));
        assert_eq!(check::save(&mut loaded, &versions, &context).unwrap(), list.bytes);
    }
}

#[test]
fn forms_of_other_versions_are_refused() {
    let old = Versions::ue4_and_5(522, 1009);
    let new = Versions::ue4_and_5(522, 1012);
    let array = Ty::Array(Box::new(Ty::plain("IntProperty")));
    let stored = values::counted(1, &5_i32.to_le_bytes());
    for (from, to) in [(&old, &new), (&new, &old)] {
        let list = List::new(from).property("Numbers", &array, &stored).end();
        let (mut loaded, context) = load_list(&list, from);
        let error = check::save(&mut loaded, to, &context).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    }
}

#[test]
fn texts_in_texts_end_somewhere() {
    let versions = Versions::ue4_and_5(522, 0);
    // Each level: flags, then a transformed text.
    let bytes: Vec<u8> = [0, 0, 0, 0, 10].repeat(100_000);
    let mut loader = Loader::new(&bytes, versions);
    let error = Text::default().serialize(&mut loader).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
}

#[test]
fn structs_in_structs_end_somewhere() {
    let versions = Versions::ue4_and_5(522, 0);
    let mut list = List::new(&versions);
    let mut inner = list.none();
    for _ in 0..400 {
        let mut outer = List::from_names(&versions, list.names());
        outer.property("Deeper", &Ty::Struct("Custom", false), &inner);
        inner = outer.end().bytes;
    }
    list.raw(&inner[..inner.len() - 8]);
    // The levels that are too deep stay as they are.
    let list = list.end();
    let (mut loaded, context) = load_list(&list, &versions);
    assert_eq!(check::save(&mut loaded, &versions, &context).unwrap(), list.bytes);
}

#[test]
fn counts_that_lie_ask_for_no_memory() {
    for versions in versions() {
        for class in ["IntProperty", "StrProperty", "StructProperty"] {
            let array = Ty::Array(Box::new(Ty::plain(class)));
            let stored = values::counted(i32::MAX, &[1, 2, 3, 4]);
            let list = List::new(&versions).property("Many", &array, &stored).end();
            let (mut loaded, context) = load_list(&list, &versions);
            assert!(matches!(loaded.properties[0].value(), Value::Opaque(_)), "{versions}");
            assert_eq!(check::save(&mut loaded, &versions, &context).unwrap(), list.bytes);
        }
    }
}

#[test]
fn a_list_without_its_end_is_an_error() {
    let versions = Versions::ue4_and_5(522, 1018);
    let list = List::new(&versions).property("A", &Ty::plain("IntProperty"), &[0; 4]).end();
    let context = Arc::new(Context::default());
    let mut loader = Loader::new(&list.bytes, versions).with_context(context);
    // Nothing says which name means "none".
    assert!(PropertyList::default().serialize(&mut loader).is_err());
}
