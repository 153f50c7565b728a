//! Payloads in bodies of which the table of data resources says where they stand.

use farchive::package::{OpenOptions, Package};
use farchive::version::EngineRelease;

use super::common::ue4::{TEXELS, cooked_texture, inline_texels};
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
