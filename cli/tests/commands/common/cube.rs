//! A cooked cube.

use unreal_packages::generate::Builder;
use unreal_packages::object::ue4::asset::platform_data::{CookedPlatform, Mip, PlatformData};
use unreal_packages::object::ue4::asset::texture::LayeredTexture;
use unreal_packages::object::ue4::bulk::BulkData;
use unreal_packages::package::Package;
use unreal_packages::property::PropertyList;
use unreal_packages::{Archived, EngineRelease, Name, Saver, Span};

/// A cube of 4.27: six faces of two by two texels, and of one.
pub fn cube(name: &str) -> Vec<u8> {
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
    builder().export(name, class, saver.into_bytes()).build().unwrap()
}
