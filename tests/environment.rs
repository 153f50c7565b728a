//! How packages find each other: ini files, search order, imports, cache, doctor, classes.

mod common;

use std::path::{Path, PathBuf};

use common::code::{Code, Member, array, property, referring};
use farchive::environment::{
    Cache, CacheState, Classes, Definition, Environment, Finding, Ini, LayoutChange, Outcome,
    Settings,
};
use farchive::package::{Builder, OpenOptions, Package};
use farchive::primitive::{ObjectFlags, PackageFlags};
use farchive::property::Value;
use farchive::{ErrorKind, Guid, Versions};
use tempfile::TempDir;

const SERVER_SIDE_ONLY: PackageFlags = PackageFlags(4);

/// A folder with files that are made on the way.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn environment(&self) -> Environment {
        Environment::open(self.0.path()).unwrap()
    }
}

fn guid(number: u32) -> Guid {
    Guid::new(number, 2, 3, 4)
}

fn builder(number: u32) -> Builder {
    Builder::new(69).guid(guid(number))
}

const INI: &str = "; the game's own\r\n[Core.System]\r\nPurgeCacheDays=30\r\nCachePath=..\\Cache\r\n\
CacheExt=.uxx\r\nPaths=..\\System\\*.u\r\nPaths=..\\Maps\\*.unr\r\nPaths=..\\Textures\\*.utx\r\n\r\n\
[Editor.EditorEngine]\r\nEditPackages=Core\r\nEditPackages=Engine\r\nEditPackages=Botpack\r\n\r\n\
[Engine.GameEngine]\r\nServerPackages=Botpack\r\n";

/// A game without a fault: Core, Engine, Botpack, a texture package, a map and a cache of five.
fn game() -> Folder {
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

fn doctor(environment: &Environment) -> Vec<Finding> {
    environment.doctor(&mut |_| {})
}

fn outcome(environment: &Environment, package: &Package, path: &str) -> Outcome {
    let found = environment.resolve(package, "Test");
    let is = |found: &&farchive::environment::Resolution| found.path.eq_ignore_ascii_case(path);
    found.iter().find(is).unwrap_or_else(|| panic!("no import {path} in {found:?}")).outcome.clone()
}

#[test]
fn ini_files_keep_what_is_not_changed() {
    let text = "; first\r\n\r\n[Core.System]\r\n  Paths = ..\\Maps\\*.unr  \r\nodd line\r\nPaths=a\r\n[B]\r\nK=\"v\"";
    let mut ini = Ini::parse(text.as_bytes());
    assert_eq!(ini.to_bytes(), text.as_bytes());
    assert_eq!(ini.values("core.system", "paths"), ["..\\Maps\\*.unr", "a"]);
    assert_eq!(ini.get("B", "K"), Some("v"));
    ini.add("Core.System", "Paths", "b");
    ini.set("Core.System", "New", "1");
    ini.set("B", "K", "w");
    ini.add("C", "X", "y");
    assert_eq!(ini.remove("Core.System", "Paths", Some("A")), 1);
    let expected = "; first\r\n\r\n[Core.System]\r\n  Paths = ..\\Maps\\*.unr  \r\nodd line\r\nPaths=b\r\nNew=1\r\n\
                    [B]\r\nK=w\r\n\r\n[C]\r\nX=y\r\n";
    assert_eq!(String::from_utf8(ini.to_bytes()).unwrap(), expected);
}

#[test]
fn ini_values_follow_indices_and_operators() {
    let ini = Ini::parse(
        b"[S]\nPaths[1]=b\nPaths[0]=a\n.P=1\n+P=1\n+P=2\nP=3\n-P=3\n[T]\nP=9\n[s]\nQ=1\n!Q=x\n+Q=2\n",
    );
    assert_eq!(ini.values("S", "Paths"), ["a", "b"]);
    assert_eq!(ini.values("S", "P"), ["1", "2"]);
    assert_eq!(ini.values("S", "Q"), ["2"]);
    let mut base = Ini::parse(b"[S]\nP=1\nP=2\nR=old\nQ=1\n");
    base.overlay(&Ini::parse(b"[S]\n+P=3\n+P=2\n-P=1\nR=new\nR=newer\n!Q=\n[U]\nA=b\n"));
    assert_eq!(base.values("S", "P"), ["2", "3"]);
    assert_eq!(base.values("S", "R"), ["new", "newer"]);
    assert!(base.values("S", "Q").is_empty());
    assert_eq!(base.get("U", "A"), Some("b"));
}

#[test]
fn ini_files_keep_their_encoding() {
    let wide: Vec<u8> =
        "\u{feff}[S]\r\nK=é\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin = b"[S]\r\nK=\xe9\r\n";
    for bytes in [&wide[..], &latin[..]] {
        let mut ini = Ini::parse(bytes);
        assert_eq!(ini.to_bytes(), bytes);
        assert_eq!(ini.get("S", "K"), Some("é"));
        ini.set("S", "K", "日本");
        assert_eq!(Ini::parse(&ini.to_bytes()).get("S", "K"), Some("日本"));
    }
}

#[test]
fn the_first_file_in_the_order_of_search_is_found() {
    let folder = game();
    let environment = folder.environment();
    assert_eq!(environment.len(), 5);
    let id = environment.find("SKINS").unwrap();
    assert_eq!(environment.file(id).path, folder.path("textures/Skins.UTX"));
    assert!(environment.shadowed("Skins").is_empty());
    folder.write("System/Skins.u", builder(9).build().unwrap());
    let environment = folder.environment();
    let id = environment.find("skins").unwrap();
    assert_eq!(environment.file(id).path, folder.path("System/Skins.u"), "System comes first");
    let shadowed = environment.shadowed("Skins");
    assert_eq!(shadowed.len(), 1);
    assert_eq!(environment.file(shadowed[0]).path, folder.path("textures/Skins.UTX"));
    assert_eq!(environment.opened(), 0, "listing opens nothing");
}

#[test]
fn folders_that_differ_in_case_count_together() {
    let folder = game();
    folder.write("Textures/More.utx", builder(9).build().unwrap());
    let environment = folder.environment();
    assert!(environment.find("More").is_some() && environment.find("Skins").is_some());
    assert_eq!(environment.len(), 6);
}

#[test]
fn what_a_guid_asks_for_comes_from_the_cache_first() {
    let folder = game();
    let cached = folder.path(&format!("Cache/{}.uxx", guid(3)));
    let environment = folder.environment();
    let found = environment.find_required("Botpack", guid(3)).unwrap();
    assert_eq!(found, folder.path("System/Botpack.u"));
    assert_eq!(environment.find_required("Botpack", guid(77)), None);
    std::fs::copy(folder.path("System/Botpack.u"), &cached).unwrap();
    assert_eq!(folder.environment().find_required("Botpack", guid(3)), Some(cached));
}

#[test]
fn every_outcome_of_an_import() {
    let folder = game();
    folder.write("textures/Broken.utx", b"not a package");
    let mut private =
        Package::from_bytes(builder(20).export("Secret", "Engine.Texture", []).build().unwrap())
            .unwrap();
    private.set_object_flags(0, ObjectFlags(0x7_0000)).unwrap();
    folder.write("textures/Hidden.utx", private.to_bytes().unwrap());
    let test = builder(21)
        .import("Engine.Actor", "Core.Class")
        .import("Skins.skins.BLUE", "Engine.Texture")
        .import("Skins.Skins.Blu", "Engine.Texture")
        .import("Skins.Blue", "Engine.Texture")
        .import("Core.Object", "Core.Function")
        .import("Core.IntProperty", "Core.Class")
        .import("Gone.Thing", "Engine.Texture")
        .import("Broken.Thing", "Engine.Texture")
        .import("Hidden.Secret", "Engine.Texture")
        .import("Test.OwnNative", "Core.Class")
        .build()
        .unwrap();
    folder.write("System/Test.u", test.clone());
    let (environment, package) = (folder.environment(), Package::from_bytes(test).unwrap());
    let of = |path: &str| outcome(&environment, &package, path);
    assert_eq!(of("Engine.Actor"), Outcome::Found { row: Some(0) });
    assert_eq!(of("Engine"), Outcome::Found { row: None });
    assert_eq!(of("Skins.Skins.Blue"), Outcome::Found { row: Some(1) });
    let near = vec!["Skins.Skins.Blue".to_owned()];
    assert_eq!(of("Skins.Skins.Blu"), Outcome::ObjectMissing { near: near.clone() });
    assert_eq!(of("Skins.Blue"), Outcome::ObjectMissing { near });
    let found = "Core.Class".to_owned();
    assert_eq!(of("Core.Object"), Outcome::ClassDiffers { found, row: 0 });
    assert_eq!(of("Core.IntProperty"), Outcome::Native);
    assert_eq!(of("Gone.Thing"), Outcome::PackageMissing);
    assert_eq!(of("Gone"), Outcome::PackageMissing);
    assert!(matches!(of("Broken.Thing"), Outcome::PackageUnreadable { .. }));
    assert_eq!(of("Hidden.Secret"), Outcome::NotPublic { row: 0 });
    assert_eq!(of("Test.OwnNative"), Outcome::Native);
}

#[test]
fn early_versions_name_the_package_of_an_import() {
    let folder = Folder::new();
    let skins = Builder::new(45).export("Blue", "Engine.Texture", []).build().unwrap();
    folder.write("Skins.utx", skins);
    let package = Builder::new(45)
        .import("Skins.Blue", "Engine.Texture")
        .import("Skins.Red", "Engine.Texture");
    let package = Package::from_bytes(package.build().unwrap()).unwrap();
    let environment = folder.environment();
    assert_eq!(outcome(&environment, &package, "Skins.Blue"), Outcome::Found { row: Some(0) });
    assert!(matches!(outcome(&environment, &package, "Skins.Red"), Outcome::ObjectMissing { .. }));
}

#[test]
fn cooked_packages_carry_copies_of_others() {
    let folder = Folder::new();
    let cooked = PackageFlags::COOKED;
    let carrier = Builder::new(684)
        .flags(cooked)
        .export("Shared", "Core.Package", [])
        .export("Shared.Skin", "Engine.Texture2D", vec![0; 8])
        .build()
        .unwrap();
    let mut bytes = carrier.clone();
    // The builder has no forced exports: the flag of the first row is set in the bytes.
    let package = Package::from_bytes(carrier).unwrap();
    let fields = package.explain().unwrap();
    let field = fields.iter().find(|field| field.record.path == "exports[0].export_flags").unwrap();
    bytes[field.record.start as usize] = 1;
    folder.write("Carrier.pcc", bytes);
    let user = Builder::new(684)
        .flags(cooked)
        .import("Shared.Skin", "Engine.Texture2D")
        .import("Shared.Other", "Engine.Texture2D")
        .build()
        .unwrap();
    let user = Package::from_bytes(user).unwrap();
    let environment = folder.environment();
    let by = "Carrier".to_owned();
    let carried = Outcome::Carried { by: by.clone(), row: Some(1) };
    assert_eq!(outcome(&environment, &user, "Shared.Skin"), carried);
    assert_eq!(outcome(&environment, &user, "Shared"), Outcome::Carried { by, row: None });
    assert_eq!(outcome(&environment, &user, "Shared.Other"), Outcome::PackageMissing);
}

#[test]
fn a_clean_game_has_no_findings_and_each_package_is_opened_once() {
    let folder = game();
    let environment = folder.environment();
    let mut last = 0;
    let findings = environment.doctor(&mut |step| {
        assert!(step.done >= last && step.total == 10);
        last = step.done;
    });
    assert_eq!(findings, []);
    assert_eq!((environment.opened(), last), (5, 10));
}

/// Changes a clean game and expects one finding.
fn one_finding(change: impl FnOnce(&Folder)) -> Finding {
    let folder = game();
    change(&folder);
    let mut findings = doctor(&folder.environment());
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.remove(0)
}

#[test]
fn the_doctor_finds_each_fault_once() {
    let finding = one_finding(|folder| {
        folder.write("textures/Broken.utx", b"nonsense");
    });
    assert_eq!(finding.word(), "unreadable");
    let finding = one_finding(|folder| {
        let whole = std::fs::read(folder.path("System/Botpack.u")).unwrap();
        folder.write("System/Half.u", &whole[..whole.len() / 2]);
    });
    assert_eq!(finding.word(), "unreadable");
    let finding = one_finding(|folder| {
        for name in ["A", "B"] {
            let bytes = Builder::new(69)
                .import("Gone.X", "Engine.Texture")
                .import("Gone.Y", "Engine.Texture");
            folder.write(&format!("maps/{name}.unr"), bytes.build().unwrap());
        }
    });
    let needed_by = vec!["A".to_owned(), "B".to_owned()];
    assert_eq!(
        finding,
        Finding::PackageMissing { package: "Gone".to_owned(), needed_by, count: 2 }
    );
    let finding = one_finding(|folder| {
        let bytes = builder(30).import("Skins.Skins.Red", "Engine.Texture").build().unwrap();
        folder.write("maps/Red.unr", bytes);
    });
    assert_eq!(finding.word(), "object-missing");
    let finding = one_finding(|folder| {
        let bytes = builder(30).import("Skins.Skins.Blue", "Engine.Palette").build().unwrap();
        folder.write("maps/Blue.unr", bytes);
    });
    assert_eq!(finding.word(), "class-differs");
    let finding = one_finding(|folder| {
        let bytes = builder(31).export("Secret", "Engine.Texture", []).build().unwrap();
        let mut package = Package::from_bytes(bytes).unwrap();
        package.set_object_flags(0, ObjectFlags(0x7_0000)).unwrap();
        folder.write("textures/Hidden.utx", package.to_bytes().unwrap());
        let bytes = builder(30).import("Hidden.Secret", "Engine.Texture").build().unwrap();
        folder.write("maps/Peek.unr", bytes);
    });
    assert_eq!(finding.word(), "not-public");
    let finding = one_finding(|folder| {
        folder.write("maps/Botpack.unr", builder(30).build().unwrap());
    });
    assert!(matches!(finding, Finding::SameName { paths, .. } if paths.len() == 2));
    let finding = one_finding(|folder| {
        for (number, name, other) in [(30, "Left", "Right"), (31, "Right", "Left")] {
            let bytes = builder(number).import(format!("{other}.Thing"), "Core.Class").export(
                "Thing",
                "Core.Class",
                [],
            );
            folder.write(&format!("System/{name}.u"), bytes.build().unwrap());
        }
    });
    let packages = vec!["Left".to_owned(), "Right".to_owned()];
    assert_eq!(finding, Finding::Circle { packages });
    let finding = one_finding(|folder| {
        let order = INI.replace(
            "Packages=Engine\r\nEditPackages=Botpack",
            "Packages=Botpack\r\nEditPackages=Engine",
        );
        folder.write("System/UnrealTournament.ini", order);
    });
    let (package, needs) = ("Botpack".to_owned(), "Engine".to_owned());
    assert_eq!(finding, Finding::BuildOrder { package, needs, listed: true });
    let finding = one_finding(|folder| {
        folder.write("maps/Twin.unr", builder(5).name("Other").build().unwrap());
    });
    assert!(matches!(finding, Finding::SameGuid { paths, .. } if paths.len() == 2));
    let finding = one_finding(|folder| {
        let bytes = builder(30).flags(SERVER_SIDE_ONLY).export("Rules", "Core.Class", []);
        folder.write("System/Admin.u", bytes.build().unwrap());
        let bytes = builder(31).import("Admin.Rules", "Core.Class").build().unwrap();
        folder.write("maps/Ruled.unr", bytes);
    });
    let (package, needs) = ("Ruled".to_owned(), "Admin".to_owned());
    assert_eq!(finding, Finding::ServerSideOnly { package, needs });
    let finding = one_finding(|folder| {
        let bytes = builder(99).build().unwrap();
        folder.write(&format!("Cache/{}.uxx", guid(10)), bytes);
    });
    let state = CacheState::GuidDiffers { header: guid(99) };
    assert!(matches!(finding, Finding::Cache { state: found, .. } if found == state));
}

#[test]
fn a_server_side_package_may_use_another_one() {
    let folder = game();
    let flags = SERVER_SIDE_ONLY;
    let rules = builder(30).flags(flags).export("Rules", "Core.Class", []).build().unwrap();
    folder.write("System/Admin.u", rules);
    let more = builder(31).flags(flags).import("Admin.Rules", "Core.Class").build().unwrap();
    folder.write("System/More.u", more);
    assert_eq!(doctor(&folder.environment()), []);
}

#[test]
fn files_of_one_guid_with_the_same_bytes_are_one_package() {
    let folder = game();
    let botpack = std::fs::read(folder.path("System/Botpack.u")).unwrap();
    folder.write(&format!("Cache/{}.uxx", guid(3)), botpack);
    let index = std::fs::read_to_string(folder.path("Cache/Cache.ini")).unwrap();
    folder.write("Cache/Cache.ini", format!("{index}{}=Botpack.u\r\n", guid(3)));
    assert_eq!(doctor(&folder.environment()), []);
}

#[test]
fn many_packages_are_opened_once_each() {
    let folder = Folder::new();
    for number in 0..300 {
        let needed = (number * 7) % 300;
        let bytes = builder(1000 + number)
            .import(format!("P{needed}.Thing"), "Engine.Texture")
            .export("Thing", "Engine.Texture", [])
            .build()
            .unwrap();
        folder.write(&format!("P{number}.utx"), bytes);
    }
    let environment = folder.environment();
    let findings = doctor(&environment);
    let missing = |finding: &Finding| matches!(finding, Finding::PackageMissing { package, .. } if package == "Engine");
    assert!(findings.len() == 1 && missing(&findings[0]), "{findings:?}");
    assert_eq!(environment.opened(), 300);
    assert_eq!(environment.users_of("P7", "Thing").len(), 1);
    assert_eq!(environment.opened(), 300, "what is known is not read again");
}

#[test]
fn users_are_those_that_would_break() {
    let folder = game();
    let environment = folder.environment();
    let users = environment.users_of("Botpack", "Enforcer");
    assert_eq!(users.len(), 1);
    assert_eq!(
        (users[0].package.as_str(), users[0].path.as_str()),
        ("DM-Test", "Botpack.Enforcer")
    );
    let within = environment.users_of("Skins", "Skins");
    assert_eq!(within.len(), 2, "the group and what lies in it: {within:?}");
    assert!(environment.users_of("Botpack", "Enforce").is_empty());
    let whole: Vec<_> =
        environment.users_of("engine", "").into_iter().map(|user| user.path).collect();
    assert_eq!(whole, ["Engine", "Engine.Actor", "Engine", "Engine.Texture"]);
}

#[test]
fn a_package_map_lists_what_a_server_sends() {
    let folder = game();
    let rules =
        builder(30).flags(SERVER_SIDE_ONLY).export("Rules", "Core.Class", []).build().unwrap();
    folder.write("System/Admin.u", rules);
    let own = builder(31).flags(PackageFlags(0)).build().unwrap();
    folder.write("System/Own.u", own);
    let ini = INI.replace(
        "ServerPackages=Botpack",
        "ServerPackages=Own\r\nServerPackages=Admin\r\nServerPackages=Nowhere",
    );
    folder.write("System/UnrealTournament.ini", ini);
    let map = folder.environment().package_map("dm-test").unwrap();
    let names: Vec<_> = map.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["DM-Test", "Botpack", "Engine", "Core", "Skins", "Own"]);
    let entry = &map.entries[1];
    assert_eq!((entry.guid, entry.generation, entry.downloadable), (guid(3), 1, true));
    assert_eq!(entry.bytes, std::fs::metadata(folder.path("System/Botpack.u")).unwrap().len());
    assert_eq!(entry.needed_by.as_deref(), Some("DM-Test"));
    assert!(!map.entries[5].downloadable);
    let excluded: Vec<_> =
        map.excluded.iter().map(|it| (it.name.as_str(), it.reason.as_str())).collect();
    assert_eq!(excluded.len(), 2);
    assert!(
        excluded[0].0 == "Admin" && excluded[0].1.starts_with("ServerSideOnly"),
        "{excluded:?}"
    );
    assert!(excluded[1].0 == "Nowhere" && excluded[1].1.contains("no file"), "{excluded:?}");
    assert!(folder.environment().package_map("DM-None").is_err());
}

#[test]
fn caches_are_read_and_written() {
    let folder = game();
    let options = OpenOptions::new();
    let mut cache = Cache::open(folder.path("Cache"), ".uxx").unwrap();
    assert_eq!(cache.entries().count(), 5);
    assert!(cache.faults(&options).is_empty());
    let found: Vec<_> = cache.find_name("mod12").map(|entry| entry.guid).collect();
    assert_eq!(found, [guid(12)]);
    let out = folder.path("out");
    std::fs::create_dir(&out).unwrap();
    let written = cache.extract(guid(12), &out).unwrap();
    assert_eq!(written, out.join("Mod12.u"));
    assert_eq!(Package::open(&written).unwrap().guid(), guid(12));
    let again = cache.extract(guid(12), &out).unwrap_err();
    assert!(matches!(again.kind(), ErrorKind::Exists { .. }), "{again}");
    let before = std::fs::read_to_string(folder.path("Cache/Cache.ini")).unwrap();
    cache.add(&folder.path("System/Botpack.u"), &options).unwrap();
    let after = std::fs::read_to_string(folder.path("Cache/Cache.ini")).unwrap();
    assert_eq!(after, format!("{before}{}=Botpack.u\r\n", guid(3)));
    let mut cache = Cache::open(folder.path("Cache"), ".uxx").unwrap();
    assert_eq!(cache.entries().count(), 6);
    assert!(cache.faults(&options).is_empty());
    assert!(cache.add(&folder.path("Cache/Cache.ini"), &options).is_err());
    // An index from a stranger must not lead out of the folder.
    folder.write("Cache/Cache.ini", format!("[Cache]\r\n{}=../../evil.u\r\n", guid(12)));
    let cache = Cache::open(folder.path("Cache"), ".uxx").unwrap();
    let other = folder.path("other");
    std::fs::create_dir(&other).unwrap();
    assert!(cache.extract(guid(12), &other).is_err());
}

#[test]
fn faults_of_a_cache_are_told_apart() {
    let folder = game();
    std::fs::remove_file(folder.path(&format!("Cache/{}.uxx", guid(10)))).unwrap();
    folder.write(&format!("Cache/{}.uxx", guid(11)), b"damaged");
    folder.write("Cache/readme.uxx", b"");
    folder.write(&format!("Cache/{}.uxx", guid(40)), builder(40).build().unwrap());
    let cache = Cache::open(folder.path("Cache"), "uxx").unwrap();
    let faults = cache.faults(&OpenOptions::new());
    let states: Vec<_> = faults.into_iter().map(|fault| fault.state).collect();
    assert_eq!(states.len(), 4, "{states:?}");
    assert_eq!(states[0], CacheState::NotNamed);
    assert_eq!(states[1], CacheState::FileMissing);
    assert!(matches!(states[2], CacheState::Unreadable { .. }));
    assert_eq!(states[3], CacheState::NotIndexed);
}

#[test]
fn definitions_are_flags() {
    let ini = Ini::parse(b"; mine\r\n[Flags]\r\nAllowDownload=False\r\nServerSideOnly=true\r\n");
    let definition = Definition::from_ini(&ini).unwrap();
    assert_eq!(definition.apply(PackageFlags(0x8011)), PackageFlags(0x8014));
    let again = Definition::from_ini(&definition.to_ini()).unwrap();
    assert_eq!(again, definition);
    let mut kept = ini.clone();
    Definition::default().write_to(&mut kept);
    let text = String::from_utf8(kept.to_bytes()).unwrap();
    assert_eq!(
        text,
        "; mine\r\n[Flags]\r\nAllowDownload=True\r\nServerSideOnly=False\r\nClientOptional=False\r\n"
    );
    assert!(Definition::from_ini(&Ini::parse(b"[Flags]\nAllowDownload=maybe\n")).is_err());
    let ue2 = Definition::of_flags(PackageFlags(0x21), farchive::Engine::Ue2);
    assert_eq!((ue2.allow_download, ue2.official), (true, Some(true)));
}

/// `Base` declares a class with arrays and a struct; version 69.
fn base_code() -> Vec<u8> {
    let mut code = Code::new(Versions::classic(69, 0), guid(50));
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
fn mod_code() -> Vec<u8> {
    let mut code = Code::new(Versions::classic(69, 0), guid(51));
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

/// Bytes of the values of arrays and structs in the defaults of classes, and how many are opaque.
fn opaque_share(package: &mut Package) -> (u64, u64) {
    fn opaque(value: &Value) -> u64 {
        match value {
            Value::Opaque(span) => span.len(),
            Value::Array(values) | Value::Fields(values) => values.iter().map(opaque).sum(),
            Value::Tagged(list) => list.properties.iter().map(|p| opaque(p.value())).sum(),
            _ => 0,
        }
    }
    use farchive::object::Native;
    use farchive::object::script_object::ScriptObject;
    package.decode_all();
    let mut sums = (0, 0);
    for row in 0..package.exports().len() {
        let Some(decoded) = package.decoded(row) else { continue };
        let Native::Script(object) = &decoded.body.native else { continue };
        let ScriptObject::Class(class) = &**object else { continue };
        for property in &class.defaults.properties {
            sums.0 += u64::from(property.stored_size());
            sums.1 += opaque(property.value());
        }
    }
    sums
}

#[test]
fn values_of_other_packages_classes_are_typed_with_an_environment() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    folder.write("Special.u", mod_code());
    let mut alone = Package::from_bytes(mod_code()).unwrap();
    let (bytes, opaque) = opaque_share(&mut alone);
    assert_eq!((bytes, opaque), (24, 24));
    let mut taught = Package::from_bytes(mod_code()).unwrap();
    folder.environment().teach(&mut taught);
    assert_eq!(opaque_share(&mut taught), (24, 0), "two classes call different arrays Numbers");
    assert_eq!(taught.to_bytes().unwrap(), mod_code());
}

#[test]
fn structs_that_derive_across_packages_are_completed() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    let mut code = Code::new(Versions::classic(69, 0), guid(52));
    let (both, triple) = (code.name("Three"), code.name("Triple"));
    let (both, triple) = (both.index.value() as u8, triple.index.value() as u8);
    let mut defaults = vec![both, 0x5a, triple, 11];
    defaults.extend([1, 0, 0, 0, 2, b'x', 0, 3, 0, 0, 0]);
    let members = [
        Member::Struct("Triple", "Base.Thing.Pair", vec![property("C", "IntProperty")]),
        referring("Three", "StructProperty", &["Wide.Triple"]),
    ];
    code.class("Wide", "Base.Thing", false, &members, &defaults);
    let bytes = code.build();
    let mut package = Package::from_bytes(bytes.clone()).unwrap();
    assert_eq!(opaque_share(&mut package), (11, 11));
    let mut package = Package::from_bytes(bytes).unwrap();
    folder.environment().teach(&mut package);
    assert_eq!(opaque_share(&mut package), (11, 0));
}

#[test]
fn classes_inherit_and_have_layouts() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    folder.write("Special.u", mod_code());
    let classes = folder.environment().classes(&mut |_| {});
    let chain: Vec<_> = classes.chain("Special").iter().map(|class| class.path()).collect();
    assert_eq!(chain, ["Special.Special", "Base.Thing"]);
    let thing = classes.get("base.THING").unwrap();
    assert!(thing.native);
    assert_eq!(
        (thing.structs.as_slice(), thing.enums.as_slice()),
        (&["Base.Thing.Pair".to_owned()][..], &["Base.Thing.Side".to_owned()][..])
    );
    assert_eq!(classes.enumeration("Base.Thing.Side").unwrap().values, ["Left", "Right"]);
    let layout = classes.layout("Special.Special").unwrap();
    assert!(layout.complete);
    let places: Vec<_> = layout
        .fields
        .iter()
        .map(|field| (field.field.name.as_str(), field.field.type_text(), field.offset, field.size))
        .collect();
    let expected = [
        ("Health", "int", 0, 4),
        ("bOne", "bool", 4, 4),
        ("bTwo", "bool", 4, 4),
        ("Face", "Base.Thing.Side", 8, 1),
        ("Numbers", "array<int>", 12, 12),
        ("Both", "struct Base.Thing.Pair", 24, 16),
        ("Pairs", "array<struct Base.Thing.Pair>", 40, 12),
    ];
    assert_eq!(
        places,
        expected.map(|(name, text, offset, size)| (name, text.to_owned(), offset, size))
    );
    assert_eq!((layout.size, layout.fields[2].bit), (52, Some(1)));
}

#[test]
fn changed_layouts_of_classes_are_told() {
    let classes = |members: &[Member]| {
        let mut code = Code::new(Versions::classic(69, 0), guid(60));
        code.class("Native", "", true, members, &[]);
        code.class("Script", "Base.Native", false, &[], &[]);
        let mut classes = Classes::default();
        classes.add(&Package::from_bytes(code.build()).unwrap(), "Base");
        classes
    };
    let old = classes(&[
        property("A", "IntProperty"),
        property("B", "FloatProperty"),
        property("C", "NameProperty"),
    ]);
    assert!(old.layout_changes(&old, "Base").is_empty());
    let new = classes(&[
        property("C", "NameProperty"),
        property("A", "StrProperty"),
        property("D", "IntProperty"),
    ]);
    let changes = old.layout_changes(&new, "base");
    assert_eq!(changes.len(), 2, "the child moves with its parent: {changes:?}");
    assert!(changes[0].native && changes[0].class == "Base.Native");
    let text: Vec<_> = changes[0].changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        text,
        [
            "A is string, was int",
            "A is at 0x4, was at 0x0",
            "removed B: float",
            "C is at 0x0, was at 0x8",
            "added D: int"
        ]
    );
    assert_eq!(changes[1].changes, [LayoutChange::ParentResized { old: 12, new: 20 }]);
}

#[test]
fn folders_of_later_games_are_understood() {
    let folder = Folder::new();
    folder.write(
        "Engine/Config/BaseEngine.ini",
        "[Core.System]\nPaths=..\\..\\Engine\\Content\nScriptPaths=..\\..\\MyGame\\Script\n",
    );
    folder.write("MyGame/Config/DefaultEngine.ini", "[Core.System]\n+Paths=..\\..\\MyGame\\Content\n[UnrealEd.EditorEngine]\n+EditPackages=MyGame\n");
    let bytes = Builder::new(868).build().unwrap();
    for file in
        ["MyGame/Script/MyGame.u", "MyGame/Content/Maps/Entry.udk", "Engine/Content/Mat.upk"]
    {
        folder.write(file, &bytes);
    }
    let environment = folder.environment();
    let names: Vec<_> = environment.files().map(|(_, file)| file.name.to_string()).collect();
    assert_eq!(names, ["MyGame", "Mat", "Entry"]);
    assert_eq!(environment.settings().edit_packages, ["MyGame"]);
    let project = Folder::new();
    project.write("My.uproject", "{}");
    project.write("Content/Maps/Entry.umap", b"?");
    project.write("Plugins/Deep/Water/Water.uplugin", "{}");
    project.write("Plugins/Deep/Water/Content/Sea.uasset", b"?");
    let environment = project.environment();
    let names: Vec<_> = environment.files().map(|(_, file)| file.name.to_string()).collect();
    assert_eq!(names, ["/Game/Maps/Entry", "/Water/Sea"]);
    assert!(environment.find("/game/maps/entry").is_some());
}

#[test]
fn links_in_circles_end() {
    let folder = Folder::new();
    folder.write("a/P.u", builder(1).build().unwrap());
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path("a"), folder.path("a/again")).unwrap();
    assert_eq!(folder.environment().len(), 1);
}

#[test]
fn damaged_packages_end_nothing() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    let whole = mod_code();
    let mut number = 0;
    for cut in (0..whole.len()).step_by(3) {
        number += 1;
        folder.write(&format!("Cut{number}.u"), &whole[..cut]);
        let mut bad = whole.clone();
        bad[cut] ^= 0xff;
        folder.write(&format!("Bad{number}.u"), bad);
    }
    let environment = folder.environment();
    let findings = doctor(&environment);
    assert!(findings.iter().any(|finding| finding.word() == "unreadable"));
    environment.classes(&mut |_| {});
    for (id, _) in environment.files() {
        if let Ok(mut package) = environment.open_file(id) {
            environment.teach(&mut package);
            package.decode_all();
        }
    }
}

#[test]
fn what_is_not_there_is_an_error() {
    assert!(Environment::open("/no/such/folder").is_err());
    let settings =
        Settings::from_ini(&Ini::parse(b"[Core.System]\nPaths=..\\No\\*.u\n"), Path::new("."));
    assert_eq!(settings.paths.len(), 1);
    assert!(settings.paths[0].folders.is_empty());
    assert!(Environment::new(settings, OpenOptions::new()).unwrap().is_empty());
}

/// The newest generation of each chain, under the names that imports use.
fn conformed_game() -> Option<Folder> {
    let corpus = common::corpus()?;
    let folder = Folder::new();
    let mut newest: std::collections::BTreeMap<String, (u32, PathBuf)> = Default::default();
    for entry in std::fs::read_dir(corpus.join("conform")).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let Some((name, generation)) = stem.split_once("_gen") else { continue };
        let generation: u32 = generation.parse().unwrap();
        let known = newest.entry(name.to_owned()).or_default();
        if generation >= known.0 {
            *known = (generation, path);
        }
    }
    for (name, (_, path)) in newest {
        folder.write(&format!("System/{name}.u"), std::fs::read(path).unwrap());
    }
    Some(folder)
}

#[test]
fn imports_of_real_packages_are_found_where_their_package_is_there() {
    let Some(folder) = conformed_game() else { return };
    let environment = folder.environment();
    let (mut found, mut native, mut missing) = (0, 0, 0);
    for (id, file) in environment.files() {
        for import in environment.resolve_file(id).unwrap() {
            let there = environment.find(&import.package).is_some();
            match import.outcome {
                Outcome::Found { .. } => found += 1,
                Outcome::Native => native += 1,
                Outcome::PackageMissing if !there => missing += 1,
                other => panic!("{} imports {}: {other}", file.name, import.path),
            }
        }
    }
    assert!(found > 400 && native > 50 && missing > 500, "{found} {native} {missing}");
}

#[test]
fn cpp_headers_have_the_layouts_that_were_computed() {
    let mut classes = Classes::default();
    classes.add(&Package::from_bytes(base_code()).unwrap(), "Base");
    let header = classes.cpp_header("base");
    for part in [
        "enum Side\n{\n    Left = 0,\n    Right = 1,\n    Side_COUNT = 2\n};",
        "struct FPair\n{\n    INT A;\n    FString B;\n};",
        "// Base.Thing: 52 bytes.\nclass UThing\n{\npublic:\n    INT Health; // 0x0\n    BITFIELD bOne:1; // 0x4, bit 0\n",
        "    BITFIELD :30;\n    BYTE Face; // 0x8\n    TArray<INT> Numbers; // 0xc\n    struct FPair Both; // 0x18\n",
        "static_assert(sizeof(class UThing) == 52, \"UThing\");",
    ] {
        assert!(header.contains(part), "{part}\nis not in\n{header}");
    }
    assert!(!header.contains("UOther"), "only native classes are written");
    compile(&header, "");
}

/// Lets a C++ compiler check the header, if there is one.
fn compile(header: &str, defines: &str) {
    const PRELUDE: &str = "typedef unsigned char BYTE; typedef int INT; typedef float FLOAT; typedef char ANSICHAR;\n\
        typedef unsigned int UBOOL; typedef unsigned int DWORD;\n#define BITFIELD DWORD\n\
        #define DECLARE_FUNCTION(name) void name(void*, void*);\n#define CHECK_LAYOUTS\n\
        struct FString { void* d; INT n, m; }; template<class T> struct TArray { T* d; INT n, m; };\n\
        template<class T> struct TScriptInterface { void* o; void* i; };\n#ifdef UE3\n\
        struct FName { INT i, n; }; template<class K, class V> struct TMap { INT x[15]; };\n#else\n\
        struct FName { INT i; }; template<class K, class V> struct TMap { INT x[5]; };\n#endif\n\
        struct FScriptDelegate { void* o; FName n; };\n";
    let folder = Folder::new();
    let path = folder.write("Classes.cpp", format!("{defines}\n{PRELUDE}{header}"));
    let mut compiler = std::process::Command::new("c++");
    let Ok(output) = compiler.args(["-m32", "-std=c++17", "-fsyntax-only"]).arg(path).output()
    else {
        println!("skipped: no C++ compiler");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn headers_of_real_packages_compile() {
    let Some(corpus) = common::corpus() else { return };
    for file in ["820_0_Core.u", "865_0_Core.u", "868_0_Core.u"] {
        let mut classes = Classes::default();
        classes.add(&Package::open(corpus.join("classic").join(file)).unwrap(), "Core");
        let header = classes.cpp_header("Core");
        assert!(header.matches("static_assert").count() > 50, "{file}");
        assert!(header.contains("static_assert(sizeof(class UObject) == 60"), "{file}");
        compile(&header, "#define UE3");
    }
}

#[test]
fn packages_of_later_engines_find_each_other_by_their_paths() {
    let folder = Folder::new();
    folder.write("My.uproject", "{}");
    let versions = Versions::modern(510, 0);
    let builder = || Builder::for_versions(versions.clone());
    let sea = builder().export("Sea", "/Script/Engine.Texture2D", vec![0; 8]).build().unwrap();
    folder.write("Content/Water/Sea.uasset", sea);
    let map = builder()
        .import("/Game/Water/Sea.Sea", "/Script/Engine.Texture2D")
        .import("/Game/Water/Sea.Lake", "/Script/Engine.Texture2D")
        .import("/Game/Gone.Gone", "/Script/Engine.Texture2D")
        .import("/Script/Engine.Actor", "/Script/CoreUObject.Class")
        .build()
        .unwrap();
    let map = Package::from_bytes(map).unwrap();
    let environment = folder.environment();
    let of = |path: &str| outcome(&environment, &map, path);
    assert_eq!(of("/Game/Water/Sea.Sea"), Outcome::Found { row: Some(0) });
    let near = vec!["/Game/Water/Sea.Sea".to_owned()];
    assert!(
        matches!(of("/Game/Water/Sea.Lake"), Outcome::ObjectMissing { near: found } if found != near)
    );
    assert_eq!(of("/Game/Gone.Gone"), Outcome::PackageMissing);
    assert_eq!(of("/Script/Engine.Actor"), Outcome::Native);
}

/// A struct as `upk headers --rust` writes it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Creature {
    health: Option<i32>,
    title: Option<String>,
    armor: Option<i32>,
}

impl farchive::property::Mirror for Creature {
    const NAMES: &'static [&'static str] = &["Health", "Title", "Armor"];

    fn slots(&mut self) -> Vec<&mut dyn farchive::property::Slot> {
        vec![&mut self.health, &mut self.title, &mut self.armor]
    }
}

#[test]
fn mirrored_properties_change_in_their_place() {
    use farchive::property::Mirrored;
    use farchive::{Archived, Loader, Saver};
    let package = builder(1).name("Health").name("Title").name("Other").build().unwrap();
    let package = Package::from_bytes(package).unwrap();
    let name = |text: &str| package.names().find(text).unwrap() as u8;
    let health = |value: u8| vec![name("health"), 0x22, value, 0, 0, 0];
    let title = |text: &[u8]| {
        let size = text.len() as u8;
        [&[name("title"), 0x5d, size + 1, size][..], text].concat()
    };
    let other = vec![name("other"), 0x22, 1, 0, 0, 0];
    let bytes = [title(b"one\0"), other.clone(), health(7), vec![0]].concat();
    let context = package.context();
    let load = |bytes: &[u8]| {
        let mut source = package.source().to_vec();
        let start = source.len() as u64;
        source.extend(bytes);
        let context = farchive::archive::Context::new(
            source.clone().into(),
            package.names().entries().to_vec(),
        );
        let mut loader = Loader::new(&source, package.versions().clone())
            .with_context(std::sync::Arc::new(context));
        loader.seek(&source, start, source.len() as u64).unwrap();
        let mut mirrored = Mirrored::<Creature>::default();
        mirrored.serialize(&mut loader).unwrap();
        assert_eq!(loader.remaining(), 0);
        (mirrored, source)
    };
    let save = |mirrored: &mut Mirrored<Creature>, source: &[u8]| {
        let names = package.names().entries().to_vec();
        let context = farchive::archive::Context::new(source.to_vec().into(), names);
        let mut saver =
            Saver::new(package.versions().clone()).with_context(std::sync::Arc::new(context));
        mirrored.serialize(&mut saver).map(|()| saver.into_bytes())
    };
    let (mut creature, source) = load(&bytes);
    assert_eq!((creature.fields.health, creature.fields.title.as_deref()), (Some(7), Some("one")));
    let before = creature.clone();
    assert_eq!(save(&mut creature, &source).unwrap(), bytes);
    assert_eq!(creature, before, "saving leaves the value unchanged");
    creature.fields.health = Some(9);
    creature.fields.title = Some("three".to_owned());
    let expected = [title(b"three\0"), other.clone(), health(9), vec![0]].concat();
    assert_eq!(save(&mut creature, &source).unwrap(), expected);
    creature.fields.health = None;
    let expected = [title(b"three\0"), other, vec![0]].concat();
    assert_eq!(save(&mut creature, &source).unwrap(), expected);
    creature.fields.armor = Some(1);
    let error = save(&mut creature, &source).unwrap_err();
    assert!(error.to_string().contains("stores no property Armor"), "{error}");
    drop(context);
}

/// Loads and saves every object of the classes that the source has; the classes are put in for CLASSES.
const DRIVER: &str = r##"
mod generated;
use std::sync::Arc;
use farchive::{Archived, Loader, Package, Saver};
fn round<T: Archived + Default>(package: &Package, row: usize, class: &str) -> Result<bool, String> {
    let text = |error: farchive::Error| format!("#{row} of {class}: {error}");
    let export = package.exports().get(row).unwrap();
    let layouts = Arc::new(package.layouts());
    let context = Arc::new((*package.context()).clone().with_layouts(layouts).with_scope(class));
    let (start, source) = (export.common().serial_offset, package.source());
    let mut loader = Loader::new(source, package.versions().clone()).with_context(context.clone());
    loader.seek(source, start, start + export.common().serial_size).map_err(text)?;
    let mut value = T::default();
    value.serialize(&mut loader).map_err(text)?;
    let left = loader.remaining();
    let mut saver = Saver::new(package.versions().clone()).at(start).with_context(context);
    value.serialize(&mut saver).map_err(text)?;
    let body = export.body();
    Ok(left == 0 && saver.bytes() == body)
}
fn main() {
    let package = Package::open(std::env::args().nth(1).unwrap()).unwrap();
    let (mut objects, mut same) = (0, 0);
    for row in 0..package.exports().len() {
        let export = package.exports().get(row).unwrap();
        if export.common().class_index.value() <= 0 { continue; }
        let class = export.class();
        let result = match class.as_str() {
            CLASSES
            _ => continue,
        };
        objects += 1;
        match result {
            Ok(true) => same += 1,
            Ok(false) => println!("{} differs", export.path()),
            Err(error) => println!("{error}"),
        }
    }
    println!("{objects} {same}");
}
"##;

/// Compiles the program with the library that this test is linked with.
fn compile_rust(folder: &Folder) -> Option<PathBuf> {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let is_library = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libfarchive-") && name.ends_with(".rlib")
    };
    let all = std::fs::read_dir(&deps).unwrap().map(|entry| entry.unwrap().path());
    let mut libraries: Vec<PathBuf> = all.filter(is_library).collect();
    libraries.sort_by_key(|path| std::fs::metadata(path).and_then(|meta| meta.modified()).ok());
    let mut said = String::new();
    // Libraries of other features may lie beside ours, newest last.
    for library in libraries.iter().rev().take(4) {
        let program = folder.path("round");
        let mut compiler =
            std::process::Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        compiler.args(["--edition", "2024", "-L"]).arg(format!("dependency={}", deps.display()));
        compiler.arg("--extern").arg(format!("farchive={}", library.display()));
        let Ok(output) = compiler.arg("-o").arg(&program).arg(folder.path("main.rs")).output()
        else {
            println!("skipped: no Rust compiler");
            return None;
        };
        if output.status.success() {
            return Some(program);
        }
        said = String::from_utf8_lossy(&output.stderr).into_owned();
    }
    panic!("the source does not compile: {said}");
}

#[test]
fn rust_structs_load_and_save_real_objects() {
    let Some(corpus) = common::corpus() else { return };
    for file in ["820_0_Core.u", "868_0_Core.u"] {
        load_and_save(&corpus.join("classic").join(file));
    }
}

fn load_and_save(path: &Path) {
    let mut classes = Classes::default();
    classes.add(&Package::open(path).unwrap(), "Core");
    let folder = Folder::new();
    folder.write("generated.rs", classes.rust_source("Core"));
    let arm = |class: &farchive::environment::ClassInfo| {
        format!("{0:?} => round::<generated::{0}Object>(&package, row, &class),", class.name)
    };
    let arms: Vec<String> = classes.iter().map(arm).collect();
    folder.write("main.rs", DRIVER.replace("CLASSES", &arms.join("\n            ")));
    let Some(program) = compile_rust(&folder) else { return };
    let output = std::process::Command::new(program).arg(path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().last().unwrap_or_default();
    let numbers: Vec<usize> = last.split(' ').map(|word| word.parse().unwrap()).collect();
    assert!(numbers[0] >= 5 && numbers[0] == numbers[1], "{text}");
}
