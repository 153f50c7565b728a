//! The README's second task, which duplicates an actor, on maps of UE2 to UE5.

use std::collections::BTreeMap;
use std::path::PathBuf;

use unreal_packages::compare::{Difference, ObjectDifference, diff};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::folders::corpus;
use crate::tasks::{LARGEST, copied, get, run};

/// An actor of a map, and the property that says where it stands.
struct Actor {
    path: String,
    /// The path of the level that it lies in, with a dot behind it; empty where actors stand at the top.
    level: String,
    /// Behind the path of the actor.
    place: String,
}

/// The first actor of a map that stores where it stands: in UE4 and UE5 its root component does.
fn first_actor(package: &Package) -> Option<Actor> {
    let values = package.values();
    let place = |path: &str| {
        if values.property(path, "Location").is_ok() {
            return Some("Location".to_owned());
        }
        let root = values.property(path, "RootComponent").ok()?.text;
        let root = root.split('\'').nth(1)?;
        values.property(root, "RelativeLocation").ok()?;
        Some(format!("{}.RelativeLocation", root.strip_prefix(path)?.strip_prefix('.')?))
    };
    package.exports().iter().find_map(|export| {
        let path = export.path();
        let level = match path.rsplit_once('.') {
            Some((level, _)) => format!("{level}."),
            None => String::new(),
        };
        let in_level = match level.strip_suffix('.') {
            Some(level) => {
                let row = package.find_export(level).ok()?;
                package.exports().get(row)?.class().ends_with("Engine.Level")
            }
            None => package.find_export("LevelSummary").is_ok(),
        };
        // The builder brush comes first and is no actor of the game.
        let is_plain = in_level && !export.class().ends_with(".Brush");
        let place = is_plain.then(|| place(&path)).flatten()?;
        Some(Actor { path, level, place })
    })
}

/// The maps of UE2 to UE5 that open as they are: their engine, and an actor.
fn later_maps(of: &str) -> Vec<(PathBuf, Package, Actor)> {
    let folder = std::fs::read_dir(corpus().join(of)).unwrap();
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    let is_map = |file: &PathBuf| {
        let extension = file.extension().and_then(|it| it.to_str()).unwrap_or_default();
        ["ut2", "udk", "umap"].contains(&extension)
            && file.metadata().unwrap().len() <= LARGEST
            && !file.with_extension("uexp").exists()
    };
    files.retain(is_map);
    files.sort();
    let opened = |file: PathBuf| {
        let mut package = Package::open(&file).ok()?;
        package.decode_all();
        let actor = first_actor(&package)?;
        Some((file, package, actor))
    };
    files.into_iter().filter_map(opened).collect()
}

/// Whether it is the last of a level's path nodes, to which the new one is appended and nothing else is done.
fn leads_to(object: &ObjectDifference, new: &str) -> bool {
    let [Difference::Property { property, old: None, new: Some(value) }] = &object.changes[..]
    else {
        return false;
    };
    property == "nextNavigationPoint" && value.ends_with(&format!("'{new}'"))
}

fn duplicate_actors(maps: Vec<(PathBuf, Package, Actor)>) -> BTreeMap<String, usize> {
    let mut engines: BTreeMap<String, usize> = BTreeMap::new();
    for (file, old, Actor { path, level, place }) in maps {
        let extension = file.extension().unwrap().to_str().unwrap();
        let map = format!("Map.{extension}");
        let new = format!("{level}Light77");
        let folder = copied(&file, &map);
        let replaced = [
            ("Map.unr", &*map),
            ("Light1", &path),
            ("Light77.Location", &format!("{new}.{place}")),
        ];
        run("2", &folder, &replaced, &[]);
        let shown = get(&folder, &map, &format!("{new}.{place}")).to_lowercase();
        assert!(
            shown.ends_with("location=(x=128.0,y=-64.0,z=32.0)\n"),
            "{}: {shown}",
            file.display()
        );
        let difference = diff(&old, &folder.open(&map));
        let inner = format!("{new}.");
        let is_new = |path: &String| *path == new || path.starts_with(&inner);
        assert!(difference.added.iter().any(|object| object.path == new), "{difference:?}");
        assert!(difference.added.iter().all(|object| is_new(&object.path)), "{difference:?}");
        assert!(difference.removed.is_empty(), "{difference:?}");
        for object in &difference.changed {
            let listed = object.class.ends_with("Engine.Level") || leads_to(object, &new);
            assert!(listed, "{}: {object:?}", file.display());
        }
        let users = folder.run("refs", &map, &[&new, "--places"]).exits(0).out;
        assert!(users.contains("Level"), "{}: {users}", file.display());
        folder.run("verify", &map, &[]).exits(0);
        *engines.entry(format!("{:?}", old.versions().engine())).or_default() += 1;
    }
    println!("{engines:?}");
    engines
}

pub fn actors_of_maps_of_ue2_and_ue3_are_duplicated() {
    let engines = duplicate_actors(later_maps("classic"));
    assert!(engines["Ue2"] > 0 && engines["Ue3"] > 3, "{engines:?}");
}

pub fn actors_of_maps_of_ue4_and_ue5_are_duplicated() {
    let engines = duplicate_actors(later_maps("modern"));
    assert!(engines["Ue4"] > 3 && engines["Ue5"] > 1, "{engines:?}");
}
