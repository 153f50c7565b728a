//! Payloads that stand elsewhere than in a body: where they are stays right when the header grows.

use unreal_packages::edit::{EditOptions, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::package::{FurtherSections, OpenOptions, Package, SaveOptions};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::table::{Trailer, TrailerEntry};
use unreal_packages::version::EngineRelease;
use unreal_packages::{Guid, Span};

use super::empty_body;

const RELEASE: EngineRelease = EngineRelease::new(4, 27);
/// Bulk data of the package, behind its bodies.
const BULK: &[u8] = b"0123456789abcdef";

/// How a stored offset counts.
#[derive(Clone, Copy, PartialEq)]
enum Counts {
    /// From where bulk data starts: a place in another file, which stays.
    Back,
    /// From the start of the file.
    Absolute,
    /// As it is.
    Not,
}

/// Flags, the place that is meant, bytes there, and how it is stored (spec: ue4-5/03 §17).
const KINDS: [(u32, i64, i32, Counts); 6] = [
    (0x501, 0, 16, Counts::Back),
    (0x101, 16, 8, Counts::Back),
    (0x1_0501, 4, 8, Counts::Not),
    (0x1, 3, 5, Counts::Not),
    (0x1_0001, 8, 4, Counts::Absolute),
    (0x2501, 7, 6, Counts::Back),
];

fn stored(place: i64, counts: Counts, start: i64) -> i64 {
    match counts {
        Counts::Back => place - start,
        Counts::Absolute => place + start,
        Counts::Not => place,
    }
}

/// What stands in front of the offset.
fn head((flags, _, size, _): (u32, i64, i32, Counts)) -> Vec<u8> {
    let size = match flags & 0x2000 {
        0 => size.to_le_bytes().to_vec(),
        _ => i64::from(size).to_le_bytes().to_vec(),
    };
    [empty_body(RELEASE, 0), flags.to_le_bytes().to_vec(), size.clone(), size].concat()
}

fn options() -> OpenOptions {
    OpenOptions::new().engine(RELEASE)
}

fn build(class: &str, flags: PackageFlags) -> Package {
    let bytes = |start: i64| {
        let mut sections = FurtherSections::default();
        sections.bulk_data = Span::owned(BULK);
        let mut builder = Builder::for_release(RELEASE).guid(Guid::new(1, 2, 3, 4));
        builder = builder.name("Alpha").flags(flags).sections(sections);
        for (row, kind) in KINDS.into_iter().enumerate() {
            let offset = stored(kind.1, kind.3, start);
            let body = [head(kind), offset.to_le_bytes().to_vec()].concat();
            builder = builder.export(format!("Font{row}"), class, body);
        }
        builder.build().unwrap()
    };
    let open = |bytes| options().open_bytes(bytes).unwrap();
    let start = open(bytes(0)).summary().bulk_data_start_offset;
    assert!(start > 0);
    let package = open(bytes(start));
    check(&package);
    package
}

/// Each stored number still means the place that it did, read from the bytes alone.
fn check(package: &Package) {
    let start = package.summary().bulk_data_start_offset;
    for (row, kind) in KINDS.into_iter().enumerate() {
        let body = package.body(row).unwrap();
        let at = head(kind).len();
        let raw = i64::from_le_bytes(body[at..at + 8].try_into().unwrap());
        assert_eq!(raw, stored(kind.1, kind.3, start), "flags {:#x}", kind.0);
    }
    let bulk = &package.source()[start as usize..][..BULK.len()];
    assert_eq!(bulk, BULK);
}

fn fonts() -> Package {
    build("/Script/Engine.FontBulkData", PackageFlags(0))
}

#[test]
fn a_name_more_moves_no_payload() {
    for (decoded, forced) in [(false, false), (true, false), (false, true)] {
        let mut package = fonts();
        let before = package.summary().bulk_data_start_offset;
        if decoded {
            package.decode_all();
        }
        let save = SaveOptions::new().force(forced);
        let (_, saved) = save.edit(&mut package, |edit| edit.add_name("A_name_more")).unwrap();
        let mut again = options().open_bytes(saved.bytes).unwrap();
        assert!(again.summary().bulk_data_start_offset > before);
        check(&again);
        // And once more from what was opened again, and in the same package.
        again.decode_all();
        again.edit(|edit| edit.add_name("Another_name")).unwrap();
        check(&options().open_bytes(again.to_bytes().unwrap()).unwrap());
        package.edit(|edit| edit.add_name("A_third_name_that_is_longer")).unwrap();
        check(&options().open_bytes(package.to_bytes().unwrap()).unwrap());
    }
}

/// The payload of each kind that stands behind the bodies: flags, stored offset less what it counts from, size.
fn places(package: &Package) -> Vec<(i64, i32)> {
    let start = package.summary().bulk_data_start_offset;
    let behind = KINDS.into_iter().enumerate().filter(|(_, kind)| kind.0 & 0x100 == 0);
    behind
        .map(|(row, kind)| {
            let body = package.body(row).unwrap();
            let at = head(kind).len();
            let raw = i64::from_le_bytes(body[at..at + 8].try_into().unwrap());
            let size = i32::from_le_bytes(body[at - 4..at].try_into().unwrap());
            (if kind.3 == Counts::Absolute { raw - start } else { raw }, size)
        })
        .collect()
}

#[test]
fn payloads_move_behind_one_of_another_length() {
    let mut package = fonts();
    let before = package.to_bytes().unwrap();
    let start = package.summary().bulk_data_start_offset as u64;
    assert_eq!(places(&package), [(3, 5), (8, 4)]);
    for (new, gone) in [(&b"much longer"[..], 5), (b"-", 11), (b"34567", 1)] {
        // What the payload's own object says of it is the caller's.
        package.edit(|edit| edit.replace_bulk_data(start + 3, gone, new)).unwrap();
        let again = options().open_bytes(package.to_bytes().unwrap()).unwrap();
        let moved = 3 + new.len() as i64;
        assert_eq!(places(&again), [(3, 5), (moved, 4)], "{new:?}");
        let bulk = &again.source()[again.summary().bulk_data_start_offset as usize..];
        assert!(bulk.starts_with(&[&b"012"[..], new, &BULK[8..]].concat()), "{new:?}");
    }
    assert_eq!(package.to_bytes().unwrap(), before);
}

#[test]
fn payloads_that_objects_share_are_not_replaced() {
    let mut package = fonts();
    let start = package.summary().bulk_data_start_offset as u64;
    package.edit(|edit| edit.duplicate_object("Font3", "FontX").map(drop)).unwrap();
    for new in [&b"other"[..], b"longer one"] {
        let error = package.edit(|edit| edit.replace_bulk_data(start + 3, 5, new)).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("Font3") && text.contains("FontX"), "{text}");
    }
    let empty = package.edit(|edit| edit.replace_bulk_data(start + 3, 0, b"x")).unwrap_err();
    assert!(empty.to_string().contains("no bytes"), "{empty}");
    let outside = package.edit(|edit| edit.replace_bulk_data(start + 12, 5, b"")).unwrap_err();
    assert!(outside.to_string().contains("outside"), "{outside}");
    let before = package.edit(|edit| edit.replace_bulk_data(start - 1, 1, b"")).unwrap_err();
    assert!(before.to_string().contains("outside"), "{before}");
}

#[test]
fn opaque_bytes_that_may_refer_behind_a_payload_keep_its_length() {
    let mut package = build("/Script/Game.Unknown", PackageFlags(0));
    let start = package.summary().bulk_data_start_offset as u64;
    let refused = package.edit(|edit| edit.replace_bulk_data(start + 3, 5, b"longer")).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("Font3") && text.contains("Font4"), "{text}");
    assert!(!text.contains("Font0"), "{text}");
    // Nothing ends behind this.
    package.edit(|edit| edit.replace_bulk_data(start + 12, 4, b"end")).unwrap();
    let again = options().open_bytes(package.to_bytes().unwrap()).unwrap();
    assert_eq!(again.tables().further.bulk_data.len(), BULK.len() as u64 - 1);
}

/// A package of UE5 with these payloads in its trailer.
fn with_trailer(payloads: &[&[u8]]) -> Package {
    let mut sections = FurtherSections::default();
    let mut trailer = Trailer { version: 2, ..Trailer::default() };
    let mut bytes = Vec::new();
    for (row, payload) in payloads.iter().enumerate() {
        trailer.entries.push(TrailerEntry {
            identifier: [row as u8 + 1; 20],
            offset_in_file: bytes.len() as i64,
            compressed_size: payload.len() as u64,
            raw_size: payload.len() as u64,
            ..TrailerEntry::default()
        });
        bytes.extend_from_slice(payload);
    }
    trailer.payloads = Span::owned(bytes);
    sections.trailer = Some(trailer);
    let builder = Builder::for_release(EngineRelease::new(5, 3)).sections(sections);
    let builder = builder.guid(Guid::new(1, 2, 3, 4));
    Package::from_bytes(builder.build().unwrap()).unwrap()
}

/// Identifiers and payloads of the trailer.
fn trailer(package: &Package) -> Vec<(u8, Vec<u8>)> {
    let again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let trailer = again.tables().further.trailer.clone().unwrap();
    let bytes = trailer.payloads.bytes(again.source()).unwrap();
    let payload = |entry: &TrailerEntry| {
        let from = entry.offset_in_file as usize;
        (entry.identifier[0], bytes[from..from + entry.compressed_size as usize].to_vec())
    };
    trailer.entries.iter().map(payload).collect()
}

#[test]
fn payloads_of_the_trailer_take_other_content() {
    let mut package = with_trailer(&[b"one", b"two", b"three"]);
    let before = package.to_bytes().unwrap();
    let put = |package: &mut Package, old: u8, new: u8, bytes: &[u8]| {
        package.edit(|edit| {
            edit.replace_trailer_payload(&[old; 20], [new; 20], bytes.len() as u64, bytes)
        })
    };
    put(&mut package, 2, 9, b"a longer one").unwrap();
    let expected = [(1, &b"one"[..]), (9, b"a longer one"), (3, b"three")];
    assert_eq!(trailer(&package), expected.map(|(id, bytes)| (id, bytes.to_vec())));
    put(&mut package, 9, 2, b"two").unwrap();
    assert_eq!(package.to_bytes().unwrap(), before);
    // What is there already is not stored twice.
    put(&mut package, 2, 3, b"three").unwrap();
    let expected = [(1, &b"one"[..]), (3, b"three")];
    assert_eq!(trailer(&package), expected.map(|(id, bytes)| (id, bytes.to_vec())));
    let missing = put(&mut package, 7, 8, b"x").unwrap_err();
    assert!(missing.to_string().contains("trailer"), "{missing}");
}

#[test]
fn an_object_more_moves_no_payload() {
    let mut package = fonts();
    package.edit(|edit| edit.duplicate_object("Font0", "FontX").map(drop)).unwrap();
    check(&options().open_bytes(package.to_bytes().unwrap()).unwrap());
    package.edit(|edit| edit.rename_object("FontX", "A_much_longer_name_of_it").map(drop)).unwrap();
    check(&options().open_bytes(package.to_bytes().unwrap()).unwrap());
}

#[cfg(feature = "json")]
#[test]
fn documents_say_places_that_no_header_moves() {
    let package = fonts();
    let mut text = Vec::new();
    package.to_json(&mut text, false).unwrap();
    let same = Package::from_json(&text).unwrap();
    assert!(same.to_bytes().unwrap() == package.source());
    let mut document: serde_json::Value = serde_json::from_slice(&text).unwrap();
    document["names"].as_array_mut().unwrap().push("A_name_more".into());
    for whole in [true, false] {
        if !whole {
            document.as_object_mut().unwrap().remove("stored");
            for export in document["exports"].as_array_mut().unwrap() {
                export.as_object_mut().unwrap().remove("stored");
            }
        }
        let longer = Package::from_json(document.to_string().as_bytes()).unwrap();
        check(&options().open_bytes(longer.to_bytes().unwrap()).unwrap());
    }
}

/// Where nobody decodes a body its numbers can't follow.
#[test]
fn what_counts_from_bulk_data_unseen_stays_where_it_is() {
    let mut package = build("/Script/Engine.Mystery", PackageFlags::FILTER_EDITOR_ONLY);
    let refused = package.edit(|edit| edit.add_name("A_name_more")).unwrap_err();
    let Some(UnrealError::Refused { objects, .. }) = refused.unreal() else { panic!("{refused}") };
    assert!(objects.contains(&"Font0".to_owned()), "{objects:?}");
    check(&package);
    // With its companion beside it the numbers are places there for certain: nothing moves them.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Thing.uasset");
    std::fs::write(&path, package.source()).unwrap();
    std::fs::write(folder.path().join("Thing.ubulk"), [7; 40]).unwrap();
    let mut package = options().open(&path).unwrap();
    let save = SaveOptions::new().force(true);
    let refused = save.edit(&mut package, |edit| edit.add_name("A_name_more")).unwrap_err();
    assert!(matches!(refused.unreal(), Some(UnrealError::Refused { .. })), "{refused}");
}
