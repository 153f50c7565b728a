//! What is not decoded of a body: every byte has its reason, and what stands before it counts.

use unreal_packages::Engine;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{OpaquePart, PackageValues, Rebuilt, ShareKey, Shares};
use unreal_packages::object::Native;
use unreal_packages::package::Package;

/// Bytes of a property, the count and the colours of a palette.
const COLORS: u8 = 40;
const PROPERTY: [u8; 7] = [1, 0x22, 7, 0, 0, 0, 0];

/// A palette of so many colours behind a property, and bytes that no palette has.
fn palette(colors: u8, tail: &[u8]) -> Vec<u8> {
    let mut body = PROPERTY.to_vec();
    body.push(colors);
    body.extend((0..u16::from(colors) * 4).map(|byte| byte as u8));
    body.extend(tail);
    let builder = Builder::new(69).name("None").name("Count");
    builder.export("Colors", "Engine.Palette", body).build().unwrap()
}

fn open(bytes: &[u8]) -> Package {
    Package::from_bytes(bytes.to_vec()).unwrap()
}

/// Sum of the parts, which must be what is opaque of the bodies.
fn sum(package: &Package) -> u64 {
    let parts = OpaquePart::of(package);
    let counted: u64 = parts.iter().map(|part| part.size).sum();
    let bodies = Rebuilt::of(package).bodies;
    assert_eq!(counted, bodies.iter().flatten().map(|body| body.opaque).sum::<u64>(), "{parts:?}");
    assert!(parts.iter().all(|part| !part.reason.is_empty() && !part.field.is_empty()));
    counted
}

#[test]
fn a_tail_costs_its_bytes() {
    let bytes = palette(COLORS, &[9, 8, 7]);
    let package = open(&bytes);
    let decoded = package.decode(0).unwrap();
    assert!(matches!(decoded.body.native, Native::Object(_)));
    assert_eq!((decoded.opaque, decoded.body.tail.len()), (3, 3));
    let found = OpaquePart::of(&package);
    let [part] = &found[..] else { panic!("{found:?}") };
    let end = package.exports().get(0).map(|export| export.offset() + export.size());
    assert_eq!((part.row, part.size, Some(part.start + 3)), (0, 3, end));
    assert_eq!(part.field, "unknown_tail");
    assert!(part.reason.contains("3 bytes"), "{}", part.reason);
    assert_eq!(sum(&package), 3);
    assert_eq!(Rebuilt::of(&package).saved.unwrap().bytes, bytes);
}

#[test]
fn a_body_that_ends_too_early_has_a_reason() {
    // Properties, and nothing where the colours should be.
    let builder = Builder::new(69).name("None").name("Count");
    let bytes = builder.export("Colors", "Engine.Palette", PROPERTY.to_vec()).build().unwrap();
    let package = open(&bytes);
    let decoded = package.decode(0).unwrap();
    assert!(decoded.error.is_some());
    assert_eq!(decoded.opaque, 0);
    let found = OpaquePart::of(&package);
    let [part] = &found[..] else { panic!("{found:?}") };
    let end = package.exports().get(0).map(|export| export.offset() + export.size());
    assert_eq!((part.size, Some(part.start)), (0, end));
    assert_eq!(sum(&package), 0);
}

#[test]
fn what_stands_before_a_tail_is_edited() {
    let mut package = open(&palette(COLORS, &[9, 8, 7]));
    package.edit(|edit| edit.set_property("Colors", "Count", "5")).unwrap();
    let again = open(&package.to_bytes().unwrap());
    assert_eq!(again.values().property("Colors", "Count").unwrap().text, "5");
    assert_eq!(sum(&again), 3);
}

#[test]
fn a_tail_that_proves_nothing_is_not_split_off() {
    // As many bytes as there are colours, and colours that are too few to tell.
    for (colors, tail) in [(COLORS, &[9; 21][..]), (10, &[9])] {
        let package = open(&palette(colors, tail));
        let decoded = package.decode(0).unwrap();
        assert!(matches!(decoded.body.native, Native::Opaque(_)), "{colors}");
        let size = 1 + u64::from(colors) * 4 + tail.len() as u64;
        assert_eq!(decoded.opaque, size);
        let found = OpaquePart::of(&package);
        assert_eq!((found.len(), &*found[0].field, found[0].size), (1, "rest", size));
        assert_eq!(sum(&package), size);
    }
    assert_eq!(sum(&open(&palette(COLORS, &[9; 20]))), 20);
    assert_eq!(sum(&open(&palette(COLORS, &[]))), 0);
}

#[test]
fn a_value_that_does_not_fit_says_what_was_expected() {
    // A struct of three bytes that is called a vector.
    let mut body = vec![1, 0x22, 7, 0, 0, 0];
    body.extend([2, 0x5a, 3, 3, 1, 2, 3, 0]);
    let names = ["None", "Count", "Where", "Vector"];
    let builder = names.iter().fold(Builder::new(69), |builder, name| builder.name(*name));
    let package = open(&builder.export("Thing", "Engine.Light", body).build().unwrap());
    let found = OpaquePart::of(&package);
    let [part] = &found[..] else { panic!("{found:?}") };
    assert_eq!(part.size, 3);
    assert!(part.field.contains("Where"), "{}", part.field);
    assert!(part.reason.contains("bytes"), "{}", part.reason);
    assert_eq!(sum(&package), 3);
}

#[test]
fn a_collection_counts_by_engine_release_and_class() {
    let mut shares = Shares::default();
    for tail in [&[9, 8, 7][..], &[]] {
        shares.add(&open(&palette(COLORS, tail)));
    }
    let text = Builder::new(128).name("None").export("Words", "Engine.TextBuffer", [0, 1]);
    let parts = shares.add(&open(&text.build().unwrap()));
    let key = |engine, release: &str, class: &str| ShareKey {
        engine,
        release: release.to_owned(),
        class: class.to_owned(),
    };
    let palettes = shares.classes[&key(Engine::Ue1, "69/0", "Palette")];
    assert_eq!((palettes.files, palettes.opaque_files, palettes.bodies), (2, 1, 2));
    let size = PROPERTY.len() as u64 + 1 + u64::from(COLORS) * 4;
    assert_eq!((palettes.bytes, palettes.payload, palettes.opaque), (2 * size + 3, 0, 3));
    assert!((palettes.percent() - 300.0 / (2 * size + 3) as f64).abs() < 1e-9);
    let texts = shares.classes[&key(Engine::Ue2, "128/0", "TextBuffer")];
    assert_eq!(texts.opaque, parts.iter().map(|part| part.size).sum::<u64>());
    assert_eq!((shares.engines[&Engine::Ue1].files, shares.engines[&Engine::Ue2].files), (2, 1));
    assert_eq!(shares.releases[&(Engine::Ue1, "69/0".to_owned())].opaque, 3);
}
