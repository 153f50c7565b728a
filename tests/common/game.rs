//! A made game, and folders with files that are made on the way.

use std::path::PathBuf;

use tempfile::TempDir;
use unreal_packages::environment::{Environment, Finding, Outcome};
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::primitive::PackageFlags;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Guid, Versions};

use super::code::{Code, Member, array, property, referring};

pub const SERVER_SIDE_ONLY: PackageFlags = PackageFlags(4);

/// A folder with files that are made on the way.
pub struct Folder(pub TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub fn environment(&self) -> Environment {
        Environment::open(self.0.path()).unwrap()
    }
}

pub fn guid(number: u32) -> Guid {
    Guid::new(number, 2, 3, 4)
}

pub fn builder(number: u32) -> Builder {
    Builder::new(69).guid(guid(number))
}

pub const INI: &str = "; the game's own\r\n[Core.System]\r\nPurgeCacheDays=30\r\nCachePath=..\\Cache\r\n\
CacheExt=.uxx\r\nPaths=..\\System\\*.u\r\nPaths=..\\Maps\\*.unr\r\nPaths=..\\Textures\\*.utx\r\n\r\n\
[Editor.EditorEngine]\r\nEditPackages=Core\r\nEditPackages=Engine\r\nEditPackages=Botpack\r\n\r\n\
[Engine.GameEngine]\r\nServerPackages=Botpack\r\n";

/// A game without a fault: Core, Engine, Botpack, a texture package, a map and a cache of five.
pub fn game() -> Folder {
    let folder = Folder::new();
    folder.write("System/UnrealTournament.ini", INI);
    let core = builder(1).export("Object", "Core.Class", []).build().unwrap();
    folder.write("System/Core.u", core);
    let engine = builder(2)
        .import("Core.Object", "Core.Class")
        .export("Actor", "Core.Class", [])
        .export("Texture", "Core.Class", [])
        .build()
        .unwrap();
    folder.write("System/Engine.u", engine);
    let botpack = builder(3)
        .import("Engine.Actor", "Core.Class")
        .export("Enforcer", "Core.Class", [])
        .build()
        .unwrap();
    folder.write("System/Botpack.u", botpack);
    // Another case than the ini file's, as on a system where that matters.
    let skins = builder(4)
        .export("Skins", "Core.Package", [])
        .export("Skins.Blue", "Engine.Texture", [])
        .build()
        .unwrap();
    folder.write("textures/Skins.UTX", skins);
    let map = builder(5)
        .import("Botpack.Enforcer", "Core.Class")
        .import("Skins.Skins.Blue", "Engine.Texture")
        .build()
        .unwrap();
    folder.write("maps/DM-Test.unr", map);
    let mut index = String::from("; downloaded\r\n[Cache]\r\n");
    for number in 10..15 {
        let bytes = builder(number).name(format!("Name{number}")).build().unwrap();
        folder.write(&format!("Cache/{}.uxx", guid(number)), bytes);
        index.push_str(&format!("{}=Mod{number}.u\r\n", guid(number)));
    }
    folder.write("Cache/Cache.ini", index);
    folder
}

pub fn doctor(environment: &Environment) -> Vec<Finding> {
    environment.doctor(&mut |_| {})
}

pub fn outcome(environment: &Environment, package: &Package, path: &str) -> Outcome {
    let found = environment.resolve(package, "Test");
    let is =
        |found: &&unreal_packages::environment::Resolution| found.path.eq_ignore_ascii_case(path);
    found.iter().find(is).unwrap_or_else(|| panic!("no import {path} in {found:?}")).outcome.clone()
}

/// `Base` declares a class with arrays and a struct; version 69.
pub fn base_code() -> Vec<u8> {
    let mut code = Code::new(Versions::ue1_to_3(69, 0), guid(50));
    let members = [
        Member::Struct(
            "Pair",
            "",
            vec![property("A", "IntProperty"), property("B", "StrProperty")],
        ),
        Member::Enum("Side", vec!["Left", "Right"]),
        property("Health", "IntProperty"),
        property("bOne", "BoolProperty"),
        property("bTwo", "BoolProperty"),
        referring("Face", "ByteProperty", &["Thing.Side"]),
        array("Numbers", "IntProperty", &[]),
        referring("Both", "StructProperty", &["Thing.Pair"]),
        array("Pairs", "StructProperty", &["Thing.Pair"]),
    ];
    code.class("Thing", "", true, &members, &[]);
    code.class("Other", "", false, &[array("Numbers", "StrProperty", &[])], &[]);
    code.build()
}

/// A package with a class that derives from `Base.Thing` and sets its arrays and structs.
pub fn mod_code() -> Vec<u8> {
    let mut code = Code::new(Versions::ue1_to_3(69, 0), guid(51));
    let name = |code: &mut Code, text: &str| code.name(text).index.value() as u8;
    let (numbers, both, pairs, pair) = (
        name(&mut code, "Numbers"),
        name(&mut code, "Both"),
        name(&mut code, "Pairs"),
        name(&mut code, "Pair"),
    );
    let mut defaults = Vec::new();
    // Info byte 0x59: type 9, size code 5 (one byte).
    defaults.extend([numbers, 0x59, 9, 2, 7, 0, 0, 0, 8, 0, 0, 0]);
    defaults.extend([both, 0x5a, pair, 7, 1, 0, 0, 0, 2, b'x', 0]);
    defaults.extend([pairs, 0x59, 8, 1, 5, 0, 0, 0, 2, b'y', 0]);
    code.class("Special", "Base.Thing", false, &[], &defaults);
    code.build()
}
