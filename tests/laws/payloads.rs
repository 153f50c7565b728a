//! Bytes that stay as they are, and the numbers that say where they stand.

use unreal_packages::archive::{Archived, Kind, Loader, References, Saver, Span};
use unreal_packages::primitive::{
    BulkArray, BulkData, ExportFlags, Group, LazyArray, LazyHeader, LazyPayload, LongPosition,
    Payload, Position, Rare, TransArray,
};
use unreal_packages::table::ExportDetails;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Name, Versions};

use crate::stored::{file, kept, loaded, over, refused, saved, size, stored};

fn bytes(count: u8) -> Span {
    Span::owned((1..=count).collect::<Vec<u8>>())
}

#[test]
fn positions_are_written_anew_or_kept() {
    stored(Position::Here, &file(69), &[4, 0, 0, 0]);
    stored(Position::Stale(5), &file(69), &[5, 0, 0, 0]);
    let mut saver = Saver::new(file(69)).at(100);
    Position::Here.serialize(&mut saver).unwrap();
    assert_eq!(saver.into_bytes(), [104, 0, 0, 0]);
    let error =
        Position::Here.serialize(&mut Saver::new(file(69)).at(u32::MAX.into())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { bits: 32, .. }), "{error}");
    Position::Here.serialize(&mut Saver::new(file(69)).at(u64::from(u32::MAX) - 4)).unwrap();
    assert_eq!(size::<Position>(&file(69)), Some(4));
}

#[test]
fn long_positions_move_with_what_is_near() {
    let versions = Versions::ue4_and_5(522, 0);
    for (position, number) in [
        (LongPosition::Here, 8_i64),
        (LongPosition::Beside(-3), 5),
        (LongPosition::Beside(127), 135),
        (LongPosition::Beside(-128), -120),
        (LongPosition::Stale(136), 136),
        (LongPosition::Stale(-121), -121),
    ] {
        stored(position, &versions, &number.to_le_bytes());
    }
    let mut saver = Saver::new(versions.clone()).at(100);
    LongPosition::Beside(2).serialize(&mut saver).unwrap();
    assert_eq!(saver.into_bytes(), 110_i64.to_le_bytes());
    for (position, number) in
        [(LongPosition::Stale(7), 7), (LongPosition::Here, 0), (LongPosition::Beside(3), 3)]
    {
        let mut position = position;
        let mut saver = Saver::new(versions.clone());
        position.elsewhere(0, &mut saver).unwrap();
        assert_eq!(saver.into_bytes(), i64::to_le_bytes(number));
        position
            .elsewhere(0, &mut Loader::new(&[9, 0, 0, 0, 0, 0, 0, 0], versions.clone()))
            .unwrap();
        assert_eq!(position, LongPosition::Stale(9));
    }
    let mut position = LongPosition::Beside(1);
    position.elsewhere(0, &mut References::new(versions.clone())).unwrap();
    assert_eq!(position, LongPosition::Beside(1));
    assert_eq!(size::<LongPosition>(&versions), Some(8));
}

#[test]
fn lazy_arrays_say_where_they_end() {
    let header = |end| LazyHeader { end, ..LazyHeader::default() };
    let array = |end| LazyArray { header: header(end), items: vec![1_u16, 2] };
    stored(array(Position::Here), &file(61), &[2, 1, 0, 2, 0]);
    stored(array(Position::Here), &file(62), &[9, 0, 0, 0, 2, 1, 0, 2, 0]);
    stored(array(Position::Stale(8)), &file(62), &[8, 0, 0, 0, 2, 1, 0, 2, 0]);
    let lazy = |header| LazyPayload::<2> { header, data: Payload(bytes(4)) };
    kept(lazy(header(Position::Here)), &file(62), &[9, 0, 0, 0, 2, 1, 2, 3, 4]);
    kept(lazy(header(Position::Here)), &file(250), &[12, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4]);
    let flags = LazyHeader { loader_flags: 6, ..header(Position::Here) };
    for version in [251, 253] {
        kept(lazy(flags), &file(version), &[16, 0, 0, 0, 6, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4]);
    }
    let size = LazyHeader { stored_size: 5, ..flags };
    for version in [254, 259] {
        let bytes = [20, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4];
        kept(lazy(size), &file(version), &bytes);
    }
    let package = LazyHeader { package: Name::new(7), ..size };
    let stored = [24, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4];
    kept(lazy(package), &file(260), &stored);
    for (version, field) in [(259, "package"), (253, "stored_size"), (250, "loader_flags")] {
        let header = match field {
            "package" => LazyHeader { package: Name::new(7), ..LazyHeader::default() },
            "stored_size" => LazyHeader { stored_size: 5, ..LazyHeader::default() },
            _ => LazyHeader { loader_flags: 6, ..LazyHeader::default() },
        };
        let error = saved(&mut lazy(header), &file(version)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
        assert_eq!(error.path().to_string(), field);
    }
    let error = saved(&mut lazy(header(Position::Stale(1))), &file(61)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
}

#[test]
fn payloads_count_their_elements() {
    kept(Payload::<3>(bytes(6)), &file(69), &[2, 1, 2, 3, 4, 5, 6]);
    assert_eq!((Payload::<3>(bytes(6)).count(), Payload::<4>(Span::default()).count()), (2, 0));
    let error = saved(&mut Payload::<4>(bytes(6)), &file(69)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: 6, .. }), "{error}");
    let mut references = References::new(file(69));
    Payload::<3>(bytes(6)).serialize(&mut references).unwrap();
    assert_eq!(references.spans(), [(bytes(6), Kind::Payload)]);
}

#[test]
fn bulk_data_stands_here_or_elsewhere() {
    let bulk = |flags, count, size, offset, payload| BulkData {
        flags,
        element_count: count,
        size_on_disk: size,
        offset,
        payload,
    };
    let numbers = |numbers: [i32; 4]| numbers.map(i32::to_le_bytes).concat();
    let inline = bulk(0, 2, 4, Position::Here, bytes(4));
    let stored = [numbers([0, 2, 4, 16]), vec![1, 2, 3, 4]].concat();
    kept(inline.clone(), &file(512), &stored);
    // The size is that of the payload.
    let mut other = BulkData { size_on_disk: 99, ..inline.clone() };
    assert_eq!(saved(&mut other, &file(512)).unwrap(), stored);
    let stale = bulk(2, 2, 4, Position::Stale(77), bytes(4));
    kept(stale, &file(512), &[numbers([2, 2, 4, 77]), vec![1, 2, 3, 4]].concat());
    for flags in [0x01, 0x20, 0x21] {
        let away = bulk(flags, 2, 4, Position::Stale(16), Span::default());
        kept(away, &file(512), &numbers([flags as i32, 2, 4, 16]));
    }
    // Elsewhere in the file it would have to follow other bytes, unless there is nothing.
    kept(
        bulk(0x40, 0, 0, Position::Stale(9), Span::default()),
        &file(512),
        &numbers([0x40, 0, 0, 9]),
    );
    kept(
        bulk(0x40, 0, -1, Position::Stale(9), Span::default()),
        &file(512),
        &numbers([0x40, 0, -1, 9]),
    );
    let (kind, _) = refused::<BulkData>(&numbers([0x40, 1, 1, 9]), &file(512));
    assert!(matches!(kind, ErrorKind::NonCanonical { .. }), "{kind}");
    // Of a size below zero nothing is there.
    kept(bulk(0, -1, -1, Position::Here, Span::default()), &file(512), &numbers([0, -1, -1, 16]));
    for (flags, facts) in [
        (0, (false, false, true)),
        (0x01, (false, true, false)),
        (0x20, (true, false, false)),
        (0x40, (false, false, false)),
        (0x21, (true, true, false)),
        (0x12, (false, false, true)),
    ] {
        let bulk = BulkData { flags, ..BulkData::default() };
        assert_eq!(
            (bulk.is_unused(), bulk.is_in_separate_file(), bulk.is_inline()),
            facts,
            "{flags:#x}"
        );
    }
}

#[test]
fn bulk_arrays_have_the_size_of_their_elements() {
    let array = |element_size, count, data| BulkArray::<2> { element_size, count, data };
    kept(array(2, 2, bytes(4)), &file(452), &[2, 0, 0, 0, 1, 2, 3, 4]);
    kept(array(4, 1, bytes(4)), &file(453), &[4, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4]);
    let mut other = BulkArray::<2>::default();
    other.serialize_as(4, &mut Loader::new(&[1, 0, 0, 0, 1, 2, 3, 4], file(452))).unwrap();
    assert_eq!((other.element_size, other.count, other.data.len()), (4, 1, 4));
    for numbers in [[-1, 1], [1, -1], [i32::MAX, -2]] {
        let (kind, _) =
            refused::<BulkArray<2>>(&numbers.map(i32::to_le_bytes).concat(), &file(453));
        assert!(matches!(kind, ErrorKind::NegativeCount { .. }), "{kind}");
    }
    let (kind, _) = refused::<BulkArray<2>>(&[i32::MAX.to_le_bytes(); 2].concat(), &file(453));
    assert!(matches!(kind, ErrorKind::UnexpectedEnd { .. }), "{kind}");
    let error = saved(&mut array(2, 3, bytes(4)), &file(453)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: 4, bits: 31 }), "{error}");
    let error = saved(&mut array(2, 3, bytes(4)), &file(452)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { .. }), "{error}");
    // Readers of 452 would take elements of another size for ones of two bytes.
    let error = saved(&mut array(3, 2, bytes(6)), &file(452)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
}

#[test]
fn arrays_may_have_room_for_more() {
    let array = TransArray { maximum: 9, items: vec![1_u16, 2] };
    over(
        array,
        TransArray { maximum: 1, items: vec![7] },
        &file(69),
        &[2, 0, 0, 0, 9, 0, 0, 0, 1, 0, 2, 0],
    );
    let (kind, _) = refused::<TransArray<u16>>(&[0xff; 8], &file(69));
    assert!(matches!(kind, ErrorKind::NegativeCount { count: -1 }), "{kind}");
}

#[test]
#[cfg(feature = "json")]
fn documents_leave_out_the_room_that_follows_from_the_count() {
    let written = |maximum: i32| {
        let mut saver =
            unreal_packages::archive::JsonSaver::new(file(69), Default::default(), &(), 0);
        TransArray { maximum, items: vec![1_u16, 2] }.serialize(&mut saver).unwrap();
        saver.into_value()
    };
    assert_eq!(written(2), serde_json::json!([1, 2]));
    assert_eq!(written(9), serde_json::json!({ "count": [1, 2], "maximum": 9 }));
    let read = |document: serde_json::Value| {
        let known = (file(69), Default::default());
        let mut loader =
            unreal_packages::archive::JsonLoader::new(&document, known, &(), 0, 1 << 10);
        let mut array = TransArray::<u16>::default();
        let done = array.serialize(&mut loader);
        loader.finish(done).unwrap();
        array
    };
    assert_eq!(read(serde_json::json!([1, 2, 3])).maximum, 3);
    assert_eq!(read(serde_json::json!({ "count": [1], "maximum": 9 })).maximum, 9);
}

#[test]
fn rare_groups_are_there_where_something_is_set() {
    let versions = file(868);
    let mut rare = Rare::<ExportDetails>::default();
    assert_eq!((rare.allocated(), &*rare), (0, ExportDetails::ABSENT));
    let absent = saved(&mut rare, &versions).unwrap();
    assert_eq!(absent, saved(&mut ExportDetails::default(), &versions).unwrap());
    let mut found =
        Rare::from(ExportDetails { export_flags: ExportFlags(1), ..ExportDetails::default() });
    assert_ne!(found.allocated(), 0);
    assert_ne!(found, rare);
    assert_ne!(saved(&mut found, &versions).unwrap(), absent);
    found.serialize(&mut Loader::new(&absent, versions.clone())).unwrap();
    assert_eq!(found.allocated(), 0, "what is not set takes no room");
    assert_eq!(found, rare);
    rare.export_flags = ExportFlags(2);
    let set = saved(&mut rare, &versions).unwrap();
    let (again, _) = loaded::<Rare<ExportDetails>>(&set, &versions).unwrap();
    assert_eq!(again, rare);
    assert_eq!(format!("{rare:?}"), format!("{:?}", &*rare));
    // Set, but to what it is anyway.
    let mut inserted = Rare::<ExportDetails>::default();
    inserted.insert(ExportDetails::default()).export_flags = ExportFlags(4);
    assert_eq!(inserted.export_flags, ExportFlags(4));
    inserted.export_flags = ExportFlags(0);
    assert_eq!(inserted, Rare::default());
    assert_ne!(inserted.allocated(), 0);
}
