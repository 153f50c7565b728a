//! Differences as files of edits, on official releases.

use std::collections::BTreeMap;

use unreal_packages::compare::diff;

use crate::common::{Folder, Run, upk};
use crate::folders::corpus;

/// Packages of which a pair is patched: each is decoded some ten times.
const LARGEST: u64 = 250_000;

/// Each generation of a package is made of the one before it, and of the one behind it. What the file of edits can't
/// say would be refused with the object, and none is.
pub fn a_patch_makes_each_generation_of_the_one_beside_it() {
    let mut generations: BTreeMap<String, Vec<std::path::PathBuf>> = BTreeMap::new();
    for entry in std::fs::read_dir(corpus().join("conform")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if let Some((package, _)) = name.split_once("_gen")
            && path.metadata().unwrap().len() <= LARGEST
        {
            generations.entry(package.to_owned()).or_default().push(path);
        }
    }
    let mut patched = 0;
    for files in generations.values_mut() {
        files.sort();
        for pair in files.windows(2) {
            for (old, new) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
                let folder = Folder::new();
                folder.write("Old.u", std::fs::read(old).unwrap());
                folder.write("New.u", std::fs::read(new).unwrap());
                let [before, after, patch, out] =
                    ["Old.u", "New.u", "patch.txt", "Out.u"].map(|file| folder.arg(file));
                upk(&["diff", &before, &after, "--as-edits", "-o", &patch]).exits(0);
                let run: Run = upk(&["edit", &patch, &before, "-o", &out]);
                run.exits(0);
                let left = diff(&folder.open("Out.u"), &folder.open("New.u"));
                assert!(left.is_empty(), "{} to {}: {left:?}", old.display(), new.display());
                patched += 1;
            }
        }
    }
    assert!(patched >= 20, "{patched} pairs");
}
