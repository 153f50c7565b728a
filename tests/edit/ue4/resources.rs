//! Payloads in bodies of which the table of data resources says where they stand.

use unreal_packages::Span;
use unreal_packages::edit::{Edit, PackageEdit, RemoveOptions};
use unreal_packages::object::ue4::asset::texture::ImageTexture;
use unreal_packages::package::decode::native_as_mut;
use unreal_packages::package::{OpenOptions, Package, native_as};
use unreal_packages::version::EngineRelease;

use super::common::ue4::{TEXELS, cooked_texture, cooked_textures, inline_texels};
use super::reopened;

fn opened(release: EngineRelease) -> (Package, OpenOptions) {
    let bytes = cooked_texture(release);
    let options = OpenOptions::new().engine(release);
    let mut package = options.clone().open_bytes(bytes.clone()).unwrap();
    package.decode_all();
    let picture = package.find_export("Picture").unwrap();
    let decoded = package.decoded(picture).unwrap();
    assert_eq!((decoded.opaque, decoded.payload), (0, 16), "{:?}", decoded.error);
    assert!(package.to_bytes().unwrap() == bytes);
    (package, options)
}

#[test]
fn the_table_follows_payloads_of_bodies_that_grow_and_shrink() {
    for (major, minor) in [(5, 2), (5, 3), (5, 4), (5, 6)] {
        let (mut package, options) = opened(EngineRelease::new(major, minor));
        let (start, texels, others) = inline_texels(&package);
        assert_eq!(texels, TEXELS);
        let text = "string".parse().unwrap();
        package.edit(|edit| edit.add_property("Picture", "Title", &text, "hello world")).unwrap();
        // Only what is saved changes.
        assert_eq!(inline_texels(&package).0, start);
        let mut grown = reopened(&package, &options);
        let (longer, texels, same) = inline_texels(&grown);
        assert!(longer > start + 12, "{longer}");
        assert_eq!((&texels[..], same), (&TEXELS[..], others), "{major}.{minor}");
        grown.edit(|edit| edit.set_property("Picture", "Title", "hello")).unwrap();
        let shrunk = reopened(&grown, &options);
        let (shorter, texels, same) = inline_texels(&shrunk);
        assert_eq!((shorter, &texels[..], same), (longer - 6, &TEXELS[..], others));
    }
}

#[test]
fn bodies_that_hide_a_payload_keep_their_size() {
    let (mut package, options) = opened(EngineRelease::new(5, 4));
    let before = package.to_bytes().unwrap();
    let text = "string".parse().unwrap();
    let refused =
        package.edit(|edit| edit.add_property("Riddle", "Title", &text, "hello")).unwrap_err();
    assert!(refused.to_string().contains("Riddle"), "{refused}");
    assert!(refused.to_string().contains("data resources"), "{refused}");
    assert!(package.to_bytes().unwrap() == before);
    // Without a payload in it the table has no say.
    package.edit(|edit| edit.add_property("Puzzle", "Title", &text, "hello")).unwrap();
    reopened(&package, &options);
}

/// The builder's own exports, whose bodies nobody decodes.
const PLAIN: [&str; 5] = ["Notes", "Group", "Last", "Empty", "Group.Skin"];
const PICTURES: [&str; 4] = ["First", "Second", "Third", "Fourth"];

/// A package of four textures and nothing that is not decoded.
fn pictures(release: EngineRelease) -> (Package, OpenOptions) {
    let options = OpenOptions::new().engine(release);
    let mut package = options.clone().open_bytes(cooked_textures(release, &PICTURES)).unwrap();
    let plain: Vec<_> =
        PLAIN.into_iter().filter(|path| package.find_export(path).is_ok()).collect();
    package.edit(|edit| edit.remove_objects(&plain[..], RemoveOptions::NullReferences)).unwrap();
    let package = reopened(&package, &options);
    assert!((0..package.exports().len()).all(|row| package.decoded(row).unwrap().opaque == 0));
    (package, options)
}

/// The rows of data resources: their owners' paths, and where their payloads start.
type Rows = Vec<(String, i64)>;

/// The rows of data resources, and those that each picture's body knows.
fn known(package: &Package) -> (Rows, Vec<(String, Vec<i32>)>) {
    let table = package.tables().further.data_resources.as_ref().unwrap();
    let owners = table.rows.iter().map(|row| (package.path(row.outer_index), row.serial_offset));
    let bodies = PICTURES.iter().filter_map(|&path| {
        let row = package.find_export(path).ok()?;
        let text = format!("{:?}", package.decode(row).unwrap().body);
        let numbers = text.match_indices("resource: Some(").map(|(at, start)| {
            text[at + start.len()..].split(')').next().unwrap().parse().unwrap()
        });
        Some((path.to_owned(), numbers.collect()))
    });
    (owners.collect(), bodies.collect())
}

#[test]
fn rows_of_removed_objects_leave_the_table() {
    for (major, minor) in [(5, 2), (5, 4), (5, 6)] {
        let (mut package, options) = pictures(EngineRelease::new(major, minor));
        let before = package.to_bytes().unwrap();
        let whole = known(&package);
        let removed = package
            .edit(|edit| edit.remove_objects(&["Second", "Fourth"], RemoveOptions::Refuse))
            .unwrap();
        let left = reopened(&package, &options);
        let (owners, bodies) = known(&left);
        let paths: Vec<_> = owners.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["First", "First", "Third", "Third"], "{major}.{minor}");
        assert_eq!(owners[2..], whole.0[4..6]);
        assert_eq!(bodies, [("First".into(), vec![0, 1]), ("Third".into(), vec![2, 3])]);
        // Rows, bodies and bytes come back.
        package.edit(|edit| edit.restore(&removed)).unwrap();
        assert_eq!(known(&reopened(&package, &options)), whole);
        assert!(package.to_bytes().unwrap() == before, "{major}.{minor}");
    }
}

/// What has come to the table meanwhile stays where it belongs.
#[test]
fn rows_come_back_to_a_table_that_has_changed() {
    let (mut package, options) = pictures(EngineRelease::new(5, 4));
    let (first, second) = package
        .edit(|edit| {
            let first = edit.remove_object("First", RemoveOptions::Refuse)?;
            edit.duplicate_object("Third", "Copy")?;
            Ok((first, edit.remove_object("Second", RemoveOptions::Refuse)?))
        })
        .unwrap();
    let left = known(&reopened(&package, &options));
    let owners: Vec<_> = left.0.iter().map(|(path, _)| &**path).collect();
    assert_eq!(owners, ["Third", "Third", "Fourth", "Fourth", "Copy", "Copy"]);
    package.edit(|edit| edit.restore(&first)).unwrap();
    package.edit(|edit| edit.restore(&second)).unwrap();
    let again = reopened(&package, &options);
    let table = again.tables().further.data_resources.as_ref().unwrap();
    assert_eq!(table.rows.len(), 10);
    for path in ["First", "Second", "Third", "Fourth", "Copy"] {
        let row = again.find_export(path).unwrap();
        let text = format!("{:?}", again.decode(row).unwrap().body);
        for (at, start) in text.match_indices("resource: Some(") {
            let number = text[at + start.len()..].split(')').next().unwrap();
            let owner = table.rows[number.parse::<usize>().unwrap()].outer_index;
            assert_eq!(again.path(owner), path, "{number}");
        }
    }
}

/// A body that nobody decodes may know rows by their numbers.
#[test]
fn rows_stay_where_a_body_is_not_decoded() {
    let (mut package, options) = opened(EngineRelease::new(5, 4));
    let before = package.to_bytes().unwrap();
    let removed = package
        .edit(|edit| {
            edit.duplicate_object("Picture", "Copy")?;
            edit.duplicate_object("Picture", "Other")?;
            edit.remove_object("Copy", RemoveOptions::Refuse)
        })
        .unwrap();
    let rows = |package: &Package| {
        let table = package.tables().further.data_resources.as_ref().unwrap();
        table.rows.iter().map(|row| package.path(row.outer_index)).collect::<Vec<_>>()
    };
    let left = ["Picture", "Picture", "Riddle", "", "", "Other", "Other"];
    assert_eq!(rows(&reopened(&package, &options)), left);
    package.edit(|edit| edit.restore(&removed)).unwrap();
    let whole = ["Picture", "Picture", "Riddle", "Copy", "Copy", "Other", "Other"];
    assert_eq!(rows(&reopened(&package, &options)), whole);
    package.edit(|edit| edit.remove_objects(&["Copy", "Other"], RemoveOptions::Refuse)).unwrap();
    assert!(package.to_bytes().unwrap() == before);
}

/// What a body has stands there as it was read, whatever the table says of it meanwhile.
#[test]
fn bodies_stay_what_they_were_where_their_rows_change() {
    for (major, minor) in [(5, 2), (5, 4), (5, 6)] {
        let (mut package, options) = pictures(EngineRelease::new(major, minor));
        let row = package.find_export("Fourth").unwrap();
        let before = package.to_bytes().unwrap();
        let longer = [&TEXELS[..], b"and more"].concat();
        let change = |edit: &mut Edit| {
            edit.change_data_resource(7, |row| (row.serial_size, row.raw_size) = (24, 24))?;
            edit.change_body(row, |body| {
                let texture = native_as_mut::<ImageTexture>(body).unwrap();
                let bulk = &mut texture.platforms.platforms[0].data.mips[1].bulk;
                (bulk.element_count, bulk.size_on_disk) = (24, 24);
                bulk.payload = Span::owned(longer.clone());
                Ok(())
            })
        };
        package.edit(change).unwrap();
        let again = reopened(&package, &options);
        let decoded = again.decode(row).unwrap();
        assert!(decoded.error.is_none(), "{major}.{minor}: {:?}", decoded.error);
        let texture = native_as::<ImageTexture>(&decoded.body).unwrap();
        let bulk = &texture.platforms.platforms[0].data.mips[1].bulk;
        assert_eq!(bulk.payload.bytes(again.source()).unwrap(), longer);

        // A table that has lost what a body refers to.
        let (mut package, _) = pictures(EngineRelease::new(major, minor));
        let lost = package.edit(|edit| edit.set_data_resources(row, &[6, 7], vec![]));
        let error = lost.unwrap_err().to_string();
        assert!(error.contains("Fourth"), "{error}");
        assert!(package.to_bytes().unwrap() == before);
    }
}
