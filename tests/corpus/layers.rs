//! Cubes, arrays and volumes that engines have cooked: as DDS files, and back.

use std::collections::BTreeMap;

use unreal_packages::content::{PackageContents, ReplaceTexture, TextureChange, TextureEdits};
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
