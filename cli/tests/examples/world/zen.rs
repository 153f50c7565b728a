//! A cooked package, the same as containers hold it, and the table of compiled code that it needs.

use unreal_packages::container::zen::{
    ScriptObjectEntry, ScriptObjects, ZenName, ZenReference, ZenTarget, hash,
};
use unreal_packages::edit::{PackageEdit, RenamePackage};
use unreal_packages::generate::Builder;
use unreal_packages::package::{Package, ZenPackage};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::{Archived, EngineRelease, Saver};

use super::Copy;
use crate::run::upk;

const RELEASE: EngineRelease = EngineRelease::new(5, 6);

pub fn write(world: &Copy) {
    let builder = Builder::for_release(RELEASE).flags(PackageFlags(0x8000_0200)).export(
        "Cooked",
        "/Script/Engine.DataAsset",
        vec![0; 13],
    );
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let options = RenamePackage::new().from("/Game/Old").keep_object(true);
    package.edit(|edit| edit.rename_package("/Game/Cooked", &options)).unwrap();
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let (bytes, header) =
        (package.to_bytes().unwrap(), package.summary().total_header_size as usize);
    world.write("Cooked.uasset", &bytes[..header]);
    world.write("Cooked.uexp", &bytes[header..]);
    world.write("Zen.uasset", ZenPackage::of(&package).unwrap().bytes);
    world.write("ScriptObjects.bin", script_objects(&package));
    world.write("TownFiles/Game/Content/Cooked.uasset", world.read("Zen.uasset"));
    let args = ["pack", "TownFiles", "-o", "Town.utoc", "--engine", "5.6"];
    let packed = upk().args(args).current_dir(world.work()).output().unwrap();
    assert!(packed.status.success(), "{packed:?}");
}

fn script_objects(package: &Package) -> Vec<u8> {
    let reference =
        |path: &str| ZenReference::from(ZenTarget::Script(hash::of_script_object(path)));
    let mut objects = ScriptObjects::default();
    for (row, import) in (0..).zip(package.imports().iter()) {
        let path = import.path();
        objects.names.texts.push(import.name());
        objects.rows.push(ScriptObjectEntry {
            name: ZenName { row: row | 2 << 30, number: 0 },
            global: reference(&path),
            outer: path.rsplit_once('.').map(|(outer, _)| reference(outer)).unwrap_or_default(),
            ..ScriptObjectEntry::default()
        });
    }
    let mut saver = Saver::new(RELEASE.versions());
    objects.serialize(&mut saver).unwrap();
    saver.into_bytes()
}
