//! The laws for script objects, texts and prefixes: at every threshold, with references filled in.

use crate::common;

use std::sync::Arc;

use common::{all_versions, versions_at_thresholds};
use unreal_packages::archive::{Archived, Context, Counter, Loader, References, Remap, Saver};
use unreal_packages::object::script_object::ScriptObject;
use unreal_packages::object::text::{MetaData, ObjectRedirector, TextBuffer};
use unreal_packages::object::{StateFrame, VengeanceHeader};
use unreal_packages::primitive::NameRemap;
use unreal_packages::property::PackageContext;
use unreal_packages::table::NameEntry;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{FString, Versions};

fn context(source: &[u8]) -> Arc<Context> {
    let none = NameEntry { text: FString::from("None"), ..NameEntry::default() };
    Arc::new(Context::new(source.to_vec().into(), vec![none; 3]))
}

/// Shifting every index away from zero fills each reference; then the laws must hold.
fn laws<T: Archived + Clone + PartialEq + std::fmt::Debug>(blank: &T, versions: &Versions) {
    let mut value = blank.clone();
    // Names stay: those that end lists must mean none.
    let (same, up) = (|index: i32| Some(index), |index: i32| Some(index + 70));
    value.serialize(&mut Remap::names_and_objects(versions.clone(), &same, &up)).unwrap();
    let before = value.clone();
    let mut saver = Saver::new(versions.clone());
    value.serialize(&mut saver).unwrap_or_else(|error| panic!("{versions}: {error}"));
    let bytes = saver.into_bytes();
    let mut counter = Counter::new(versions.clone());
    value.serialize(&mut counter).unwrap();
    assert_eq!(counter.length(), bytes.len() as u64, "{versions}");
    let mut references = References::new(versions.clone());
    value.serialize(&mut references).unwrap();
    value.serialize(&mut Remap::names_and_objects(versions.clone(), &same, &same)).unwrap();
    assert_eq!(value, before, "{versions}");
    let mut loaded = blank.clone();
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(&bytes));
    loaded.serialize(&mut loader).unwrap_or_else(|error| panic!("{versions}: {error}"));
    assert_eq!(loader.remaining(), 0, "{versions}");
    let mut again = Saver::new(versions.clone()).with_context(context(&bytes));
    loaded.serialize(&mut again).unwrap();
    assert_eq!(again.bytes(), bytes, "{versions}");
    for length in 0..bytes.len() {
        let mut cut = blank.clone();
        let part = &bytes[..length];
        let mut loader = Loader::new(part, versions.clone()).with_context(context(part));
        assert!(cut.serialize(&mut loader).is_err(), "{versions} cut at {length}");
    }
}

/// Thresholds of the tables, and those that only bodies have.
fn versions() -> Vec<Versions> {
    const BODIES: &[u32] = &[
        62, 64, 99, 120, 160, 185, 186, 190, 208, 210, 219, 222, 242, 248, 267, 276, 288, 375, 401,
        540, 541, 547, 566, 576, 603, 639, 655, 671, 673, 691, 749, 756, 789, 813,
    ];
    let around = BODIES.iter().flat_map(|&at| [at - 1, at, at + 1]);
    let known = versions_at_thresholds();
    let more = around.filter(|at| !known.contains(at)).map(|at| Versions::ue1_to_3(at, 0));
    all_versions().into_iter().chain(more).collect()
}

#[test]
fn script_objects_hold_the_laws() {
    const CLASSES: &[&str] = &[
        "Const",
        "Enum",
        "Struct",
        "ScriptStruct",
        "Function",
        "State",
        "Class",
        "IntProperty",
        "ByteProperty",
        "ClassProperty",
        "MapProperty",
        "DelegateProperty",
        "FixedArrayProperty",
        "StringProperty",
    ];
    for versions in versions() {
        for class in CLASSES {
            let blank = ScriptObject::blank(class).unwrap();
            laws(&blank, &versions);
        }
    }
}

#[test]
fn texts_and_prefixes_hold_the_laws() {
    for versions in versions() {
        laws(&TextBuffer::default(), &versions);
        laws(&MetaData::default(), &versions);
        laws(&ObjectRedirector::default(), &versions);
        laws(&VengeanceHeader::default(), &versions);
        // Its references decide what follows, so it stays as it is.
        let mut frame = StateFrame::default();
        let mut saver = Saver::new(versions.clone());
        frame.serialize(&mut saver).unwrap();
        let mut loaded = StateFrame { probe_mask: 7, ..StateFrame::default() };
        loaded.serialize(&mut Loader::new(saver.bytes(), versions)).unwrap();
        assert_eq!(loaded, frame);
    }
}
