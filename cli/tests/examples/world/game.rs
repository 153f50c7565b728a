//! A game of UE1 or UE2 with its packages, maps and cache; the packages of it that lines name alone.

use unreal_packages::content::{NewTexture, NewTextures};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Builder, Profile, create};
use unreal_packages::object::ue1;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectFlags;
use unreal_packages::{Engine, Guid, UnrealVersions, Versions};

use super::bodies::{Object, build, saved};
use super::code::{self, Class};
use super::{Copy, files};

const INT: &str = "IntProperty";

/// The flag of classes that are in the engine's code.
const NATIVE: u64 = 0x0400_0000;

/// One texture in no group, the others in two.
const SKINS: &[&str] = &["Red", "Dark.Blue", "Dark.Green", "Skins.Blue"];

/// What happens to actors.
const EVENTS: &[&str] = &[
    "Touch",
    "Tick",
    "UnTouch",
    "Bump",
    "Landed",
    "HitWall",
    "Falling",
    "Timer",
    "Trigger",
    "UnTrigger",
    "Spawned",
    "Destroyed",
    "Attach",
    "Detach",
    "GainedChild",
    "LostChild",
    "ZoneChange",
    "Expired",
    "KilledBy",
    "BeginPlay",
    "PostBeginPlay",
    "BaseChange",
    "EncroachedBy",
    "EndedRotation",
];

/// Writes the games, and beside the lines what they name without a folder.
pub fn write(world: &Copy) {
    let ut99 = &Profile::UT99;
    for game in ["~/Games/UT", "~/Games/UnrealTournament", "Game", "Server", "Client"] {
        write_game(world, game, "UnrealTournament.ini", ut99);
    }
    write_game(world, "~/Games/UT2004", "UT2004.ini", &Profile::UT2004);
    world.write("Packed/Readme.txt", "packed files for download");
    // A line that names `System/` and `Maps/` runs in a game's folder.
    write_game(world, ".", "UnrealTournament.ini", ut99);
    for (name, package) in code_packages(&ut99.versions()) {
        world.write(&format!("{name}.u"), package.to_bytes().unwrap());
        if matches!(name, "Engine" | "Botpack") {
            world.write(&format!("Old/{name}.u"), package.to_bytes().unwrap());
            world.write(&format!("New/{name}.u"), newer(name, &ut99.versions()));
        }
    }
    world.write("Skins.utx", textures(ut99, 10, SKINS));
    for name in ["Map.unr", "DM-Deck16.unr", "Old.unr"] {
        world.write(name, map(&ut99.versions(), 20, "Untitled"));
    }
    world.write("New.unr", map(&ut99.versions(), 21, "Deck 16"));
    world.write("Hall.unr", hall(&ut99.versions()));
}

/// Core, engine and the game's own classes.
fn code_packages(versions: &Versions) -> Vec<(&'static str, Package)> {
    let mut packages = vec![
        ("Core", code::package(versions, 1, &core())),
        ("Engine", code::package(versions, 2, &engine())),
        ("Botpack", code::package(versions, 3, &botpack())),
    ];
    packages[2].1.edit(|edit| edit.set_property("Enforcer", "Damage", "20")).unwrap();
    let engine = &mut packages[1].1;
    for class in ["Actor", "Pawn"] {
        let row = engine.find_export(class).unwrap();
        let flags = engine.exports().get(row).unwrap().entry().object_flags;
        engine.edit(|edit| edit.set_object_flags(row, ObjectFlags(flags.0 | NATIVE))).unwrap();
    }
    packages
}

fn core() -> Vec<Class> {
    vec![Class::new("Object", "")]
}

fn engine() -> Vec<Class> {
    let of = |name| Class::new(name, "Core.Object");
    let actor = of("Actor")
        .properties(&[("Damage", INT), ("Health", INT), ("Tag", "NameProperty")])
        .functions(EVENTS);
    let pawn = Class::new("Pawn", "Actor").properties(&[("Armor", INT)]).functions(&["Die"]);
    let mut classes = vec![actor, pawn];
    let others = ["Info", "Light", "LevelInfo"].map(|name| Class::new(name, "Actor"));
    classes.extend(others);
    classes.push(Class::new("Mutator", "Info").functions(&["ModifyPlayer"]));
    let plain = ["Level", "LevelSummary", "Model", "Texture", "Palette", "Sound", "Music"];
    classes.extend(plain.map(of));
    classes
}

fn botpack() -> Vec<Class> {
    let own = [
        "Damage", "Clip", "Spread", "Recoil", "Weight", "Range", "Price", "Speed", "Noise", "Rate",
    ];
    let enforcer = Class::new("Enforcer", "Engine.Actor")
        .properties(&own.map(|name| (name, INT)))
        .functions(&["Fire", "AltFire"]);
    vec![enforcer]
}

/// A later release, with one property more.
fn newer(name: &str, versions: &Versions) -> Vec<u8> {
    let mut classes = if name == "Engine" { engine() } else { botpack() };
    classes[0].properties.push(("Mass", "FloatProperty"));
    code::package(versions, 30, &classes).to_bytes().unwrap()
}

/// A package of textures.
fn textures(profile: &Profile, guid: u32, paths: &[&str]) -> Vec<u8> {
    let mut package = create(profile).unwrap();
    package.edit(|edit| edit.set_guid(Guid::new(guid, 1, 2, 3))).unwrap();
    for (shift, path) in (1..).zip(paths) {
        package
            .edit(|edit| edit.add_texture(path, &files::image(shift * 30), &NewTexture::default()))
            .unwrap();
    }
    package.to_bytes().unwrap()
}

/// A map as the editor saves it: its actors stand at the top, beside the level.
fn map(versions: &Versions, guid: u32, title: &str) -> Vec<u8> {
    let objects = [
        ("LevelInfo0", "Engine.LevelInfo"),
        ("LevelSummary", "Engine.LevelSummary"),
        ("Light0", "Engine.Light"),
        ("Light1", "Engine.Light"),
    ];
    let object = |(path, class): (&str, &str)| -> Object<'_> {
        (path.into(), class.into(), Box::new(|_| vec![0]))
    };
    let mut objects: Vec<Object<'_>> = objects.into_iter().map(object).collect();
    let level = |package: &Package| [vec![0], saved(package, &mut ue1::Level::default())].concat();
    objects.push(("MyLevel".into(), "Engine.Level".into(), Box::new(level)));
    let builder = || {
        let builder = Builder::for_versions(versions.clone()).guid(Guid::new(guid, 1, 2, 3));
        builder.import("Botpack.Enforcer", "Core.Class")
    };
    let mut package = Package::from_bytes(build(&builder, &objects)).unwrap();
    package.decode_all();
    let mut add = |object: &str, property: &str, of: &str, text: &str| {
        package
            .edit(|edit| edit.add_property(object, property, &of.parse().unwrap(), text))
            .unwrap();
    };
    add("LevelInfo0", "TimeSeconds", "float", "85.5");
    add("LevelInfo0", "Title", "string", title);
    add("LevelInfo0", "Tag", "name", "LevelInfo");
    add("LevelSummary", "Title", "string", title);
    for light in ["Light0", "Light1"] {
        add(light, "Tag", "name", "Light");
        add(light, "Location", "struct:Vector", "(X=-864,Y=16,Z=-18.5)");
        if versions.engine() == Engine::Ue1 {
            add(light, "LightBrightness", "byte", "64");
            add(light, "LightHue", "byte", "20");
            add(light, "LightRadius", "byte", "16");
        }
    }
    package.to_bytes().unwrap()
}

/// A map that borrows skins.
fn hall(versions: &Versions) -> Vec<u8> {
    let mut package = Package::from_bytes(map(versions, 23, "Hall")).unwrap();
    let skins = [("Light0", "Skins.Dark.Blue"), ("Light1", "Skins.Red")];
    for (light, skin) in skins {
        package
            .edit(|edit| {
                edit.add_import(skin, "Engine.Texture")?;
                edit.add_property(light, "Skin", &"object".parse()?, &format!("Texture'{skin}'"))
            })
            .unwrap();
    }
    package.to_bytes().unwrap()
}

fn write_game(world: &Copy, folder: &str, ini: &str, profile: &Profile) {
    let versions = &profile.versions();
    let write = |name: &str, bytes: Vec<u8>| world.write(&format!("{folder}/{name}"), bytes);
    let settings = "[Core.System]\r\nCachePath=..\\Cache\r\nPaths=..\\System\\*.u\r\n\
                    Paths=..\\Maps\\*.unr\r\nPaths=..\\Textures\\*.utx\r\n\r\n\
                    [Engine.GameEngine]\r\nServerPackages=Botpack\r\n";
    write(&format!("System/{ini}"), settings.into());
    for (name, package) in code_packages(versions) {
        write(&format!("System/{name}.u"), package.to_bytes().unwrap());
    }
    for (guid, name) in [(20, "DM-Deck16"), (22, "DM-Mine")] {
        write(&format!("Maps/{name}.unr"), map(versions, guid, name));
    }
    write("Textures/Skins.utx", textures(profile, 10, SKINS));
    write("Textures/OldSkins.utx", textures(profile, 11, &["Red"]));
    // Who uses the skins, so that they can't be removed.
    let user = Builder::for_versions(versions.clone()).guid(Guid::new(12, 1, 2, 3));
    let user = user.import("Skins.Dark.Green", "Engine.Texture");
    write("System/SkinUser.u", user.build().unwrap());
    // Downloaded from a server.
    let guid = Guid::new(13, 1, 2, 3);
    write(
        &format!("Cache/{guid}.uxx"),
        Builder::for_versions(versions.clone()).guid(guid).build().unwrap(),
    );
    write("Cache/Cache.ini", format!("[Cache]\r\n{guid}=ChaosUT.u\r\n").into());
}
