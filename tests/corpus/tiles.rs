//! Virtual textures of 5.8 and 6.0 take other pixels: what a tile shows of its neighbours, in every size, is what they show.

use unreal_packages::content::{Image, PackageContents, ReplaceTexture, TextureEdits};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::{PackageValues, payload};
use unreal_packages::object::ue4::asset::texture::ImageTexture;
use unreal_packages::object::ue4::asset::virtual_texture::VirtualTextureData;
use unreal_packages::package::{Package, native_as};

use crate::containers::fixtures;

/// Bytes of a block of the format of both, and its side.
const BLOCK: (usize, usize) = (8, 4);

fn tiles(package: &Package, row: usize) -> Option<(VirtualTextureData, Vec<u8>)> {
    let decoded = package.decode(row).unwrap();
    let texture = native_as::<ImageTexture>(&decoded.body)?;
    let data = texture.platforms.platforms.first()?.data.virtual_data.as_deref()?;
    assert_eq!(data.formats[0].text(package.source()).unwrap(), "PF_DXT1");
    let bytes = payload(package, &data.chunks[0].bulk).unwrap().0;
    Some((data.clone(), bytes))
}

/// A block of a size, of the tile at an address, by its place with the border.
fn block<'a>(
    data: &VirtualTextureData,
    bytes: &'a [u8],
    level: usize,
    (x, y): (usize, usize),
    (column, row): (usize, usize),
) -> &'a [u8] {
    let spread = |number: usize| (0..8).fold(0, |sum, bit| sum | (number >> bit & 1) << (2 * bit));
    let address = spread(x) | spread(y) << 1;
    let side = (data.tile_size + 2 * data.border_size) as usize / BLOCK.1;
    let tile = data.offset_of_mip[level] as usize + address * data.layer_ends[0] as usize;
    let start = tile + (row * side + column) * BLOCK.0;
    &bytes[start..start + BLOCK.0]
}

/// Blocks at the edges of tiles that differ from those of the tile beside them; those at the edges of the texture are of the
/// other side, but for a UDIM set, whose tiles here end with its pictures.
fn torn(data: &VirtualTextureData, bytes: &[u8]) -> usize {
    let mut torn = 0;
    if data.width_in_blocks > 1 {
        return 0;
    }
    let blocks = data.tile_size as usize / BLOCK.1;
    for (level, tiles) in data.tiles.iter().enumerate() {
        let (columns, rows) = (tiles.width as usize, tiles.height as usize);
        if data.width >> level < data.tile_size {
            continue;
        }
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            let (right, below) = ((x + 1) % columns, (y + 1) % rows);
            for at in 1..=blocks {
                let sides = [
                    ((x, y), (blocks + 1, at), (right, y), (1, at)),
                    ((right, y), (0, at), (x, y), (blocks, at)),
                    ((x, y), (at, blocks + 1), (x, below), (at, 1)),
                    ((x, below), (at, 0), (x, y), (at, blocks)),
                ];
                for (one, border, other, inside) in sides {
                    let border = block(data, bytes, level, one, border);
                    torn += usize::from(border != block(data, bytes, level, other, inside));
                }
            }
        }
    }
    torn
}

pub fn virtual_textures_take_other_pixels() {
    let mut looked = 0;
    let is_wanted = |file: &str| ["T_Virtual", "T_UDIM"].iter().any(|name| file.contains(name));
    fixtures(is_wanted, &mut |name, package| {
        let row = (0..package.exports().len()).find(|row| tiles(&package, *row).is_some()).unwrap();
        let image = package.contents().texture_image(row).unwrap();
        let (old, old_bytes) = tiles(&package, row).unwrap();
        assert_eq!(torn(&old, &old_bytes), 0, "{name}: the engine's own");
        let replaced = |image: &Image| {
            let mut made = package.clone();
            let change = made
                .edit(|edit| edit.replace_texture(row, image, &ReplaceTexture::default()))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            (made, change)
        };
        let (same, change) = replaced(&image);
        assert_eq!(change.texels, 0, "{name}");
        assert!(tiles(&same, row).unwrap() == (old.clone(), old_bytes.clone()), "{name}");
        // A corner of the texture, and one where four tiles meet.
        for place in [(0, 0), (128, 128)] {
            let (width, mut texels) = (image.width() as usize, image.to_rgba());
            for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
                texels[(place.1 + y) * width + place.0 + x] = [250, 20, 240, 255];
            }
            let other = Image::from_rgba(image.width(), image.height(), texels).unwrap();
            let (made, change) = replaced(&other);
            let (new, bytes) = tiles(&made, row).unwrap();
            assert_eq!(change.texels, 64, "{name}");
            assert_eq!(torn(&new, &bytes), 0, "{name} {place:?}");
            assert_ne!(new.chunks[0].hash, old.chunks[0].hash, "{name}");
            // It shows the new pixels, as near as the format can, and the old ones elsewhere.
            let shown = made.contents().texture_image(row).unwrap().to_rgba();
            let wanted = other.to_rgba();
            for (at, (shown, wanted)) in shown.iter().zip(&wanted).enumerate() {
                let off = shown.iter().zip(wanted).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
                assert!(off <= 8, "{name}: pixel {at} is {shown:?}, not {wanted:?}");
            }
            let smaller = new.offset_of_mip[1] as usize;
            let differ = |from: usize| bytes[from..] != old_bytes[from..];
            assert!(differ(smaller) && differ(new.offset_of_mip[2] as usize), "{name}");
        }
        looked += 1;
    });
    assert!(looked >= 4, "{looked}");
}

/// Of another size and back, all that says where tiles stand is what the engine has made.
pub fn virtual_textures_take_pictures_of_another_size() {
    let mut looked = 0;
    let is_wanted = |file: &str| ["T_Virtual", "T_UDIM"].iter().any(|name| file.contains(name));
    fixtures(is_wanted, &mut |name, mut package| {
        let row = (0..package.exports().len()).find(|row| tiles(&package, *row).is_some()).unwrap();
        let image = package.contents().texture_image(row).unwrap();
        let (old, old_bytes) = tiles(&package, row).unwrap();
        let imported = |package: &Package| {
            let path = package.exports().path(row);
            package.values().property(&path, "ImportedSize").unwrap().text
        };
        let mut put = |image: &Image| {
            let options = ReplaceTexture::default();
            package
                .edit(|edit| edit.replace_texture(row, image, &options))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let (data, bytes) = tiles(&package, row).unwrap();
            assert_eq!(torn(&data, &bytes), 0, "{name}");
            let text = format!("(X={},Y={})", image.width(), image.height());
            assert_eq!(imported(&package), text, "{name}");
            (data, bytes, package.contents().texture_image(row).unwrap())
        };
        let (width, texels) = (image.width(), image.to_rgba());
        let place = |x: u32, y: u32, by: u32| texels[((y / by) * width + x / by) as usize];
        let side = width * 2;
        let twice = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let twice: Vec<_> = twice.map(|(x, y)| place(x, y, 2)).collect();
        let twice = Image::from_rgba(side, side, twice).unwrap();
        let (data, bytes, shown) = put(&twice);
        assert_eq!((data.width, data.height, data.mips), (side, side, old.mips + 1), "{name}");
        assert_eq!(data.chunks[0].size as usize, bytes.len(), "{name}");
        assert_eq!((shown.width(), shown.height()), (side, side), "{name}");
        let (new, bytes, shown) = put(&image);
        assert_eq!(new.tiles, old.tiles, "{name}");
        assert_eq!(new.offset_of_mip, old.offset_of_mip, "{name}");
        assert_eq!(new.chunk_of_mip, old.chunk_of_mip, "{name}");
        assert_eq!((new.mips, new.width, new.height), (old.mips, old.width, old.height), "{name}");
        assert_eq!((bytes.len(), &bytes[..4]), (old_bytes.len(), &old_bytes[..4]), "{name}");
        let far = new.fallback_colors[0].iter().zip(&old.fallback_colors[0]);
        let far = far.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
        assert!(far < 0.02, "{name}: {:?} {:?}", new.fallback_colors, old.fallback_colors);
        let pairs = shown.to_rgba().into_iter().zip(image.to_rgba());
        let off = pairs.map(|(a, b)| (0..4).map(|at| a[at].abs_diff(b[at])).max().unwrap()).max();
        assert!(off.unwrap() <= 16, "{name}: {off:?}");
        println!("{name}: colours {far}, texels {off:?}");
        looked += 1;
    });
    assert!(looked >= 4, "{looked}");
}
