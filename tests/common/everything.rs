//! A package of every class that can be made without pixels, with properties of every type.

use unreal_packages::edit::{Edit, NewProperties, PackageEdit};
use unreal_packages::generate::{Profile, create};
use unreal_packages::object::ue1::{Music, Palette, Sound, Texture};
use unreal_packages::object::ue3::asset::{sound::SoundNodeWave, texture::Texture2D};
use unreal_packages::object::{geometry::Color, text::TextBuffer};
use unreal_packages::primitive::{BulkData, LazyPayload, Payload};
use unreal_packages::property::PropertyList;
use unreal_packages::version::{Engine, UnrealVersions};
use unreal_packages::{FString, Guid, Package, PackageIndex, Span};

fn lazy(bytes: &[u8]) -> LazyPayload<1> {
    LazyPayload { data: Payload(Span::owned(bytes)), ..LazyPayload::default() }
}

fn bulk(bytes: &[u8]) -> BulkData {
    let count = bytes.len() as i32;
    let payload = Span::owned(bytes);
    BulkData { element_count: count, size_on_disk: count, payload, ..BulkData::default() }
}

/// One property of every type.
pub fn properties(package: &mut Package, object: PackageIndex) -> PropertyList {
    package.edit(|edit| Ok(all_properties(edit, object))).unwrap()
}

fn all_properties(edit: &mut Edit, object: PackageIndex) -> PropertyList {
    let ue3 = edit.versions().engine() == Engine::Ue3;
    let mut list = NewProperties::new(edit);
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
pub fn everything(profile: &Profile) -> Package {
    let mut package = create(profile).unwrap();
    let none = package.edit(|edit| Ok(NewProperties::new(edit).finish())).unwrap();
    let text = TextBuffer { text: FString::new("A text."), ..TextBuffer::default() };
    let row = package
        .edit(|edit| edit.add_object("Deep.Deeper.Text", "Core.TextBuffer", none.clone(), text))
        .unwrap();
    let list = properties(&mut package, PackageIndex::export(row));
    if package.versions().engine() == Engine::Ue3 {
        let wave = SoundNodeWave { raw_data: bulk(&[7; 300]), ..SoundNodeWave::default() };
        package
            .edit(|edit| edit.add_object("Deep.Wave", "Engine.SoundNodeWave", list.clone(), wave))
            .unwrap();
        let mut texture = Texture2D::default();
        texture.base.source_art = bulk(&[1, 2, 3]);
        package
            .edit(|edit| edit.add_object("Deep.Tex", "Engine.Texture2D", list.clone(), texture))
            .unwrap();
    } else {
        let color = |at: u8| Color { bytes: [at, 1, 2, 255] };
        let palette = Palette { colors: (0..=255).map(color).collect() };
        package
            .edit(|edit| edit.add_object("Deep.Palette1", "Engine.Palette", none.clone(), palette))
            .unwrap();
        let mip = |side: u32| unreal_packages::object::ue1::Mip {
            data: lazy(&vec![side as u8; (side * side) as usize]),
            width: side,
            height: side,
            width_bits: side.ilog2() as u8,
            height_bits: side.ilog2() as u8,
        };
        let texture = Texture { mips: vec![mip(2), mip(1)], compressed: None };
        package
            .edit(|edit| edit.add_object("Deep.Tex", "Engine.Texture", list.clone(), texture))
            .unwrap();
        let likelihood = if *profile == Profile::UT2004 { 1.0 } else { 0.0 };
        let format = package.edit(|edit| edit.add_name("WAV")).unwrap();
        let sound = Sound { format, likelihood, data: lazy(b"RIFF"), envelopes: Vec::new() };
        package
            .edit(|edit| edit.add_object("Deep.Sound", "Engine.Sound", none.clone(), sound))
            .unwrap();
        let format = package.edit(|edit| edit.add_name("s3m")).unwrap();
        let music = Music { format, data: lazy(&[9; 5000]) };
        package.edit(|edit| edit.add_object("Song", "Engine.Music", none, music)).unwrap();
    }
    package.edit(|edit| edit.add_plain_object("Deep.Thing_3", "Engine.Actor", list)).unwrap();
    package
}
