//! Cubes, arrays and volumes as DDS files, both ways.

use std::ops::Range;

use unreal_packages::content::{PackageContents, ReplaceTexture, TextureChange, TextureEdits};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::payload;
use unreal_packages::object::ue4::asset::platform_data::{Mip, PlatformData};
use unreal_packages::object::ue4::asset::texture::LayeredTexture;
use unreal_packages::package::{Package, native_as};

use super::{cooked_layers, cooked_texture, gradient, inline, of_sizes};

/// A class, its slices at the largest size, and what the header of a DDS file says of them.
#[derive(Debug, Clone, Copy)]
struct Layers {
    class: &'static str,
    slices: usize,
    header: Expected,
}

/// How a header says the pictures: the second word of capabilities, or the head of Direct3D 10: dimension, flags, count.
#[derive(Debug, Clone, Copy)]
enum Expected {
    Older(u32),
    Later([u32; 3]),
}

const CUBE: Layers =
    Layers { class: "TextureCube", slices: 6, header: Expected::Older(0x200 | 0xfc00) };
const VOLUME: Layers =
    Layers { class: "VolumeTexture", slices: 8, header: Expected::Older(0x20_0000) };
const ARRAY: Layers =
    Layers { class: "Texture2DArray", slices: 3, header: Expected::Later([3, 0, 3]) };
const CUBES: Layers =
    Layers { class: "TextureCubeArray", slices: 12, header: Expected::Later([3, 4, 2]) };
const ALL: [Layers; 4] = [CUBE, VOLUME, ARRAY, CUBES];

/// Formats with the bytes of a block of four by four texels, or of one; and whether the header of Direct3D 9 says them.
const FORMATS: [(&str, usize, usize, bool); 11] = [
    ("PF_DXT1", 4, 8, true),
    ("PF_DXT3", 4, 16, true),
    ("PF_DXT5", 4, 16, true),
    ("PF_BC4", 4, 8, true),
    ("PF_BC5", 4, 16, true),
    ("PF_BC6H", 4, 16, false),
    ("PF_BC7", 4, 16, false),
    ("PF_B8G8R8A8", 1, 4, true),
    ("PF_G8", 1, 1, true),
    ("PF_FloatRGBA", 1, 8, true),
    ("PF_ASTC_4x4", 4, 16, false),
];
const SIDE: usize = 16;

impl Layers {
    /// Slices of a size.
    fn at(self, level: usize) -> usize {
        if self.class == "VolumeTexture" { (self.slices >> level).max(1) } else { self.slices }
    }
}

/// Bytes of a slice of a size.
fn slice(level: usize, (_, side, bytes, _): (&str, usize, usize, bool)) -> usize {
    (SIDE >> level).div_ceil(side).pow(2) * bytes
}

/// A texture whose bytes all differ from those beside them, or are zero.
fn layers(kind: Layers, format: (&str, usize, usize, bool), is_zero: bool) -> Package {
    let mut state = 1_u32;
    let mut byte = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if is_zero { 0 } else { (state >> 24) as u8 }
    };
    let mip = |level: usize| Mip {
        bulk: inline(
            &(0..slice(level, format) * kind.at(level)).map(&mut byte).collect::<Vec<_>>(),
        ),
        size_x: (SIDE >> level) as i32,
        size_y: (SIDE >> level) as i32,
        size_z: if kind.class == "TextureCube" { 1 } else { kind.at(level) as i32 },
        ..Mip::default()
    };
    let mips = (0..5).map(mip).collect();
    cooked_layers(kind.class, of_sizes((SIDE as i32, SIDE as i32), format.0, mips))
}

fn data(package: &Package) -> PlatformData {
    let decoded = package.decode(0).unwrap();
    native_as::<LayeredTexture>(&decoded.body).unwrap().platforms.platforms[0].data.clone()
}

/// The stored texels of each size.
fn texels(package: &Package) -> Vec<Vec<u8>> {
    let mips = data(package).mips;
    mips.iter().map(|mip| payload(package, &mip.bulk).unwrap().0).collect()
}

fn put(package: &mut Package, file: &[u8]) -> unreal_packages::Result<TextureChange> {
    package.edit(|edit| edit.replace_picture(0, file, &ReplaceTexture::default()))
}

fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(*file[at..].first_chunk().unwrap())
}

/// Where a slice of a size stands in a DDS file, as the format is documented: pictures of arrays and faces of cubes each with
/// all of their sizes, of volumes each size with all of its slices.
fn place(
    kind: Layers,
    format: (&str, usize, usize, bool),
    (level, at): (usize, usize),
    start: usize,
) -> Range<usize> {
    let size = slice(level, format);
    let before = match kind.class {
        "VolumeTexture" => {
            (0..level).map(|it| slice(it, format) * kind.at(it)).sum::<usize>() + at * size
        }
        _ => {
            let whole: usize = (0..5).map(|it| slice(it, format)).sum();
            at * whole + (0..level).map(|it| slice(it, format)).sum::<usize>()
        }
    };
    start + before..start + before + size
}

#[test]
fn dds_files_have_slices_and_sizes_in_their_order() {
    for (kind, format) in ALL.into_iter().flat_map(|kind| FORMATS.map(|format| (kind, format))) {
        let made = layers(kind, format, false);
        let file = made.contents().texture_dds(0, &[]).unwrap();
        let about = format!("{kind:?} {format:?}");
        assert_eq!((word(&file, 12), word(&file, 16), word(&file, 28)), (16, 16, 5), "{about}");
        // Mips, and more than one surface.
        assert_eq!(word(&file, 108) & 0x40_0008, 0x40_0008, "{about}");
        let is_later = &file[84..88] == b"DX10";
        let start = if is_later { 148 } else { 128 };
        match kind.header {
            Expected::Older(_) if !format.3 => assert!(is_later, "{about}"),
            Expected::Older(capabilities) => {
                assert!(!is_later, "{about}");
                assert_eq!(word(&file, 112), capabilities, "{about}");
            }
            Expected::Later(head) => {
                assert!(is_later, "{about}");
                assert_eq!([132, 136, 140].map(|at| word(&file, at)), head, "{about}");
            }
        }
        if kind.class == "VolumeTexture" {
            // The flag of the depth, and the depth.
            assert_eq!((word(&file, 8) & 0x80_0000, word(&file, 24)), (0x80_0000, 8), "{about}");
            assert!(!is_later || word(&file, 132) == 4, "{about}");
        }
        let mut read = start;
        for (level, bytes) in texels(&made).into_iter().enumerate() {
            for (at, slice) in bytes.chunks(slice(level, format)).enumerate() {
                let range = place(kind, format, (level, at), start);
                assert!(file[range] == *slice, "{about}: size {level}, slice {at}");
                read += slice.len();
            }
        }
        assert_eq!(file.len(), read, "{about}");
    }
}

#[test]
fn dds_files_of_layers_go_in_again() {
    for (kind, format) in ALL.into_iter().flat_map(|kind| FORMATS.map(|format| (kind, format))) {
        let mut made = layers(kind, format, false);
        let before = made.to_bytes().unwrap();
        let file = made.contents().texture_dds(0, &[]).unwrap();
        let about = format!("{kind:?} {format:?}");
        assert_eq!(put(&mut made, &file).unwrap(), TextureChange::default(), "{about}");
        assert!(made.to_bytes().unwrap() == before, "{about}");
        let mut other = layers(kind, format, true);
        assert!(put(&mut other, &file).unwrap().texels > 0, "{about}");
        assert!(texels(&other) == texels(&made), "{about}");
        assert!(other.contents().texture_dds(0, &[]).unwrap() == file, "{about}");
        // The second slice of the second size: one block is another one, nothing else.
        let start = if &file[84..88] == b"DX10" { 148 } else { 128 };
        let range = place(kind, format, (1, 1), start);
        let mut file = file;
        file[range.start] ^= 1;
        let mut wanted = texels(&made);
        wanted[1][slice(1, format)] ^= 1;
        assert!(put(&mut made, &file).unwrap().texels > 0, "{about}");
        assert!(texels(&made) == wanted, "{about}");
        let saved = made.to_bytes().unwrap();
        let differ = saved.iter().zip(&before).filter(|(one, other)| one != other).count();
        assert_eq!((saved.len(), differ), (before.len(), 1), "{about}");
    }
}

#[test]
fn sizes_that_a_dds_file_lacks_are_made_of_its_slices() {
    for kind in ALL {
        let format = FORMATS[7];
        let mut made = layers(kind, format, false);
        // The same file without its smaller sizes.
        let whole = made.contents().texture_dds(0, &[]).unwrap();
        let start = if &whole[84..88] == b"DX10" { 148 } else { 128 };
        let mut file = whole[..start].to_vec();
        file[28..32].copy_from_slice(&1_u32.to_le_bytes());
        (0..kind.slices).for_each(|at| file.extend(&whole[place(kind, format, (0, at), start)]));
        let (mut texels_of, first) = (texels(&made), texels(&made).swap_remove(0));
        put(&mut made, &file).unwrap();
        let made_of = texels(&made);
        assert!(made_of[0] == first, "{kind:?}");
        assert!(made_of[1..].iter().zip(&texels_of[1..]).all(|(one, other)| one != other));
        assert!(made_of.iter().map(Vec::len).eq(texels_of.iter().map(Vec::len)), "{kind:?}");
        // A picture of the same pixels makes the same smaller sizes.
        texels_of[0].fill(0);
        let mut other = layers(kind, format, true);
        let picture = made.contents().texture_image(0).unwrap().to_png().unwrap();
        put(&mut other, &picture).unwrap();
        assert!(texels(&other) == made_of, "{kind:?}");
    }
}

#[test]
fn texels_of_another_format_are_decoded_slice_by_slice() {
    for kind in ALL {
        let made = layers(kind, FORMATS[2], false);
        let file = made.contents().texture_dds(0, &[]).unwrap();
        let mut other = layers(kind, FORMATS[7], true);
        put(&mut other, &file).unwrap();
        let shown = [&made, &other].map(|it| it.contents().texture_image(0).unwrap().to_rgba());
        assert!(shown[0] == shown[1], "{kind:?}");
    }
}

#[test]
fn dds_files_of_other_layers_are_refused_by_name() {
    let format = FORMATS[0];
    let words = ["a cube", "a volume of 8 slices", "an array of 3 pictures", "an array of 2 cubes"];
    let file = |kind| layers(kind, format, false).contents().texture_dds(0, &[]).unwrap();
    for ((kind, name), (other, other_name)) in
        ALL.into_iter().zip(words).flat_map(|it| ALL.into_iter().zip(words).map(move |to| (it, to)))
    {
        if name == other_name {
            continue;
        }
        let mut made = layers(other, format, true);
        let before = made.to_bytes().unwrap();
        let why = put(&mut made, &file(kind)).unwrap_err().to_string();
        let words =
            ["Thing", &format!("holds {name}"), &format!("the texture {other_name}"), "PNG"];
        assert!(words.iter().all(|word| why.contains(word)), "{why}");
        assert!(made.to_bytes().unwrap() == before);
    }
    // The same pictures in another number.
    let four = Layers { slices: 4, ..ARRAY };
    let why = put(&mut layers(four, format, true), &file(ARRAY)).unwrap_err().to_string();
    assert!(why.contains("3 pictures") && why.contains("4 pictures"), "{why}");
    // A flat texture.
    let mip = Mip { bulk: inline(&[0; 128]), size_x: 16, size_y: 16, ..Mip::default() };
    let mut flat = cooked_texture(of_sizes((16, 16), "PF_DXT1", vec![mip]));
    let why = put(&mut flat, &file(CUBE)).unwrap_err().to_string();
    assert!(why.contains("holds a cube") && why.contains("one flat picture"), "{why}");
    let flat_file = flat.contents().texture_dds(0, &[]).unwrap();
    let why = put(&mut layers(CUBE, format, true), &flat_file).unwrap_err().to_string();
    assert!(why.contains("holds one flat picture"), "{why}");
    // More sizes than the texture has: the smaller ones would be lost.
    let mut four_sizes = layers(CUBE, format, true);
    four_sizes
        .edit(|edit| {
            edit.change_body(0, |body| {
                let texture =
                    unreal_packages::package::decode::native_as_mut::<LayeredTexture>(body)
                        .unwrap();
                texture.platforms.platforms[0].data.mips.pop();
                Ok(())
            })
        })
        .unwrap();
    let why = put(&mut four_sizes, &file(CUBE)).unwrap_err().to_string();
    assert!(why.contains("5 sizes") && why.contains("the texture 4"), "{why}");
    // Some faces of a cube alone.
    let mut faces = file(CUBE);
    faces[113] = 0x06;
    let why = put(&mut layers(CUBE, format, true), &faces).unwrap_err().to_string();
    assert!(why.contains("1 of the 6 faces"), "{why}");
    let cut = file(CUBE);
    let why = put(&mut layers(CUBE, format, true), &cut[..cut.len() - 1]).unwrap_err().to_string();
    assert!(why.contains("no DDS picture"), "{why}");
}

#[test]
fn layers_take_pictures_of_another_size() {
    for (kind, format) in ALL.into_iter().flat_map(|kind| [2, 7].map(|at| (kind, FORMATS[at]))) {
        let mut made = layers(kind, format, false);
        let length = made.to_bytes().unwrap().len();
        let file = made.contents().texture_dds(0, &[]).unwrap();
        for side in [64_u32, 4] {
            let about = format!("{kind:?} {format:?} {side}");
            let picture = gradient(side, side * kind.slices as u32);
            let change = put(&mut made, &picture.to_png().unwrap()).unwrap();
            assert!(change.resized && change.texels == picture.to_rgba().len(), "{about}");
            made = Package::from_bytes(made.to_bytes().unwrap()).unwrap();
            let stored = data(&made);
            assert_eq!((stored.size_x, stored.size_y), (side as i32, side as i32), "{about}");
            // Down to one pixel, and one slice.
            let longest = if kind.class == "VolumeTexture" { side.max(8) } else { side };
            assert_eq!(stored.mips.len() as u32, longest.ilog2() + 1, "{about}");
            for (level, mip) in stored.mips.iter().enumerate() {
                let wide = (side >> level).max(1) as i32;
                let slices = kind.at(level);
                let depth = if kind.class == "TextureCube" { 1 } else { slices as i32 };
                assert_eq!((mip.size_x, mip.size_y, mip.size_z), (wide, wide, depth), "{about}");
                let slice = (wide as usize).div_ceil(format.1).pow(2) * format.2;
                let (bytes, _) = payload(&made, &mip.bulk).unwrap();
                assert_eq!(bytes.len(), slice * slices, "{about}");
            }
            let shown = made.contents().texture_image(0).unwrap();
            if format.1 == 1 {
                assert!(shown.to_rgba() == picture.to_rgba(), "{about}");
            }
            assert_eq!(put(&mut made, &shown.to_png().unwrap()).unwrap().texels, 0, "{about}");
        }
        // The old texels of the old size.
        assert!(put(&mut made, &file).unwrap().resized);
        assert!(made.contents().texture_dds(0, &[]).unwrap() == file, "{kind:?} {format:?}");
        assert_eq!(made.to_bytes().unwrap().len(), length, "{kind:?} {format:?}");
    }
}

#[test]
fn pictures_that_layers_do_not_fill_are_refused() {
    for (kind, words) in [
        (CUBE, "6 squares"),
        (CUBES, "12 squares"),
        (VOLUME, "8 slices below each other, as wide as high"),
        (ARRAY, "3 pictures below each other, as wide as high"),
    ] {
        let mut made = layers(kind, FORMATS[7], true);
        let before = made.to_bytes().unwrap();
        for (width, height) in [(16, 16), (24, 8 * kind.slices as u32)] {
            let png = gradient(width, height).to_png().unwrap();
            let why = put(&mut made, &png).unwrap_err().to_string();
            assert!(why.contains("Thing") && why.contains(words), "{width} by {height}: {why}");
        }
        let png = gradient(24, 24 * kind.slices as u32).to_png().unwrap();
        let why = put(&mut made, &png).unwrap_err().to_string();
        assert!(why.contains("powers of two"), "{why}");
        assert!(made.to_bytes().unwrap() == before);
    }
}

/// Textures whose slices are no cubes, or whose sizes are no halves, are no DDS file.
#[test]
fn textures_that_no_dds_file_holds_are_named() {
    let why = |kind: Layers| {
        layers(kind, FORMATS[0], false).contents().texture_dds(0, &[]).unwrap_err().to_string()
    };
    let text = why(Layers { slices: 5, ..CUBE });
    assert!(text.contains("Thing") && text.contains("5 pictures are no faces"), "{text}");
    let mut made = layers(VOLUME, FORMATS[0], false);
    made.edit(|edit| {
        edit.change_body(0, |body| {
            let texture =
                unreal_packages::package::decode::native_as_mut::<LayeredTexture>(body).unwrap();
            texture.platforms.platforms[0].data.mips.remove(1);
            Ok(())
        })
    })
    .unwrap();
    let text = made.contents().texture_dds(0, &[]).unwrap_err().to_string();
    assert!(text.contains("Thing") && text.contains("size 1 has"), "{text}");
}

/// Headers that claim more than a file holds are refused before anything is made of them.
#[test]
fn damaged_headers_are_refused() {
    for kind in ALL {
        let mut made = layers(kind, FORMATS[1], true);
        let file = layers(kind, FORMATS[1], false).contents().texture_dds(0, &[]).unwrap();
        let start = if &file[84..88] == b"DX10" { 148 } else { 128 };
        for at in (4..start).step_by(4) {
            for value in [0_u32, 1, 7, 0x7fff_ffff, u32::MAX] {
                let mut file = file.clone();
                file[at..at + 4].copy_from_slice(&value.to_le_bytes());
                let _ = put(&mut made.clone(), &file);
            }
        }
        for cut in 0..start + 16 {
            assert!(put(&mut made, &file[..cut]).is_err(), "{kind:?} {cut}");
        }
    }
}
