//! Numbers of frames that animations of UE3 to UE5 store, beside those of the files that are made of them.

use std::collections::BTreeMap;

use unreal_packages::inspect::PackageValues;
use unreal_packages::mesh::{MeshOptions, PackageMeshes};
use unreal_packages::package::Package;

use crate::animations::{Neighbors, skeletons};
use crate::gltf_counts::FileCounts;
use crate::meshes::{engine, every_package};

/// How many animations there are by engine, and by what their files have.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    /// As many keys as frames.
    all: u32,
    /// Fewer: packing has left keys out.
    fewer: u32,
    /// Nothing moves: one key.
    still: u32,
}

pub fn files_have_the_frames_that_animations_store() {
    let files = every_package();
    let skeletons = skeletons(&files);
    let mut counts = BTreeMap::<&str, Counts>::new();
    let mut wrong = Vec::new();
    for path in &files {
        let Ok(package) = Package::open(path) else { continue };
        for row in 0..package.exports().len() {
            if !package.is_animation(row).unwrap() {
                continue;
            }
            let neighbors = Neighbors::of(&package, row, &skeletons);
            let options = MeshOptions { objects: Some(&neighbors), ..MeshOptions::default() };
            let Ok(mesh) = package.animation(row, &options) else { continue };
            let Ok(file) = mesh.to_glb() else { continue };
            let object = format!("#{row}");
            let stored = ["NumFrames", "NumberOfSampledKeys"];
            let stored =
                stored.iter().find_map(|name| package.values().property(&object, name).ok());
            let stored = stored.map(|value| value.text.parse::<usize>().unwrap());
            let count = counts.entry(engine(&package)).or_default();
            let found = FileCounts::of(&file).frames;
            match (found.as_slice(), stored) {
                ([found], Some(stored)) if *found == stored => count.all += 1,
                ([1], _) => count.still += 1,
                // Every second key, or those that lie between their neighbours.
                ([found], Some(stored)) if *found < stored && *found * 2 >= stored => {
                    count.fewer += 1;
                }
                _ => {
                    let place = format!("{} {}", path.display(), package.exports().path(row));
                    wrong.push(format!("{place}: {found:?}, stored {stored:?}, {:?}", mesh.notes));
                }
            }
        }
    }
    println!("{counts:?}; others: {wrong:#?}");
    assert!(wrong.is_empty());
    for (engine, floor) in [("UE3", 66), ("UE4", 16), ("UE5", 1)] {
        let count = &counts[engine];
        assert!(count.all >= floor && count.fewer * 10 < count.all, "{engine}: {count:?}");
    }
}
