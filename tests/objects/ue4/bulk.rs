//! Bulk data: where it stands, and positions that are stored.

use std::sync::Arc;

use unreal_packages::archive::Context;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::object::ue4::asset::{platform_data, texture, virtual_texture};
use unreal_packages::object::ue4::bulk::BulkData;
use unreal_packages::object::ue4::component::reflection_capture;
use unreal_packages::primitive::{Bool32, LongPosition, Payload, Position};
use unreal_packages::property::PackageContext;
use unreal_packages::table::DataResource;
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{Archived, ErrorKind, FString, Loader, Name, Saver};

use super::{context, inline, laws_at, saved, span};

#[test]
fn bulk_data_follows_its_body_and_keeps_false_positions() {
    let versions = EngineRelease::new(4, 27).versions();
    let mut bulk = inline(b"texels");
    laws_at(&bulk, &BulkData::default(), &versions);
    let bytes = saved(&mut bulk, &versions, 1000).unwrap();
    assert_eq!(bytes[12..20], 1020_u64.to_le_bytes(), "right behind the header");
    let mut source = vec![0; 1000];
    source.extend(&bytes);
    for (change, expected) in [(0, LongPosition::Here), (-8, LongPosition::Beside(-8))] {
        let position = (1020 + i64::from(change)).to_le_bytes();
        source[1012..1020].copy_from_slice(&position);
        let mut loader = Loader::new(&source, versions.clone()).with_context(context(&source));
        loader.seek(&source, 1000, source.len() as u64).unwrap();
        let mut loaded = BulkData::default();
        loaded.serialize(&mut loader).unwrap();
        assert_eq!(loaded.offset, expected);
        let mut saver = Saver::new(versions.clone()).with_context(context(&source)).at(5000);
        loaded.serialize(&mut saver).unwrap();
        assert_eq!(saver.bytes()[12..20], (5020 + i64::from(change)).to_le_bytes());
    }
    // Elsewhere in the file: nothing stands here.
    let apart = BulkData {
        flags: 0x1_0501,
        size_on_disk: 9,
        offset: LongPosition::Stale(77),
        ..BulkData::default()
    };
    laws_at(&apart, &BulkData::default(), &versions);
    let wide =
        BulkData { flags: 0xe048, size_on_disk: 6, bad_data_version: 3, ..inline(b"texels") };
    laws_at(&wide, &BulkData::default(), &versions);
    let narrow = BulkData { element_count: 1 << 40, ..inline(b"") };
    let error = saved(&mut narrow.clone(), &versions, 0).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { .. }), "{error}");
}

#[test]
fn bulk_data_may_be_a_row_of_a_table() {
    let versions = EngineRelease::new(5, 4).versions();
    let row = |flags, serial_size| DataResource {
        legacy_bulk_data_flags: flags,
        serial_size,
        ..DataResource::default()
    };
    let bytes = [&1_i32.to_le_bytes()[..], b"abc", &0_i32.to_le_bytes()].concat();
    let context = Arc::new(
        Context::new(bytes.clone().into(), Vec::new())
            .with_data_resources(vec![row(0x1_0501, 900), row(0x48, 3)]),
    );
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(context.clone());
    let mut both = [BulkData::default(), BulkData::default()];
    both.serialize(&mut loader).unwrap();
    assert_eq!((loader.remaining(), loader.payload()), (0, 3));
    assert_eq!((both[0].resource, both[0].payload.len()), (Some(1), 3));
    let mut saver = Saver::new(versions.clone()).with_context(context.clone());
    both.serialize(&mut saver).unwrap();
    assert_eq!(saver.bytes(), bytes);
    both[0].payload = span(b"longer");
    let error = both.serialize(&mut Saver::new(versions.clone()).with_context(context.clone()));
    assert!(matches!(error.unwrap_err().kind(), ErrorKind::Invalid { .. }));
    let mut missing = Loader::new(&[9, 0, 0, 0], versions).with_context(context);
    let error = BulkData::default().serialize(&mut missing).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::Unsupported { .. })), "{error}");
}

fn texture(skip: platform_data::SkipOffset, size_z: i32) -> texture::ImageTexture {
    let mip = platform_data::Mip {
        bulk: inline(b"texel"),
        size_x: 4,
        size_y: 4,
        size_z,
        ..Default::default()
    };
    let data = platform_data::PlatformData {
        size_x: 4,
        size_y: 4,
        format: FString::from("PF_DXT1"),
        mips: vec![mip],
        ..Default::default()
    };
    let platform = platform_data::CookedPlatform { format: Name::new(3), skip, data };
    texture::ImageTexture {
        base: texture::Texture {
            strip: unreal_packages::object::ue4::strip::StripFlags { global: 1, class: 0 },
            ..Default::default()
        },
        cooked: true,
        platforms: platform_data::CookedPlatforms {
            platforms: vec![platform],
            terminator: Name::new(0),
        },
        ..Default::default()
    }
}

#[test]
fn skip_offsets_of_textures_follow_them() {
    use platform_data::SkipOffset;
    let long = LongPosition::Here;
    for (minor, skip, size_z) in [
        ((4, 14), SkipOffset::Short(Position::Here), 0),
        ((4, 19), SkipOffset::Short(Position::Here), 0),
        ((4, 25), SkipOffset::Long(long), 1),
        ((5, 1), SkipOffset::Relative(long), 1),
    ] {
        let mut versions = EngineRelease::new(minor.0, minor.1).versions();
        versions.set_filter_editor_only(true);
        versions.set_cooked(true);
        let value = texture(skip, size_z);
        laws_at(&value, &texture::ImageTexture::default(), &versions);
        // Behind two strip flags twice, a bool and a name.
        let at = 1000;
        let bytes = saved(&mut value.clone(), &versions, at).unwrap();
        let stored = match skip {
            SkipOffset::Short(_) => {
                u64::from(u32::from_le_bytes(bytes[16..20].try_into().unwrap()))
            }
            SkipOffset::Long(_) => u64::from_le_bytes(bytes[16..24].try_into().unwrap()),
            SkipOffset::Relative(_) => {
                at + 16 + u64::from_le_bytes(bytes[16..24].try_into().unwrap())
            }
        };
        assert_eq!(stored, at + bytes.len() as u64 - 8, "the name that ends the list, {versions}");
    }
}

#[test]
fn captures_store_where_they_end() {
    let mut versions = EngineRelease::new(4, 5).versions();
    versions.set_custom_versions(Vec::new());
    let captured = reflection_capture::Captured {
        data: Some(reflection_capture::CapturedData {
            data: Payload(span(b"cube")),
            ..Default::default()
        }),
        ..Default::default()
    };
    let mut value =
        reflection_capture::ReflectionCaptureComponent { captured, ..Default::default() };
    let bytes = saved(&mut value, &versions, 500).unwrap();
    let end = 500 + bytes.len() as u32;
    assert_eq!(bytes[20..24], end.to_le_bytes(), "the position behind the data");
    let blank = reflection_capture::ReflectionCaptureComponent::default();
    laws_at(&value, &blank, &versions);
}

/// A virtual texture of two layers with one tile.
fn tiles(is_ue5: bool) -> virtual_texture::VirtualTextureData {
    use virtual_texture::{TileChunk, TileCodec, TileOffsets, VirtualTextureData};
    let list = |numbers: &[u32]| if is_ue5 { numbers.to_vec() } else { Vec::new() };
    let codec = TileCodec { kind: 4, offset: 7 };
    let offsets = TileOffsets { width: 1, height: 1, end: 1, addresses: vec![0], offsets: vec![0] };
    VirtualTextureData {
        cooked: Bool32(1),
        layers: 2,
        width_in_blocks: 1,
        height_in_blocks: 1,
        tile_size: 4,
        border_size: 2,
        layer_ends: list(&[32, 64]),
        mips: 1,
        width: 4,
        height: 4,
        chunk_of_mip: list(&[0]),
        offset_of_mip: list(&[0]),
        tiles: if is_ue5 { vec![offsets] } else { Vec::new() },
        tile_of_chunk: vec![0, 2],
        tile_of_mip: vec![0, 2],
        tile_offsets: vec![0, 32],
        formats: ["PF_DXT1", "PF_DXT5"].map(FString::from).to_vec(),
        fallback_colors: if is_ue5 { vec![[0.5; 4]; 2] } else { Vec::new() },
        chunks: vec![TileChunk {
            hash: if is_ue5 { [3; 20] } else { [0; 20] },
            size: 64,
            codec_size: 0,
            codecs: vec![codec; 2],
            bulk: inline(b"tiles"),
        }],
    }
}

#[test]
fn tiles_of_virtual_textures_are_typed() {
    let blank = texture::ImageTexture::default();
    for ((major, minor), size) in [((4, 23), 2), ((4, 26), 2), ((4, 27), 4), ((5, 1), 4)] {
        let mut versions = EngineRelease::new(major, minor).versions();
        versions.set_filter_editor_only(true);
        versions.set_cooked(true);
        let skip = match major {
            5 => platform_data::SkipOffset::Relative(LongPosition::Here),
            _ => platform_data::SkipOffset::Long(LongPosition::Here),
        };
        let mut value = texture(skip, 1);
        let data = &mut value.platforms.platforms[0].data;
        data.mips.clear();
        let plain = saved(&mut value.clone(), &versions, 0).unwrap().len();
        let data = &mut value.platforms.platforms[0].data;
        data.virtual_data = Some(Box::new(tiles(major == 5)));
        laws_at(&value, &blank, &versions);
        // What a codec needs has a place of 16 bits below 4.27.
        let all = saved(&mut value.clone(), &versions, 0).unwrap().len() - plain;
        let data = &mut value.platforms.platforms[0].data;
        data.virtual_data.as_mut().unwrap().layers = 0;
        data.virtual_data.as_mut().unwrap().formats.clear();
        data.virtual_data.as_mut().unwrap().fallback_colors.clear();
        data.virtual_data.as_mut().unwrap().chunks[0].codecs.clear();
        let none = saved(&mut value.clone(), &versions, 0).unwrap().len() - plain;
        let colors = if major == 5 { 32 } else { 0 };
        assert_eq!(all - none, 2 * (12 + 1 + size) + colors, "{major}.{minor}");
        // A ninth layer is refused before anything is read for it.
        data_layers(&mut value, 9);
        assert!(saved(&mut value, &versions, 0).is_err());
    }
    // Before 4.23 there are none.
    let versions = EngineRelease::new(4, 22).versions();
    let mut value = texture(platform_data::SkipOffset::Long(LongPosition::Here), 1);
    value.platforms.platforms[0].data.virtual_data = Some(Box::new(tiles(false)));
    assert!(saved(&mut value, &versions, 0).is_err());
}

fn data_layers(value: &mut texture::ImageTexture, layers: u32) {
    if let Some(data) = &mut value.platforms.platforms[0].data.virtual_data {
        data.layers = layers;
    }
}

#[test]
fn textures_with_copies_for_the_processor_and_layered_ones_are_typed() {
    let mut versions = EngineRelease::new(5, 4).versions();
    versions.set_filter_editor_only(true);
    versions.set_cooked(true);
    let mut value = texture(platform_data::SkipOffset::Relative(LongPosition::Here), 1);
    let data = &mut value.platforms.platforms[0].data;
    data.mips.clear();
    data.packed = 1 << 29 | 1;
    data.cpu_copy = Some(Box::new(platform_data::SharedImage {
        size_x: 2,
        size_y: 1,
        slices: 1,
        format: 2,
        gamma: 1,
        texels: span(b"rgbargba"),
    }));
    laws_at(&value, &texture::ImageTexture::default(), &versions);
    let flat = saved(&mut value.clone(), &versions, 0).unwrap();
    // Cubes, volumes and arrays have no flag before their texels.
    let mut layered = texture::LayeredTexture {
        base: value.base.clone(),
        strip: value.strip,
        cooked: true,
        platforms: value.platforms.clone(),
    };
    laws_at(&layered, &texture::LayeredTexture::default(), &versions);
    let bytes = saved(&mut layered, &versions, 0).unwrap();
    assert_eq!(flat.len() - bytes.len(), 4);
    value.platforms.platforms[0].data.packed = 1;
    assert!(saved(&mut value, &versions, 0).is_err(), "the copy would be lost");
}
