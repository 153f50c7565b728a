//! Content of UE4 and UE5 that the tests make themselves: textures, sounds, thumbnails, curve tables.

#[cfg(feature = "exr")]
mod depth;
mod drawn;
mod exr;
mod filtered;
mod layers;
mod materials;
mod phones;
#[cfg(feature = "container")]
mod places;
mod replaced;
mod sounds;
mod sources;

use unreal_packages::content::{ContentKind, Image, PackageContents, TableEdits, TableFormat};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::object::ue4::asset::platform_data::{CookedPlatform, Mip, PlatformData};
use unreal_packages::object::ue4::asset::sound::{Samples, SoundWave};
use unreal_packages::object::ue4::asset::texture::{ImageTexture, LayeredTexture, Texture};
use unreal_packages::object::ue4::bulk::BulkData;
use unreal_packages::package::Package;
#[cfg(feature = "container")]
use unreal_packages::package::{Companion, CompanionKind};
#[cfg(feature = "container")]
use unreal_packages::primitive::LongPosition;
use unreal_packages::primitive::PackageFlags;
use unreal_packages::property::{Property, PropertyList, Type, Value};
use unreal_packages::{Archived, EngineRelease, Guid, Name, Saver, Span, UnrealVersions};

const UE4: EngineRelease = EngineRelease::new(4, 27);

/// A package of UE4.27 with one object of this class: its properties, then its own data.
fn package(
    class: &str,
    properties: impl Fn(&mut Package) -> PropertyList,
    native: &mut impl Archived,
) -> Package {
    package_of(UE4, class, properties, native, false)
}

/// The same of another release, perhaps without what only the editor needs.
fn package_of(
    release: EngineRelease,
    class: &str,
    properties: impl Fn(&mut Package) -> PropertyList,
    native: &mut impl Archived,
    cooked: bool,
) -> Package {
    let flags = if cooked { PackageFlags::FILTER_EDITOR_ONLY } else { PackageFlags(0) };
    let start = || Builder::for_release(release).flags(flags);
    // The names come first, so that the body knows their numbers.
    let mut names = Package::from_bytes(start().build().unwrap()).unwrap();
    let mut list = properties(&mut names);
    let mut saver = Saver::new(names.versions().clone());
    if names.versions().ue5() >= 1011 {
        0_u8.serialize(&mut saver).unwrap();
    }
    list.serialize(&mut saver).unwrap();
    0_u32.serialize(&mut saver).unwrap();
    native.serialize(&mut saver).unwrap();
    let mut builder = start();
    for name in names.names().iter().skip(1) {
        builder = builder.name(name.to_string());
    }
    let bytes = builder.export("Thing", class, saver.into_bytes()).build().unwrap();
    Package::from_bytes(bytes).unwrap()
}

fn inline(bytes: &[u8]) -> BulkData {
    BulkData {
        flags: 0x48,
        element_count: bytes.len() as i64,
        size_on_disk: bytes.len() as i64,
        payload: Span::owned(bytes.to_vec()),
        ..BulkData::default()
    }
}

fn property(
    package: &mut Package,
    name: &str,
    known: &str,
    value: impl Fn(&mut Package) -> Value,
) -> Property {
    let mut property =
        package.edit(|edit| Property::blank(name, 0, &known.parse().unwrap(), edit)).unwrap();
    *property.value_mut() = value(package);
    property
}

fn named(package: &mut Package, text: &str) -> Name {
    package.edit(|edit| edit.add_name(text)).unwrap()
}

/// A texture that was imported: size, format, how it is compressed, payload.
fn texture((width, height): (i32, i32), format: &str, png: bool, payload: &[u8]) -> Package {
    let source = |package: &mut Package| {
        let properties = vec![
            property(package, "SizeX", "int", |_| Value::Int(width)),
            property(package, "SizeY", "int", |_| Value::Int(height)),
            property(package, "bPNGCompressed", "bool", |_| Value::Bool(png)),
            property(package, "Format", "byte-enum:ETextureSourceFormat", |package| {
                Value::Name(named(package, format))
            }),
        ];
        let list = PropertyList::new(properties, Name::new(0));
        let source =
            property(package, "Source", "struct:TextureSource", |_| Value::List(list.clone()));
        PropertyList::new(vec![source], Name::new(0))
    };
    let base = Texture { source: inline(payload), ..Texture::default() };
    package(
        "/Script/Engine.Texture2D",
        source,
        &mut ImageTexture { base, ..ImageTexture::default() },
    )
}

#[test]
fn imported_pictures_come_out_as_they_were() {
    let made = texture((2, 1), "TSF_BGRA8", false, &[1, 2, 3, 255, 4, 5, 6, 128]);
    assert_eq!(made.contents().content_kind(0).unwrap(), Some(ContentKind::Texture));
    let image = made.contents().texture_image(0).unwrap();
    assert_eq!(image.to_rgba(), [[3, 2, 1, 255], [6, 5, 4, 128]]);
    let file = made.contents().content_file(0).unwrap();
    assert_eq!((file.extension.as_str(), file.bytes), ("png", image.to_png().unwrap()));

    let gray = texture((2, 2), "TSF_G8", false, &[0, 80, 160, 255]);
    assert_eq!(gray.contents().texture_image(0).unwrap().to_rgba()[2], [160, 160, 160, 255]);

    let png = image.to_png().unwrap();
    let stored = texture((2, 1), "TSF_RGBA8", true, &png);
    assert_eq!(stored.contents().content_file(0).unwrap().bytes, png);
    assert_eq!(stored.contents().texture_image(0).unwrap().to_rgba(), image.to_rgba());
    // The engine stores texels of blue, green, red as if they were red, green, blue.
    let stored = texture((2, 1), "TSF_BGRA8", true, &png);
    let swapped = stored.contents().texture_image(0).unwrap();
    assert_eq!(swapped.to_rgba(), [[1, 2, 3, 255], [4, 5, 6, 128]]);
    assert_eq!(stored.contents().content_file(0).unwrap().bytes, swapped.to_png().unwrap());

    let wide: Vec<u8> = [1_u16, 2, 3, 4].iter().flat_map(|level| level.to_le_bytes()).collect();
    let file = texture((1, 1), "TSF_RGBA16", false, &wide).contents().content_file(0).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file.bytes[..])).read_info().unwrap();
    let mut pixels = vec![0; 8];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!(pixels, [0, 1, 0, 2, 0, 3, 0, 4]);

    let float: Vec<u8> = [0x3c00_u16; 4].iter().flat_map(|level| level.to_le_bytes()).collect();
    assert_eq!(
        texture((1, 1), "TSF_RGBA16F", false, &float).contents().content_file(0).unwrap().extension,
        "hdr"
    );
}

#[test]
fn pictures_that_can_not_come_out_say_why() {
    let why = |made: Package| made.contents().content_file(0).unwrap_err().to_string();
    let short = why(texture((4, 4), "TSF_BGRA8", false, &[0; 63]));
    assert!(
        short.contains("Thing") && short.contains("63 bytes") && short.contains("64"),
        "{short}"
    );
    let unknown = why(texture((1, 1), "TSF_Odd", false, &[0; 4]));
    assert!(unknown.contains("TSF_Odd"), "{unknown}");
    let packed = why(texture((1, 1), "TSF_BGRA8", true, &[0; 4]));
    assert!(packed.contains("TSCF_PNG"), "{packed}");
}

#[test]
fn payloads_elsewhere_are_missed_by_name() {
    let mut wave = SoundWave::default();
    let bulk =
        BulkData { flags: 0x1_0501, element_count: 8, size_on_disk: 8, ..BulkData::default() };
    wave.samples = Samples::Raw(bulk, Guid::default());
    let empty = |_: &mut Package| PropertyList::default();
    let made = package("/Script/Engine.SoundWave", empty, &mut wave);
    let why = made.contents().content_file(0).unwrap_err().to_string();
    assert!(why.contains(".ubulk") && why.contains("by its path"), "{why}");
}

/// A sound whose samples, of so many bytes, stand behind four others in the `.ubulk` file.
#[cfg(feature = "container")]
fn sound_elsewhere(size: i64) -> Package {
    let mut wave = SoundWave::default();
    let bulk = BulkData {
        flags: 0x1_0501,
        element_count: size,
        size_on_disk: size,
        offset: LongPosition::Stale(4),
        ..BulkData::default()
    };
    wave.samples = Samples::Raw(bulk, Guid::default());
    package("/Script/Engine.SoundWave", |_| PropertyList::default(), &mut wave)
}

#[cfg(feature = "container")]
#[test]
fn payloads_are_read_from_companions_that_are_lent() {
    use std::sync::Arc;

    let made = |size| {
        let mut made = sound_elsewhere(size);
        let source = Arc::new(bytes::Bytes::from_static(b"....RIFFWAVE"));
        Companion::lent(CompanionKind::Bulk, "Thing.ubulk".into(), source).add_to(&mut made);
        made
    };
    let whole = made(8);
    assert_eq!(whole.contents().content_file(0).unwrap().bytes, b"RIFFWAVE");
    assert_eq!(whole.companions()[0].read().unwrap(), b"....RIFFWAVE"[..]);
    let long = made(9).contents().content_file(0).unwrap_err();
    assert!(long.to_string().contains("offset 0x4 lies outside the file of 0xc bytes"), "{long}");
}

#[cfg(feature = "container")]
#[test]
fn payloads_are_read_from_companions_in_containers() {
    use unreal_packages::container::pak::{PakOptions, PakWriter};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Game.pak");
    let mut file = std::fs::File::create(&path).unwrap();
    let mut writer = PakWriter::new(&mut file, PakOptions::default());
    writer.add("Game/Content/Short.uasset", sound_elsewhere(9).source()).unwrap();
    writer.add("Game/Content/Short.ubulk", b"....RIFFWAVE").unwrap();
    writer.add("Game/Content/Thing.uasset", sound_elsewhere(8).source()).unwrap();
    writer.add("Game/Content/Thing.ubulk", b"....RIFFWAVE").unwrap();
    writer.finish().unwrap();
    drop(file);
    let open = |name: &str| Package::open(path.join("Game/Content").join(name)).unwrap();
    let whole = open("Thing.uasset");
    assert_eq!(whole.contents().content_file(0).unwrap().bytes, b"RIFFWAVE");
    let short = open("Short.uasset").contents().content_file(0).unwrap_err();
    assert!(short.to_string().contains("offset 0x4 lies outside the file of 0xc bytes"), "{short}");
}

#[test]
fn sounds_are_the_file_that_was_imported() {
    let riff = b"RIFF\x04\0\0\0WAVE";
    let wave = || SoundWave {
        samples: Samples::Raw(inline(riff), Guid::default()),
        ..SoundWave::default()
    };
    let list = |package: &mut Package| {
        let properties = vec![property(package, "NumChannels", "int", |_| Value::Int(1))];
        PropertyList::new(properties, Name::new(0))
    };
    let file =
        package("/Script/Engine.SoundWave", list, &mut wave()).contents().content_file(0).unwrap();
    assert_eq!(
        (file.kind, file.extension.as_str(), &file.bytes[..]),
        (ContentKind::Sound, "wav", &riff[..])
    );
}

#[test]
fn curves_become_columns_of_times() {
    use unreal_packages::object::ue4::table::curve_table::CurveTable;
    use unreal_packages::object::ue4::value::StructValue;
    use unreal_packages::property::{Elements, StructArray};

    let keys = |package: &mut Package, keys: &[[f32; 2]]| {
        let known = Type::array(Type::structure("SimpleCurveKey"));
        let mut property = package.edit(|edit| Property::blank("Keys", 0, &known, edit)).unwrap();
        if let Value::StructArray(structs) = property.value_mut() {
            let structs: &mut StructArray = structs;
            structs.elements = Elements::Float2(keys.to_vec());
        }
        let list = PropertyList::new(vec![property], Name::new(0));
        StructValue { properties: list }
    };
    // The names that curves need are added before the body is saved.
    let all = |package: &mut Package| {
        let rows = [("Slow", vec![[0.0, 1.0], [10.0, 2.5]]), ("Fast", vec![[5.0, 7.0]])];
        let curves = rows.map(|(name, values)| (named(package, name), keys(package, &values)));
        CurveTable { mode: 1, curves: curves.into() }
    };
    let mut names =
        Package::from_bytes(Builder::for_release(EngineRelease::new(4, 27)).build().unwrap())
            .unwrap();
    let mut table = all(&mut names);
    let list = |package: &mut Package| {
        all(package);
        PropertyList::default()
    };
    let made = package("/Script/Engine.CurveTable", list, &mut table);
    let table = made.contents().table(0).unwrap();
    assert_eq!((table.cell(0, "10").as_deref(), table.cell(0, "5")), (Some("2.5"), None));
    let csv = String::from_utf8(made.contents().table(0).unwrap().file(TableFormat::Csv).unwrap())
        .unwrap();
    assert_eq!(csv, "---,0,5,10\nSlow,1.0,,2.5\nFast,,7.0,\n");
    let json: serde_json::Value =
        serde_json::from_slice(&made.contents().table(0).unwrap().file(TableFormat::Json).unwrap())
            .unwrap();
    assert_eq!(json[0], serde_json::json!({ "Name": "Slow", "0": 1.0, "10": 2.5 }));
    let mut made = made;
    let before = made.to_bytes().unwrap();
    let mut give = |table: &str| {
        let done = made.edit(|edit| edit.replace_table(0, table.as_bytes(), TableFormat::Csv))?;
        let table = made.contents().table(0)?.file(TableFormat::Csv)?;
        let text = String::from_utf8(table).unwrap();
        Ok::<_, unreal_packages::Error>((done, text, made.to_bytes()?))
    };
    assert_eq!(give(&csv).unwrap().2, before);
    // 5 is written as 5.0, a key comes between others, another goes, a curve is new.
    let other = "---,5.0,0,10,7.5\nNew,1.0,,,3\nSlow,4,1.0,,\nFast,8.25,,,\n";
    let (done, text, _) = give(other).unwrap();
    assert_eq!((done.cells, done.added, done.removed), (3, 1, 0));
    assert_eq!(text, "---,0,5,7.5\nNew,,1.0,3.0\nSlow,1.0,4.0,\nFast,,8.25,\n");
    assert_eq!(give(&csv).unwrap().2, before);
    for (bad, words) in [
        (csv.replace("7.0", "much"), "the value 'much' is no number"),
        (csv.replace(",5,", ",soon,"), "the time 'soon' is no number"),
        (csv.replace("Fast", "Slow"), "Slow"),
    ] {
        let why = give(&bad).unwrap_err().to_string();
        assert!(why.contains(words), "{words}: {why}");
    }
}

/// A cooked texture of one mip.
fn cooked((width, height): (i32, i32), format: &str, texels: &[u8]) -> Package {
    let mip = Mip { bulk: inline(texels), size_x: width, size_y: height, ..Mip::default() };
    cooked_texture(of_sizes((width, height), format, vec![mip]))
}

/// What a texture of these sizes holds for its platform.
fn of_sizes((size_x, size_y): (i32, i32), format: &str, mips: Vec<Mip>) -> PlatformData {
    PlatformData { size_x, size_y, format: format.into(), mips, ..PlatformData::default() }
}

/// A cooked texture that holds this for its platform.
fn cooked_texture(data: PlatformData) -> Package {
    cooked_texture_of(UE4, data)
}

/// The same of another release.
fn cooked_texture_of(release: EngineRelease, data: PlatformData) -> Package {
    // A name, whichever: none ends the list of platforms.
    let named = |package: &mut Package| {
        assert_eq!(named(package, "Platform"), Name::new(1));
        PropertyList::default()
    };
    let mut texture = ImageTexture { cooked: true, ..ImageTexture::default() };
    let platform = CookedPlatform { format: Name::new(1), data, ..CookedPlatform::default() };
    texture.platforms.platforms = vec![platform];
    package_of(release, "/Script/Engine.Texture2D", named, &mut texture, false)
}

/// A cooked cube, array or volume of UE4.
fn cooked_layers(class: &str, data: PlatformData) -> Package {
    let named = |package: &mut Package| {
        assert_eq!(named(package, "Platform"), Name::new(1));
        PropertyList::default()
    };
    let mut texture = LayeredTexture { cooked: true, ..LayeredTexture::default() };
    let platform = CookedPlatform { format: Name::new(1), data, ..CookedPlatform::default() };
    texture.platforms.platforms = vec![platform];
    package(&format!("/Script/Engine.{class}"), named, &mut texture)
}

fn pixels(format: &str, size: (i32, i32), texels: &[u8]) -> Image {
    cooked(size, format, texels).contents().texture_image(0).unwrap()
}

#[test]
fn blocks_become_colours_and_are_cut_to_the_size() {
    // Red and blue, then the indices of four rows: red, blue, red, blue.
    let dxt1 = [0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0x00, 0x55];
    let image = pixels("PF_DXT1", (3, 2), &dxt1);
    let (red, blue) = ([255, 0, 0, 255], [0, 0, 255, 255]);
    assert_eq!(image.to_rgba(), [red, red, red, blue, blue, blue]);
    // One value, then another in the last texel.
    let bc4 = [200, 10, 0, 0, 0, 0, 0, 0b0010_0000];
    let image = pixels("PF_BC4", (4, 4), &bc4).to_rgba();
    assert_eq!((image[0], image[15]), ([200, 200, 200, 255], [10, 10, 10, 255]));
    // X and Y of zero: the normal points at the viewer.
    let half = [128, 128, 0, 0, 0, 0, 0, 0];
    let image = pixels("PF_BC5", (4, 4), &[half, half].concat());
    assert_eq!(image.to_rgba()[5], [128, 128, 255, 255]);
}

#[test]
fn slices_stand_below_each_other() {
    let bytes: Vec<u8> = (0..16).collect();
    let image = pixels("PF_B8G8R8A8", (1, 2), &bytes);
    assert_eq!((image.width(), image.height()), (1, 4));
    assert_eq!(image.to_rgba()[2], [10, 9, 8, 11]);
    let red = [0x00, 0xf8, 0, 0, 0, 0, 0, 0];
    let green = [0xe0, 0x07, 0, 0, 0, 0, 0, 0];
    let image = pixels("PF_DXT1", (2, 2), &[red, green].concat());
    assert_eq!((image.width(), image.height()), (2, 4));
    assert_eq!((image.to_rgba()[0], image.to_rgba()[7]), ([255, 0, 0, 255], [0, 255, 0, 255]));
}

#[test]
fn texels_that_are_not_known_or_do_not_fit_are_named() {
    let why = |format, size, texels: &[u8]| {
        cooked(size, format, texels).contents().texture_image(0).unwrap_err().to_string()
    };
    for (format, size, texels, expected) in [
        ("PF_ETC2_RGB", (8, 8), 16, "PF_ETC2_RGB"),
        ("PF_DXT5", (4, 4), 15, "15 bytes"),
        ("PF_G8", (0, 4), 1, "1 bytes"),
        ("PF_G8", (i32::MAX, i32::MAX), 4, "4 bytes"),
    ] {
        let why = why(format, size, &vec![0; texels]);
        assert!(why.contains(expected), "{why}");
    }
}

#[test]
fn colours_without_bounds_become_hdr() {
    let one = [0x00, 0x3c];
    let bytes = [one, one, [0x00, 0x44], one].concat();
    let made = cooked((1, 1), "PF_FloatRGBA", &bytes);
    let file = made.contents().content_file(0).unwrap();
    assert!(file.extension == "hdr" && file.bytes.starts_with(b"#?RADIANCE"));
    // Red, green, blue and the exponent that they share: 1, 1 and 4 of 8.
    assert_eq!(file.bytes[file.bytes.len() - 4..], [32, 32, 128, 131]);
    assert!(made.contents().texture_image(0).unwrap_err().to_string().contains("without bounds"));
}

/// Halves of 1, 0, 4, ½, not a number, and below 0 as a screen shows them: sRGB of a half is 188.
#[test]
fn pictures_that_a_screen_shows_in_part_are_shown() {
    let [one, none, four, half, nan, less] =
        [0x3c00_u16, 0, 0x4400, 0x3800, 0x7e00, 0xbc00].map(u16::to_le_bytes);
    let bytes = [one, none, four, half, half, nan, less, one].concat();
    let made = cooked((2, 1), "PF_FloatRGBA", &bytes);
    for size in [None, Some(0)] {
        let shown = made.contents().texture_shown(0, size).unwrap().to_rgba();
        assert_eq!(shown, [[255, 0, 255, 128], [188, 0, 0, 255]], "{size:?}");
    }
    assert!(made.contents().texture_shown(0, Some(1)).is_err());
    // What has eight bits a channel is what it is.
    let plain = cooked((1, 1), "PF_B8G8R8A8", &[1, 2, 3, 4]);
    assert_eq!(plain.contents().texture_shown(0, None).unwrap().to_rgba(), [[3, 2, 1, 4]]);
}

/// Smooth colours, so that blocks can come near to them.
fn gradient(width: u32, height: u32) -> Image {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let color = |(x, y): (u32, u32)| [(x * 4) as u8, (y * 4) as u8, 100, 255];
    Image::from_rgba(width, height, places.map(color).collect()).unwrap()
}
