//! The commands that add, move and remove objects, and those that keep packages compatible.

use crate::common;

use common::Folder;
use serde_json::Value;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::{Guid, Package};

/// A group with a part, an object that refers to it, and one that nobody needs. Row 1 of the names is
/// `Target`, type 5 a reference, then the export.
fn objects() -> Folder {
    let folder = Folder::new();
    let info = "Engine.Info";
    let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4)).name("Target");
    let builder = builder
        .export("Group", "Core.Package", [])
        .export("Group.Skin", info, [0])
        .export("User", info, [1, 0x05, 2, 0])
        .export("Lone", info, [0]);
    folder.write("Mod.u", builder.build().unwrap());
    folder
}

/// Runs an edit that changes the package: its report, and what it wrote.
fn edit(folder: &Folder, command: &str, rest: &[&str]) -> (Value, Package) {
    let report = common::edit(folder, command, rest);
    assert_eq!(report["changed"], true);
    (report, folder.open("Out.u"))
}

fn paths(package: &Package) -> Vec<String> {
    package.exports().iter().map(|export| export.path()).collect()
}

#[test]
fn rename_takes_objects_and_hints_at_names() {
    let folder = objects();
    let (report, package) = edit(&folder, "rename", &["group.skin", "Hide"]);
    assert_eq!(report["change"]["new"], "Group.Hide");
    assert!(package.names().find("Skin").is_some());
    edit(&folder, "rename", &["#2", "Customer"]);
    let out = folder.arg("No.u");
    let run = folder.run("rename", "Mod.u", &["Target", "X", "--overwrite", "-o", &out]).exits(1);
    assert!(run.err.contains("--name"), "{run:?}");
    folder.run("rename", "Mod.u", &["User", "Lone", "--overwrite", "-o", &out]).exits(1);
    // A property that another package may declare.
    let target = ["rename", "Mod.u", "--name", "Target", "X", "--overwrite", "-o", &out];
    folder.run(target[0], target[1], &target[2..]).exits(1);
    edit(&folder, "rename", &["--name", "Target", "X", "--force"]);
}

#[test]
fn objects_move_and_multiply() {
    let folder = objects();
    let (_, package) = edit(&folder, "move", &["Lone", "--into", "Group"]);
    assert_eq!(paths(&package)[3], "Group.Lone");
    let (_, package) = edit(&folder, "move", &["Group.Skin", "--top"]);
    assert_eq!(paths(&package)[1], "Skin");
    let (report, package) = edit(&folder, "duplicate", &["Group", "Herd"]);
    assert_eq!(paths(&package)[4..], ["Herd", "Herd.Skin"]);
    assert_eq!(report["change"]["rows_added"], 2);
    let out = folder.arg("No.u");
    folder.run("move", "Mod.u", &["Lone", "--overwrite", "-o", &out]).exits(2);
    folder
        .run("move", "Mod.u", &["Group", "--into", "Group.Skin", "--overwrite", "-o", &out])
        .exits(1);
    folder.run("duplicate", "Mod.u", &["Lone", "User", "--overwrite", "-o", &out]).exits(1);
    assert_eq!(folder.names(), ["Mod.u", "Out.u"]);
}

#[test]
fn remove_names_what_stands_in_the_way() {
    let folder = objects();
    let (report, package) = edit(&folder, "remove", &["Lone"]);
    assert_eq!(report["layout"], "rebuilt");
    assert_eq!(paths(&package), ["Group", "Group.Skin", "User"]);
    let out = folder.arg("No.u");
    let run = folder.run("remove", "Mod.u", &["Group", "--overwrite", "-o", &out]).exits(1);
    assert!(run.err.contains("(User)") && run.err.contains("null"), "{run:?}");
    assert!(!run.err.contains("--force"), "{run:?}");
    let (report, package) = edit(&folder, "remove", &["Group", "--null-references"]);
    assert_eq!(report["change"]["nulled"][0], "User");
    assert_eq!(paths(&package), ["User", "Lone"]);
    edit(&folder, "remove", &["Group", "User"]);
    let run = folder.run("remove", "Mod.u", &["Lone", "--in-place"]).exits(0);
    assert!(run.out.contains("removed 1 object\n  Lone\n"), "{run:?}");
    assert_eq!(folder.names(), ["Mod.u", "Mod.u.bak", "Out.u"]);
}

#[test]
fn copy_knows_the_packages_by_their_files() {
    let folder = objects();
    let target = Builder::new(69).export("Mine", "Engine.Info", [0]).build().unwrap();
    folder.write("Other.u", &target);
    let (other, out) = (folder.arg("Other.u"), folder.arg("Out.u"));
    let copy = |rest: &[&str]| {
        let args = ["User", "--into", &other, "--overwrite", "-o", &out, "--json"];
        let args: Vec<&str> = args.iter().chain(rest).copied().collect();
        let report = folder.run("copy", "Mod.u", &args).exits(0).object();
        folder.run("verify", "Out.u", &[]).exits(0);
        assert_eq!(folder.read("Other.u"), target);
        (report, folder.open("Out.u"))
    };
    let (report, package) = copy(&[]);
    assert_eq!(report["change"]["imported"][0], "Mod.Group.Skin");
    assert_eq!(report["input"], other);
    assert_eq!(paths(&package), ["Mine", "User"]);
    let (report, package) = copy(&["--dependencies", "copy"]);
    assert_eq!(report["change"]["imported"], serde_json::json!([]));
    assert_eq!(paths(&package), ["Mine", "Group", "Group.Skin", "User"]);
    let args = ["User", "--into", &other, "--overwrite", "-o", &other];
    folder.run("copy", "Mod.u", &args).exits(2);
    let args = ["User", "--into", &other, "--group", "Nowhere", "--overwrite", "-o", &out];
    folder.run("copy", "Mod.u", &args).exits(1);
    let args = ["User", "--into", &other, "--in-place"];
    folder.run("copy", "Mod.u", &args).exits(0);
    assert_eq!(folder.read("Other.u.bak"), target);
}

#[test]
fn retarget_exchanges_packages() {
    let folder = objects();
    let (_, package) = edit(&folder, "retarget", &["Engine", "Motor", "Core.Package"]);
    assert!(package.find("Motor.Info").is_some() && package.find("Engine.Info").is_none());
    let out = folder.arg("No.u");
    folder
        .run("retarget", "Mod.u", &["Gone", "X", "Core.Package", "--overwrite", "-o", &out])
        .exits(1);
}

#[test]
fn retarget_goes_to_what_is_there() {
    let folder = Folder::new();
    let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
    let builder = builder.import("Old.Blue", "Engine.Texture");
    let builder = builder.import("New.Blue", "Engine.Texture");
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object("User", "Engine.Info")?;
            edit.add_blank_object("Own", "Engine.Texture")?;
            edit.set_property("User", "Skin:object", "Old.Blue")
        })
        .unwrap();
    folder.write("Mod.u", package.to_bytes().unwrap());
    for (old, new, expected) in [
        ("Old.Blue", "New.Blue", "Texture'New.Blue'"),
        ("Old", "New", "Texture'New.Blue'"),
        ("Old.Blue", "Own", "Texture'Own'"),
    ] {
        let (report, package) = edit(&folder, "retarget", &[old, new]);
        assert_eq!(report["change"]["objects"], serde_json::json!(["User"]), "{old} {new}");
        assert_eq!(package.values().property("User", "Skin").unwrap().text, expected);
    }
    let out = folder.arg("No.u");
    let run = folder.run("retarget", "Mod.u", &["Old.Blue", "User", "-o", &out]).exits(1);
    assert!(run.err.contains("is a Texture, and 'User' a Info"), "{run:?}");
}

#[test]
fn prune_drops_what_nothing_uses() {
    let folder = objects();
    let out = folder.arg("More.u");
    folder.run("add-name", "Mod.u", &["Unused", "--overwrite", "-o", &out]).exits(0);
    let mut package = folder.open("More.u");
    package.edit(|edit| edit.add_import("Some.Thing", "Core.Class")).unwrap();
    folder.write("Mod.u", package.to_bytes().unwrap());
    let (report, package) = edit(&folder, "prune", &[]);
    let names = report["change"]["names"].as_array().unwrap();
    assert!(names.contains(&"Unused".into()) && names.contains(&"Thing".into()), "{names:?}");
    assert_eq!(report["change"]["imports"], serde_json::json!(["Some", "Some.Thing"]));
    assert_eq!(report["change"]["guid"], package.guid().to_string());
    assert_ne!(package.guid(), Guid::new(1, 2, 3, 4));
    assert!(package.names().find("Unused").is_none());
}

#[test]
fn conform_makes_what_check_asks_for() {
    let folder = objects();
    let new = Builder::new(69).export("Fresh", "Engine.Info", [0]);
    folder.write("New.u", new.export("Lone", "Engine.Info", [0]).build().unwrap());
    let (old, out) = (folder.arg("Mod.u"), folder.arg("Out.u"));
    let report = folder.run("check", "New.u", &["--against", &old, "--json"]).exits(1).object();
    assert_eq!(report["conforms"], false);
    let kinds: Vec<_> = report["reasons"].as_array().unwrap().iter().collect();
    let has = |kind: &str| kinds.iter().any(|reason| reason["reason"]["kind"] == kind);
    assert!(has("guid") && has("name") && has("export"), "{kinds:?}");
    let run = folder.run("check", "New.u", &["--against", &old]).exits(1);
    assert!(run.out.contains("the GUID is") && run.out.contains("does not conform"), "{run:?}");

    let args = ["--to", &old, "--overwrite", "-o", &out, "--json"];
    let report = folder.run("conform", "New.u", &args).exits(0).object();
    assert_eq!(report["change"]["generations"], 2);
    assert_eq!(report["change"]["exports"]["kept"], 1);
    assert_eq!(report["change"]["exports"]["added"], serde_json::json!(["Fresh"]));
    folder.run("verify", "Out.u", &[]).exits(0);
    let run = folder.run("check", "Out.u", &["--against", &old]).exits(0);
    assert!(run.out.contains("conforms: 2 generations"), "{run:?}");
    let args = ["--to", &old, "--dry-run"];
    let run = folder.run("conform", "New.u", &args).exits(0);
    assert!(run.out.contains("exports: 1 kept, 1 added, 3 gone"), "{run:?}");
    folder.run("conform", "New.u", &["--overwrite", "-o", &out]).exits(2);
    folder.run("check", "New.u", &["--against", &folder.arg("gone.u")]).exits(2);
}

/// Of packages that have nothing to do with each other the first reasons of each kind are enough.
#[test]
fn check_shows_the_first_reasons_of_each_kind() {
    let folder = Folder::new();
    let mut old = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
    let mut new = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
    for row in 0..25 {
        old = old.export(format!("Old{row}"), "Engine.Info", [0]);
        new = new.export(format!("New{row}"), "Engine.Info", [0]);
    }
    folder.write("Old.u", old.build().unwrap());
    folder.write("New.u", new.build().unwrap());
    let old = folder.arg("Old.u");
    let lines = |more: &[&str], kind: &str| {
        let run = folder.run("check", "New.u", &[&["--against", &old], more].concat()).exits(1);
        let shown = run.out.lines().filter(|line| line.starts_with(kind)).count();
        (shown, run.out.matches("… and 5 more (--all, --json)").count())
    };
    assert_eq!((lines(&[], "export "), lines(&[], "name ")), ((20, 2), (20, 2)));
    assert_eq!((lines(&["--all"], "export "), lines(&["--all"], "name ")), ((25, 0), (25, 0)));
    let report = folder.run("check", "New.u", &["--against", &old, "--json"]).exits(1).object();
    assert_eq!(report["reasons"].as_array().unwrap().len(), 50);
    // What is gone is a list of its own.
    let out = folder.arg("Out.u");
    folder.run("conform", "New.u", &["--to", &old, "-o", &out]).exits(0);
    let gone = |more: &[&str]| {
        let run = folder.run("check", "Out.u", &[&["--against", &old], more].concat()).exits(0);
        run.out.lines().filter(|line| line.starts_with("  gone  ")).count()
    };
    assert_eq!((gone(&[]), gone(&["--all"])), (20, 25));
}

#[test]
fn what_is_gone_or_changes_in_place_is_warned_of() {
    let folder = objects();
    let new = Builder::new(69).export("Fresh", "Engine.Info", [0]);
    folder.write("New.u", new.export("Lone", "Engine.Info", [0]).build().unwrap());
    let (old, out) = (folder.arg("Mod.u"), folder.arg("Out.u"));
    let args = ["--to", &old, "--overwrite", "-o", &out, "--json"];
    let run = folder.run("conform", "New.u", &args).exits(0);
    assert!(run.err.contains("warning: only 1 of the 4 exports"), "{run:?}");
    let report = run.object();
    assert!(report["warnings"][0].as_str().unwrap().contains("--new-guid"), "{report}");
    let run = folder.run("check", "Out.u", &["--against", &old, "--json"]).exits(0);
    assert!(run.err.contains("3 exports gone") || run.err.contains("gone since"), "{run:?}");
    let report = run.object();
    assert_eq!(report["gone"].as_array().unwrap().len(), 3);

    // The second generation was released: it may not change in place.
    folder.write("Released.u", folder.read("Out.u"));
    let out = folder.arg("Changed.u");
    let args = ["Fresher", "--overwrite", "-o", &out, "--json"];
    let report = folder.run("add-name", "Released.u", &args).exits(0).object();
    let warning = report["warnings"][0].as_str().unwrap();
    assert!(warning.contains("generation 2") && warning.contains("--new-guid"), "{warning}");
    let released = folder.arg("Released.u");
    folder.run("check", "Changed.u", &["--against", &released]).exits(1);
    let args = ["Fresher", "--new-guid", "--overwrite", "-o", &out, "--json"];
    let report = folder.run("add-name", "Released.u", &args).exits(0).object();
    assert_eq!(report["warnings"], serde_json::json!([]));
    let changed = folder.open("Changed.u");
    assert_eq!(report["change"]["new_guid"], changed.guid().to_string());
    assert_ne!(changed.guid(), folder.open("Released.u").guid());
    assert_eq!(changed.summary().generations.len(), 1);
    assert_eq!(changed.summary().generations[0].name_count as usize, changed.names().len());
    // One generation that nobody has goes on as it is.
    let report = folder.run("add-name", "Mod.u", &["Fresher", "--dry-run", "--json"]).exits(0);
    assert_eq!(report.object()["warnings"], serde_json::json!([]));
}

#[test]
fn a_body_that_is_not_decoded_blocks_and_is_named() {
    let folder = Folder::new();
    let builder = Builder::new(69).export("Fine", "Engine.Info", [0]);
    let bytes = builder.export("Notes", "Core.TextBuffer", *b"\0\0").build().unwrap();
    folder.write("Mod.u", &bytes);
    let out = folder.arg("No.u");
    // What stands behind it would get another number.
    let run = folder.run("remove", "Mod.u", &["Fine", "--overwrite", "-o", &out]).exits(1);
    assert!(run.err.contains("(Notes)") && run.err.contains("nothing was written"), "{run:?}");
    assert_eq!(folder.names(), ["Mod.u"]);
    // What it may use stays.
    let report = folder.run("prune", "Mod.u", &["--dry-run", "--json"]).exits(0).object();
    assert_eq!(report["change"]["names"], serde_json::json!([]));
    folder.run("remove", "Mod.u", &["Notes", "--dry-run"]).exits(0);
}

#[test]
fn new_objects_have_a_class_and_properties() {
    let folder = objects();
    let rest = ["Group.Limits", "Engine.Info", "MaxPlayers=16", "--type", "int"];
    let (report, package) = edit(&folder, "add", &rest);
    assert_eq!(paths(&package)[4], "Group.Limits");
    assert_eq!(report["change"]["rows_added"], 1);
    let value = package.values().property("Group.Limits", "MaxPlayers").unwrap();
    assert_eq!(value.text, "16");
    let out = folder.arg("No.u");
    let run = folder.run("add", "Mod.u", &["Group.Limits", "Info", "-o", &out]).exits(1);
    assert!(run.err.contains("Core.Class"), "{run:?}");
    let run = folder.run("add", "Mod.u", &["New", "Engine.Info", "Max", "-o", &out]).exits(2);
    assert!(run.err.contains("PROPERTY=VALUE"), "{run:?}");
    // No table of preload dependencies before UE4.
    let run = folder.run("list", "Mod.u", &["--preload"]).exits(0);
    assert!(run.out.contains("only cooked packages"), "{run:?}");
}
