//! Imports of real packages are found where their package is there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use unreal_packages::environment::{Dependency, Outcome};

use crate::common::game::Folder;
use crate::folders::corpus;
use crate::manifest;

/// The newest generation of each chain, under the names that imports use.
fn conformed_game() -> Folder {
    let folder = Folder::new();
    let mut newest: BTreeMap<String, (u32, PathBuf)> = BTreeMap::new();
    for entry in std::fs::read_dir(corpus().join("conform")).unwrap() {
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
    folder
}

pub fn imports_of_real_packages_are_found_where_their_package_is_there() {
    let folder = conformed_game();
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

/// Imports of the corpus's packages, each project under its own mount, that are not there although their
/// package is.
pub fn imports_of_real_projects_are_found_where_their_package_is_there() {
    let mut projects = BTreeMap::<String, Folder>::new();
    for entry in manifest::files() {
        let (path, repo) = (entry.column("source_path"), entry.column("source_repo"));
        let Some((root, inner)) = path.rsplit_once("Content/") else { continue };
        let folder = projects.entry(format!("{repo} {root}")).or_insert_with(|| {
            let folder = Folder::new();
            folder.write("My.uproject", "{}");
            folder
        });
        let mount = if root.ends_with("Engine/") { "Engine/Content" } else { "Content" };
        let bytes = std::fs::read(&entry.path).unwrap();
        folder.write(&format!("{mount}/{inner}"), bytes);
    }
    let (mut found, mut soft, mut classes, mut lost) = (0, 0, 0, Vec::new());
    for (name, folder) in projects {
        let environment = folder.environment();
        for (id, file) in environment.files() {
            let Ok(all) = environment.resolve_file(id) else { continue };
            for import in all {
                let there = environment.find(&import.package).is_some();
                match import.outcome {
                    Outcome::Found { .. } | Outcome::Redirected { .. } => match import.kind {
                        Dependency::Hard => found += 1,
                        Dependency::Soft => soft += 1,
                    },
                    Outcome::Native => {}
                    Outcome::PackageMissing | Outcome::Elsewhere { .. } if !there => {}
                    Outcome::OfTheEditor => {}
                    other => {
                        lost.push(format!("{name}: {} imports {}: {other}", file.name, import.path))
                    }
                }
            }
        }
        classes += environment.classes(&mut |_| {}).iter().count();
    }
    println!("{found} imports, {soft} soft references found, {classes} classes");
    assert!(lost.is_empty(), "{lost:#?}");
    assert!(found >= 300 && soft >= 12 && classes >= 77, "{found} {soft} {classes}");
}
