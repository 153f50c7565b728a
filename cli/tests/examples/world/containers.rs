//! Containers and what becomes of them.

use unreal_packages::Guid;
use unreal_packages::container::AesKey;
use unreal_packages::container::pak::{PakOptions, PakWriter};

use super::Copy;

pub fn write(world: &Copy) {
    let files = [
        ("Game/Content/Data/DT_Weapons.uasset", world.read("DT_Weapons.uasset")),
        ("Game/Content/Maps/Town.umap", world.read("Map.umap")),
        ("Game/Config/Game.ini", b"[Game]\nName=Town\n".to_vec()),
    ];
    let key = Some((Guid::default(), AesKey::new([7; 32])));
    for (name, key) in [("Game.pak", None), ("Locked.pak", key)] {
        let mut bytes = Vec::new();
        let mut writer = PakWriter::new(&mut bytes, PakOptions { key, ..PakOptions::default() });
        files.iter().for_each(|(path, content)| writer.add(path, content).unwrap());
        writer.finish().unwrap();
        world.write(name, bytes);
    }
    for (path, content) in files {
        world.write(&format!("ModFiles/{path}"), content);
    }
}
