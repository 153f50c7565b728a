//! The commands that look at many packages.

use crate::common;

use common::{Folder, upk};
use unreal_packages::Guid;
use unreal_packages::generate::Builder;
use unreal_packages::package::FurtherSections;
use unreal_packages::primitive::PackageFlags;
use unreal_packages::table::SoftPackageReference;
use unreal_packages::version::UnrealVersions;

fn builder(number: u32) -> Builder {
    Builder::new(69).guid(Guid::new(number, 0, 0, 0))
}

/// Core, Engine, a mod, a map and a cache with one package, named by an ini file.
fn game() -> Folder {
    let folder = Folder::new();
    folder.write(
        "System/Game.ini",
        "[Core.System]\r\nCachePath=..\\Cache\r\nPaths=..\\System\\*.u\r\nPaths=..\\Maps\\*.unr\r\n\r\n\
         [Engine.GameEngine]\r\nServerPackages=Mod\r\n",
    );
    let core = builder(1).export("Object", "Core.Class", []).build().unwrap();
    folder.write("System/Core.u", core);
    let engine = builder(2).import("Core.Object", "Core.Class").export("Actor", "Core.Class", []);
    folder.write("System/Engine.u", engine.build().unwrap());
    let own = builder(3).import("Engine.Actor", "Core.Class").export("Gun", "Core.Class", []);
    folder.write("System/Mod.u", own.build().unwrap());
    let map = builder(4).import("Mod.Gun", "Core.Class").import("Engine.Actor", "Core.Class");
    folder.write("maps/Arena.unr", map.build().unwrap());
    let cached = builder(9).build().unwrap();
    let guid = Guid::new(9, 0, 0, 0);
    folder.write(&format!("Cache/{guid}.uxx"), cached);
    folder.write("Cache/Cache.ini", format!("[Cache]\r\n{guid}=Old.u\r\n"));
    folder
}

#[test]
fn deps_shows_what_is_there_and_what_is_not() {
    let folder = game();
    let root = folder.arg("");
    let run = folder.run("deps", "maps/Arena.unr", &["--env", &root]).exits(0);
    assert!(run.out.contains("Arena needs 2 packages"), "{run:?}");
    // Without the game only the map's own folder is searched.
    let run = folder.run("deps", "maps/Arena.unr", &[]).exits(1);
    assert_eq!(run.out.matches("missing").count(), 2, "{run:?}");
    let run = folder.run("deps", "maps/Arena.unr", &["--env", &root, "--imports"]).exits(0);
    assert!(run.out.contains("Mod.Gun (Core.Class): found"), "{run:?}");
    let run = folder.run("deps", "maps/Arena.unr", &["--env", &root, "--tree"]).exits(0);
    assert_eq!(run.out, "Arena\n  Engine\n    Core\n  Mod\n    Engine …\n");
    let run = upk(&["deps", &root, "--dot"]).exits(0);
    assert!(run.out.starts_with("digraph packages {\n") && run.out.ends_with("}\n"), "{run:?}");
    assert!(run.out.contains("  \"Arena\" -> \"Mod\";\n"), "{run:?}");
    let rows = upk(&["deps", &root, "--json", "--imports"]).exits(0).json();
    assert_eq!(rows.len(), 4);
    let arena = rows.iter().find(|row| row["package"] == "Arena").unwrap();
    assert_eq!(arena["needs"]["Mod"]["imports"], 2);
    let gun =
        arena["imports"].as_array().unwrap().iter().find(|it| it["path"] == "Mod.Gun").unwrap();
    assert_eq!((gun["outcome"].as_str(), gun["row"].as_u64()), (Some("found"), Some(0)));
    folder.write("System/Broken.u", b"?");
    let run = upk(&["deps", &root]).exits(1);
    assert!(run.out.contains("Broken.u: can't be opened"), "{run:?}");
    assert!(run.out.ends_with("4 packages, 8 imports\n"), "{run:?}");
}

#[test]
fn uses_shows_who_needs_an_object() {
    let folder = game();
    let root = folder.arg("");
    let rows = upk(&["uses", "Engine.Actor", &root, "--json"]).exits(0).json();
    let packages: Vec<_> = rows.iter().map(|row| row["package"].as_str().unwrap()).collect();
    assert_eq!(packages, ["Mod", "Arena"]);
    let run = upk(&["uses", "Engine.Actor", &root]).exits(0);
    assert!(run.out.ends_with("2 packages need Engine.Actor\n"), "{run:?}");
    upk(&["uses", "Engine.Actor", "/no/such/folder"]).exits(2);
}

#[test]
fn the_doctor_reports_and_says_so_in_its_exit_code() {
    let folder = game();
    let root = folder.arg("");
    let run = upk(&["doctor", &root]).exits(0);
    assert_eq!(run.out, "4 packages: 0 findings\n");
    std::fs::remove_file(folder.path("System/Engine.u")).unwrap();
    let rows = upk(&["doctor", &root, "--json"]).exits(1).json();
    assert_eq!(
        (rows[0]["finding"].as_str(), rows[0]["package"].as_str()),
        (Some("package-missing"), Some("Engine"))
    );
    let last = rows.last().unwrap();
    assert_eq!(
        (last["packages"].as_u64(), last["opened"].as_u64(), last["findings"].as_u64()),
        (Some(3), Some(3), Some(1))
    );
}

#[test]
fn a_package_map_is_shown() {
    let folder = game();
    let root = folder.arg("");
    let rows =
        folder.run("package-map", "maps/Arena.unr", &["--env", &root, "--json"]).exits(0).json();
    let names: Vec<_> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Arena", "Mod", "Engine", "Core"]);
    assert_eq!(rows[1]["downloadable"], true);
    let run = folder.run("package-map", "maps/Arena.unr", &[]).exits(1);
    assert!(run.out.contains("not sent: Mod, needed by Arena: no file"), "{run:?}");
}

#[test]
fn the_cache_is_listed_searched_and_changed() {
    let folder = game();
    let root = folder.arg("");
    let rows = upk(&["cache", "list", &root, "--json"]).exits(0).json();
    assert_eq!(
        (rows.len(), rows[0]["original"].as_str(), rows[0]["state"].as_str()),
        (1, Some("Old.u"), Some("fine"))
    );
    upk(&["cache", "find", &root, "nothing"]).exits(1);
    upk(&["cache", "find", &folder.arg("Cache"), "old"]).exits(0);
    upk(&["cache", "add", &root, &folder.arg("System/Mod.u")]).exits(0);
    let out = folder.arg("Back.u");
    upk(&["cache", "extract", &root, "Mod", "--overwrite", "-o", &out]).exits(0);
    assert_eq!(folder.read("Back.u"), folder.read("System/Mod.u"));
    upk(&["cache", "extract", &root, "Mod", "-o", &out]).exits(1);
    let wrong = format!("Cache/{}.uxx", Guid::new(8, 0, 0, 0));
    folder.write(&wrong, builder(7).build().unwrap());
    let run = upk(&["cache", "list", &root]).exits(1);
    assert!(run.out.contains("its header says 00000007"), "{run:?}");
}

#[test]
fn flags_come_from_a_definition() {
    let folder = Folder::with_mod();
    folder.write("Mod.upkg", "[Flags]\r\nAllowDownload=False\r\nServerSideOnly=True\r\n");
    let (out, definition) = (folder.arg("Out.u"), folder.arg("Mod.upkg"));
    folder.run("set-flags", "Mod.u", &["--from", &definition, "--overwrite", "-o", &out]).exits(0);
    assert_eq!(folder.open("Out.u").summary().package_flags, PackageFlags(4));
    folder
        .run(
            "set-flags",
            "Mod.u",
            &["--from", &definition, "--add", "1", "--overwrite", "-o", &out],
        )
        .exits(2);
    folder.write("Mod.upkg", "[Flags]\r\nAllowDownload=perhaps\r\n");
    folder.run("set-flags", "Mod.u", &["--from", &definition, "--overwrite", "-o", &out]).exits(2);
}

#[test]
fn an_environment_types_values() {
    let folder = game();
    let root = folder.arg("");
    folder.run("verify", "System/Mod.u", &["--env", &root]).exits(0);
    let run = folder.run("dump", "System/Mod.u", &["--search", &root]).exits(0);
    assert!(run.err.contains("--search is called --env now"), "{run:?}");
    folder.run("refs", "System/Mod.u", &["Engine.Actor", "--env", "/no/such/folder"]).exits(2);
}

#[test]
fn every_command_that_opens_packages_takes_an_environment() {
    let folder = game();
    let root = folder.arg("");
    for command in ["info", "list", "verify", "explain", "dump", "to-json"] {
        folder.run(command, "System/Mod.u", &["--env", &root]).exits(0);
        // An environment that is not there is a mistake, not an empty one.
        folder.run(command, "System/Mod.u", &["--env", "/no/such/folder"]).exits(2);
    }
    let (old, out) = (folder.arg("System/Mod.u"), folder.arg("Out.u"));
    folder.run("diff", "System/Mod.u", &[&old, "--env", &root]).exits(0);
    folder.run("get", "System/Mod.u", &["Gun", "--env", "/no/such/folder"]).exits(2);
    let (wrong, out) = (["--env", "/no/such/folder", "--overwrite", "-o", &out], out.as_str());
    for arguments in [&["set", "Gun.X=1"][..], &["extract"], &["prune"], &["conform", "--to", &old]]
    {
        let more = [&arguments[1..], &wrong].concat();
        let run = folder.run(arguments[0], "System/Mod.u", &more).exits(2);
        assert!(run.err.contains("/no/such/folder"), "{run:?}");
    }
    folder.run("prune", "System/Mod.u", &["--env", &root, "--overwrite", "-o", out]).exits(0);
}

/// A project of UE4 with a texture and a map that refers to it, and to something else, softly.
fn project() -> Folder {
    let folder = Folder::new();
    folder.write("My.uproject", "{}");
    let builder = || Builder::for_versions(unreal_packages::Versions::ue4_and_5(516, 0));
    let sea = builder().export("Sea", "/Script/Engine.Texture2D", vec![0; 8]);
    folder.write("Content/Sea.uasset", sea.build().unwrap());
    let mut sections = FurtherSections::default();
    for row in [1, 2] {
        let reference =
            SoftPackageReference { name: unreal_packages::Name::new(row), ..Default::default() };
        sections.soft_package_references.push(reference);
    }
    let names = ["None", "/Game/Sea", "/Game/Gone"];
    let map = names.into_iter().fold(builder(), Builder::name).sections(sections);
    folder.write("Content/Entry.umap", map.build().unwrap());
    folder
}

#[test]
fn soft_references_are_shown_apart_from_imports() {
    let folder = project();
    let root = folder.arg("");
    let run = folder.run("deps", "Content/Entry.umap", &["--env", &root]).exits(1);
    assert!(run.out.contains("/Game/Entry needs 2 packages"), "{run:?}");
    let line = |text: &str| run.out.lines().find(|line| line.contains(text)).unwrap().to_owned();
    assert!(line("/Game/Sea").ends_with("soft  found"), "{run:?}");
    assert!(line("/Game/Gone").ends_with("soft  missing"), "{run:?}");
    let rows = upk(&["deps", &root, "--json"]).exits(1).json();
    let entry = rows.iter().find(|row| row["package"] == "/Game/Entry").unwrap();
    assert_eq!(entry["needs"]["/Game/Gone"]["soft"], 1);
    assert_eq!(entry["imports"][0]["kind"], "soft");
    let run = folder.run("deps", "Content/Entry.umap", &["--env", &root, "--tree"]).exits(1);
    assert_eq!(run.out, "/Game/Entry\n  /Game/Gone (soft) (missing)\n  /Game/Sea (soft)\n");
    let run = upk(&["deps", &root, "--dot"]).exits(1);
    assert!(run.out.contains("\"/Game/Entry\" -> \"/Game/Sea\" [style=dotted];"), "{run:?}");
    let rows = upk(&["uses", "/Game/Sea", &root, "--json"]).exits(0).json();
    assert_eq!((rows.len(), rows[0]["kind"].as_str()), (1, Some("soft")));
    let rows = upk(&["doctor", &root, "--json"]).exits(1).json();
    assert_eq!(rows[0]["finding"], "soft-package-missing");
    let run = folder.run("headers", "Content/Sea.uasset", &["--rust"]).exits(0);
    assert!(run.out.starts_with("// Needs the crate `unreal-packages`"), "{run:?}");
    let run = folder.run("headers", "Content/Sea.uasset", &[]).exits(1);
    assert!(run.err.contains("upk classes"), "{run:?}");
}

#[test]
fn what_other_packages_import_is_not_taken_from_them() {
    let folder = game();
    let (root, out) = (folder.arg(""), folder.arg("Out.u"));
    let engine = "System/Engine.u";
    let run = folder
        .run("remove", engine, &["Actor", "--env", &root, "--overwrite", "-o", &out])
        .exits(1);
    assert!(run.err.contains("2 references of other packages would break"), "{run:?}");
    assert!(run.err.contains("Mod imports Engine.Actor"), "{run:?}");
    folder
        .run("rename", engine, &["Actor", "Being", "--env", &root, "--overwrite", "-o", &out])
        .exits(1);
    folder
        .run(
            "rename",
            engine,
            &["--name", "actor", "Being", "--env", &root, "--overwrite", "-o", &out],
        )
        .exits(1);
    folder
        .run("move", "System/Mod.u", &["Gun", "--top", "--env", &root, "--overwrite", "-o", &out])
        .exits(1);
    assert!(!folder.path("Out.u").exists());
    let loose = ["Actor", "--env", &root, "--break-imports", "--overwrite", "-o", &out];
    folder.run("remove", engine, &loose).exits(0);
    folder.run("rename", engine, &["Actor", "Being", "--overwrite", "-o", &out]).exits(0);
    // Nobody imports it.
    folder.write("System/Free.u", builder(7).export("Lone", "Core.Class", []).build().unwrap());
    folder
        .run("remove", "System/Free.u", &["Lone", "--env", &root, "--overwrite", "-o", &out])
        .exits(0);
}

#[test]
fn a_cache_outside_of_the_game_is_not_replaced_by_the_games_folder() {
    for (written, is_there) in [("..\\..\\Cache", true), ("..\\Missing", false)] {
        let folder = Folder::new();
        let text = format!("[Core.System]\nCachePath={written}\nPaths=..\\System\\*.u\n");
        folder.write("Game/System/Game.ini", text);
        std::fs::create_dir(folder.path("Cache")).unwrap();
        let file = folder.write("Mod.u", builder(3).build().unwrap());
        let (game, file) = (folder.arg("Game"), file.to_str().unwrap().to_owned());
        for args in [&["cache", "list", &game][..], &["cache", "add", &game, &file]] {
            let run = upk(args).exits(2);
            assert!(run.err.contains("CachePath") && run.err.contains(written), "{run:?}");
        }
        assert_eq!(std::fs::read_dir(folder.path("Game")).unwrap().count(), 1);
        if is_there {
            upk(&["cache", "add", &game, &file, "--follow-links"]).exits(0);
            upk(&["cache", "add", &folder.arg("Cache"), &file]).exits(0);
            assert_eq!(std::fs::read_dir(folder.path("Cache")).unwrap().count(), 2);
        }
    }
}
