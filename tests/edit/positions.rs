//! Bodies that hold absolute file positions stay where they are, or saving is refused; and files are
//! replaced in one step.

use crate::common;

use common::parts::Parts;
use common::{ORDERS, open};
use unreal_packages::edit::{Edit, EditOptions, PackageEdit};
use unreal_packages::error::{Refusal, UnrealError, UnrealErrors};
use unreal_packages::package::{Ground, LayoutChoice, LayoutKind, Package, SaveOptions, Saved};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ByteOrder, ErrorKind, Versions};

/// The row whose body holds a position; the other body, behind it, holds none.
const STUCK: usize = 1;

/// What the body of [`STUCK`] looks like when it starts at `start`: a lazy array or inline bulk data.
fn body(start: u32, v: &Versions) -> Vec<u8> {
    let put = |value: u32| match v.byte_order {
        ByteOrder::Little => value.to_le_bytes(),
        ByteOrder::Big => value.to_be_bytes(),
    };
    let data = [1, 2, 3, 4, 5, 6];
    let mut body = vec![9, 1, 2, 3, 7];
    if v.file() < 178 {
        // Lazy array: end, compact count, data (spec: ue1-3/01 §1.7).
        body.extend(put(start + 5 + 4 + 1 + 6));
        body.push(6);
    } else {
        // Bulk data: flags, count, size, offset, data (spec: ue1-3/01 §1.8).
        for value in [0, 6, 6, start + 5 + 16] {
            body.extend(put(value));
        }
    }
    body.extend(data);
    body
}

fn package(file: u32, order: ByteOrder) -> Package {
    package_behind(&[], file, order)
}

/// The same with a first body in front of the stuck one.
fn package_behind(first: &[u8], file: u32, order: ByteOrder) -> Package {
    let v = Versions::ue1_to_3(file, 0).with_byte_order(order);
    let mut parts = Parts::rich(v.clone());
    parts.bodies[0] = first.to_vec();
    parts.bodies[STUCK] = body(0, &v);
    let offset = |bytes: &[u8]| open(bytes).exports().entries()[STUCK].serial_offset.value() as u32;
    parts.bodies[STUCK] = body(offset(&parts.assemble()), &v);
    open(&parts.assemble())
}

fn packages(files: &'static [u32]) -> impl Iterator<Item = Package> {
    files.iter().flat_map(|&file| ORDERS.map(|order| package(file, order)))
}

fn options(layout: LayoutChoice) -> SaveOptions {
    SaveOptions::new().layout(layout)
}

fn offset(package: &Package, row: usize) -> u64 {
    package.exports().entries()[row].serial_offset.value() as u64
}

/// The body still stands where its position says.
fn is_intact(package: &Package) {
    let start = offset(package, STUCK) as u32;
    let v = package.versions();
    assert!(package.body(STUCK).unwrap() == body(start, v), "{v}: a position has gone stale");
}

fn refused(result: unreal_packages::Result<unreal_packages::package::Saved>) -> Vec<String> {
    let error = result.expect_err("this must be refused");
    match error.unreal() {
        Some(UnrealError::Refused { why: Refusal::FilePositions, objects, .. }) => objects.clone(),
        _ => panic!("{error}"),
    }
}

const CLASSIC: &[u32] = &[63, 69, 128];
const UE3: &[u32] = &[266, 512, 684, 868];

#[test]
fn a_classic_header_grows_without_moving_a_body_that_holds_positions() {
    for original in packages(CLASSIC) {
        let v = original.versions().clone();
        is_intact(&original);
        let mut package = original.clone();
        package
            .edit(|edit| edit.rename_name("Alpha", "A_name_that_is_longer_than_before"))
            .unwrap();
        let saved = package.save(&SaveOptions::new()).unwrap_or_else(|e| panic!("{v}: {e}"));
        assert_eq!(saved.report.layout, LayoutKind::Keep, "{v}");
        assert!(saved.report.moved.is_empty(), "{v}: {:?}", saved.report.moved);
        let again = open(&saved.bytes);
        is_intact(&again);
        for row in 0..again.exports().len() {
            assert_eq!(offset(&again, row), offset(&original, row), "{v}");
            assert_eq!(again.body(row).unwrap(), original.body(row).unwrap(), "{v}");
        }
        assert!(again.names().find("a_name_that_is_longer_than_before").is_some());
        assert!(again.to_bytes().unwrap() == saved.bytes, "{v}");
        // The names' old place is free and zero.
        let old = original.summary().name_offset as usize;
        let freed = again.sections().into_iter().find(|place| {
            place.section.to_string().starts_with("gaps") && place.start as usize >= old
        });
        let freed = freed.unwrap_or_else(|| panic!("{v}: no freed bytes"));
        let range = freed.start as usize..freed.end() as usize;
        assert!(saved.bytes[range].iter().all(|&byte| byte == 0), "{v}");
        let stuck = refused(package.save(&options(LayoutChoice::Canonical)));
        assert_eq!(stuck, ["Group.Skin"], "{v}");
        // An edit in that layout does nothing.
        let mut package = original.clone();
        let canonical = options(LayoutChoice::Canonical);
        assert_eq!(refused(lengthened(&canonical, &mut package)), ["Group.Skin"], "{v}");
        assert!(package.to_bytes().unwrap() == original.source(), "{v}");
    }
}

/// A number that is not quite the position keeps no body in its place.
#[test]
fn a_body_whose_number_is_no_position_moves() {
    for file in [63, 868] {
        for order in ORDERS {
            let original = package_behind(&[1, 2, 3], file, order);
            let v = original.versions().clone();
            let start = offset(&original, STUCK) as u32;
            let mut parts = Parts::rich(v.clone());
            parts.bodies[0] = vec![1, 2, 3];
            for (number, moves) in [(start, false), (start - 1, true)] {
                parts.bodies[STUCK] = body(number, &v);
                let mut package = open(&parts.assemble());
                assert_eq!(offset(&package, STUCK), u64::from(start), "{v}");
                let longer = |edit: &mut Edit| edit.replace_body(0, vec![0; 64]);
                let canonical = options(LayoutChoice::Canonical);
                match canonical.edit(&mut package, longer) {
                    Ok((_, saved)) => {
                        assert!(moves, "{v}: a position has gone stale");
                        let again = open(&saved.bytes);
                        assert_ne!(offset(&again, STUCK), u64::from(start), "{v}");
                    }
                    Err(error) => {
                        assert!(!moves, "{v}: {error}");
                        assert!(
                            matches!(error.unreal(), Some(UnrealError::Refused { .. })),
                            "{v}: {error}"
                        );
                    }
                }
            }
        }
    }
}

/// Saved in this way with a longer name.
fn lengthened(options: &SaveOptions, package: &mut Package) -> unreal_packages::Result<Saved> {
    let longer = |edit: &mut Edit| edit.rename_name("Alpha", "A_name_that_is_longer_than_before");
    options.edit(package, longer).map(|(_, saved)| saved)
}

#[test]
fn a_ue3_header_that_grows_is_refused_and_nothing_changes() {
    for original in packages(UE3) {
        let v = original.versions().clone();
        is_intact(&original);
        let mut package = original.clone();
        for layout in [LayoutChoice::Auto, LayoutChoice::Canonical, LayoutChoice::Keep] {
            let stuck = refused(lengthened(&options(layout), &mut package));
            assert_eq!(stuck, ["Group.Skin"], "{v} {layout:?}");
        }
        assert_eq!(offset(&package, STUCK), offset(&original, STUCK), "{v}");
        assert!(package.names().find("Alpha").is_some(), "{v}");
        assert!(package.to_bytes().unwrap() == original.source(), "{v}");
    }
}

#[test]
fn a_ue3_header_that_shrinks_leaves_the_bodies() {
    for original in packages(UE3) {
        let v = original.versions().clone();
        let mut package = original.clone();
        package.edit(|edit| edit.rename_name("Alpha", "A")).unwrap();
        let saved = package.save(&SaveOptions::new()).unwrap_or_else(|e| panic!("{v}: {e}"));
        assert_eq!(saved.report.layout, LayoutKind::Keep, "{v}");
        assert_eq!(saved.bytes.len(), original.source().len(), "{v}");
        let again = open(&saved.bytes);
        is_intact(&again);
        assert_eq!(offset(&again, STUCK), offset(&original, STUCK), "{v}");
        // Every table stands in front of the header's end, every body behind it.
        let end = again.summary().total_header_size as u64;
        for place in again.sections() {
            match place.section {
                unreal_packages::package::Section::Body(_) => assert!(place.start >= end, "{v}"),
                unreal_packages::package::Section::Gap(_) => {}
                section => assert!(place.end() <= end, "{v}: {section}"),
            }
        }
        assert!(again.to_bytes().unwrap() == saved.bytes, "{v}");
    }
}

#[test]
fn a_body_that_grows_in_front_does_not_push_one_that_holds_positions() {
    for file in [63, 69, 128, 266, 512, 684, 868] {
        let original = package_behind(&[3; 4], file, ByteOrder::Little);
        let v = original.versions().clone();
        let mut package = original.clone();
        // It goes to the end of the file instead.
        package.edit(|edit| edit.replace_body(0, vec![4; 500])).unwrap();
        let saved = package.save(&SaveOptions::new()).unwrap_or_else(|e| panic!("{v}: {e}"));
        let again = open(&saved.bytes);
        is_intact(&again);
        assert_eq!(again.body(0).unwrap(), [4; 500], "{v}");
        assert_eq!(again.body(2).unwrap(), original.body(2).unwrap(), "{v}");
        assert_eq!(saved.report.layout, LayoutKind::Keep, "{v}");
    }
}

#[test]
fn force_moves_and_strict_does_not_trust_the_search() {
    for original in packages(&[69, 128, 512, 868]) {
        let v = original.versions().clone();
        let mut package = original.clone();
        let force = options(LayoutChoice::Canonical).force(true);
        let forced = lengthened(&force, &mut package).unwrap();
        assert_eq!(forced.report.layout, LayoutKind::Canonical);
        let grounds: Vec<_> = forced.report.moved.iter().map(|moved| moved.ground).collect();
        assert_eq!(grounds, [Ground::Forced; 2], "{v}");
        let again = open(&forced.bytes);
        assert_eq!(again.body(STUCK).unwrap(), original.body(STUCK).unwrap(), "{v}");
        for moved in &forced.report.moved {
            assert_eq!(moved.from, offset(&original, moved.export), "{v}");
            assert_eq!(moved.to, offset(&again, moved.export), "{v}");
        }
        // Both bodies are textures: strict trusts neither, not even the one without positions.
        let strict = refused(package.save(&options(LayoutChoice::Canonical).strict(true)));
        assert_eq!(strict, ["Group.Skin", "A_name_that_is_longer_than_before"], "{v}");
        // With the position replaced, the plain way moves both, each on its ground.
        package.edit(|edit| edit.replace_body(STUCK, vec![1, 2, 3])).unwrap();
        let saved = package.save(&SaveOptions::new()).unwrap();
        assert_eq!(saved.report.layout, LayoutKind::Canonical, "{v}");
        let grounds: Vec<_> = saved.report.moved.iter().map(|moved| moved.ground).collect();
        assert_eq!(grounds, [Ground::Replaced, Ground::NoPositionsSeen], "{v}");
    }
}

#[test]
fn classes_without_positions_move_whatever_their_bytes() {
    for &file in &[69, 868] {
        let v = Versions::ue1_to_3(file, 0);
        let build = |start: u32| {
            let builder = common::builder(v.clone());
            builder.export("Text", "Core.TextBuffer", body(start, &v)).build().unwrap()
        };
        let row = open(&build(0)).find_export("Text").unwrap();
        let mut package = open(&build(offset(&open(&build(0)), row) as u32));
        package
            .edit(|edit| edit.rename_name("Alpha", "A_name_that_is_longer_than_before"))
            .unwrap();
        let saved = package.save(&SaveOptions::new().strict(false)).unwrap();
        let moved = saved.report.moved.iter().find(|moved| moved.export == row).unwrap();
        assert_eq!(moved.ground, Ground::ClassWithoutPositions);
        assert_eq!(open(&saved.bytes).body(row).unwrap(), package.body(row).unwrap());
    }
}

#[test]
fn a_file_is_replaced_in_one_step_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Test.u");
    let original = package(868, ByteOrder::Little);
    let entries = || std::fs::read_dir(folder.path()).unwrap().count();
    original.save(&SaveOptions::new()).unwrap().write_file(&path).unwrap();
    assert!(std::fs::read(&path).unwrap() == original.source());
    assert_eq!(entries(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode =
            |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let plain = folder.path().join("plain");
        std::fs::write(&plain, b"").unwrap();
        assert_eq!(mode(&path), mode(&plain), "a new file is an ordinary file");
        std::fs::remove_file(plain).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        let mut changed = original.clone();
        changed.edit(|edit| edit.rename_name("Alpha", "Omega")).unwrap();
        changed.save(&SaveOptions::new()).unwrap().write_file(&path).unwrap();
        assert_eq!(mode(&path), 0o640, "permissions are kept");
        assert!(std::fs::read(&path).unwrap() == changed.to_bytes().unwrap());
    }
    // A save that is refused, and one that can't be written, leave what is there.
    let there = std::fs::read(&path).unwrap();
    let mut stuck = original.clone();
    let saved = lengthened(&SaveOptions::new(), &mut stuck);
    let refused = saved.and_then(|saved| saved.write_file(&path)).unwrap_err();
    assert!(matches!(refused.unreal(), Some(UnrealError::Refused { .. })), "{refused}");
    assert!(std::fs::read(&path).unwrap() == there);
    let nowhere = folder.path().join("missing").join("Test.u");
    let saved = original.save(&SaveOptions::new());
    let error = saved.and_then(|saved| saved.write_file(&nowhere)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. }), "{error}");
    assert!(error.to_string().contains("missing"), "{error}");
    let taken = folder.path().join("folder");
    std::fs::create_dir_all(taken.join("full")).unwrap();
    let saved = original.save(&SaveOptions::new());
    let error = saved.and_then(|saved| saved.write_file(&taken)).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::NotReplaceable { .. })), "{error}");
    assert_eq!(entries(), 2, "no temporary file stays behind");
    assert!(std::fs::read(&path).unwrap() == there);
}

#[test]
fn a_package_can_be_saved_over_the_file_that_it_was_opened_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Test.u");
    std::fs::write(&path, package(69, ByteOrder::Little).source()).unwrap();
    let mut opened = Package::open(&path).unwrap();
    let source = opened.source().to_vec();
    opened.edit(|edit| edit.rename_name("Alpha", "A_name_that_is_longer_than_before")).unwrap();
    opened.save(&SaveOptions::new()).unwrap().write_file(&path).unwrap();
    assert!(opened.source() == source, "the bytes that it was opened from have not changed");
    is_intact(&Package::open(&path).unwrap());
    let missing = Package::open(folder.path().join("no.u")).unwrap_err();
    assert!(matches!(missing.kind(), ErrorKind::Io { .. }), "{missing}");
}

/// A sound with a lazy array, a movie with bulk data.
fn holder(file: u32) -> Package {
    let put = |value: u32| value.to_le_bytes();
    let (class, head) = match file {
        ..178 => ("Engine.Sound", vec![0, 0]),
        _ => ("Engine.TextureMovie", vec![0; 12]),
    };
    let body = |start: u32| {
        let at = start + head.len() as u32;
        let rest = match file {
            ..178 => [&put(at + 4 + 1 + 6)[..], &[6], b"sounds"].concat(),
            // Bulk data of the texture, unused, then that of the movie.
            _ => {
                let unused = [put(0x20), put(0), put(u32::MAX), put(u32::MAX)].concat();
                let own = [put(0), put(6), put(6), put(at + 32)].concat();
                [unused, own, b"movies".to_vec()].concat()
            }
        };
        [head.clone(), rest].concat()
    };
    let build = |start: u32| {
        let builder = unreal_packages::generate::Builder::new(file).name("None");
        Package::from_bytes(builder.export("Held", class, body(start)).build().unwrap()).unwrap()
    };
    let start = offset(&build(0), 0) as u32;
    let mut package = build(start);
    package.decode_all();
    package
}

#[test]
fn a_position_that_leads_elsewhere_is_found() {
    use unreal_packages::inspect::{PositionFault, Positions};
    for file in [69, 512] {
        let package = holder(file);
        assert_eq!(package.decoded(0).unwrap().opaque, 0, "{file}");
        let sound = Positions::of(&package);
        assert_eq!((sound.checked, sound.wrong.len()), (1, 0), "{file}: {sound:?}");
        // The body moves without the library knowing.
        let mut bytes = package.source().to_vec();
        let end = bytes.len();
        let known = package.body(0).unwrap().to_vec();
        let at = bytes.windows(known.len()).position(|window| window == known).unwrap();
        let (number, data) = if file < 178 { (at + 2, 1 + 6) } else { (at + 12 + 16 + 12, 6) };
        bytes[number] ^= 0x10;
        let mut moved = Package::from_bytes(bytes).unwrap();
        moved.decode_all();
        let found = Positions::of(&moved);
        let [wrong] = &found.wrong[..] else { panic!("{file}: {found:?}, {end}") };
        assert_eq!((wrong.fault, wrong.export), (PositionFault::Stale, Some(0)));
        assert!(wrong.size >= data as u64 - 1, "{wrong:?}");
        assert!(wrong.to_string().starts_with("Held: "), "{wrong}");
        // It is still kept as it stands.
        assert!(moved.to_bytes().unwrap() == moved.source());
    }
}

#[test]
fn bodies_beyond_what_drafts_keep_are_saved_once_more() {
    use unreal_packages::inspect::Positions;
    // Five sounds of 4 MiB: what is not kept are the last two.
    const SIZE: u32 = 4 << 20;
    let body = |start: u32, number: u8| {
        // Compact: six bits, then seven in each byte.
        let count = [0x40, 0x80, 0x80, 0x04];
        let end = start + 2 + 4 + count.len() as u32 + SIZE;
        [&[0, 0][..], &end.to_le_bytes(), &count, &vec![number; SIZE as usize]].concat()
    };
    let build = |starts: [u32; 5]| {
        let mut builder = unreal_packages::generate::Builder::new(69).name("None");
        for (number, start) in (0u8..).zip(starts) {
            builder = builder.export(format!("S{number}"), "Engine.Sound", body(start, number));
        }
        Package::from_bytes(builder.build().unwrap()).unwrap()
    };
    let draft = build([0; 5]);
    let mut package = build(std::array::from_fn(|row| offset(&draft, row) as u32));
    package.decode_all();
    assert_eq!((Positions::of(&package).checked, Positions::of(&package).wrong.len()), (5, 0));
    let starts: Vec<_> = (0..5).map(|row| offset(&package, row)).collect();
    package.edit(|edit| edit.rename_name("S3", "A_name_that_is_longer_than_before")).unwrap();
    let saved = package.save(&SaveOptions::new()).unwrap();
    let mut again = Package::from_bytes(saved.bytes.clone()).unwrap();
    for (row, old) in starts.into_iter().enumerate() {
        let start = offset(&again, row);
        assert!(start > old);
        assert!(again.body(row).unwrap() == body(start as u32, row as u8), "{row}");
    }
    again.decode_all();
    assert_eq!((Positions::of(&again).checked, Positions::of(&again).wrong.len()), (5, 0));
}
