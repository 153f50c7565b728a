//! Two builds: packages and other files of folders, containers and folders of containers.

use crate::common;
use crate::related::made;

use common::{Folder, Run, upk};
use serde_json::Value;
use unreal_packages::EngineRelease;
use unreal_packages::container::pak::{PakOptions, PakWriter};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;

/// A package with an object of this title.
fn package(name: &str, title: &str) -> Vec<u8> {
    let builder = Builder::for_release(EngineRelease::new(5, 4));
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object(name, "/Script/Engine.DataAsset")?;
            edit.add_property(name, "Title", &"string".parse().unwrap(), title)?;
            edit.rename_package(&format!("/Game/{name}"), &Default::default()).map(drop)
        })
        .unwrap();
    package.to_bytes().unwrap()
}

type Files<'a> = &'a [(&'a str, Vec<u8>)];

fn container(folder: &Folder, name: &str, files: Files<'_>) {
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, PakOptions::default());
    for (path, content) in files {
        writer.add(path, content).unwrap();
    }
    writer.finish().unwrap();
    folder.write(name, bytes);
}

fn diff(folder: &Folder, [old, new]: [&str; 2], rest: &[&str]) -> Run {
    let (old, new) = (folder.arg(old), folder.arg(new));
    upk(&[&["diff", &old, &new], rest].concat())
}

fn of<'a>(rows: &'a [Value], key: &str, path: &str) -> &'a Value {
    rows.iter().find(|row| row[key] == path).unwrap_or_else(|| panic!("no {path}: {rows:?}"))
}

/// Two builds of a game: a package changes by a patch, one goes into another chunk, one comes, one goes.
fn builds() -> Folder {
    let folder = Folder::new();
    let (a, b) = (package("A", "one"), package("B", "b"));
    let (content, ini) = ("Town/Content", "Town/Config/Game.ini");
    let path = |name: &str| format!("{content}/{name}.uasset");
    // Header and bodies in files of their own.
    let bytes = package("Split", "s");
    let header = Package::from_bytes(bytes.clone()).unwrap().summary().total_header_size as usize;
    let split = (bytes[..header].to_vec(), bytes[header..].to_vec());
    let registry = ("Town/AssetRegistry.bin", made::registry());
    let texts = ("Town/Content/L10N/Game.locres", made::texts(3));
    container(
        &folder,
        "Old/pakchunk0.pak",
        &[
            (&path("A"), a.clone()),
            (&path("B"), b.clone()),
            (&path("Gone"), package("Gone", "x")),
            (&path("Split"), split.0.clone()),
            ("Town/Content/Split.uexp", split.1.clone()),
            (ini, b"[Game]".to_vec()),
            registry.clone(),
            texts.clone(),
        ],
    );
    folder.write("AssetRegistry.bin", &registry.1);
    let out = folder.arg("New.bin");
    folder.run("set", "AssetRegistry.bin", &["/Game/A.A_2[Size]=Breite", "-o", &out]).exits(0);
    container(
        &folder,
        "New/pakchunk0.pak",
        &[
            (&path("A"), a),
            (&path("Split"), split.0),
            ("Town/Content/Split.uexp", split.1),
            (ini, b"[Town]".to_vec()),
            ("Town/AssetRegistry.bin", folder.read("New.bin")),
            texts,
        ],
    );
    let came = package("Came", "y");
    container(&folder, "New/pakchunk1.pak", &[(&path("B"), b), (&path("Came"), came)]);
    container(&folder, "New/pakchunk0_P.pak", &[(&path("A"), package("A", "two"))]);
    folder
}

#[test]
fn packages_of_builds_are_known_by_their_own_paths() {
    let folder = builds();
    let rows = diff(&folder, ["Old", "New"], &["--json"]).exits(1).json();
    let state = |path: &str| of(&rows, "package", path)["state"].as_str().unwrap();
    assert_eq!(state("Town/Content/A.uasset"), "changed");
    assert_eq!(state("Town/Content/Gone.uasset"), "removed");
    assert_eq!(state("Town/Content/Came.uasset"), "added");
    assert!(rows.iter().all(|row| row["package"] != "Town/Content/B.uasset"), "{rows:?}");
    let counts = &of(&rows, "package", "Town/Content/A.uasset")["counts"];
    assert_eq!((&counts["changed"], &counts["added"]), (&1.into(), &0.into()), "{rows:?}");
    let registry = of(&rows, "file", "Town/AssetRegistry.bin");
    assert_eq!(registry["entries"][0]["path"], "/Game/A.A_2");
    assert_eq!(registry["entries"][0]["changes"][0]["field"], "tag Size");
    assert_eq!(of(&rows, "file", "Town/Config/Game.ini")["state"], "changed");
    let totals = rows.last().unwrap();
    for (key, number) in [("added", 1), ("removed", 1), ("changed", 1), ("files_changed", 2)] {
        assert_eq!(totals[key], number, "{key}: {totals}");
    }
    assert_eq!(totals["covered"], serde_json::json!([0, 1]), "{totals}");
    assert_eq!(totals["same"], false);
    // A container by itself, in which the patch does not count; a folder in one; files taken out of one.
    let one = ["Old/pakchunk0.pak", "New/pakchunk0.pak"];
    let totals = diff(&folder, one, &["--json"]).exits(1).json().pop().unwrap();
    assert_eq!((&totals["changed"], &totals["removed"]), (&0.into(), &2.into()), "{totals}");
    let inside = one.map(|path| format!("{path}/Town/Config"));
    let names = diff(&folder, [&inside[0], &inside[1]], &["--name-only"]).exits(1).out;
    assert_eq!(names, "Town/Config/Game.ini\n");
    folder.run("unpack", "Old/pakchunk0.pak", &["-o", &folder.arg("Files")]).exits(0);
    let run = diff(&folder, ["Old", "Files"], &["--json"]).exits(0);
    assert_eq!(run.json().pop().unwrap()["same"], true);
    // Loose files that are no packages count as well.
    folder.write("Files/Town/Config/Game.ini", "[Gama]");
    let run = diff(&folder, ["Old", "Files"], &["--name-only"]).exits(1);
    assert_eq!(run.out, "Town/Config/Game.ini\n");
    // One is a build, the other is not.
    let run = diff(&folder, ["Old", "AssetRegistry.bin"], &[]).exits(2);
    assert!(run.err.contains("folder or container"), "{run:?}");
}

#[test]
fn a_container_that_cannot_be_opened_is_no_empty_build() {
    let folder = builds();
    let bytes = folder.read("New/pakchunk1.pak");
    folder.write("New/pakchunk1.pak", &bytes[9..]);
    let run = diff(&folder, ["Old", "New"], &["--json"]).exits(2);
    assert!(run.err.contains("pakchunk1.pak"), "{run:?}");
    // What only has the name of a container is none, and named: it may be one that was cut short.
    folder.write("New/pakchunk1.pak", &bytes[..bytes.len() - 9]);
    let run = diff(&folder, ["Old", "New"], &["--name-only"]).exits(1);
    assert!(
        run.err.contains("1 file is called like a container") && run.err.contains("pakchunk1.pak"),
        "{run:?}"
    );
}

#[test]
fn builds_are_summed_up_by_package_class_and_folder() {
    let folder = builds();
    let stat = diff(&folder, ["Old", "New"], &["--stat"]).exits(1).out;
    assert!(stat.contains("~ Town/Content/A.uasset | 1 object changed"), "{stat}");
    assert!(
        stat.contains("~ Town/AssetRegistry.bin | 0 entries added, 0 removed, 1 changed"),
        "{stat}"
    );
    assert!(stat.contains("1 added, 1 removed, 0 renamed, 1 changed"), "{stat}");
    assert!(!stat.contains("Title"), "{stat}");
    let names = diff(&folder, ["Old", "New"], &["--name-only"]).exits(1).out;
    let names: Vec<&str> = names.lines().collect();
    let wanted = ["Content/Gone.uasset", "Content/Came.uasset", "Content/A.uasset"];
    let wanted = wanted.iter().chain(&["AssetRegistry.bin", "Config/Game.ini"]);
    assert_eq!(names, wanted.map(|name| format!("Town/{name}")).collect::<Vec<_>>());
    let totals = diff(&folder, ["Old", "New"], &["--sizes", "--json", "--stat"]).exits(1).json();
    let totals = totals.last().unwrap();
    // All classes together are the packages, all folders together the files.
    let sum = |list: &str, side: usize| -> u64 {
        let rows = totals[list].as_array().unwrap().iter();
        rows.map(|row| row["bytes"][side].as_u64().unwrap()).sum()
    };
    for side in [0, 1] {
        assert_eq!(sum("folders", side), totals["bytes"][side].as_u64().unwrap(), "{totals}");
    }
    let others = |build: &str, chunks: &[&str]| -> u64 {
        let rows = chunks.iter().flat_map(|chunk| {
            folder.run("ls", &format!("{build}/{chunk}.pak"), &["--json"]).exits(0).json()
        });
        let is_other = |row: &Value| row["path"].as_str().is_some_and(|it| !it.contains(".u"));
        rows.filter(is_other).map(|row| row["size"].as_u64().unwrap()).sum()
    };
    let of_files = others("Old", &["pakchunk0"]);
    assert_eq!(sum("classes", 0) + of_files, totals["bytes"][0].as_u64().unwrap(), "{totals}");
    let of_class = totals["classes"].as_array().unwrap();
    let asset = of_class.iter().find(|row| row["name"] == "/Script/Engine.DataAsset").unwrap();
    assert_eq!(asset["count"], serde_json::json!([4, 4]));
    // As a report.
    let run = diff(&folder, ["Old", "New"], &["--markdown"]).exits(0);
    for part in [
        "## Changed packages\n",
        "| `Town/Content/A.uasset` | 1 object changed",
        "## Added packages\n\n- `Town/Content/Came.uasset`",
        "## Changed files\n",
        "## Sizes by class\n",
        "| `/Script/Engine.DataAsset` | 4 |",
        "## Sizes by folder\n",
    ] {
        assert!(run.out.contains(part), "{part}: {run:?}");
    }
    let out = folder.arg("changes.md");
    diff(&folder, ["Old", "New"], &["--markdown", "-o", &out]).exits(0);
    assert_eq!(String::from_utf8(folder.read("changes.md")).unwrap(), run.out);
    diff(&folder, ["Old", "New"], &["--markdown", "-o", &out]).exits(2);
    diff(&folder, ["AssetRegistry.bin", "New.bin"], &["--markdown"]).exits(2);
}

#[test]
fn names_of_a_build_are_no_markdown() {
    let folder = Folder::new();
    let odd = "Town/`|<script>\n# x.ini";
    container(&folder, "Old.pak", &[(odd, vec![1])]);
    container(&folder, "New.pak", &[(odd, vec![2])]);
    let page = diff(&folder, ["Old.pak", "New.pak"], &["--markdown"]).exits(0).out;
    let line = page.lines().find(|line| line.contains("script")).unwrap();
    assert!(line.starts_with("| `Town/'\\|<script>"), "{page}");
    assert!(!page.lines().any(|line| line.starts_with("# x")), "{page}");
}

#[test]
fn files_beside_packages_are_compared_entry_by_entry() {
    let folder = builds();
    let pair = ["AssetRegistry.bin", "New.bin"];
    let run = diff(&folder, pair, &[]).exits(1);
    assert_eq!(
        run.out,
        "~ /Game/A.A_2 (Texture2D)\n    tag Size: Größe -> Breite\n0 entries added, 0 removed, 1 changed\n"
    );
    assert_eq!(diff(&folder, pair, &["--name-only"]).exits(1).out, "/Game/A.A_2\n");
    let object = diff(&folder, pair, &["--json"]).exits(1).object();
    assert_eq!(object["counts"]["changed"], 1, "{object}");
    let same = diff(&folder, ["New.bin", "New.bin"], &["--json"]).exits(0).object();
    assert_eq!((&same["same"], &same["same_bytes"]), (&true.into(), &true.into()));
    // Texts by their keys; not with a registry.
    folder.write("Game.locres", made::texts(3));
    let out = folder.arg("Other.locres");
    folder.run("set", "Game.locres", &["Menu/Start=Begin", "-o", &out]).exits(0);
    let run = diff(&folder, ["Game.locres", "Other.locres"], &[]).exits(1);
    assert!(run.out.contains("~ Menu/Start (string)\n    value: Go -> Begin\n"), "{run:?}");
    diff(&folder, ["Game.locres", "New.bin"], &[]).exits(2);
    diff(&folder, pair, &["--as-edits"]).exits(2);
}
