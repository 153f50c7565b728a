//! What servers and clients have: package maps, caches, definitions.

use unreal_packages::ErrorKind;
use unreal_packages::environment::{Cache, CacheState, Definition, Ini};
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::primitive::PackageFlags;

use crate::game::{INI, SERVER_SIDE_ONLY, builder, game, guid};

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
    let written = cache.extract(guid(12), &out, false).unwrap();
    assert_eq!(written, out.join("Mod12.u"));
    assert_eq!(Package::open(&written).unwrap().guid(), guid(12));
    let again = cache.extract(guid(12), &out, false).unwrap_err();
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
    assert!(cache.extract(guid(12), &other, false).is_err());
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
    let ue2 = Definition::of_flags(PackageFlags(0x21), unreal_packages::Engine::Ue2);
    assert_eq!((ue2.allow_download, ue2.official), (true, Some(true)));
}
