//! Sources of textures that are not cooked take other pictures, wherever they stand.

use unreal_packages::compression::{CompressedBuffer, Method, WideFraming, compress};
use unreal_packages::content::{
    Image, PackageContents, Pixels, ReplaceTexture, TextureChange, TextureEdits, source_delta,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue4::asset::texture::{ImageTexture, LayeredTexture, Texture};
use unreal_packages::object::ue4::bulk::{BulkData, EditorBulkData};
use unreal_packages::package::{FurtherSections, Package};
use unreal_packages::primitive::LongPosition;
use unreal_packages::property::{PropertyList, Value};
use unreal_packages::table::{Trailer, TrailerEntry};
use unreal_packages::{Archived, EngineRelease, Guid, Name, Saver, Span, UnrealVersions};

use super::{gradient, inline, named, property};

/// A source: sides of a slice, slices, sizes, format, compression.
#[derive(Clone)]
struct Source {
    size: (i32, i32),
    slices: i32,
    mips: i32,
    format: &'static str,
    compression: &'static str,
    content: Vec<u8>,
}

impl Source {
    fn new(size: (i32, i32), format: &'static str, content: Vec<u8>) -> Self {
        Self { size, slices: 1, mips: 1, format, compression: "TSCF_None", content }
    }

    fn compressed(self, compression: &'static str) -> Self {
        Self { compression, ..self }
    }
}

/// Where the sources of a package stand.
#[derive(Clone, Copy, PartialEq)]
enum Home {
    Body,
    /// Behind the bodies, perhaps compressed with zlib.
    Behind(bool),
    /// Behind the bodies, as UE5.0 has it.
    Buffers,
    Trailer,
}

impl Home {
    fn release(self) -> EngineRelease {
        match self {
            Self::Body | Self::Behind(_) => EngineRelease::new(4, 27),
            Self::Buffers => EngineRelease::new(5, 0),
            Self::Trailer => EngineRelease::new(5, 3),
        }
    }
}

fn id(content: &[u8]) -> [u8; 20] {
    *blake3::hash(content).as_bytes().first_chunk().unwrap()
}

fn properties(names: &mut Package, source: &Source, is_hash: bool) -> PropertyList {
    let number =
        |names: &mut Package, name, value| property(names, name, "int", |_| Value::Int(value));
    let properties = vec![
        property(names, "Id", "struct:Guid", |_| Value::Guid(Guid::new(1, 2, 3, 4))),
        number(names, "SizeX", source.size.0),
        number(names, "SizeY", source.size.1),
        number(names, "NumSlices", source.slices),
        number(names, "NumMips", source.mips),
        property(names, "bGuidIsHash", "bool", |_| Value::Bool(is_hash)),
        property(
            names,
            "CompressionFormat",
            "byte-enum:ETextureSourceCompressionFormat",
            |names| Value::Name(named(names, source.compression)),
        ),
        property(names, "Format", "byte-enum:ETextureSourceFormat", |names| {
            Value::Name(named(names, source.format))
        }),
    ];
    let list = PropertyList::new(properties, Name::new(0));
    let source = property(names, "Source", "struct:TextureSource", |_| Value::List(list.clone()));
    PropertyList::new(vec![source], Name::new(0))
}

/// A package with a texture of each source.
fn textures(home: Home, sources: &[Source]) -> Package {
    let build = |start: i64| {
        let release = home.release();
        let mut names =
            Package::from_bytes(Builder::for_release(release).build().unwrap()).unwrap();
        let (mut behind, mut trailer, mut bodies) =
            (Vec::new(), Trailer { version: 2, ..Trailer::default() }, Vec::new());
        for source in sources {
            let mut list = properties(&mut names, source, home == Home::Trailer);
            let mut base = Texture::default();
            let length = source.content.len() as i64;
            let buffer = || CompressedBuffer::store(&source.content).unwrap();
            let editor = EditorBulkData {
                id: Guid::new(5, 6, 7, 8),
                content_id: id(&source.content),
                payload_size: length,
                ..EditorBulkData::default()
            };
            match home {
                Home::Body => base.source = inline(&source.content),
                Home::Behind(packed) => {
                    let stored = match packed {
                        false => source.content.clone(),
                        true => {
                            let framing = compress(&source.content, Method::Zlib, 0x2_0000);
                            let framing = framing.unwrap();
                            let mut wide =
                                WideFraming { method: None, block_size: 0x2_0000, framing };
                            let mut saver = Saver::new(Default::default());
                            wide.serialize(&mut saver).unwrap();
                            saver.into_bytes()
                        }
                    };
                    base.source = BulkData {
                        flags: if packed { 3 } else { 1 },
                        element_count: length,
                        size_on_disk: stored.len() as i64,
                        offset: LongPosition::Stale(behind.len() as i64),
                        ..BulkData::default()
                    };
                    behind.extend(stored);
                }
                Home::Buffers => {
                    let offset = start + behind.len() as i64;
                    base.editor_source = EditorBulkData { offset, ..editor };
                    behind.extend(buffer());
                }
                Home::Trailer => {
                    base.editor_source = EditorBulkData { flags: 0x200, ..editor };
                    if trailer.entries.iter().all(|entry| entry.identifier != editor.content_id) {
                        trailer.entries.push(TrailerEntry {
                            identifier: editor.content_id,
                            offset_in_file: behind.len() as i64,
                            compressed_size: buffer().len() as u64,
                            raw_size: length as u64,
                            ..TrailerEntry::default()
                        });
                        behind.extend(buffer());
                    }
                }
            }
            let mut saver = Saver::new(names.versions().clone());
            if names.versions().ue5() >= 1011 {
                0_u8.serialize(&mut saver).unwrap();
            }
            list.serialize(&mut saver).unwrap();
            0_u32.serialize(&mut saver).unwrap();
            let class = match source.slices {
                1 => "/Script/Engine.Texture2D",
                6 => "/Script/Engine.TextureCube",
                _ => "/Script/Engine.Texture2DArray",
            };
            match source.slices {
                1 => ImageTexture { base, ..ImageTexture::default() }.serialize(&mut saver),
                _ => LayeredTexture { base, ..LayeredTexture::default() }.serialize(&mut saver),
            }
            .unwrap();
            bodies.push((class, saver.into_bytes()));
        }
        let mut sections = FurtherSections::default();
        if home == Home::Trailer {
            trailer.payloads = Span::owned(behind);
            sections.trailer = Some(trailer);
        } else {
            sections.bulk_data = Span::owned(behind);
        }
        let mut builder = Builder::for_release(release).guid(Guid::new(1, 2, 3, 4));
        for name in names.names().iter().skip(1) {
            builder = builder.name(name.to_string());
        }
        builder = builder.sections(sections);
        for (row, (class, body)) in bodies.into_iter().enumerate() {
            builder = builder.export(format!("Thing{row}"), class, body);
        }
        Package::from_bytes(builder.build().unwrap()).unwrap()
    };
    let start = build(0).summary().bulk_data_start_offset;
    let package = build(start);
    assert_eq!(package.summary().bulk_data_start_offset, start);
    package
}

fn put(package: &mut Package, row: usize, file: &[u8]) -> unreal_packages::Result<TextureChange> {
    package.edit(|edit| edit.replace_picture(row, file, &ReplaceTexture::default()))
}

fn shown(package: &Package, row: usize) -> Image {
    package.contents().texture_image(row).unwrap()
}

fn again(package: &Package) -> Package {
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

/// Texels of blue, green, red and alpha.
fn bgra(image: &Image) -> Vec<u8> {
    image.to_rgba().into_iter().flat_map(|[r, g, b, a]| [b, g, r, a]).collect()
}

fn source_text(package: &Package, row: usize) -> String {
    package.values().property(&format!("Thing{row}"), "Source").unwrap().text
}

const HOMES: [Home; 5] =
    [Home::Body, Home::Behind(false), Home::Behind(true), Home::Buffers, Home::Trailer];

/// Two pictures of four by three pixels and one of two by two.
fn three() -> [Source; 3] {
    let picture = |seed: u8, width: u32, height: u32| {
        let texels = (0..width * height).map(|at| [seed, at as u8 * 9, 77, 255 - at as u8]);
        bgra(&Image::from_rgba(width, height, texels.collect()).unwrap())
    };
    [
        Source::new((4, 3), "TSF_BGRA8", picture(1, 4, 3)),
        Source::new((4, 3), "TSF_BGRA8", picture(2, 4, 3)),
        Source::new((2, 2), "TSF_BGRA8", picture(3, 2, 2)),
    ]
}

#[test]
fn sources_take_other_pixels_where_they_stand() {
    for home in HOMES {
        let mut package = textures(home, &three());
        let before = package.to_bytes().unwrap();
        let pictures: Vec<_> = (0..3).map(|row| shown(&package, row)).collect();
        for (row, picture) in pictures.iter().enumerate() {
            // What is there changes nothing.
            let change = put(&mut package, row, &picture.to_png().unwrap()).unwrap();
            assert_eq!(change, TextureChange::default());
        }
        assert_eq!(package.to_bytes().unwrap(), before);

        let mut texels = pictures[1].to_rgba();
        texels[5] = [9, 8, 7, 6];
        let other = Image::from_rgba(4, 3, texels).unwrap();
        let change = put(&mut package, 1, &other.to_png().unwrap()).unwrap();
        assert_eq!((change.texels, change.resized), (1, false));
        let package = again(&package);
        assert_eq!(shown(&package, 1).to_rgba(), other.to_rgba());
        for row in [0, 2] {
            assert_eq!(shown(&package, row).to_rgba(), pictures[row].to_rgba());
            assert!(source_text(&package, row).contains("Id=00000001000000020000000300000004"));
        }
        // Derived data is looked for under the name of the source.
        let text = source_text(&package, 1);
        assert!(!text.contains("Id=00000001000000020000000300000004"), "{text}");
        if home == Home::Trailer {
            let hash = id(&bgra(&other));
            let word = |at: usize| u32::from_le_bytes(*hash[at..].first_chunk().unwrap());
            let words = [0, 4, 8, 12].map(|at| format!("{:08X}", word(at))).concat();
            assert!(text.contains(&format!("Id={words}")), "{text} {words}");
        }
    }
}

#[test]
fn sources_take_pictures_of_another_size_and_what_stands_behind_them_moves() {
    for home in HOMES {
        let mut package = textures(home, &three());
        let pictures: Vec<_> = (0..3).map(|row| shown(&package, row)).collect();
        for (width, height) in [(16, 8), (1, 1), (4, 3)] {
            let picture = gradient(width, height);
            let change = put(&mut package, 0, &picture.to_png().unwrap()).unwrap();
            assert!(change.resized);
            package = again(&package);
            assert_eq!(shown(&package, 0).to_rgba(), picture.to_rgba());
            for row in [1, 2] {
                assert_eq!(shown(&package, row).to_rgba(), pictures[row].to_rgba());
            }
            let text = source_text(&package, 0);
            assert!(text.contains(&format!("SizeX={width},SizeY={height}")), "{text}");
        }
    }
}

/// Other textures keep a payload that was theirs as well.
#[test]
fn payloads_that_textures_share_stay_for_the_others() {
    let [one, _, _] = three();
    let mut package = textures(Home::Trailer, &[one.clone(), one]);
    let old = shown(&package, 1);
    let new = gradient(4, 3);
    put(&mut package, 0, &new.to_png().unwrap()).unwrap();
    package = again(&package);
    assert_eq!(shown(&package, 0).to_rgba(), new.to_rgba());
    assert_eq!(shown(&package, 1).to_rgba(), old.to_rgba());
    let entries =
        |package: &Package| package.tables().further.trailer.as_ref().unwrap().entries.len();
    assert_eq!(entries(&package), 2);
    // And take what is there.
    put(&mut package, 1, &new.to_png().unwrap()).unwrap();
    package = again(&package);
    assert_eq!(shown(&package, 1).to_rgba(), new.to_rgba());
    assert_eq!(entries(&package), 1);
}

#[test]
fn sources_keep_their_compression() {
    let picture = gradient(64, 700);
    let mut filtered = bgra(&picture);
    source_delta::encode(&mut filtered, 64, 700, 4).unwrap();
    // The engine stores texels of blue, green, red as if they were red, green, blue.
    let swapped = picture.to_rgba().into_iter().map(|[r, g, b, a]| [b, g, r, a]).collect();
    let swapped = Image::from_rgba(64, 700, swapped).unwrap().to_png().unwrap();
    let source = |content| Source::new((64, 700), "TSF_BGRA8", content);
    let sources =
        [source(filtered).compressed("TSCF_UEDELTA"), source(swapped).compressed("TSCF_PNG")];
    for source in sources {
        let mut package = textures(Home::Trailer, std::slice::from_ref(&source));
        let before = package.to_bytes().unwrap();
        assert_eq!(shown(&package, 0).to_rgba(), picture.to_rgba());
        let same = put(&mut package, 0, &picture.to_png().unwrap()).unwrap();
        assert_eq!(same, TextureChange::default());
        assert_eq!(package.to_bytes().unwrap(), before);
        let mut texels = picture.to_rgba();
        texels[40_000] = [1, 2, 3, 4];
        let other = Image::from_rgba(64, 700, texels).unwrap();
        assert_eq!(put(&mut package, 0, &other.to_png().unwrap()).unwrap().texels, 1);
        let mut package = again(&package);
        assert_eq!(shown(&package, 0).to_rgba(), other.to_rgba());
        assert!(source_text(&package, 0).contains(source.compression));
        // Back again it is what it was, filtered or compressed as before.
        put(&mut package, 0, &picture.to_png().unwrap()).unwrap();
        let package = again(&package);
        assert_eq!(shown(&package, 0).to_rgba(), picture.to_rgba());
        if source.compression == "TSCF_UEDELTA" {
            let trailer = package.tables().further.trailer.as_ref().unwrap();
            assert_eq!(trailer.entries[0].identifier, id(&source.content));
        }
    }
}

#[test]
fn a_source_with_losses_is_stored_without_them() {
    let picture = Image::from_rgba(8, 8, vec![[200, 30, 30, 255]; 64]).unwrap();
    let mut file = std::io::Cursor::new(Vec::new());
    let rgb = image::RgbImage::from_pixel(8, 8, image::Rgb([200, 30, 30]));
    image::DynamicImage::ImageRgb8(rgb).write_to(&mut file, image::ImageFormat::Jpeg).unwrap();
    let file = file.into_inner();
    let source = Source::new((8, 8), "TSF_BGRA8", file.clone()).compressed("TSCF_JPEG");
    let mut package = textures(Home::Trailer, &[source]);
    assert_eq!(put(&mut package, 0, &file).unwrap(), TextureChange::default());
    let mut texels = picture.to_rgba();
    texels[0] = [0, 255, 0, 255];
    let other = Image::from_rgba(8, 8, texels).unwrap();
    put(&mut package, 0, &other.to_png().unwrap()).unwrap();
    let package = again(&package);
    assert_eq!(shown(&package, 0).to_rgba()[0], [0, 255, 0, 255]);
    assert!(source_text(&package, 0).contains("TSCF_None"));
}

#[test]
fn every_format_of_sources_takes_its_own_file_and_another() {
    let bytes = |count: usize| -> Vec<u8> { (0..count).map(|at| (at * 37 % 251) as u8).collect() };
    // Numbers that are numbers.
    let halves = |count: usize| -> Vec<u8> {
        (0..count).flat_map(|at| (0x3000 + at as u16 * 16).to_le_bytes()).collect()
    };
    let floats = |count: usize| -> Vec<u8> {
        (0..count).flat_map(|at| (at as f32 / 7.0).to_le_bytes()).collect()
    };
    let formats = [
        ("TSF_G8", bytes(12)),
        ("TSF_G16", bytes(24)),
        ("TSF_BGRA8", bytes(48)),
        ("TSF_BGRE8", bytes(48)),
        ("TSF_RGBA16", bytes(96)),
        ("TSF_RGBA16F", halves(48)),
        ("TSF_RGBA32F", floats(48)),
        ("TSF_R16F", halves(12)),
        ("TSF_R32F", floats(12)),
    ];
    for (format, content) in formats {
        let mut package = textures(Home::Behind(false), &[Source::new((4, 3), format, content)]);
        let before = package.to_bytes().unwrap();
        let file = package.contents().content_file(0).unwrap();
        let change = put(&mut package, 0, &file.bytes).unwrap();
        assert_eq!(change, TextureChange::default(), "{format}");
        assert_eq!(package.to_bytes().unwrap(), before, "{format}");
        let gray = (0..12).map(|at| [at as u8 * 20; 3]).map(|[r, g, b]| [r, g, b, 255]).collect();
        let gray = Image::from_rgba(4, 3, gray).unwrap();
        assert!(put(&mut package, 0, &gray.to_png().unwrap()).unwrap().texels > 0, "{format}");
        let mut package = again(&package);
        // What comes out now is what went in.
        let now = package.to_bytes().unwrap();
        let file = package.contents().content_file(0).unwrap();
        assert_eq!(put(&mut package, 0, &file.bytes).unwrap(), TextureChange::default());
        let change = put(&mut package, 0, &gray.to_png().unwrap()).unwrap();
        assert_eq!(change, TextureChange::default(), "{format}");
        assert_eq!(package.to_bytes().unwrap(), now, "{format}");
    }
}

#[test]
fn smaller_sizes_and_slices_of_a_source_follow() {
    // Two by two, then one.
    let texel = [10_u8, 20, 30, 255];
    let mut source = Source::new((2, 2), "TSF_BGRA8", texel.repeat(5));
    source.mips = 2;
    let mut package = textures(Home::Behind(false), &[source]);
    put(&mut package, 0, &gradient(8, 4).to_png().unwrap()).unwrap();
    let package = again(&package);
    assert!(source_text(&package, 0).contains("NumMips=4"), "{}", source_text(&package, 0));
    let bulk = &package.tables().further.bulk_data;
    assert_eq!(bulk.len(), (32 + 8 + 2 + 1) * 4);

    let mut source = Source::new((2, 2), "TSF_BGRA8", texel.repeat(24));
    source.slices = 6;
    let mut package = textures(Home::Behind(false), &[source]);
    let picture = gradient(2, 12);
    assert!(put(&mut package, 0, &picture.to_png().unwrap()).unwrap().texels > 0);
    assert_eq!(shown(&package, 0).to_rgba(), picture.to_rgba());
    let picture = gradient(3, 18);
    assert!(put(&mut package, 0, &picture.to_png().unwrap()).unwrap().resized);
    let mut package = again(&package);
    assert_eq!(shown(&package, 0).to_rgba(), picture.to_rgba());
    for (width, height) in [(3, 17), (4, 18)] {
        let picture = gradient(width, height).to_png().unwrap();
        let why = put(&mut package, 0, &picture).unwrap_err().to_string();
        assert!(why.contains("Thing0") && why.contains("6 squares"), "{why}");
    }
}

#[test]
fn sources_that_can_not_be_made_say_why() {
    let why = |source: Source| {
        let mut package = textures(Home::Trailer, &[source]);
        let picture = gradient(4, 3).to_png().unwrap();
        put(&mut package, 0, &picture).unwrap_err().to_string()
    };
    let content = vec![0; 48];
    let source = || Source::new((4, 3), "TSF_BGRA8", content.clone());
    let text = why(Source { content: vec![0; 49], ..source() });
    assert!(text.contains("49 bytes") && text.contains("4 by 3"), "{text}");
    let text = why(Source { format: "TSF_Odd", ..source() });
    assert!(text.contains("TSF_Odd"), "{text}");
    let text = why(source().compressed("TSCF_Odd"));
    assert!(text.contains("TSCF_Odd"), "{text}");
    let text = why(Source { content: vec![0; 96], format: "TSF_RGBA16F", ..source() }
        .compressed("TSCF_UEDELTA"));
    assert!(text.contains("TSCF_UEDELTA"), "{text}");
    let colors = Image::from_rgba(4, 3, vec![[1, 2, 3, 255]; 12]).unwrap();
    let gray = Source { content: vec![0; 12], format: "TSF_G8", ..source() };
    let mut package = textures(Home::Trailer, &[gray]);
    let text = put(&mut package, 0, &colors.to_png().unwrap()).unwrap_err().to_string();
    assert!(text.contains("one channel"), "{text}");
    let wide = Image::new(4, 3, Pixels::Gray16(vec![9; 12])).unwrap();
    put(&mut package, 0, &wide.to_png().unwrap()).unwrap();
}

/// A source of two by two pictures, of which the last one is not there.
fn blocks(home: Home, compression: &'static str) -> Package {
    let picture = |seed: u8| {
        let texels: Vec<_> = (0..6).map(|at| [seed, at * 9, 77, 255]).collect();
        let mut bytes = bgra(&Image::from_rgba(3, 2, texels).unwrap());
        if compression == "TSCF_UEDELTA" {
            source_delta::encode(&mut bytes, 3, 2, 4).unwrap();
        }
        bytes
    };
    let content = [picture(10), picture(20), picture(30)].concat();
    let source = Source::new((3, 2), "TSF_BGRA8", content).compressed(compression);
    let mut package = textures(home, &[source]);
    let block = |x: i32, y: i32| format!("(BlockX:int={x},BlockY:int={y},SizeX:int=3,SizeY:int=2)");
    let text = format!("({},{})", block(1, 0), block(0, 1));
    let known = "array:struct:TextureSourceBlock".parse().unwrap();
    package.edit(|edit| edit.add_property("Thing0", "Source.Blocks", &known, &text)).unwrap();
    package
}

#[test]
fn sources_of_several_pictures_are_one() {
    for (home, compression) in [
        (Home::Body, "TSCF_None"),
        (Home::Behind(true), "TSCF_None"),
        (Home::Trailer, "TSCF_UEDELTA"),
    ] {
        let mut package = blocks(home, compression);
        let picture = shown(&package, 0);
        assert_eq!((picture.width(), picture.height()), (6, 4));
        let mut texels = picture.to_rgba();
        let seeds: Vec<u8> = texels.iter().map(|texel| texel[0]).collect();
        assert_eq!(seeds[..6], [10, 10, 10, 20, 20, 20]);
        // Nothing is where no picture is.
        assert_eq!(seeds[18..], [30, 30, 30, 0, 0, 0]);
        let before = package.to_bytes().unwrap();
        assert_eq!(
            put(&mut package, 0, &picture.to_png().unwrap()).unwrap(),
            TextureChange::default()
        );
        assert_eq!(package.to_bytes().unwrap(), before);
        (texels[5], texels[12]) = ([1, 2, 3, 255], [4, 5, 6, 255]);
        let other = Image::from_rgba(6, 4, texels.clone()).unwrap().to_png().unwrap();
        assert_eq!(put(&mut package, 0, &other).unwrap().texels, 2);
        assert_eq!(shown(&again(&package), 0).to_rgba(), texels);
        let small = Image::from_rgba(3, 2, texels[..6].to_vec()).unwrap().to_png().unwrap();
        let text = put(&mut package, 0, &small).unwrap_err().to_string();
        assert!(text.contains("together 6 by 4"), "{text}");
    }
}

#[test]
fn sources_of_pictures_that_are_not_alike_say_why() {
    for (name, value, reason) in [
        ("NumMips:int", "2", "slices or smaller sizes"),
        ("SizeX", "4", "differ in size"),
        ("BlockX", "0", "lie on each other"),
        ("BlockY", "100", "lie far from each other"),
    ] {
        let mut package = blocks(Home::Body, "TSCF_None");
        let path = format!("Source.Blocks[0].{name}");
        package.edit(|edit| edit.set_property("Thing0", &path, value)).unwrap();
        let error = package.contents().texture_image(0).unwrap_err().to_string();
        assert!(error.contains(reason), "{reason}: {error}");
        let picture = gradient(6, 4).to_png().unwrap();
        let error = put(&mut package, 0, &picture).unwrap_err().to_string();
        assert!(error.contains(reason), "{reason}: {error}");
    }
}
