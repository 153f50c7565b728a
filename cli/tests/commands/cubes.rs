//! Cubes as DDS files, both ways.

use crate::common;

use common::Folder;
use unreal_packages::Package;
use unreal_packages::generate::Builder;
use unreal_packages::object::ue4::asset::platform_data::{CookedPlatform, Mip, PlatformData};
use unreal_packages::object::ue4::asset::texture::LayeredTexture;
use unreal_packages::object::ue4::bulk::BulkData;
use unreal_packages::property::PropertyList;
use unreal_packages::{Archived, EngineRelease, Name, Saver, Span};

/// A cube of 4.27: six faces of two by two texels, and of one.
fn cube() -> Vec<u8> {
    let mip = |side: i32, shift: u8| {
        let texels: Vec<u8> = (0..(side * side * 24) as u8).map(|at| at ^ shift).collect();
        let count = texels.len() as i64;
        let payload = Span::owned(texels);
        let (flags, rest) = (0x48, BulkData::default());
        let bulk = BulkData { flags, element_count: count, size_on_disk: count, payload, ..rest };
        Mip { bulk, size_x: side, size_y: side, size_z: 1, ..Mip::default() }
    };
    let (format, mips) = ("PF_B8G8R8A8".into(), vec![mip(2, 0), mip(1, 9)]);
    let data = PlatformData { size_x: 2, size_y: 2, format, mips, ..PlatformData::default() };
    let platform = CookedPlatform { format: Name::new(1), data, ..CookedPlatform::default() };
    let mut texture = LayeredTexture { cooked: true, ..LayeredTexture::default() };
    texture.platforms.platforms = vec![platform];
    let builder = || Builder::for_release(EngineRelease::new(4, 27)).name("Platform");
    let package = Package::from_bytes(builder().build().unwrap()).unwrap();
    let mut saver = Saver::new(package.versions().clone());
    PropertyList::default().serialize(&mut saver).unwrap();
    0_u32.serialize(&mut saver).unwrap();
    texture.serialize(&mut saver).unwrap();
    let class = "/Script/Engine.TextureCube";
    builder().export("Sky", class, saver.into_bytes()).build().unwrap()
}

#[test]
fn cubes_go_out_and_in_as_dds_files() {
    let folder = Folder::new();
    let before = cube();
    folder.write("Sky.uasset", &before);
    let out = folder.arg("out");
    folder.run("extract", "Sky.uasset", &["-o", &out, "--dds"]).exits(0);
    let mut file = std::fs::read(folder.path("out/Sky.dds")).unwrap();
    // The header of Direct3D 9, six faces of 16 and 4 bytes.
    assert_eq!((file.len(), &file[112..116]), (128 + 6 * 20, &[0, 0xfe, 0, 0][..]));
    let dds = folder.arg("out/Sky.dds");
    let same = folder.run("import", "Sky.uasset", &["Sky", &dds, "--dry-run"]).exits(0);
    assert!(same.out.contains("the picture is the one that is there"), "{same:?}");
    *file.last_mut().unwrap() ^= 1;
    std::fs::write(folder.path("out/Sky.dds"), &file).unwrap();
    folder.run("import", "Sky.uasset", &["Sky", &dds, "--in-place"]).exits(0);
    let after = std::fs::read(folder.path("Sky.uasset")).unwrap();
    let differ = after.iter().zip(&before).filter(|(one, other)| one != other).count();
    assert_eq!((after.len(), differ), (before.len(), 1));
    // One face more or less is no cube.
    file[113] = 0x06;
    std::fs::write(folder.path("out/Sky.dds"), &file).unwrap();
    let args = ["Sky", &dds, "--in-place"];
    let refused = folder.run("import", "Sky.uasset", &args).exits(1);
    assert!(refused.err.contains("1 of the 6 faces"), "{refused:?}");
}
