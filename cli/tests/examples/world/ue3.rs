//! Packages of UE3: plain, compressed, a map.

use unreal_packages::Guid;
use unreal_packages::compression::redirect::Redirect;
use unreal_packages::compression::{Method, Storage, UzForm};
use unreal_packages::content::TextEdits;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Builder, Profile, create};
use unreal_packages::package::{Package, SaveOptions};

#[path = "../../../../tests/common/related.rs"]
mod related;

use super::Copy;
use super::bodies::{Object, build, name, saved};

pub fn write(world: &Copy) {
    let mut package = create(&Profile::UDK).unwrap();
    package.edit(|edit| edit.set_guid(Guid::new(70, 1, 2, 3))).unwrap();
    package.edit(|edit| edit.add_text("Texts.Readme", "How to play.")).unwrap();
    let stored = |storage| package.save(&SaveOptions::new().storage(storage)).unwrap().bytes;
    world.write("MyMod.upk", stored(Storage::Plain));
    world.write("Packed.upk", stored(Storage::Chunks(Method::Lzo)));
    world.write("Startup.upk", stored(Storage::Chunks(Method::Zlib)));
    world.write("SFXGame.xxx", stored(Storage::Stream(Method::Lzx)));
    let old = Redirect::Uz(UzForm::FourStages);
    world.write("MyMod.u.uz", old.pack_named("MyMod.u", &world.read("MyMod.u")).unwrap());
    world.write("Slot1.sav", related::save_game());
    for name in ["Game.locres", "Base.locres", "Ours.locres", "Theirs.locres"] {
        world.write(name, related::texts(3));
    }
    world.write("AssetRegistry.bin", related::registry());
    world.write("MyMod.u.uz2", Redirect::Uz2.pack(&world.read("MyMod.u")).unwrap());
    world.write("Map.udk", map());
}

/// A map: its actors stand in the level of its world.
fn map() -> Vec<u8> {
    let builder = || {
        let builder = Builder::for_versions(Profile::UDK.versions());
        builder.guid(Guid::new(71, 1, 2, 3)).name("None")
    };
    let objects = [
        ("TheWorld", "Engine.World"),
        ("TheWorld.PersistentLevel", "Engine.Level"),
        ("TheWorld.PersistentLevel.WorldInfo_0", "Engine.WorldInfo"),
    ];
    // The number of an object on the net, no properties.
    let body =
        |package: &Package| [vec![0; 4], saved(package, &mut name(package, "None"))].concat();
    let objects =
        objects.map(|(path, class)| -> Object<'_> { (path.into(), class.into(), Box::new(body)) });
    let mut package = Package::from_bytes(build(&builder, &objects)).unwrap();
    let (object, text) = ("TheWorld.PersistentLevel.WorldInfo_0", "name".parse().unwrap());
    package.edit(|edit| edit.add_property(object, "Tag", &text, "WorldInfo")).unwrap();
    package.to_bytes().unwrap()
}
