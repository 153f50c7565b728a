//! What `upk doctor` finds in tables of a scan, beside what it finds in folders.

use serde_json::Value;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectFlags;
use unreal_packages::{EngineRelease, Guid};

use crate::common::{Folder, small_package, upk};
use crate::scan::scan;

/// A depot with something wrong in it.
fn faulty() -> Folder {
    let folder = Folder::new();
    let engine = Builder::new(69).guid(Guid::new(1, 0, 0, 0));
    folder.write("packages/Engine.u", engine.export("Actor", "Core.Class", []).build().unwrap());
    let own = Builder::new(69).guid(Guid::new(2, 0, 0, 0)).import("Engine.Actor", "Core.Class");
    let own = own.import("Engine.Nothing", "Engine.Texture").import("Lost.Thing", "Engine.Texture");
    folder.write("packages/Mod.u", own.build().unwrap());
    folder.write("packages/Broken.u", &small_package(69)[..40]);
    scan(&folder, &[]);
    folder
}

#[test]
fn doctor_finds_in_tables_what_it_finds_in_folders() {
    let folder = faulty();
    let (packages, depot) = (folder.arg("packages"), folder.arg("depot"));
    let kinds = |args: &[&str]| {
        let mut rows = upk(args).exits(1).json();
        rows.pop().unwrap()["kinds"].clone()
    };
    let tables = kinds(&["doctor", "--scan", &depot, "--json"]);
    assert_eq!(tables, kinds(&["doctor", &packages, "--json"]));
    assert_eq!(tables["object-missing"], 1);
    let run = upk(&["doctor", "--scan", &depot]).exits(1);
    assert!(run.out.contains("Mod.u: Lost is not there; needed by Mod"), "{run:?}");
    assert!(
        run.out.contains("Mod imports Engine.Nothing (Engine.Texture), which is not there"),
        "{run:?}"
    );
    upk(&["doctor", "--scan", &packages]).exits(2);
}

/// A redirector of UE4 with this target.
fn redirector(target: &str) -> Vec<u8> {
    let made = |index: i32| {
        let mut body = [0; 12].to_vec();
        body.extend(index.to_le_bytes());
        let builder = Builder::for_release(EngineRelease::new(4, 27)).name("None");
        let builder = builder.import(target, "/Script/Engine.Texture2D");
        let class = "/Script/CoreUObject.ObjectRedirector";
        builder.export("Old", class, body).build().unwrap()
    };
    let found = Package::from_bytes(made(0)).unwrap().find(target).unwrap();
    made(found.value())
}

/// A project with a redirector that leads to `target`, a map with an object of its own, and what uses them.
fn project(target: &str) -> Folder {
    let folder = Folder::new();
    let builder = || Builder::for_release(EngineRelease::new(4, 27)).name("None");
    let user = |path: &str, class: &str| builder().import(path, class).build().unwrap();
    folder.write("packages/Town.uproject", "{}");
    folder.write("packages/Content/Old.uasset", redirector(target));
    let texture = user("/Game/Old.Old", "/Script/Engine.Texture2D");
    folder.write("packages/Content/User.uasset", texture);
    let class = "/Script/Engine.Texture2D";
    let new = builder().export("New", class, []).build().unwrap();
    folder.write("packages/Content/New.uasset", new);
    let map = builder().export("Level", "/Script/Engine.Level", []).build().unwrap();
    let mut map = Package::from_bytes(map).unwrap();
    map.edit(|edit| edit.set_object_flags(0, ObjectFlags(0))).unwrap();
    folder.write("packages/Content/Map.umap", map.to_bytes().unwrap());
    let level = || user("/Game/Map.Level", "/Script/Engine.Level");
    folder.write("packages/Content/__ExternalActors__/Map/0/A.uasset", level());
    folder.write("packages/Content/Peek.uasset", level());
    scan(&folder, &[]);
    folder
}

#[test]
fn redirectors_and_actors_of_maps_are_judged_alike_in_tables_and_folders() {
    for (target, broken) in [("/Game/Gone.Gone", 1), ("/Game/New.Other", 1), ("/Game/New.New", 0)] {
        let folder = project(target);
        let (packages, depot) = (folder.arg("packages"), folder.arg("depot"));
        let kinds = |args: &[&str]| {
            let mut rows = upk(args).exits(1).json();
            rows.pop().unwrap()["kinds"].clone()
        };
        let tables = kinds(&["doctor", "--scan", &depot, "--json"]);
        assert_eq!(tables, kinds(&["doctor", &packages, "--json"]), "{target}");
        assert_eq!(tables["redirector-broken"].as_u64().unwrap_or(0), broken, "{tables}");
        assert_eq!(tables["not-public"], 1, "that of the package which is none of the map's");
    }
}

#[test]
fn doctor_speaks_to_ci() {
    let folder = faulty();
    let depot = folder.arg("depot");
    let github = upk(&["doctor", "--scan", &depot, "--format", "github"]).exits(1);
    let line = github.out.lines().find(|line| line.contains("package-missing")).unwrap();
    assert!(
        line.starts_with("::error file=") && line.ends_with("::Lost is not there; needed by Mod"),
        "{line}"
    );
    let sarif = upk(&["doctor", "--scan", &depot, "--format", "sarif"]).exits(1);
    let sarif: Value = serde_json::from_str(&sarif.out).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!((sarif["version"].as_str(), results.len()), (Some("2.1.0"), 3));
    for result in results {
        let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert!(place.as_str().unwrap().ends_with(".u"), "{result}");
        assert!(result["partialFingerprints"]["finding/v1"].is_string());
    }
    upk(&["doctor", "--scan", &depot, "--fail-on", "never"]).exits(0);
    upk(&["doctor", "--scan", &depot, "--fail-on", "error"]).exits(1);
    let known = folder.arg("known.json");
    upk(&["doctor", "--scan", &depot, "--baseline", &known]).exits(2);
    upk(&["doctor", "--scan", &depot, "--write-baseline", &known]).exits(0);
    let run = upk(&["doctor", "--scan", &depot, "--baseline", &known]).exits(0);
    assert!(run.out.ends_with("3 packages: 0 findings, 3 more are known\n"), "{run:?}");
    // What is new counts, and only that.
    let more = Builder::new(69).import("Gone.Thing", "Engine.Texture").build().unwrap();
    folder.write("packages/More.u", more);
    scan(&folder, &[]);
    let args = ["doctor", "--scan", &depot, "--baseline", &known, "--json"];
    let run = upk(&args).exits(1).json();
    assert_eq!(run.len(), 2, "{run:?}");
    assert_eq!(run[0]["object"], "Gone");
}

#[test]
fn baselines_hold_wherever_the_folder_lies() {
    let (here, there) = (faulty(), faulty());
    std::fs::create_dir(there.path("deeper")).unwrap();
    std::fs::rename(there.path("packages"), there.path("deeper/packages")).unwrap();
    let (first, second) = (here.arg("packages"), there.arg("deeper/packages"));
    upk(&["scan", &first, "-o", &here.arg("out")]);
    upk(&["scan", &second, "-o", &there.arg("out"), "--jobs", "1"]);
    let (known, out) = (here.arg("known.json"), there.arg("out"));
    upk(&["doctor", "--scan", &here.arg("out"), "--write-baseline", &known]).exits(0);
    let run = upk(&["doctor", "--scan", &out, "--baseline", &known]).exits(0);
    assert!(run.out.ends_with("3 packages: 0 findings, 3 more are known\n"), "{run:?}");
}
