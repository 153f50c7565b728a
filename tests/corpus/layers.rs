//! Cubes, arrays and volumes that engines have cooked: as DDS files, and back.

use std::collections::BTreeMap;

use unreal_packages::content::{
    Image, PackageContents, ReplaceTexture, TextureChange, TextureEdits,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::payload;
use unreal_packages::object::ue4::asset::platform_data::PlatformData;
use unreal_packages::object::ue4::asset::texture::LayeredTexture;
use unreal_packages::package::{Package, native_as};

use crate::containers::fixtures;
use crate::manifest;

/// Every cooked cube, array and volume: of 5.1 with mappings, of 5.8 and 6.0 in containers.
fn each(mut look: impl FnMut(&str, usize, Package)) {
    let mut of = |name: &str, package: Package| {
        for row in 0..package.exports().len() {
            if data(&package, row).is_some() {
                look(name, row, package.clone());
            }
        }
    };
    for entry in manifest::packages() {
        // Others have no such texture.
        if ["TextureCube", "VolumeTexture"].iter().any(|name| entry.name().contains(name)) {
            of(entry.name(), entry.options_with_readable_mappings().open(&entry.path).unwrap());
        }
    }
    fixtures(|file| file.contains("/Textures/"), &mut of);
}

fn data(package: &Package, row: usize) -> Option<PlatformData> {
    let decoded = package.decode(row).unwrap();
    let texture = native_as::<LayeredTexture>(&decoded.body)?;
    texture.platforms.platforms.first().map(|platform| platform.data.clone())
}

/// The stored texels of each size.
fn texels(package: &Package, row: usize) -> Vec<Vec<u8>> {
    let mips = data(package, row).unwrap().mips;
    mips.iter().map(|mip| payload(package, &mip.bulk).unwrap().0).collect()
}

fn put(package: &mut Package, row: usize, file: &[u8]) -> unreal_packages::Result<TextureChange> {
    package.edit(|edit| edit.replace_picture(row, file, &ReplaceTexture::default()))
}

pub fn layers_go_out_as_dds_files_and_in_again() {
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    each(|name, row, mut package| {
        let class = package.exports().get(row).unwrap().class().to_string();
        let before = package.to_bytes().unwrap();
        let old = texels(&package, row);
        let file = package.contents().texture_dds(row, &[]).unwrap();
        // More than one surface, also where there is one size.
        assert_eq!(file[108] & 8, 8, "{name}");
        // Behind the header stands what is stored, no more and no less.
        let header = if &file[84..88] == b"DX10" { 148 } else { 128 };
        assert_eq!(file.len(), header + old.iter().map(Vec::len).sum::<usize>(), "{name}");
        assert_eq!(put(&mut package, row, &file).unwrap(), TextureChange::default(), "{name}");
        assert!(package.to_bytes().unwrap() == before, "{name}");
        // The last byte is of the last picture, and of the smallest size.
        let mut other = file.clone();
        *other.last_mut().unwrap() ^= 1;
        assert!(put(&mut package, row, &other).unwrap().texels > 0, "{name}");
        let mut wanted = old.clone();
        *wanted.last_mut().unwrap().last_mut().unwrap() ^= 1;
        assert!(texels(&package, row) == wanted, "{name}");
        assert!(package.contents().texture_dds(row, &[]).unwrap() == other, "{name}");
        let saved = package.to_bytes().unwrap();
        let differ = saved.iter().zip(&before).filter(|(one, other)| one != other).count();
        assert_eq!((saved.len(), differ), (before.len(), 1), "{name}");
        // And back.
        put(&mut package, row, &file).unwrap();
        assert!(package.to_bytes().unwrap() == before, "{name}");
        *classes.entry(class).or_default() += 1;
    });
    println!("{classes:?}");
    assert_eq!(classes.len(), 4, "{classes:?}");
}

/// Twice as wide and high, halves of that, and the engine's own texels again: the same package.
pub fn layers_take_pictures_of_another_size_and_their_own_again() {
    let (mut done, mut refused) = (0, Vec::new());
    each(|name, row, mut package| {
        let (before, old) = (package.to_bytes().unwrap(), data(&package, row).unwrap());
        let file = package.contents().texture_dds(row, &[]).unwrap();
        let first = texels(&package, row)[0].len();
        let image = package.contents().texture_image(row).unwrap();
        let (width, height, pixels) = (image.width(), image.height(), image.to_rgba());
        let twice = (0..height * 2).flat_map(|y| (0..width * 2).map(move |x| (x, y)));
        let twice = twice.map(|(x, y)| pixels[(y / 2 * width + x / 2) as usize]).collect();
        let twice = Image::from_rgba(width * 2, height * 2, twice).unwrap();
        match put(&mut package, row, &twice.to_png().unwrap()) {
            Ok(change) => assert!(change.resized, "{name}"),
            Err(error) => return refused.push(format!("{name}: {error}")),
        }
        let new = data(&package, row).unwrap();
        let sizes = (new.size_x, new.size_y, new.packed);
        assert_eq!(sizes, (old.size_x * 2, old.size_y * 2, old.packed), "{name}");
        // One size stays one; more lead down to one pixel.
        let more = usize::from(old.mips.len() > 1);
        assert_eq!(new.mips.len(), old.mips.len() + more, "{name}");
        assert_eq!(new.mips[0].size_z, old.mips[0].size_z, "{name}");
        let shown = package.contents().texture_image(row).unwrap();
        assert_eq!((shown.width(), shown.height()), (width * 2, height * 2), "{name}");
        assert_eq!(texels(&package, row)[0].len(), first * 4, "{name}");
        assert!(put(&mut package, row, &file).unwrap().resized, "{name}");
        assert!(package.contents().texture_dds(row, &[]).unwrap() == file, "{name}");
        let again = data(&package, row).unwrap();
        let sides = |data: &PlatformData| -> Vec<_> {
            data.mips.iter().map(|mip| (mip.size_x, mip.size_y, mip.size_z)).collect()
        };
        assert_eq!(sides(&again), sides(&old), "{name}");
        // A new row of the table of data resources says whose it is, which those of a container leave out: a byte for each.
        let after = package.to_bytes().unwrap();
        let table = package.tables().further.data_resources.as_ref();
        let rows = table.map_or(0, |table| table.rows.len());
        let differ = after.iter().zip(&before).filter(|(one, other)| one != other).count();
        assert_eq!(after.len(), before.len(), "{name}");
        assert!(differ <= rows, "{name}: {differ} bytes");
        done += 1;
    });
    println!("{done} textures; refused: {refused:#?}");
    assert!(done >= 6 && refused.is_empty(), "{refused:#?}");
}
