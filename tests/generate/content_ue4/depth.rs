//! Textures that are more than one flat picture take other pixels: volumes, and textures of tiles.

use std::io::Write;

use unreal_packages::EngineRelease;
use unreal_packages::content::{Image, PackageContents, ReplaceTexture, TextureEdits};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::payload;
use unreal_packages::object::ue4::asset::platform_data::{Mip, PlatformData};
use unreal_packages::object::ue4::asset::texture::{ImageTexture, LayeredTexture};
use unreal_packages::object::ue4::asset::virtual_texture::{
    TileChunk, TileCodec, TileOffsets, VirtualTextureData,
};
use unreal_packages::package::{Package, native_as};

use super::replaced::replace;
use super::{cooked_layers, cooked_texture_of, gradient, inline, of_sizes};

fn platform(package: &Package) -> PlatformData {
    let decoded = package.decode(0).unwrap();
    match native_as::<ImageTexture>(&decoded.body) {
        Some(texture) => texture.platforms.platforms[0].data.clone(),
        None => {
            native_as::<LayeredTexture>(&decoded.body).unwrap().platforms.platforms[0].data.clone()
        }
    }
}

/// A cooked texture of this size whose picture is cut into tiles.
fn tiled(release: EngineRelease, [x, y]: [i32; 2], tiles: VirtualTextureData) -> Package {
    let data = PlatformData {
        size_x: x,
        size_y: y,
        format: "PF_B8G8R8A8".into(),
        virtual_data: Some(Box::new(tiles)),
        ..PlatformData::default()
    };
    cooked_texture_of(release, data)
}

/// The levels of red of a size.
fn reds(package: &Package, mip: usize) -> Vec<u8> {
    let data = platform(package);
    let (bytes, _) = payload(package, &data.mips[mip].bulk).unwrap();
    bytes.chunks(4).map(|texel| texel[2]).collect()
}

#[test]
fn volumes_take_their_slices_below_each_other() {
    // 4 by 4 by 4, 2 by 2 by 2, and one texel: black.
    let black = |count: usize| inline(&[0, 0, 0, 255].repeat(count));
    let mip = |side: i32| Mip {
        bulk: black(side.pow(3) as usize),
        size_x: side,
        size_y: side,
        size_z: side,
        ..Mip::default()
    };
    let data = of_sizes((4, 4), "PF_B8G8R8A8", vec![mip(4), mip(2), mip(1)]);
    let mut volume = cooked_layers("VolumeTexture", data);
    let image = volume.contents().texture_image(0).unwrap();
    assert_eq!((image.width(), image.height()), (4, 16));
    assert_eq!(replace(&mut volume, &image.to_png().unwrap()).unwrap(), 0);
    // The left upper corner of the third slice, which is the first of the second slice below.
    let mut texels = image.to_rgba();
    texels[2 * 16] = [255, 0, 0, 255];
    let png = Image::from_rgba(4, 16, texels.clone()).unwrap().to_png().unwrap();
    assert_eq!(replace(&mut volume, &png).unwrap(), 1);
    assert_eq!(volume.contents().texture_image(0).unwrap().to_rgba(), texels);
    // An eighth of the light of one texel, and an eighth of that; as levels of sRGB.
    let level = |light: f32| ((light.powf(1.0 / 2.4) * 1.055 - 0.055) * 255.0).round() as u8;
    let eighth = level(0.125);
    assert_eq!(reds(&volume, 1), [0, 0, 0, 0, eighth, 0, 0, 0]);
    assert!(reds(&volume, 2)[0].abs_diff(level(0.125 / 8.0)) <= 1, "{:?}", reds(&volume, 2));
    // One slice is no volume.
    let flat = Image::from_rgba(4, 4, texels[..16].to_vec()).unwrap().to_png().unwrap();
    let why = replace(&mut volume, &flat).unwrap_err().to_string();
    assert!(why.contains("4 slices below each other, as wide as high"), "{why}");
}

/// A virtual texture of 8 by 8 texels in tiles of 4 with borders of 1, and its next size in one tile, black.
fn virtual_texture() -> Package {
    virtual_texture_with(|_| {})
}

/// The same with something else.
fn virtual_texture_with(change: impl Fn(&mut VirtualTextureData)) -> Package {
    let tile = 6 * 6 * 4;
    let run = |side: u32| TileOffsets {
        width: side,
        height: side,
        end: side * side,
        addresses: vec![0],
        offsets: vec![0],
    };
    let bytes = [0, 0, 0, 255].repeat(5 * 36);
    let mut tiles = VirtualTextureData {
        cooked: true.into(),
        layers: 1,
        width_in_blocks: 1,
        height_in_blocks: 1,
        tile_size: 4,
        border_size: 1,
        layer_ends: vec![tile],
        mips: 2,
        width: 8,
        height: 8,
        chunk_of_mip: vec![0, 0],
        offset_of_mip: vec![0, 4 * tile],
        tiles: vec![run(2), run(1)],
        formats: vec!["PF_B8G8R8A8".into()],
        fallback_colors: vec![[0.0; 4]],
        chunks: vec![TileChunk {
            hash: [0; 20],
            size: bytes.len() as u32,
            codec_size: 0,
            codecs: vec![TileCodec { kind: 4, offset: 0 }],
            bulk: inline(&bytes),
        }],
        ..VirtualTextureData::default()
    };
    change(&mut tiles);
    tiled(EngineRelease::new(5, 1), [8, 8], tiles)
}

/// The levels of red of a tile with its border, by rows of six.
fn tile_reds(package: &Package, tile: usize) -> Vec<Vec<u8>> {
    let data = platform(package).virtual_data.unwrap();
    let (bytes, _) = payload(package, &data.chunks[0].bulk).unwrap();
    let reds: Vec<u8> = bytes.chunks(4).map(|texel| texel[2]).collect();
    reds[tile * 36..(tile + 1) * 36].chunks(6).map(<[u8]>::to_vec).collect()
}

#[test]
fn tiles_show_the_pixels_of_their_neighbours() {
    let mut made = virtual_texture();
    let image = made.contents().texture_image(0).unwrap();
    assert_eq!((image.width(), image.height()), (8, 8));
    assert_eq!(replace(&mut made, &image.to_png().unwrap()).unwrap(), 0);
    assert_eq!(platform(&made).virtual_data.unwrap().chunks[0].hash, [0; 20]);
    let mut texels = image.to_rgba();
    texels[0] = [200, 0, 0, 255];
    let png = Image::from_rgba(8, 8, texels.clone()).unwrap().to_png().unwrap();
    assert_eq!(replace(&mut made, &png).unwrap(), 1);
    assert_eq!(made.contents().texture_image(0).unwrap().to_rgba(), texels);
    // The corner is beyond the right edge of the second tile, below the third, and both of the fourth.
    for (tile, (x, y)) in [(0, (1, 1)), (1, (5, 1)), (2, (1, 5)), (3, (5, 5))] {
        let reds = tile_reds(&made, tile);
        assert_eq!(reds[y][x], 200, "{tile}");
        assert_eq!(reds.concat().iter().filter(|red| **red > 0).count(), 1, "{tile}");
    }
    // One tile is its own neighbour on all sides.
    let small = tile_reds(&made, 4);
    assert!(small[1][1] > 0 && small[1][1] == small[5][5] && small[1][5] == small[5][1]);
    assert_ne!(platform(&made).virtual_data.unwrap().chunks[0].hash, [0; 20]);
}

#[test]
fn virtual_textures_take_pictures_of_another_size() {
    let mut made = virtual_texture();
    let before = platform(&made);
    for (width, height) in [(16, 32), (4, 4), (32, 8), (8, 8)] {
        let picture = gradient(width, height);
        let png = picture.to_png().unwrap();
        let options = ReplaceTexture::default();
        let change = made.edit(|edit| edit.replace_picture(0, &png, &options)).unwrap();
        assert!(change.resized && change.texels == (width * height) as usize);
        made = Package::from_bytes(made.to_bytes().unwrap()).unwrap();
        let shown = made.contents().texture_image(0).unwrap();
        assert_eq!(shown.to_rgba(), picture.to_rgba(), "{width} by {height}");
        let data = platform(&made);
        let sides = (data.size_x as u32, data.size_y as u32);
        let tiles = data.virtual_data.unwrap();
        assert_eq!((sides, (tiles.width, tiles.height)), ((width, height), (width, height)));
        // As far down as before: the last two sizes are left out.
        let levels = (u32::BITS - width.max(height).leading_zeros()) as usize - 2;
        let lengths = [tiles.tiles.len(), tiles.offset_of_mip.len(), tiles.chunk_of_mip.len()];
        assert_eq!((lengths, tiles.mips as usize), ([levels; 3], levels));
        let (bytes, _) = payload(&made, &tiles.chunks[0].bulk).unwrap();
        assert_eq!(tiles.chunks[0].size as usize, bytes.len());
        let count =
            |level: u32| (width >> level).div_ceil(4).max(1) * (height >> level).div_ceil(4).max(1);
        let all: u32 = (0..levels as u32).map(count).sum();
        assert_eq!(bytes.len(), all as usize * 144);
        // The middle of the picture, by light: black was there before.
        assert!(tiles.fallback_colors[0][2] > 0.05, "{:?}", tiles.fallback_colors);
        // What it shows now changes nothing.
        assert_eq!(replace(&mut made, &shown.to_png().unwrap()).unwrap(), 0);
    }
    // Of the same size as at first all that says where tiles stand is as it was.
    let (one, other) = (before.virtual_data.unwrap(), platform(&made).virtual_data.unwrap());
    assert_eq!((one.tiles, one.offset_of_mip), (other.tiles, other.offset_of_mip));
    assert_eq!(one.chunks[0].size, other.chunks[0].size);
    let before = made.to_bytes().unwrap();
    let why = replace(&mut made, &gradient(12, 8).to_png().unwrap()).unwrap_err().to_string();
    assert!(why.contains("Thing") && why.contains("powers of two"), "{why}");
    assert!(made.to_bytes().unwrap() == before);
}

#[test]
fn virtual_textures_that_take_one_size_alone_say_so() {
    let png = gradient(16, 16).to_png().unwrap();
    let mut made = virtual_texture_with(|it| {
        (it.width_in_blocks, it.height_in_blocks) = (3, 1);
    });
    let why = replace(&mut made, &png).unwrap_err().to_string();
    assert!(why.contains("3 by 1 pictures of one size"), "{why}");
    let mut made = virtual_texture_with(|it| {
        it.layers = 2;
        it.layer_ends = vec![144, 288];
        it.formats.push("PF_B8G8R8A8".into());
        it.fallback_colors.push([0.0; 4]);
        it.chunks[0].codecs.push(TileCodec { kind: 4, offset: 0 });
        it.chunks[0].bulk = inline(&[0; 5 * 288]);
        it.chunks[0].size = 5 * 288;
        it.offset_of_mip = vec![0, 4 * 288];
    });
    let why = replace(&mut made, &png).unwrap_err().to_string();
    assert!(why.contains("2 layers") && why.contains("8 by 8"), "{why}");
    let why = replace(&mut early_tiles(|_| {}), &png).unwrap_err().to_string();
    assert!(why.contains("UE4") && why.contains("8 by 4"), "{why}");
}

/// Each size stays in the chunk that it stood in, counted from the smallest; what codecs need before the tiles stays there.
#[test]
fn chunks_of_tiles_keep_their_sizes() {
    let mut made = virtual_texture_with(|it| {
        let head = |byte: u8, tiles: usize| [vec![byte; 4], vec![0; tiles * 144]].concat();
        let chunk = |bytes: Vec<u8>| TileChunk {
            size: bytes.len() as u32,
            codec_size: 4,
            codecs: vec![TileCodec { kind: 4, offset: 4 }],
            bulk: inline(&bytes),
            ..TileChunk::default()
        };
        it.chunks = vec![chunk(head(7, 4)), chunk(head(9, 1))];
        (it.chunk_of_mip, it.offset_of_mip) = (vec![0, 1], vec![4, 4]);
    });
    let chunks = |package: &Package| {
        let tiles = platform(package).virtual_data.unwrap();
        let bytes = tiles.chunks.iter().map(|chunk| payload(package, &chunk.bulk).unwrap().0);
        let facts: Vec<_> = bytes.map(|bytes| (bytes[0], (bytes.len() - 4) / 144)).collect();
        (facts, tiles.chunk_of_mip)
    };
    replace(&mut made, &gradient(16, 16).to_png().unwrap()).unwrap();
    assert_eq!(chunks(&made), (vec![(7, 16 + 4), (9, 1)], vec![0, 0, 1]));
    // The large sizes are gone, and with them their chunk.
    replace(&mut made, &gradient(4, 4).to_png().unwrap()).unwrap();
    assert_eq!(chunks(&made), (vec![(9, 1)], vec![0]));
    assert_eq!(made.contents().texture_image(0).unwrap().to_rgba(), gradient(4, 4).to_rgba());
}

/// Few bytes can't become many pixels.
#[test]
fn tiles_that_no_engine_makes_are_refused() {
    type Change = fn(&mut VirtualTextureData);
    let changes: [(&str, Change); 9] = [
        ("no engine makes", |it| it.layer_ends = vec![0]),
        ("no engine makes", |it| it.layer_ends = vec![144, 0]),
        ("no engine makes", |it| it.border_size = 5),
        ("no engine makes", |it| it.tile_size = 1 << 20),
        ("no engine makes", |it| it.tiles = vec![it.tiles[0].clone(); 5]),
        ("without tiles, or too large", |it| it.width = u32::MAX),
        ("two have the same texels", |it| {
            it.tiles[0].addresses = vec![0, 2];
            it.tiles[0].offsets = vec![0, 0];
        }),
        ("few have texels", |it| {
            (it.width, it.height) = (1 << 13, 1 << 13);
            (it.tiles[0].width, it.tiles[0].height) = (1 << 11, 1 << 11);
        }),
        ("not all there", |it| it.offset_of_mip[0] = u32::MAX),
    ];
    for (reason, change) in changes {
        let mut made = virtual_texture_with(change);
        let error = made.contents().texture_image(0).unwrap_err().to_string();
        assert!(error.contains(reason), "{reason}: {error}");
        let picture = Image::from_rgba(8, 8, vec![[9; 4]; 64]).unwrap().to_png().unwrap();
        assert!(replace(&mut made, &picture).is_err(), "{reason}");
    }
}

#[test]
fn volumes_whose_slices_do_not_halve_are_refused() {
    let mip = |side: i32, slices: usize| Mip {
        bulk: inline(&[0, 0, 0, 255].repeat((side * side) as usize * slices)),
        size_x: side,
        size_y: side,
        size_z: slices as i32,
        ..Mip::default()
    };
    for (first, second) in [(1, 2), (4, 3), (4, 1)] {
        let mips = vec![mip(4, first), mip(2, second)];
        let data = of_sizes((4, 4), "PF_B8G8R8A8", mips);
        let mut made = cooked_layers("VolumeTexture", data);
        let height = 4 * first as u32;
        let picture = Image::from_rgba(4, height, vec![[9; 4]; 4 * height as usize]).unwrap();
        let error = replace(&mut made, &picture.to_png().unwrap()).unwrap_err().to_string();
        let wanted = format!("size 1 has {second} slices, a volume of {first} slices has");
        assert!(error.contains(&wanted), "{first} {second}: {error}");
    }
}

/// A virtual texture of 4.26 of 8 by 4 texels in two tiles, in a chunk of its own each: one packed, one as it is.
fn early_tiles(change: impl Fn(&mut VirtualTextureData)) -> Package {
    let tile = |color: [u8; 4]| color.repeat(36);
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&tile([0, 0, 200, 255])).unwrap();
    let packed = packed.finish().unwrap();
    let chunk = |kind: u8, bytes: &[u8]| TileChunk {
        size: bytes.len() as u32,
        codecs: vec![TileCodec { kind, offset: 0 }],
        bulk: inline(bytes),
        ..TileChunk::default()
    };
    let mut tiles = VirtualTextureData {
        cooked: true.into(),
        layers: 1,
        width_in_blocks: 1,
        height_in_blocks: 1,
        tile_size: 4,
        border_size: 1,
        mips: 1,
        width: 8,
        height: 4,
        tile_of_chunk: vec![0, 1, 2],
        tile_of_mip: vec![0, 2],
        tile_offsets: vec![0, 0],
        formats: vec!["PF_B8G8R8A8".into()],
        chunks: vec![chunk(5, &packed), chunk(4, &tile([200, 0, 0, 255]))],
        ..VirtualTextureData::default()
    };
    change(&mut tiles);
    tiled(EngineRelease::new(4, 26), [8, 4], tiles)
}

#[test]
fn tiles_of_ue4_are_unpacked_one_by_one() {
    let image = early_tiles(|_| {}).contents().texture_image(0).unwrap();
    let (red, blue) = ([200, 0, 0, 255], [0, 0, 200, 255]);
    assert_eq!(image.to_rgba(), [[red; 4], [blue; 4]].as_flattened().repeat(4));
    type Change = fn(&mut VirtualTextureData);
    let changes: [(&str, Change); 7] = [
        ("a codec that is not known", |it| it.chunks[1].codecs[0].kind = 2),
        ("not all there", |it| it.tile_of_mip[1] = 1),
        ("not all there", |it| it.tile_offsets[1] = 1 << 20),
        ("not all there", |it| (it.width, it.height) = (1 << 13, 1 << 13)),
        ("the stream ends too early", |it| it.tile_of_chunk = vec![0, 2, 2]),
        ("no engine makes", |it| it.border_size = 5),
        ("without tiles, or too large", |it| it.tile_size = 0),
    ];
    for (reason, change) in changes {
        let error = early_tiles(change).contents().texture_image(0).unwrap_err().to_string();
        assert!(error.contains(reason), "{reason}: {error}");
    }
}

#[test]
fn tiles_of_ue4_take_other_pixels() {
    let mut made = early_tiles(|_| {});
    let image = made.contents().texture_image(0).unwrap();
    let before = made.to_bytes().unwrap();
    assert_eq!(replace(&mut made, &image.to_png().unwrap()).unwrap(), 0);
    assert_eq!(made.to_bytes().unwrap(), before);
    let old = platform(&made).virtual_data.unwrap();
    let mut texels = image.to_rgba();
    texels[5] = [1, 2, 3, 255];
    let png = Image::from_rgba(8, 4, texels.clone()).unwrap().to_png().unwrap();
    assert_eq!(replace(&mut made, &png).unwrap(), 1);
    let made = Package::from_bytes(made.to_bytes().unwrap()).unwrap();
    assert_eq!(made.contents().texture_image(0).unwrap().to_rgba(), texels);
    let new = platform(&made).virtual_data.unwrap();
    let chunk = |data: &VirtualTextureData, at: usize| {
        let chunk = &data.chunks[at];
        assert_eq!(i64::from(chunk.size), chunk.bulk.element_count);
        payload(&made, &chunk.bulk).unwrap().0
    };
    // The first tile shows it neither inside nor in its border, which is one texel wide: it stays as it was packed.
    let first = payload(&early_tiles(|_| {}), &old.chunks[0].bulk).unwrap().0;
    assert_eq!(chunk(&new, 0), first);
    assert_eq!(chunk(&new, 1).len(), 144);
    // A corner is in the borders of both: on the other side of the picture, and beside the other tile.
    texels[0] = [9, 9, 9, 255];
    let mut made = made;
    let png = Image::from_rgba(8, 4, texels.clone()).unwrap().to_png().unwrap();
    assert_eq!(replace(&mut made, &png).unwrap(), 1);
    let again = Package::from_bytes(made.to_bytes().unwrap()).unwrap();
    assert_eq!(again.contents().texture_image(0).unwrap().to_rgba(), texels);
    let data = platform(&again).virtual_data.unwrap();
    let raw = payload(&again, &data.chunks[1].bulk).unwrap().0;
    assert_eq!(raw.chunks(4).filter(|texel| texel[..3] == [9, 9, 9]).count(), 2);
}
