//! OpenEXR for textures without bounds. The files are made by the crate that others make theirs with.

use image::{ExtendedColorType, ImageEncoder, codecs::openexr::OpenExrEncoder};
use unreal_packages::content::PackageContents;
use unreal_packages::package::Package;

use super::cooked;
use super::replaced::replace;

/// 1, a third, 4 and a half, as numbers of 16 bits.
const TEXEL: [u16; 4] = [0x3c00, 0x3555, 0x4400, 0x3800];

fn texels(of: &[u16]) -> Vec<u8> {
    of.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn exr((width, height): (u32, u32), numbers: &[f32], kind: ExtendedColorType) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    OpenExrEncoder::new(&mut file).write_image(&bytes, width, height, kind).unwrap();
    file.into_inner()
}

fn with_alpha(numbers: [f32; 4]) -> Vec<u8> {
    exr((1, 1), &numbers, ExtendedColorType::Rgba32F)
}

/// The texel as it is stored.
fn stored(package: &Package) -> Vec<u8> {
    let dds = package.contents().texture_dds(0, &[]).unwrap();
    dds[dds.len() - 8..].to_vec()
}

#[test]
fn what_is_there_changes_nothing() {
    let mut made = cooked((1, 1), "PF_FloatRGBA", &texels(&TEXEL));
    let before = made.to_bytes().unwrap();
    // A third of 16 bits, which the shared exponent of Radiance HDR does not hold.
    let third = 0x555 as f32 / 4096.0;
    assert_eq!(replace(&mut made, &with_alpha([1.0, third, 4.0, 0.5])).unwrap(), 0);
    let colors = exr((1, 1), &[1.0, third, 4.0], ExtendedColorType::Rgb32F);
    assert_eq!(replace(&mut made, &colors).unwrap(), 0);
    assert!(made.to_bytes().unwrap() == before);
}

#[test]
fn colours_and_alpha_come_in_as_they_are() {
    let mut made = cooked((1, 1), "PF_FloatRGBA", &texels(&TEXEL));
    assert_eq!(replace(&mut made, &with_alpha([2.0, 0.0, 0.25, 0.75])).unwrap(), 1);
    assert_eq!(stored(&made), texels(&[0x4000, 0, 0x3400, 0x3a00]));
    // Without alpha that of the texture stays.
    let colors = exr((1, 1), &[1.0, 1.0, 1.0], ExtendedColorType::Rgb32F);
    assert_eq!(replace(&mut made, &colors).unwrap(), 1);
    assert_eq!(stored(&made), texels(&[0x3c00, 0x3c00, 0x3c00, 0x3a00]));
    // Alpha alone.
    assert_eq!(replace(&mut made, &with_alpha([1.0, 1.0, 1.0, 0.25])).unwrap(), 1);
    assert_eq!(stored(&made), texels(&[0x3c00, 0x3c00, 0x3c00, 0x3400]));
}

#[test]
fn it_is_refused_where_it_can_not_be_meant() {
    let file = with_alpha([1.0, 1.0, 1.0, 1.0]);
    let mut made = cooked((1, 1), "PF_B8G8R8A8", &[1, 2, 3, 4]);
    let why = replace(&mut made, &file).unwrap_err().to_string();
    assert!(why.contains("without bounds (HDR)"), "{why}");
    let mut made = cooked((1, 1), "PF_FloatRGBA", &texels(&TEXEL));
    for length in 0..file.len() {
        assert!(replace(&mut made, &file[..length]).is_err(), "{length}");
    }
    for at in 0..file.len() {
        for byte in [0, 0x7f, 0xff] {
            let mut changed = file.clone();
            changed[at] = byte;
            // Some of it is the picture.
            let mut made = made.clone();
            let _ = replace(&mut made, &changed);
            assert!(made.to_bytes().is_ok(), "{at}: {byte}");
        }
    }
}
