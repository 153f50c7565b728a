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
        ("Game/Content/L10N/en/Game.locres", world.read("Game.locres")),
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
    world.write("items.txt", "package 'DT_*' {\n  set DT_Weapons[Sword].Damage*=2\n}\n");
    let registry = world.read("AssetRegistry.bin");
    let text = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let (old, new) = (text("Größe"), text("Länge"));
    let mut newer = registry.clone();
    let at = newer.windows(old.len()).position(|bytes| bytes == old).unwrap();
    newer[at..at + old.len()].copy_from_slice(&new);
    for (name, registry, package) in
        [("Old", &registry, "DT_Weapons.uasset"), ("New", &newer, "Weapons.uasset")]
    {
        world.write(&format!("{name}/AssetRegistry.bin"), registry);
        let mut bytes = Vec::new();
        let mut writer = PakWriter::new(&mut bytes, PakOptions::default());
        writer.add("Game/AssetRegistry.bin", registry).unwrap();
        writer.add("Game/Content/Data/DT_Weapons.uasset", &world.read(package)).unwrap();
        writer.finish().unwrap();
        world.write(&format!("{name}.pak"), bytes);
    }
}
