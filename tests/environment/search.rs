//! Where packages are looked for.

use std::path::Path;

use unreal_packages::environment::{Environment, Ini, Settings};
use unreal_packages::generate::Builder;
use unreal_packages::package::OpenOptions;

use crate::game::{Folder, builder, game, guid};
use crate::memory;

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
fn what_is_not_there_is_an_error() {
    assert!(Environment::open("/no/such/folder").is_err());
    let settings =
        Settings::from_ini(&Ini::parse(b"[Core.System]\nPaths=..\\No\\*.u\n"), Path::new("."));
    assert_eq!(settings.paths.len(), 1);
    assert!(settings.paths[0].folders.is_empty());
    assert!(Environment::new(settings, OpenOptions::new()).unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_a_game_are_named_and_not_searched() {
    use std::os::unix::fs::symlink;
    use unreal_packages::file::Links;
    let folder = game();
    let other = Folder::new();
    other.write("Far.utx", builder(9).build().unwrap());
    symlink(other.path("Far.utx"), folder.path("System/Far.u")).unwrap();
    symlink(other.path(""), folder.path("Music")).unwrap();
    let name = "System/UnrealTournament.ini";
    let text = std::fs::read_to_string(folder.path(name)).unwrap();
    folder.write(
        name,
        text.replace("[Core.System]\r\n", "[Core.System]\r\nPaths=../Music/*.utx\r\n"),
    );
    let open = |links| {
        let settings = Settings::detect_with(folder.path(""), links).unwrap();
        let outside = settings.outside.len();
        (Environment::new(settings, OpenOptions::new()).unwrap(), outside)
    };
    let (environment, outside) = open(Links::Inside);
    assert_eq!((environment.find("Far"), outside), (None, 1));
    assert!(environment.left_out().iter().any(|it| it.is_link && it.path.ends_with("Far.u")));
    let (environment, outside) = open(Links::Followed);
    assert!(environment.find("Far").is_some());
    assert_eq!((environment.left_out().len(), outside), (0, 0));
}

/// What paths of an ini file cost does not grow with the folders that they lead to: each is listed once.
#[test]
fn paths_do_not_list_a_folder_again() {
    const FILES: usize = 400;
    let folder = Folder::new();
    for row in 0..FILES {
        folder.write(&format!("System/File{row}.u"), []);
        folder.write(&format!("Other{row}.txt"), []);
    }
    let cost = |count: usize| {
        let paths: String = (0..count).map(|row| format!("Paths=../System/*{row}x.u\n")).collect();
        folder.write("System/Game.ini", format!("[Core.System]\nPaths=../System/*.u\n{paths}"));
        let (environment, work) = memory::work(|| folder.environment());
        assert_eq!(environment.len(), FILES);
        work.count
    };
    let (few, many) = (cost(100), cost(200));
    let each = (many - few) / 100;
    assert!(each < FILES as u64 / 4, "{each} allocations for each path");
}

#[test]
fn paths_beyond_the_first_thousand_are_named_and_not_searched() {
    let folder = Folder::new();
    let paths: String = (0..1030).map(|row| format!("Paths=../System/{row}*.u\n")).collect();
    // Those that stand there twice count once.
    folder.write("System/Game.ini", format!("[Core.System]\n{paths}{paths}"));
    folder.write("System/5Mod.u", builder(9).build().unwrap());
    let environment = folder.environment();
    let settings = environment.settings();
    assert_eq!((settings.paths.len(), settings.surplus_paths.len()), (1024, 6));
    assert_eq!(settings.surplus_paths[0], "../System/1024*.u");
    assert!(environment.find("5Mod").is_some());
}

#[test]
fn the_extension_of_cache_files_is_no_path() {
    for (written, extension) in [(".umod", ".umod"), ("/../../out", ".uxx"), ("a\\b", ".uxx")] {
        let ini = Ini::parse(format!("[Core.System]\nCacheExt={written}\n").as_bytes());
        let settings = Settings::from_ini(&ini, Path::new("."));
        assert_eq!(settings.cache_extension, extension);
    }
}
