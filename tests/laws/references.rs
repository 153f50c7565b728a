//! References: names, objects, soft paths; numbers of several widths.

use std::sync::Arc;

use unreal_packages::archive::{Annotate, Archived, Context, Loader, References, Remap, Saver};
use unreal_packages::primitive::{
    EngineVersion, NameReferences, NameRemap, ObjectRef, Real, SoftObjectPath, SoftPath,
    Utf8String, WideIndex,
};
use unreal_packages::property::PackageContext;
use unreal_packages::table::NameEntry;
use unreal_packages::version::custom::FORTNITE_MAIN;
use unreal_packages::version::{UE4, UE5, UnrealVersions};
use unreal_packages::{EngineRelease, ErrorKind, FString, Index, Name, PackageIndex, Versions};

use crate::stored::{file, kept, loaded, refused, saved, size, stored};

fn ue(ue4: u32, ue5: u32) -> Versions {
    Versions::ue4_and_5(ue4, ue5)
}

#[test]
fn indices_have_one_to_eight_bytes() {
    stored(Index::new(-65), &file(177), &[0xc1, 1]);
    stored(Index::new(-65), &file(178), &[0xbf, 0xff, 0xff, 0xff]);
    assert_eq!((size::<Index>(&file(177)), size::<Index>(&file(178))), (None, Some(4)));
    let (mut odd, _) = loaded::<Index>(&[0x41, 0], &file(69)).unwrap();
    assert!(!odd.is_canonical() && Index::from(1).is_canonical());
    assert_eq!(Index::from(7).value(), 7);
    assert_eq!((odd.value(), odd), (1, Index::new(1)));
    assert_eq!(saved(&mut odd, &file(69)).unwrap(), [0x41, 0]);
    assert_ne!(format!("{odd:?}"), format!("{:?}", Index::new(1)));
    odd.set(7);
    assert_eq!((odd.value(), odd.is_canonical()), (7, true));
    odd.compact_mut().set(8);
    assert_eq!(odd, Index::new(8));
}

#[test]
fn wide_indices_are_widest_from_ue4_511() {
    stored(WideIndex::new(65), &file(177), &[0x41, 1]);
    stored(WideIndex::new(65), &file(178), &[65, 0, 0, 0]);
    stored(WideIndex::new(65), &ue(510, 0), &[65, 0, 0, 0]);
    stored(WideIndex::new(-2), &ue(511, 0), &(-2_i64).to_le_bytes());
    stored(WideIndex::new(i64::MAX), &ue(522, 0), &i64::MAX.to_le_bytes());
    for (versions, bytes) in
        [(file(177), None), (file(178), Some(4)), (ue(510, 0), Some(4)), (ue(511, 0), Some(8))]
    {
        assert_eq!(size::<WideIndex>(&versions), bytes, "{versions}");
    }
    for value in [1_i64 << 31, i64::from(i32::MIN) - 1] {
        let error = saved(&mut WideIndex::new(value), &file(178)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::OutOfRange { bits: 32, .. }), "{error}");
    }
    WideIndex::new(1 << 40).serialize(&mut References::new(file(178))).unwrap();
    let (mut odd, _) = loaded::<WideIndex>(&[0x41, 0], &file(69)).unwrap();
    assert_eq!(saved(&mut odd, &file(69)).unwrap(), [0x41, 0]);
    assert_eq!(odd, WideIndex::from(1));
    assert_ne!(format!("{odd:?}"), format!("{:?}", WideIndex::new(1)));
    odd.set(1);
    assert_eq!(saved(&mut odd, &file(69)).unwrap(), [0x41, 0], "the same number keeps its form");
    odd.set(2);
    assert_eq!(saved(&mut odd, &file(69)).unwrap(), [2]);
    assert_eq!((i64::from(odd), WideIndex::from(2_i64)), (2, odd));
    assert_ne!(WideIndex::new(1), WideIndex::new(2));
    assert_eq!(format!("{:?}", WideIndex::new(1 << 40)), "1099511627776");
    assert_eq!(format!("{:?}", WideIndex::new(7)), format!("{:?}", Index::new(7)));
}

#[test]
fn names_have_numbers_from_343() {
    stored(Name::new(65), &file(177), &[0x41, 1]);
    stored(Name::new(-2), &file(342), &[0xfe, 0xff, 0xff, 0xff]);
    stored(Name::numbered(1, 2), &file(343), &[1, 0, 0, 0, 2, 0, 0, 0]);
    let error = saved(&mut Name::numbered(1, 2), &file(342)).unwrap_err();
    assert_eq!(error.path().to_string(), "number");
    for (version, bytes) in [(177, None), (178, Some(4)), (342, Some(4)), (343, Some(8))] {
        assert_eq!(size::<Name>(&file(version)), bytes, "{version}");
    }
    assert!(!format!("{:?}", Name::new(3)).contains("number"));
    assert!(format!("{:?}", Name::numbered(3, 4)).contains("number 4"));
    assert_eq!(Name::new(3), Name::numbered(3, 0));
}

/// What an explanation says of a value.
fn note<T: Archived + Default>(bytes: &[u8], versions: &Versions, names: &[&str]) -> String {
    let entry = |text: &&str| NameEntry { text: FString::new(text), ..NameEntry::default() };
    let context = Context::new(bytes.to_vec().into(), names.iter().map(entry).collect());
    let mut loader = Loader::new(bytes, versions.clone()).with_context(Arc::new(context));
    let mut annotate = Annotate::new(&mut loader);
    T::default().serialize(&mut annotate).unwrap();
    format!("{:?}", annotate.records())
}

#[test]
fn explanations_say_what_is_meant() {
    let names = ["None", "Lamp"];
    let versions = file(868);
    assert!(note::<Name>(&[1, 0, 0, 0, 3, 0, 0, 0], &versions, &names).contains("Lamp_2"));
    assert!(note::<PackageIndex>(&[0; 4], &versions, &names).contains("null"));
    assert!(note::<PackageIndex>(&[5, 0, 0, 0], &versions, &names).contains("export 4"));
    assert!(
        note::<PackageIndex>(&[0xfe, 0xff, 0xff, 0xff], &versions, &names).contains("import 1")
    );
    assert!(note::<FString>(b"\x03\0\0\0Hi\0", &versions, &names).contains("Hi"));
    assert!(note::<Utf8String>(b"\x02\0\0\0Hi", &versions, &names).contains("Hi"));
}

#[test]
fn objects_are_exports_above_and_imports_below_zero() {
    use ObjectRef::{Export, Import, Null};
    for (value, target) in [
        (0, Null),
        (1, Export(0)),
        (i32::MAX, Export(0x7fff_fffe)),
        (-1, Import(0)),
        (i32::MIN, Import(0x7fff_ffff)),
    ] {
        let index = PackageIndex::new(value);
        assert_eq!((index.target(), index.value(), index.is_null()), (target, value, value == 0));
        assert_eq!(format!("{index:?}"), format!("{target:?}"));
    }
    assert_eq!(PackageIndex::export(4), PackageIndex::new(5));
    assert_eq!(PackageIndex::import(4), PackageIndex::new(-5));
    assert_eq!(PackageIndex::export(usize::MAX), PackageIndex::new(i32::MAX));
    assert_eq!(PackageIndex::export(0x7fff_ffff), PackageIndex::new(i32::MAX));
    assert_eq!(PackageIndex::import(usize::MAX), PackageIndex::new(i32::MIN));
    assert_eq!(PackageIndex::import(0x7fff_ffff), PackageIndex::new(i32::MIN));
    assert_eq!(PackageIndex::NULL, PackageIndex::default());
    stored(PackageIndex::new(-65), &file(177), &[0xc1, 1]);
    stored(PackageIndex::new(1), &file(178), &[1, 0, 0, 0]);
    assert_eq!(
        (size::<PackageIndex>(&file(177)), size::<PackageIndex>(&file(178))),
        (None, Some(4))
    );
    let mut saver = Saver::new(file(69));
    PackageIndex::fixed(&mut PackageIndex::new(-1), &mut saver).unwrap();
    assert_eq!(saver.into_bytes(), [0xff; 4]);
    let mut index = PackageIndex::NULL;
    PackageIndex::fixed(&mut index, &mut Loader::new(&[7, 0, 0, 0], file(69))).unwrap();
    assert_eq!(index, PackageIndex::new(7));
}

#[test]
fn references_are_counted_and_renumbered_by_kind() {
    let mut value = (Name::new(1), PackageIndex::new(2), Name::new(1), PackageIndex::new(-3));
    let mut references = References::new(file(868));
    value.serialize(&mut references).unwrap();
    assert_eq!(references.names().iter().collect::<Vec<_>>(), [(&1, &2)]);
    assert_eq!(references.objects().iter().collect::<Vec<_>>(), [(&-3, &1), (&2, &1)]);
    let (names, objects) = (|row| Some(row + 10), |row: i32| Some(row * 2));
    value.serialize(&mut Remap::names_and_objects(file(868), &names, &objects)).unwrap();
    let expected = (Name::new(11), PackageIndex::new(4), Name::new(11), PackageIndex::new(-6));
    assert_eq!(value, expected);
}

#[test]
fn coordinates_keep_their_bits() {
    let nan = f64::from_bits(0x7ff8_0000_2000_0000);
    for value in [
        0.0,
        -0.0,
        1.5,
        -0.1_f32 as f64,
        f64::INFINITY,
        nan,
        -nan,
        f64::from_bits(0xfff0_0000_2000_0000),
    ] {
        let single = f32::from_bits(
            ((value.to_bits() >> 63 << 31)
                | if value.is_nan() {
                    0x7f80_0000 | value.to_bits() >> 29 & 0x7f_ffff
                } else {
                    u64::from((value as f32).to_bits()) & 0x7fff_ffff
                }) as u32,
        );
        stored(Real::new(value), &ue(522, 1003), &single.to_bits().to_le_bytes());
        stored(Real::new(value), &ue(522, 1004), &value.to_bits().to_le_bytes());
        let mut saver = Saver::new(ue(522, 1004));
        Real::new(value).serialize_f32(&mut saver).unwrap();
        assert_eq!(saver.into_bytes(), single.to_bits().to_le_bytes());
        assert_eq!(Real::new(value).value().to_bits(), value.to_bits());
    }
    for value in [0.1, f64::MAX, f64::from_bits(0x7ff8_0000_0000_0001)] {
        stored(Real::new(value), &ue(522, 1004), &value.to_bits().to_le_bytes());
        let error = saved(&mut Real::new(value), &ue(522, 1003)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
        let mut real = Real::new(value);
        real.serialize(&mut References::new(ue(522, 1003))).unwrap();
        assert_eq!(real, Real::new(value), "looking changes nothing");
    }
    assert_eq!((Real::size(&ue(522, 1003)), Real::size(&ue(522, 1004))), (4, 8));
    assert_eq!((size::<Real>(&ue(522, 1003)), size::<Real>(&ue(522, 1004))), (Some(4), Some(8)));
    assert_ne!(Real::new(0.0), Real::new(-0.0));
    assert_eq!(
        (Real::from(1.5), format!("{:?}", Real::new(1.5))),
        (Real::new(1.5), "1.5".to_owned())
    );
}

#[test]
fn engine_versions_tell_their_release() {
    let version = EngineVersion {
        major: 4,
        minor: 27,
        patch: 2,
        changelist: 0x8000_0005,
        branch: FString::new("B"),
    };
    assert_eq!(version.release(), Some(EngineRelease::new(4, 27)));
    assert_eq!((version.bare_changelist(), version.to_string()), (5, "4.27.2-5".to_owned()));
    kept(version, &ue(522, 0), &[4, 0, 27, 0, 2, 0, 5, 0, 0, 0x80, 2, 0, 0, 0, b'B', 0]);
    assert_eq!(EngineVersion::ZERO, EngineVersion::default());
    assert_eq!(EngineVersion::ZERO.release(), None);
    for (major, minor) in [(256, 0), (4, 256)] {
        let version = EngineVersion { major, minor, ..EngineVersion::ZERO };
        assert_eq!(version.release(), None, "{version}");
    }
}

#[test]
fn soft_paths_have_the_form_of_their_version() {
    let context = |strings| {
        let names = ["None", "/Game/A.A", "/Game/A", "A"];
        let entry = |text: &str| NameEntry { text: FString::new(text), ..NameEntry::default() };
        Context::new(Vec::new().into(), names.map(entry).to_vec()).with_paths_as_strings(strings)
    };
    let name = |row: u8| [row, 0, 0, 0, 0, 0, 0, 0];
    let sub = FString::new("X");
    let sub_bytes = [2, 0, 0, 0, b'X', 0];
    let whole = SoftObjectPath { path: FString::new("/P.P"), ..SoftObjectPath::default() };
    kept(whole.clone(), &ue(513, 0), b"\x05\0\0\0/P.P\0");
    assert_eq!(whole.text(&context(true)), "/P.P");
    let one = SoftObjectPath {
        asset_path_name: Name::new(1),
        sub_path: sub.clone(),
        ..SoftObjectPath::default()
    };
    for versions in [ue(514, 0), ue(522, 1006)] {
        kept(one.clone(), &versions, &[&name(1)[..], &sub_bytes].concat());
    }
    assert_eq!(one.text(&context(false)), "/Game/A.A:X");
    assert_eq!(one.text(&context(true)), "", "a version whose paths are strings has no names");
    let two = SoftObjectPath {
        package_name: Name::new(2),
        asset_name: Name::new(3),
        sub_path: sub,
        ..SoftObjectPath::default()
    };
    kept(two.clone(), &ue(522, 1007), &[&name(2)[..], &name(3), &sub_bytes].concat());
    assert_eq!(two.text(&context(false)), "/Game/A.A:X");
    let package = SoftObjectPath { package_name: Name::new(2), ..SoftObjectPath::default() };
    assert_eq!(package.text(&context(false)), "/Game/A");
    let asset = SoftObjectPath { asset_name: Name::new(3), ..SoftObjectPath::default() };
    assert_eq!(asset.text(&context(false)), ".A");
    assert_eq!(SoftObjectPath::default().text(&context(false)), "");
    // The default is row 0 of the table, whatever stands there.
    let entry = NameEntry { text: FString::new("Zero"), ..NameEntry::default() };
    let zero = Context::new(Vec::new().into(), vec![entry]);
    assert_eq!(SoftObjectPath::default().text(&zero), "Zero");
    for (custom, utf8) in [(191, false), (192, true)] {
        let mut versions = ue(522, 1012);
        versions.set_custom_versions(vec![(FORTNITE_MAIN, custom)]);
        let path = match utf8 {
            true => SoftObjectPath {
                sub_path: FString::default(),
                sub_path_utf8: Utf8String::new("X"),
                ..two.clone()
            },
            false => two.clone(),
        };
        let text = if utf8 { &[1, 0, 0, 0, b'X'][..] } else { &sub_bytes };
        kept(path.clone(), &versions, &[&name(2)[..], &name(3), text].concat());
        assert_eq!(path.text(&context(false)), "/Game/A.A:X");
        versions.set(UE4, 513);
        versions.set(UE5, 0);
        kept(whole.clone(), &versions, b"\x05\0\0\0/P.P\0");
    }
}

#[test]
fn listed_paths_are_rows() {
    let path = SoftObjectPath { package_name: Name::new(1), ..SoftObjectPath::default() };
    let entry = |text: &str| NameEntry { text: FString::new(text), ..NameEntry::default() };
    let names = ["None", "/Game/A"].map(entry).to_vec();
    let context = Context::new(Vec::new().into(), names.clone());
    let listed = Arc::new(context.with_soft_object_paths(vec![path.clone()]));
    assert_eq!(SoftPath::Listed(0).text(&listed), "/Game/A");
    assert_eq!(
        (SoftPath::Listed(1).text(&listed), SoftPath::Listed(-1).text(&listed)),
        ("#1".into(), "#-1".into())
    );
    assert_eq!(SoftPath::Full(path.clone()).text(&listed), "/Game/A");
    assert_eq!(SoftPath::default(), SoftPath::Full(SoftObjectPath::default()));
    let load = |versions: Versions, context: &Arc<Context>, bytes: &[u8]| {
        let mut found = SoftPath::Listed(9);
        let mut loader = Loader::new(bytes, versions).with_context(context.clone());
        found.serialize(&mut loader).map(|()| (found, loader.remaining()))
    };
    let full = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let none = Arc::new(Context::new(Vec::new().into(), names));
    assert_eq!(load(ue(522, 1008), &listed, &[0; 4]).unwrap(), (SoftPath::Listed(0), 0));
    assert_eq!(load(ue(522, 1008), &none, &full).unwrap(), (SoftPath::Full(path.clone()), 0));
    assert_eq!(load(ue(522, 1007), &listed, &full).unwrap(), (SoftPath::Full(path), 0));
    assert_eq!(saved(&mut SoftPath::Listed(7), &ue(522, 1008)).unwrap(), [7, 0, 0, 0]);
    let mut references = References::new(ue(522, 1008));
    SoftPath::Listed(7).serialize(&mut references).unwrap();
    assert_eq!(references.rows(&SoftObjectPath::SPACE).iter().collect::<Vec<_>>(), [(&7, &1)]);
    let mut row = 5;
    let rule = |row: i32| Some(row + 1);
    let mut remap = Remap::new(ue(522, 1008)).with_rule(&SoftObjectPath::SPACE, &rule);
    SoftObjectPath::row(&mut row, &mut remap).unwrap();
    assert_eq!(row, 6);
    let mut annotated = Loader::new(&[0; 4], ue(522, 1008)).with_context(listed);
    let mut annotate = Annotate::new(&mut annotated);
    SoftObjectPath::row(&mut row, &mut annotate).unwrap();
    assert!(format!("{:?}", annotate.records()).contains("/Game/A"));
}

#[test]
fn utf8_strings_have_no_terminator() {
    let versions = ue(522, 1012);
    kept(Utf8String::new("é"), &versions, &[2, 0, 0, 0, 0xc3, 0xa9]);
    kept(Utf8String::default(), &versions, &[0; 4]);
    assert!(Utf8String::new("").is_empty() && !Utf8String::new("a").is_empty());
    assert_eq!(Utf8String::new("é").span().len(), 2);
    let (string, _) = loaded::<Utf8String>(&[1, 0, 0, 0, 0xff], &versions).unwrap();
    assert_eq!(string.text(&[0, 0, 0, 0, 0xff]).unwrap(), "\u{fffd}");
    assert!(string.text(&[]).is_err());
    assert!(format!("{string:?}").starts_with("Utf8String("), "{string:?}");
    assert_eq!(format!("{:?}", Utf8String::new("a")), "\"a\"");
    let (kind, path) = refused::<Utf8String>(&[0xff; 4], &versions);
    assert!(matches!(kind, ErrorKind::NegativeCount { count: -1 }), "{kind} {path}");
}
