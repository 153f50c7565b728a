//! Edges that random values rarely meet: forms that are refused, and layouts byte by byte.

use unreal_packages::archive::Patch;
use unreal_packages::primitive::{Encoding, NameFlags, ObjectFlags, WideIndex};
use unreal_packages::table::{Export, Generation, Import, NameEntry, Thumbnail, ThumbnailImage};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{
    Archive, ArchiveExt, Archived, ByteOrder, CompactIndex, ErrorKind, FString, Game, Guid, Loader,
    Name, PackageIndex, Saver, Span, Versions,
};

use crate::common::{load, save};

fn at(file: u32) -> Versions {
    Versions::ue1_to_3(file, 0)
}

/// The bytes of a value at a version, from the specification, both ways.
#[track_caller]
fn stored<T: Archived + Default + PartialEq + std::fmt::Debug>(
    mut value: T,
    versions: &Versions,
    bytes: &[u8],
) {
    assert_eq!(save(&mut value, versions).unwrap(), bytes, "saved at {versions}");
    let (mut loaded, used) = load::<T>(bytes, versions).unwrap();
    super::sample::own(&mut loaded, bytes, versions);
    assert_eq!((loaded, used), (value, bytes.len()), "loaded at {versions}");
}

#[track_caller]
fn refused<T: Archived + Default + std::fmt::Debug>(
    bytes: &[u8],
    versions: &Versions,
) -> ErrorKind {
    load::<T>(bytes, versions).expect_err("bytes that this type can't keep").into_kind()
}

#[test]
fn imports_are_stored_as_specified() {
    let mut import = Import {
        class_package: Name::new(1),
        class_name: Name::new(-2),
        outer_index: PackageIndex::new(-3),
        object_name: Name::new(64),
        ..Import::default()
    };
    stored(import, &at(69), &[0x01, 0x82, 0xfd, 0xff, 0xff, 0xff, 0x40, 0x01]);
    let fixed = [1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0xfd, 0xff, 0xff, 0xff, 64, 0, 0, 0];
    stored(import, &at(200), &fixed);
    import.object_name.number = 5;
    let numbered = [
        1, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xfd, 0xff, 0xff, 0xff, 64, 0,
        0, 0, 5, 0, 0, 0,
    ];
    stored(import, &at(868), &numbered);
    let old = Import {
        outer_name: Name::new(7),
        outer_index: PackageIndex::NULL,
        object_name: Name::new(8),
        ..import
    };
    stored(old, &at(44), &[0x01, 0x82, 0x07, 0x08]);
}

#[test]
fn exports_are_stored_as_specified() {
    let export = Export {
        class_index: PackageIndex::new(-1),
        super_index: PackageIndex::new(2),
        outer_index: PackageIndex::new(3),
        object_name: Name::new(4),
        object_flags: ObjectFlags(0x0102_0304),
        serial_size: WideIndex::new(5),
        serial_offset: WideIndex::new(0x123),
        ..Export::default()
    };
    let bytes = [0x81, 2, 3, 0, 0, 0, 4, 4, 3, 2, 1, 5, 0x63, 0x04];
    stored(export.clone(), &at(69), &bytes);
    let empty = Export {
        serial_size: WideIndex::new(0),
        serial_offset: WideIndex::new(0),
        ..export.clone()
    };
    stored(empty.clone(), &at(69), &[0x81, 2, 3, 0, 0, 0, 4, 4, 3, 2, 1, 0]);
    // Big-endian, from 249 the offset stands there for an empty body as well.
    let big = at(249).with_byte_order(ByteOrder::Big);
    let bytes = [
        255, 255, 255, 255, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 0, 1, 2, 3, 4,
        0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let late =
        Export { archetype_index: PackageIndex::new(9), serial_offset: WideIndex::new(6), ..empty };
    stored(late, &big, &bytes);
}

#[test]
fn names_generations_and_guids_are_stored_as_specified() {
    let entry = |flags| NameEntry { text: FString::new("Hi"), flags: NameFlags(flags) };
    stored(entry(0x70010), &at(63), &[b'H', b'i', 0, 0x10, 0, 7, 0]);
    stored(entry(0x70010), &at(64), &[3, b'H', b'i', 0, 0x10, 0, 7, 0]);
    let wide = entry(0x0007_0010_0000_0000);
    stored(wide.clone(), &at(195), &[3, 0, 0, 0, b'H', b'i', 0, 0, 0, 0, 0, 0x10, 0, 7, 0]);
    let third = Versions::ue1_to_3(684, 194);
    assert_eq!(third.game(), Game::MassEffect3);
    stored(entry(0), &third, &[3, 0, 0, 0, b'H', b'i', 0]);
    let generation = Generation { export_count: 1, name_count: 2, net_object_count: 0 };
    stored(generation, &at(69), &[1, 0, 0, 0, 2, 0, 0, 0]);
    stored(generation, &at(322), &[1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    let guid = Guid::new(0x0102_0304, 5, 6, 7);
    stored(guid, &at(69), &[4, 3, 2, 1, 5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0]);
    let big = at(69).with_byte_order(ByteOrder::Big);
    stored(guid, &big, &[1, 2, 3, 4, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7]);
    let row = Thumbnail {
        class_name: FString::new("A"),
        object_path: FString::default(),
        file_offset: 258,
    };
    stored(row, &at(868), &[2, 0, 0, 0, b'A', 0, 0, 0, 0, 0, 2, 1, 0, 0]);
}

#[test]
fn every_form_of_the_empty_string_is_kept() {
    for bytes in [&[0u8][..], &[1, 0], &[0x81, 0, 0], &[0x80], &[0x40, 0], &[0x41, 0x80, 0x00, 0]] {
        let (mut string, used) = load::<FString>(bytes, &at(69)).unwrap();
        assert_eq!(used, bytes.len(), "{bytes:02x?}");
        assert!(string.is_empty());
        super::sample::own(&mut string, bytes, &at(69));
        assert_eq!(save(&mut string, &at(69)).unwrap(), bytes);
    }
}

#[test]
fn forms_that_a_type_can_not_keep_are_refused_on_load() {
    let non_canonical = |kind| matches!(kind, ErrorKind::NonCanonical { .. });
    assert!(non_canonical(refused::<bool>(&[2, 0, 0, 0], &at(69))));
    assert!(non_canonical(refused::<bool>(&[0, 0, 0, 1], &at(69))));
    assert!(non_canonical(refused::<Vec<u8>>(&[0x41, 0, 9], &at(69))), "an overlong count");
    assert!(non_canonical(refused::<Vec<u8>>(&[0x80], &at(69))), "a count of minus zero");
    let negative = refused::<Vec<u8>>(&[0x81, 9], &at(69));
    assert!(matches!(negative, ErrorKind::NegativeCount { count: -1 }), "{negative}");
    let negative = refused::<ThumbnailImage>(&[0xff; 12], &at(868));
    assert!(matches!(negative, ErrorKind::NegativeCount { count: -1 }), "{negative}");
    let long = refused::<Vec<u8>>(&[0x04, 1, 2, 3], &at(69));
    assert!(matches!(long, ErrorKind::TooLong { count: 4, remaining: 3 }), "{long}");
    let end = refused::<FString>(&[0, 0, 0, 0x80, 1, 2, 3], &at(868));
    assert!(matches!(end, ErrorKind::UnexpectedEnd { remaining: 3, .. }), "{end}");
}

#[test]
fn texts_that_a_version_can_not_store_are_refused_on_save() {
    let bad = |string: &mut FString, versions: &Versions| {
        let error = save(string, versions).unwrap_err();
        matches!(error.kind(), ErrorKind::BadText { .. })
    };
    let big = at(868).with_byte_order(ByteOrder::Big);
    assert!(bad(&mut FString::new("Ω"), &big), "UTF-16 of the other order");
    assert!(bad(&mut FString::new_in("Ω", ByteOrder::Big, Game::Mainline), &at(868)));
    assert!(bad(&mut FString::from_bytes([1, 2, 3], Encoding::Utf16Le), &at(868)), "half a unit");
    for text in [FString::new("Ω"), FString::from_bytes(*b"a\0b", Encoding::Ansi)] {
        let mut entry = NameEntry { text, ..NameEntry::default() };
        let error = save(&mut entry, &at(61)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::BadText { .. }), "{error}");
        assert_eq!(error.path(), "text");
    }
    // The same from version 64 on is fine: the length says where it ends.
    let text = FString::from_bytes(*b"a\0b", Encoding::Ansi);
    stored(NameEntry { text, ..NameEntry::default() }, &at(64), b"\x04a\0b\0\0\0\0\0");
}

#[test]
fn what_a_version_lacks_is_named_with_its_field() {
    let late = Export { archetype_index: PackageIndex::new(1), ..Export::default() };
    let error = save(&mut late.clone(), &at(219)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "archetype_index at 0x10 (version 219/0): the value is set, but this version has no such field"
    );
    save(&mut late.clone(), &at(220)).unwrap();
    let error = save(&mut vec![Name::new(1), Name::numbered(2, 3)], &at(342)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    assert_eq!(error.path(), "[1].number");
    let error = save(&mut ObjectFlags(1 << 32), &at(194)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: 0x1_0000_0000, bits: 32 }));
    save(&mut ObjectFlags(1 << 32), &at(195)).unwrap();
}

#[test]
fn a_list_of_lists_names_the_element_that_fails() {
    let error = load::<Vec<Vec<u16>>>(&[2, 1, 7, 0, 2, 7], &at(69)).unwrap_err();
    assert_eq!(error.path(), "[1]");
    assert_eq!(error.offset(), Some(5));
    let error = load::<Vec<u16>>(&[2, 1, 7, 0], &at(69)).unwrap_err();
    assert_eq!(error.path(), "[1]", "{error}");
}

#[test]
fn parts_nest_only_so_deep_and_sizes_are_patched_in_place() {
    fn nest(ar: &mut dyn Archive, levels: u32) -> unreal_packages::Result<()> {
        match levels {
            0 => Ok(()),
            _ => ar.part(0, &mut |inner| nest(inner, levels - 1)),
        }
    }
    nest(&mut Loader::new(&[], at(69)), 60).unwrap();
    let error = nest(&mut Loader::new(&[], at(69)), 5000).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
    let mut saver = Saver::new(at(69)).at(100);
    saver.serialize_bytes(&mut [0; 6]).unwrap();
    saver.patch(102, Patch::Bytes(&[8, 9])).unwrap();
    assert_eq!(saver.bytes(), [0, 0, 8, 9, 0, 0]);
    for outside in [99, 105, u64::MAX] {
        assert!(saver.patch(outside, Patch::Bytes(&[1, 1])).is_err(), "{outside}");
    }
    assert_eq!(saver.bytes(), [0, 0, 8, 9, 0, 0]);
}

#[test]
fn counts_are_claimed_before_memory_is_taken() {
    // 40 MB of bytes could hold this many rows by count alone, but not in memory.
    let count = 40_000_000u32;
    let mut bytes = count.to_le_bytes().to_vec();
    bytes.resize(count as usize + 4, 0);
    let error = load::<Vec<Export>>(&bytes, &at(868)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Budget { .. }), "{error}");
    // A span is no copy, whatever its length.
    let mut span = Span::default();
    let mut loader = Loader::new(&bytes, at(868));
    loader.serialize_span(&mut span, 40_000_000, unreal_packages::Kind::Opaque).unwrap();
    assert_eq!(span.range(), Some(0..40_000_000));
    assert_eq!((loader.opaque(), loader.payload()), (40_000_000, 0));
}

#[test]
fn odd_compact_forms_are_equal_to_their_value_but_saved_as_they_were() {
    let (mut odd, _) = load::<CompactIndex>(&[0x41, 0x80, 0x00], &at(69)).unwrap();
    assert_eq!(odd, CompactIndex::new(1));
    assert!(!odd.is_canonical());
    assert_eq!(save(&mut odd, &at(69)).unwrap(), [0x41, 0x80, 0x00]);
    odd.set(1);
    assert_eq!(save(&mut odd, &at(69)).unwrap(), [0x01]);
}

#[test]
fn long_lists_are_explained_alike_both_ways() {
    use unreal_packages::Annotate;
    fn paths<T: Archived + Default>(bytes: &[u8]) -> Vec<String> {
        let mut value = T::default();
        let mut loader = Loader::new(bytes, at(868));
        let mut annotate = Annotate::new(&mut loader);
        value.serialize(&mut annotate).unwrap();
        let loading = annotate.into_records();
        let mut saver = Saver::new(at(868));
        let mut annotate = Annotate::new(&mut saver);
        value.serialize(&mut annotate).unwrap();
        let mut saving = annotate.into_records();
        saving.iter_mut().for_each(|record| record.role = None);
        assert!(loading == saving, "loading and saving explain differently");
        assert_eq!(saver.bytes(), bytes);
        loading.into_iter().map(|record| record.path).collect()
    }
    let mut bytes = 9000u32.to_le_bytes().to_vec();
    bytes.resize(9004, 7);
    assert_eq!(paths::<Vec<u8>>(&bytes).len(), 2, "a count and its bytes");
    bytes.resize(18004, 7);
    let paths = paths::<Vec<u16>>(&bytes);
    assert_eq!((&*paths[1], &*paths[9000]), ("[0]", "[8999]"));
    let error = load::<Vec<u16>>(&bytes[..18003], &at(868)).unwrap_err();
    assert_eq!(error.path(), "[8999]", "{error}");
}
