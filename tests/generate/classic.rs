//! Packages made from nothing: by the model alone, read again by the library and by a reader of its own.

use crate::common;
use crate::reader;

use common::{corpus_files, open, save_twice};
use farchive::object::ue1::{Music, Palette, Sound, Texture};
use farchive::object::ue3::asset::{sound::SoundNodeWave, texture::Texture2D};
use farchive::object::{Native, geometry::Color, text::TextBuffer};
use farchive::package::{NewProperties, native_as};
use farchive::primitive::{BulkData, LazyPayload, Payload};
use farchive::property::{PropertyList, Value};
use farchive::version::{Engine, Profile};
use farchive::{ErrorKind, FString, Guid, Package, PackageIndex, Span};
use reader::{compare, run};

fn lazy(bytes: &[u8]) -> LazyPayload<1> {
    LazyPayload { data: Payload(Span::owned(bytes)), ..LazyPayload::default() }
}

fn bulk(bytes: &[u8]) -> BulkData {
    let count = bytes.len() as i32;
    let payload = Span::owned(bytes);
    BulkData { element_count: count, size_on_disk: count, payload, ..BulkData::default() }
}

/// One property of every type.
fn properties(package: &mut Package, object: PackageIndex) -> PropertyList {
    let ue3 = package.versions().engine() == Engine::Ue3;
    let mut list = NewProperties::new(package);
    list.byte("ByteValue", 200).unwrap();
    list.int("IntValue", -7).unwrap();
    list.boolean("bTrue", true).unwrap().boolean("bFalse", false).unwrap();
    list.float("FloatValue", 1.5).unwrap();
    list.object("ObjectValue", object).unwrap();
    list.name("NameValue", "Palette").unwrap();
    list.string("Short", "x").unwrap().string("Long", &"long ".repeat(99)).unwrap();
    list.string("Wide", "Größe 世界").unwrap();
    list.color("ColorValue", [1, 2, 3, 4]).unwrap();
    if ue3 {
        list.enumerator("EnumValue", "EPixelFormat", "PF_DXT1").unwrap();
        list.guid("GuidValue", Guid::new(1, 2, 3, 0xffff_ffff)).unwrap();
    }
    list.finish()
}

/// Every class that can be made without pixels, in groups, with properties of every type.
fn everything(profile: &Profile) -> Package {
    let mut package = Package::create(profile).unwrap();
    let none = NewProperties::new(&mut package).finish();
    let text = TextBuffer { text: FString::new("A text."), ..TextBuffer::default() };
    let row =
        package.add_object("Deep.Deeper.Text", "Core.TextBuffer", none.clone(), text).unwrap();
    let list = properties(&mut package, PackageIndex::export(row));
    if package.versions().engine() == Engine::Ue3 {
        let wave = SoundNodeWave { raw_data: bulk(&[7; 300]), ..SoundNodeWave::default() };
        package.add_object("Deep.Wave", "Engine.SoundNodeWave", list.clone(), wave).unwrap();
        let mut texture = Texture2D::default();
        texture.base.source_art = bulk(&[1, 2, 3]);
        package.add_object("Deep.Tex", "Engine.Texture2D", list.clone(), texture).unwrap();
    } else {
        let color = |at: u8| Color { bytes: [at, 1, 2, 255] };
        let palette = Palette { colors: (0..=255).map(color).collect() };
        package.add_object("Deep.Palette1", "Engine.Palette", none.clone(), palette).unwrap();
        let mip = |side: u32| farchive::object::ue1::Mip {
            data: lazy(&vec![side as u8; (side * side) as usize]),
            width: side,
            height: side,
            width_bits: side.ilog2() as u8,
            height_bits: side.ilog2() as u8,
        };
        let texture = Texture { mips: vec![mip(2), mip(1)], compressed: None };
        package.add_object("Deep.Tex", "Engine.Texture", list.clone(), texture).unwrap();
        let likelihood = if *profile == Profile::UT2004 { 1.0 } else { 0.0 };
        let format = package.add_name("WAV").unwrap();
        let sound = Sound { format, likelihood, data: lazy(b"RIFF"), envelopes: Vec::new() };
        package.add_object("Deep.Sound", "Engine.Sound", none.clone(), sound).unwrap();
        let format = package.add_name("s3m").unwrap();
        let music = Music { format, data: lazy(&[9; 5000]) };
        package.add_object("Song", "Engine.Music", none, music).unwrap();
    }
    package.add_plain_object("Deep.Thing_3", "Engine.Actor", list).unwrap();
    package
}

#[test]
fn every_profile_saves_opens_and_saves_again() {
    for profile in Profile::ALL {
        for package in [Package::create(profile).unwrap(), everything(profile)] {
            let mut again = open(&save_twice(&package));
            again.decode_all();
            let coverage = again.coverage();
            assert_eq!((coverage.opaque, coverage.gap), (0, 0), "{profile}");
            assert!(again.to_bytes().unwrap() == again.source(), "{profile}");
            assert_eq!(again.versions().file, profile.versions.file);
            assert_eq!(again.game(), profile.versions.game);
            assert!(!again.guid().is_zero());
            assert_eq!(again.guid(), package.guid());
            if let Some(newest) = again.summary().generations.last() {
                assert_eq!(newest.export_count as usize, again.exports().len());
                assert_eq!(newest.name_count as usize, again.names().len());
            }
        }
    }
}

#[test]
fn what_is_made_is_what_is_read() {
    for profile in Profile::ALL {
        let made = everything(profile);
        let again = open(&made.to_bytes().unwrap());
        let paths: Vec<_> = again.exports().iter().map(|export| export.path()).collect();
        assert_eq!(&paths[..3], ["Deep", "Deep.Deeper", "Deep.Deeper.Text"], "{profile}");
        assert!(paths.iter().any(|path| path == "Deep.Thing_3"), "{profile}: {paths:?}");
        for row in 0..made.exports().len() {
            let (one, other) = (made.typed(row).unwrap(), again.typed(row).unwrap());
            assert_eq!(one.body.net_index, other.body.net_index, "{profile} #{row}");
            let (one, other) = (&one.body.properties, &other.body.properties);
            let (one, other) = (one.as_ref().unwrap(), other.as_ref().unwrap());
            assert_eq!(one.properties.len(), other.properties.len(), "{profile} #{row}");
            for (one, other) in one.properties.iter().zip(&other.properties) {
                let (one, other) =
                    (reader::value(&made, one.value()), reader::value(&again, other.value()));
                assert_eq!(one, other, "{profile} #{row}");
            }
        }
        let row = again.find_export("Deep.Deeper.Text").unwrap();
        let decoded = again.decode(row).unwrap();
        let text = native_as::<TextBuffer>(&decoded.body).unwrap();
        assert_eq!(text.text.text(again.source()).unwrap(), "A text.");
    }
}

#[test]
fn flags_and_classes_are_those_of_content() {
    for profile in Profile::ALL {
        let package = everything(profile);
        for export in package.exports().iter() {
            let names = export.flags().names(package.versions().engine());
            let group = export.class() == "Core.Package";
            let mut meant = vec!["Public", "LoadForClient", "LoadForServer", "LoadForEdit"];
            if !group {
                meant.push("Standalone");
            }
            assert_eq!(names, meant, "{profile} {}", export.path());
        }
        for import in package.imports().iter() {
            let class = if import.path().contains('.') { "Core.Class" } else { "Core.Package" };
            assert_eq!(import.class(), class, "{profile} {}", import.path());
        }
        let mut names: Vec<_> =
            package.names().iter().map(|name| name.to_ascii_lowercase()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), package.names().len(), "{profile}: a name stands twice");
    }
}

#[test]
fn failures_leave_nothing_behind() {
    for profile in Profile::ALL {
        let mut package = everything(profile);
        let before = package.to_bytes().unwrap();
        let list = NewProperties::new(&mut package).finish();
        let mut add = |path: &str| {
            let result = package.add_plain_object(path, "Engine.Actor", list.clone());
            assert!(package.to_bytes().unwrap() == before, "{profile} {path}");
            result.expect_err(path).into_kind()
        };
        assert!(matches!(add("Deep.Thing_3"), ErrorKind::Exists { .. }));
        assert!(matches!(
            add("New.Group..Thing"),
            ErrorKind::Invalid { .. } | ErrorKind::BadText { .. }
        ));
        assert!(matches!(add("New.None"), ErrorKind::Invalid { .. }));
        assert!(matches!(add("Deep.Deeper.Text.Inner"), ErrorKind::Invalid { .. }));
        assert!(matches!(add(&format!("New.{}", "x".repeat(2000))), ErrorKind::BadText { .. }));
        let text = TextBuffer { text: FString::new("x"), ..TextBuffer::default() };
        let wrong = package.add_object("New.Wrong", "Engine.Actor", list.clone(), text);
        assert!(matches!(wrong.unwrap_err().into_kind(), ErrorKind::Invalid { .. }));
        assert!(package.to_bytes().unwrap() == before);
        let failed = package.change_body(2, |body| {
            body.native = Native::None;
            Err::<(), _>(ErrorKind::Invalid { reason: "no".to_owned() }.into())
        });
        assert!(failed.is_err());
        assert!(package.to_bytes().unwrap() == before);
    }
}

#[test]
fn objects_are_added_to_packages_that_were_opened() {
    for profile in Profile::ALL {
        let mut package = open(&everything(profile).to_bytes().unwrap());
        package.decode_all();
        let rows = package.exports().len();
        let list = properties(&mut package, PackageIndex::export(0));
        let text = TextBuffer { text: FString::new("Late."), ..TextBuffer::default() };
        let row = package.add_object("Late.Text", "Core.TextBuffer", list, text).unwrap();
        assert_eq!(row, rows + 1, "behind its group");
        let again = open(&save_twice(&package));
        assert_eq!(again.exports().len(), rows + 2);
        for row in 0..rows {
            assert_eq!(again.exports().path(row), package.exports().path(row));
        }
        assert_eq!(again.exports().path(row), "Late.Text");
    }
}

#[test]
fn an_independent_reader_sees_the_same() {
    for profile in Profile::ALL {
        for package in [Package::create(profile).unwrap(), everything(profile)] {
            let bytes = package.to_bytes().unwrap();
            let Some(seen) = run(&bytes) else { return };
            assert_eq!(compare(&open(&bytes), &seen, &profile.to_string()), 0, "nothing unread");
        }
    }
}

#[test]
fn the_independent_reader_sees_differences() {
    let bytes = everything(&Profile::UT99).to_bytes().unwrap();
    let Some(seen) = run(&bytes) else { return };
    let mut other = open(&bytes);
    let row = other.find_export("Deep.Deeper.Text").unwrap();
    other
        .change_body(row, |body| {
            if let Native::Object(object) = &mut body.native
                && let Some(text) = object.downcast_mut::<TextBuffer>()
            {
                text.text = FString::new("A bext.");
            }
            Ok(())
        })
        .unwrap();
    let other = open(&other.to_bytes().unwrap());
    let look = std::panic::AssertUnwindSafe(|| compare(&other, &seen, "changed"));
    let differs = std::panic::catch_unwind(look);
    assert!(differs.is_err());
}

#[cfg(feature = "content")]
#[test]
fn an_independent_reader_sees_made_content_the_same() {
    use farchive::content::{Image, NewTexture};
    use farchive::object::TextureFormat;
    let pixels = (0..64u8).map(|at| [at * 4, 255 - at, at, if at % 9 == 0 { 0 } else { 255 }]);
    let image = Image::from_rgba(8, 8, pixels.collect()).unwrap();
    for profile in Profile::ALL {
        let mut package = Package::create(profile).unwrap();
        for format in TextureFormat::ALL.iter().copied() {
            let new = NewTexture { format: Some(format), ..NewTexture::default() };
            let path = format!("Group.{format}");
            let _ = package.add_texture(&path, &image, &new);
        }
        package.add_text("Text", "Grüße").unwrap();
        assert!(package.exports().len() > 3, "{profile}");
        let bytes = package.to_bytes().unwrap();
        let Some(seen) = run(&bytes) else { return };
        assert_eq!(compare(&open(&bytes), &seen, &profile.to_string()), 0);
    }
}

/// The independent reader over real packages: what both read is the same.
#[test]
fn corpus_is_seen_the_same_by_an_independent_reader() {
    let (mut compared, mut unread) = (0, 0);
    for (name, bytes) in corpus_files("classic") {
        let known = ["61_", "63_", "68_", "69_", "121_", "128_", "737_", "8"];
        let plain = known.iter().any(|start| name.starts_with(start)) && !name.starts_with("845_1");
        let Ok(package) = Package::from_bytes(bytes.clone()) else { continue };
        if !plain || package.source() != bytes || name.contains("868_32") || bytes.len() > 600_000 {
            continue;
        }
        let Some(seen) = run(&bytes) else { return };
        if seen["error"] == "compressed" {
            continue;
        }
        compared += package.exports().len();
        unread += compare(&package, &seen, &name);
    }
    println!("{compared} objects compared, {unread} of them not read by the independent reader");
    assert!(unread * 20 <= compared, "{unread} of {compared}");
}

#[test]
fn values_stay_what_they_are() {
    let mut package = Package::create(&Profile::UT99).unwrap();
    let list = properties(&mut package, PackageIndex::NULL);
    let values: Vec<_> = list.properties.iter().map(|property| property.value().clone()).collect();
    assert!(matches!(values[0], Value::Byte(200)));
    assert!(matches!(values[1], Value::Int(-7)));
    assert!(matches!((&values[2], &values[3]), (Value::Bool(true), Value::Bool(false))));
}
