//! Packages as IoStore containers hold them.

use crate::common;

use common::{Folder, upk};
use unreal_packages::EngineRelease;
use unreal_packages::container::zen::{
    ScriptObjectEntry, ScriptObjects, ZenName, ZenReference, ZenTarget, hash,
};
use unreal_packages::edit::{PackageEdit, RenamePackage};
use unreal_packages::generate::Builder;
use unreal_packages::package::{FurtherSections, OpenOptions, Package};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::{Archived, PackageIndex, Saver};

const RELEASE: EngineRelease = EngineRelease::new(5, 6);
const COOKED: PackageFlags = PackageFlags(0x8000_0200);

/// A cooked package that imports from a package and from compiled code.
fn cooked() -> Package {
    // A row that belongs to no export, so that there is a table.
    let mut sections = FurtherSections::default();
    sections.preload_dependencies = vec![PackageIndex::new(-1)];
    let builder = Builder::for_release(RELEASE)
        .flags(COOKED)
        .sections(sections)
        .import("/Game/Door.Door", "/Script/Engine.StaticMesh")
        .import("/Game/Door.Door.Handle", "/Script/Engine.BodySetup");
    let mut package = OpenOptions::new().open_bytes(builder.build().unwrap()).unwrap();
    let known = |text: &str| text.parse().unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object("Town", "/Script/Engine.DataAsset")?;
            edit.add_blank_object("Town.Part", "/Script/Engine.StaticMeshComponent")?;
            edit.add_property("Town", "Title", &known("string"), "Hello")?;
            let handle = "/Game/Door.Door.Handle";
            edit.add_property("Town.Part", "BodySetup", &known("object"), handle)?;
            let options = RenamePackage::new().from("/Game/Old").keep_object(true);
            edit.rename_package("/Game/Town", &options).map(drop)
        })
        .unwrap();
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

/// The table of the compiled code that a package imports.
fn script_objects(package: &Package) -> Vec<u8> {
    let mut objects = ScriptObjects::default();
    let reference =
        |path: &str| ZenReference::from(ZenTarget::Script(hash::of_script_object(path)));
    for import in package.imports().iter().filter(|it| it.path().starts_with("/Script/")) {
        let (path, row) = (import.path(), objects.rows.len() as u32);
        objects.names.texts.push(import.name());
        objects.rows.push(ScriptObjectEntry {
            name: ZenName { row: row | 2 << 30, number: 0 },
            global: reference(&path),
            outer: path.rsplit_once('.').map(|(outer, _)| reference(outer)).unwrap_or_default(),
            default_of: match path.contains(".Default__") {
                true => reference(&path.replace("Default__", "")),
                false => ZenReference::NULL,
            },
        });
    }
    let mut saver = Saver::new(RELEASE.versions());
    objects.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

/// A folder with `Town.uasset` and `Town.uexp`, `Zen.uasset` made of them and `ScriptObjects.bin`.
fn folder() -> Folder {
    let folder = Folder::new();
    let package = cooked();
    let bytes = package.to_bytes().unwrap();
    let (header, bodies) = bytes.split_at(package.summary().total_header_size as usize);
    folder.write("Town.uasset", header);
    folder.write("Town.uexp", bodies);
    folder.write("ScriptObjects.bin", script_objects(&package));
    let zen = folder.arg("Zen.uasset");
    let run = folder.run("convert", "Town.uasset", &["--to", "zen", "-o", &zen]).exits(0);
    assert!(run.out.contains("zen package /Game/Town"), "{run:?}");
    folder
}

/// A project whose package has what imports of others have no name for; its folder.
fn project_with_a_door(folder: &Folder) -> String {
    let door = Builder::for_release(RELEASE)
        .flags(COOKED)
        .export("Door", "/Script/Engine.StaticMesh", vec![0; 13])
        .export("Door.Handle", "/Script/Engine.BodySetup", vec![0; 13]);
    folder.write("Env/Content/Door.uasset", door.build().unwrap());
    folder.write("Env/Game.uproject", "{}");
    folder.arg("Env")
}

#[test]
fn a_cooked_package_becomes_a_zen_package_and_itself_again() {
    let folder = folder();
    let zen = folder.read("Zen.uasset");
    assert_eq!(zen[..4], [1, 0, 0, 0]);
    let (objects, back) = (folder.arg("ScriptObjects.bin"), folder.arg("Back.uasset"));
    // Which object of the other package it is nobody says.
    let rest = ["--to", "legacy", "--script-objects", &objects, "-o", &back];
    let refused = folder.run("convert", "Zen.uasset", &rest).exits(1);
    assert!(refused.err.contains("1 import has no name: /Game/Door.@"), "{refused:?}");
    assert!(refused.err.contains("--env"), "{refused:?}");
    assert!(!folder.path("Back.uasset").exists());
    let forced = [&rest[..], &["--force", "--dry-run", "--json"]].concat();
    let run = folder.run("convert", "Zen.uasset", &forced).exits(0).object();
    assert_eq!(run["change"]["unknown_imports"].as_array().unwrap().len(), 1, "{run}");
    // The package that it lies in says it.
    let env = project_with_a_door(&folder);
    let rest = [&rest[..], &["--env", &env, "--json"]].concat();
    let run = folder.run("convert", "Zen.uasset", &rest).exits(0).object();
    assert_eq!(run["change"]["way_back_is_exact"], true, "{run}");
    assert_eq!(run["change"]["unknown_imports"], serde_json::json!([]), "{run}");
    let imports = |name: &str| -> Vec<String> {
        let package = Package::open(folder.path(name)).unwrap();
        package.imports().iter().map(|it| format!("{} {}", it.class(), it.path())).collect()
    };
    assert_eq!(imports("Back.uasset"), imports("Town.uasset"));
    let again = folder.arg("Again.uasset");
    folder.run("convert", "Back.uasset", &["--to", "zen", "-o", &again]).exits(0);
    assert_eq!(folder.read("Again.uasset"), zen);
}

#[test]
fn every_command_takes_zen_packages() {
    let folder = folder();
    let before = folder.read("Zen.uasset");
    let info = folder.run("info", "Zen.uasset", &["--json"]).exits(0).object();
    assert_eq!(info["storage"]["form"]["kind"], "zen", "{info}");
    assert_eq!(info["package"], "/Game/Town", "{info}");
    let list = folder.run("list", "Zen.uasset", &[]).exits(0);
    assert!(list.out.contains("Town.Part"), "{list:?}");
    let objects = folder.arg("ScriptObjects.bin");
    let named = ["--imports", "--script-objects", &objects];
    let list = folder.run("list", "Zen.uasset", &named).exits(0);
    assert!(list.out.contains("/Script/Engine.StaticMeshComponent"), "{list:?}");
    let value = folder.run("get", "Zen.uasset", &["Town.Title"]).exits(0);
    assert!(value.out.contains("Hello"), "{value:?}");
    let verify = folder.run("verify", "Zen.uasset", &["--json"]).exits(0).json();
    assert_eq!(verify[0]["status"], "identical", "{verify:?}");
    let explain = folder.run("explain", "Zen.uasset", &["--file"]).exits(0);
    assert!(explain.out.contains("summary.cooked_header_size"), "{explain:?}");
    assert!(explain.out.contains("exports[1].public_hash"), "{explain:?}");
    let same = folder.run("diff", "Zen.uasset", &[&folder.arg("Zen.uasset")]).exits(0);
    assert!(same.err.is_empty(), "{same:?}");

    let out = folder.arg("Set.uasset");
    let text = "a title that is a good deal longer than it was";
    folder.run("set", "Zen.uasset", &[&format!("Town.Title={text}"), "-o", &out]).exits(0);
    let value = upk(&["get", &out, "Town.Title"]).exits(0);
    assert!(value.out.contains(text), "{value:?}");
    let diff = upk(&["diff", &folder.arg("Zen.uasset"), &out]).exits(1);
    assert!(diff.out.contains("Title"), "{diff:?}");
    let copy = folder.arg("Copy.uasset");
    // What is copied must be known.
    let named = ["--script-objects", &objects];
    upk(&[&["duplicate", &out, "Town.Part", "Twin", "-o", &copy][..], &named].concat()).exits(0);
    let renamed = folder.arg("Renamed.uasset");
    upk(&[&["rename", &copy, "Town.Twin", "Third", "-o", &renamed][..], &named].concat()).exits(0);
    let removed = folder.arg("Removed.uasset");
    upk(&[&["remove", &renamed, "Town.Third", "-o", &removed][..], &named].concat()).exits(0);
    // Of what came and went only the name is left.
    let diff = upk(&["diff", &out, &removed, "--json"]).exits(1).object();
    assert_eq!(diff["added"], serde_json::json!([]), "{diff}");
    assert_eq!(diff["changed"], serde_json::json!([]), "{diff}");
    for file in ["Set.uasset", "Copy.uasset", "Renamed.uasset", "Removed.uasset"] {
        let verify = folder.run("verify", file, &["--json"]).exits(0).json();
        assert_eq!(verify[0]["status"], "identical", "{file}: {verify:?}");
        assert_eq!(folder.read(file)[..4], [1, 0, 0, 0], "{file}");
    }

    let document = folder.arg("Zen.json");
    folder.run("to-json", "Zen.uasset", &["-o", &document]).exits(0);
    let again = folder.arg("FromJson.uasset");
    upk(&["from-json", &document, "-o", &again]).exits(0);
    assert_eq!(folder.read("FromJson.uasset"), before);
    let refused =
        folder.run("decompress", "Zen.uasset", &["-o", &folder.arg("No.uasset")]).exits(1);
    assert!(refused.err.contains("convert --to legacy"), "{refused:?}");
    assert_eq!(folder.read("Zen.uasset"), before);
}

/// Without the table of script objects nothing tells what is a picture: that nothing comes out is said, with what helps.
#[test]
fn objects_whose_class_is_a_hash_are_not_passed_over() {
    let folder = folder();
    folder.write("Zen/Game/Content/Town.uasset", folder.read("Zen.uasset"));
    let game = folder.arg("Game.utoc");
    folder.run("pack", "Zen", &["-o", &game, "--engine", "5.6"]).exits(0);
    let out = folder.arg("Out");
    let run = folder.run("extract", "Game.utoc", &["-o", &out]).exits(1);
    assert!(run.out.contains("): nothing at hand names its class"), "{run:?}");
    assert!(run.out.contains("--script-objects FILE"), "{run:?}");
    let lines = folder.run("extract", "Game.utoc", &["-o", &out, "--json"]).exits(1).json();
    assert_eq!(lines[0]["not_extracted"], "nothing at hand names its class");
    let (file, made) = (folder.arg("Zen.uasset"), folder.arg("Made"));
    for (command, given) in [
        ("extract", &["Town.Part", "-o", &made][..]),
        ("import", &["Town.Part", &file, "-o", &made]),
    ] {
        let run = folder.run(command, "Zen.uasset", given).exits(1);
        assert!(run.err.contains("name of the class '"), "{run:?}");
        assert!(run.err.contains("--script-objects FILE"), "{run:?}");
    }
    let named = ["-o", &out, "--script-objects", &folder.arg("ScriptObjects.bin")];
    let run = folder.run("extract", "Game.utoc", &named);
    assert!(!run.out.contains("names its class"), "{run:?}");
}

/// What a container of IoStore holds can be taken out as it was cooked, changed with any tool, and packed again.
#[test]
fn whole_containers_become_cooked_packages_and_containers_again() {
    let folder = folder();
    folder.write("Zen/Game/Content/Town.uasset", folder.read("Zen.uasset"));
    folder.write("Zen/Game/Content/Town.ubulk", [5; 40]);
    let game = folder.arg("Game.utoc");
    folder.run("pack", "Zen", &["-o", &game, "--engine", "5.6"]).exits(0);
    let cooked = folder.arg("Cooked");
    let objects = folder.arg("ScriptObjects.bin");
    let rest = ["--legacy", "-o", &cooked, "--script-objects", &objects];
    let run = folder.run("unpack", "Game.utoc", &rest).exits(1);
    assert!(run.err.contains("1 of its imports have no name"), "{run:?}");
    assert!(!folder.path("Cooked/Game/Content/Town.uasset").exists());
    // Hashes as names, or the package that has them.
    let forced = [&rest[..], &["--force", "--overwrite"]].concat();
    let run = folder.run("unpack", "Game.utoc", &forced).exits(0);
    assert!(run.out.contains("the way back gives 0 of them the same bytes"), "{run:?}");
    let env = project_with_a_door(&folder);
    let named = [&rest[..], &["--env", &env, "--overwrite"]].concat();
    let run = folder.run("unpack", "Game.utoc", &named).exits(0);
    assert!(run.out.contains("the way back gives 1 of them the same bytes"), "{run:?}");
    for file in ["Town.uasset", "Town.uexp", "Town.ubulk"] {
        assert!(folder.path(&format!("Cooked/Game/Content/{file}")).exists(), "{file}");
    }
    folder.run("verify", "Cooked", &[]).exits(0);
    for (name, args) in [("A_P.utoc", ["--like", &game]), ("B_P.utoc", ["--engine", "5.6"])] {
        let out = folder.arg(name);
        folder.run("pack", "Cooked", &[&["-o", &out][..], &args].concat()).exits(0);
        let to = folder.arg(&format!("{name}.out"));
        folder.run("unpack", name, &["-o", &to]).exits(0);
        let again = folder.read(&format!("{name}.out/Game/Content/Town.uasset"));
        assert_eq!(again, folder.read("Zen.uasset"), "{name}");
        assert_eq!(folder.read(&format!("{name}.out/Game/Content/Town.ubulk")), [5; 40]);
    }
    // A damaged file beside a package leaves all of its set as it is; so does a package whose hash is wrong.
    let before = ["Town.uasset", "Town.uexp", "Town.ubulk"]
        .map(|file| folder.read(&format!("Cooked/Game/Content/{file}")));
    let mut blocks = folder.read("Game.ucas");
    let at = blocks.windows(40).position(|bytes| bytes == [5; 40]).unwrap();
    blocks[at] = 6;
    folder.write("Game.ucas", blocks);
    folder.write("Cooked/Game/Content/Town.uexp", "old");
    let run = folder.run("unpack", "Game.utoc", &named).exits(1);
    assert!(run.out.contains("wrote 0 files") && run.out.contains("0 packages as"), "{run:?}");
    assert_eq!(folder.read("Cooked/Game/Content/Town.uexp"), b"old");
    folder.write("Cooked/Game/Content/Town.uexp", &before[1]);
    // In a .pak file packages are so already.
    let pak = folder.arg("Game_P.pak");
    folder.run("pack", "Cooked", &["-o", &pak]).exits(0);
    folder.run("unpack", "Game_P.pak", &["--legacy", "-o", &folder.arg("No")]).exits(2);
}

#[test]
fn one_patch_of_a_utoc_takes_several_packages() {
    let folder = folder();
    for name in ["Town", "Village"] {
        folder.write(&format!("Zen/Game/Content/{name}.uasset"), folder.read("Zen.uasset"));
    }
    let (old, new) = ("/Game/Town", "/Game/Village");
    let village = folder.arg("Zen/Game/Content/Village.uasset");
    upk(&["rename", &village, "--package", new, "--from", old, "--keep-object", "--in-place"])
        .exits(0);
    folder.run("pack", "Zen", &["-o", &folder.arg("Game.utoc"), "--engine", "5.6"]).exits(0);
    let edits = folder.write("edits.txt", "set Town.Title=Changed").display().to_string();
    let patch = folder.arg("Mod_P.utoc");
    let run = upk(&["edit", &edits, &folder.arg("Game.utoc"), "-o", &patch]).exits(0);
    assert!(run.out.contains("2 packages edited") && run.out.contains("2 files"), "{run:?}");
    for name in ["Town", "Village"] {
        let value = folder.run("get", &format!("Mod_P.utoc/{name}.uasset"), &["Town.Title"]);
        assert!(value.exits(0).out.contains("Changed"), "{name}");
    }
    folder.run("verify", "Mod_P.utoc", &[]).exits(0);
    for end in ["ucas", "pak"] {
        assert!(folder.path(&format!("Mod_P.{end}")).exists(), "{end}");
    }
    // The .pak file beside it is empty, and says where the packages are.
    let run = folder.run("unpack", "Mod_P.pak", &["-o", &folder.arg("Out")]).exits(2);
    assert!(run.err.contains("next: upk unpack") && run.err.contains("Mod_P.utoc"), "{run:?}");
    let run = upk(&["ls", &folder.arg("Mod_P.pak"), &folder.arg("Game.utoc")]).exits(0);
    assert!(
        run.out.contains("the game's files are in") && run.out.contains("Village.uasset"),
        "{run:?}"
    );
}
