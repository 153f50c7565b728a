//! Flags: names in each engine, numbers, widths.

use unreal_packages::archive::{Annotate, Archived, Loader};
use unreal_packages::error::noun;
use unreal_packages::primitive::{ExportFlags, NameFlags, ObjectFlags, PackageFlags};
use unreal_packages::version::{UnrealVersions, threshold};
use unreal_packages::{Engine, ErrorKind, Game, Versions};

use crate::stored::{file, size, stored};

fn ue4() -> Versions {
    Versions::ue4_and_5(522, 0)
}

#[test]
fn flags_have_their_names_by_engine() {
    for (engine, bits, names) in [
        (Engine::Ue1, 0x28, &["BrokenLinks", "0x20"][..]),
        (Engine::Ue2, 0x28, &["BrokenLinks", "Official"]),
        (Engine::Ue3, 0x28, &["Cooked", "SavedWithNewerVersion"]),
        (Engine::Ue4, 0x228, &["ForDiffing", "Cooked", "0x8"]),
        (Engine::Ue5, 0x1, &["NewlyCreated"]),
        (Engine::Ue3, 0x8001, &["AllowDownload", "Need"]),
        (Engine::Ue5, 0x1000, &["0x1000"]),
        (Engine::Ue1, 0, &[]),
    ] {
        assert_eq!(PackageFlags(bits).names(engine), names, "{engine} {bits:#x}");
        for name in names {
            let parsed = PackageFlags::parse(&name.to_ascii_lowercase(), engine).unwrap();
            assert!(PackageFlags(bits).contains(parsed), "{engine} {name}");
        }
    }
    assert_eq!(ObjectFlags(0x5).names(Engine::Ue2), ["Transactional", "Public"]);
    assert_eq!(ObjectFlags(0x5 << 32).names(Engine::Ue3), ["Transactional", "Public"]);
    assert_eq!(ObjectFlags(0x5).names(Engine::Ue4), ["Public", "MarkAsNative"]);
    assert_eq!(NameFlags(0x90).names(Engine::Ue2), ["TagExp", "Final"]);
    assert_eq!(ExportFlags(3).names(Engine::Ue3), ["ForcedExport", "0x2"]);
    assert_eq!(ExportFlags(1).names(Engine::Ue4), ["0x1"]);
}

#[test]
fn flags_are_parsed_from_names_and_numbers() {
    let parse = |text| PackageFlags::parse(text, Engine::Ue3);
    for (text, bits) in
        [("Cooked", 0x8), ("0x20", 0x20), ("0XFF", 0xff), ("17", 17), ("0xffffffff", u32::MAX)]
    {
        assert_eq!(parse(text).unwrap(), PackageFlags(bits), "{text}");
    }
    let error = parse("0x100000000").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: 0x1_0000_0000, bits: 32 }));
    let error = parse("Official").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotFound { what: noun::FLAG, .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("Unreal Engine 3") && text.contains("Cooked, "), "{text}");
    assert_eq!(ObjectFlags::parse("0x100000000", Engine::Ue3).unwrap(), ObjectFlags(1 << 32));
}

#[test]
fn flags_are_sets() {
    let (a, b) = (PackageFlags(0b0110), PackageFlags(0b0011));
    assert_eq!((a.with(b), a.without(b)), (PackageFlags(0b0111), PackageFlags(0b0100)));
    assert!(a.contains(PackageFlags(0b0100)) && a.contains(PackageFlags(0)));
    assert!(!a.contains(b) && !a.contains(PackageFlags(0b1000)));
    assert_eq!(format!("{a:?} {:?}", ObjectFlags(255)), "PackageFlags(0x6) ObjectFlags(0xff)");
}

#[test]
fn widths_follow_the_version() {
    stored(PackageFlags(0x0102_0304), &file(69), &[4, 3, 2, 1]);
    stored(ExportFlags(0x0102_0304), &file(868), &[4, 3, 2, 1]);
    let oldest = Versions::ue4_and_5(threshold::ue4::OLDEST_LOADABLE_PACKAGE, 0);
    for versions in [file(194), oldest, ue4()] {
        stored(ObjectFlags(0x0102_0304), &versions, &[4, 3, 2, 1]);
        stored(NameFlags(0x0102_0304), &versions, &[4, 3, 2, 1]);
        assert_eq!(
            (size::<ObjectFlags>(&versions), size::<NameFlags>(&versions)),
            (Some(4), Some(4))
        );
    }
    let wide = [4, 3, 2, 1, 0, 0, 0, 9];
    for version in [195, 868] {
        let versions = file(version);
        stored(ObjectFlags(0x0900_0000_0102_0304), &versions, &wide);
        stored(NameFlags(0x0900_0000_0102_0304), &versions, &wide);
        assert_eq!(
            (size::<ObjectFlags>(&versions), size::<NameFlags>(&versions)),
            (Some(8), Some(8))
        );
    }
    let second = Versions::ue1_to_3(512, 130);
    assert_eq!(second.game(), Game::MassEffect2);
    stored(ObjectFlags(0x0900_0000_0102_0304), &second, &wide);
    stored(NameFlags(0x0102_0304), &second, &[4, 3, 2, 1]);
    assert_eq!(size::<NameFlags>(&second), Some(4));
    assert_eq!((size::<PackageFlags>(&second), size::<ExportFlags>(&second)), (Some(4), Some(4)));
}

#[test]
fn explanations_name_flags() {
    fn note<T: Archived + Default>(bytes: &[u8], versions: &Versions) -> String {
        let mut loader = Loader::new(bytes, versions.clone());
        let mut annotate = Annotate::new(&mut loader);
        T::default().serialize(&mut annotate).unwrap();
        format!("{:?}", annotate.records())
    }
    assert!(note::<PackageFlags>(&[0x28, 0, 0, 0], &file(128)).contains("BrokenLinks | Official"));
    assert!(note::<ExportFlags>(&[1, 0, 0, 0], &file(868)).contains("ForcedExport"));
    assert!(note::<ObjectFlags>(&[5, 0, 0, 0], &file(128)).contains("Transactional | Public"));
    assert!(
        note::<NameFlags>(&[0, 0, 0, 0, 5, 0, 0, 0], &file(868)).contains("Transactional | Public")
    );
}

#[test]
fn object_flags_mean_the_same_in_every_engine() {
    let (two, three, four) = (file(128), file(868), ue4());
    let stack = ObjectFlags(0x200_0000);
    assert!(stack.has_stack(&two) && !ObjectFlags(0x100_0000).has_stack(&two));
    assert!(ObjectFlags(0x200_0000 << 32).has_stack(&three) && !stack.has_stack(&three));
    assert!(!stack.has_stack(&four));
    assert_eq!(ObjectFlags(0x1234).legacy(&two), 0x1234);
    assert_eq!(ObjectFlags(0x1234 << 32 | 5).legacy(&three), 0x1234);
    assert_eq!(ObjectFlags(0x1234).legacy(&file(194)), 0x1234);
    assert_eq!(ObjectFlags(0b1011).legacy(&four), 0x4 | 0x8_0000 | 0x1);
    assert_eq!(ObjectFlags(0b0001).legacy(&four), 0x4);
    assert_eq!(ObjectFlags(0b0010).legacy(&four), 0x8_0000);
    assert_eq!(ObjectFlags(0b0100).legacy(&four), 0);
    assert!(
        ObjectFlags(0x200).is_class_default(&three) && !ObjectFlags(0x10).is_class_default(&three)
    );
    assert!(
        ObjectFlags(0x10).is_class_default(&four) && !ObjectFlags(0x200).is_class_default(&four)
    );
    assert!(!ObjectFlags(0x210).is_class_default(&two));
}

#[test]
fn ordinary_names_have_the_flags_of_their_version() {
    let third = Versions::ue1_to_3(684, 194);
    for (versions, flags) in [
        (file(69), 0x0007_0010),
        (file(195), 0x0007_0010_0000_0000),
        (Versions::ue1_to_3(512, 130), 0x0007_0010),
        (third, 0),
        (ue4(), 0),
    ] {
        assert_eq!(NameFlags::ordinary(&versions), NameFlags(flags), "{versions}");
    }
}

#[test]
fn package_flags_of_ue4_decide_layouts() {
    let of = |flags: u32| {
        let mut versions = ue4();
        PackageFlags(flags).apply_to(&mut versions);
        (versions.filter_editor_only(), versions.unversioned_properties(), versions.cooked())
    };
    assert_eq!(of(0), (false, false, false));
    assert_eq!(of(0x8000_0000), (true, false, true));
    assert_eq!(of(0x2000), (false, true, false));
    assert_eq!(of(0x200), (false, false, true));
    let mut classic = file(868);
    PackageFlags(u32::MAX).apply_to(&mut classic);
    assert!(!classic.cooked() && !classic.filter_editor_only());
}
