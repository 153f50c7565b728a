//! Packages and objects that only lie elsewhere.

use std::collections::HashMap;

use serde::Serialize;
use unreal_packages::scan::ObjectHash;

use super::build_side::BuildFiles;

/// An object that says the same in another package now.
#[derive(Debug, Serialize)]
pub(super) struct MovedObject {
    pub old_package: String,
    pub old: String,
    pub new_package: String,
    pub new: String,
    pub class: String,
}

/// Takes files out that only lie elsewhere: those whose bytes one file of each side has.
pub(super) fn take_renamed(
    old: &BuildFiles,
    new: &BuildFiles,
    removed: &mut Vec<String>,
    added: &mut Vec<String>,
) -> Vec<(String, String)> {
    let by_hash = |paths: &[String], files: &BuildFiles| {
        let mut found: HashMap<String, Vec<String>> = HashMap::new();
        for path in paths {
            if let Some(hash) = &files[path].hash {
                found.entry(hash.clone()).or_default().push(path.clone());
            }
        }
        found
    };
    let (before, after) = (by_hash(removed, old), by_hash(added, new));
    let mut pairs = Vec::new();
    for (hash, from) in &before {
        if let ([from], Some([to])) = (&from[..], after.get(hash).map(Vec::as_slice)) {
            pairs.push((from.clone(), to.clone()));
        }
    }
    pairs.sort();
    removed.retain(|path| pairs.binary_search_by(|pair| pair.0.cmp(path)).is_err());
    let targets: std::collections::HashSet<&String> = pairs.iter().map(|pair| &pair.1).collect();
    added.retain(|path| !targets.contains(path));
    pairs
}

/// Objects that one package has lost and another one has got: of one class and hash, each the only one.
pub(super) fn moved([removed, added]: &[Vec<(String, ObjectHash)>; 2]) -> Vec<MovedObject> {
    type Places<'a> = HashMap<(&'a str, &'a str), Vec<&'a (String, ObjectHash)>>;
    fn by_hash(objects: &[(String, ObjectHash)]) -> Places<'_> {
        let mut found = Places::new();
        for object in objects {
            if let Some(hash) = &object.1.hash {
                found.entry((&object.1.class, hash)).or_default().push(object);
            }
        }
        found
    }
    let (before, after) = (by_hash(removed), by_hash(added));
    let mut moved = Vec::new();
    for (key, from) in &before {
        if let ([from], Some([to])) = (&from[..], after.get(key).map(Vec::as_slice))
            && from.0 != to.0
        {
            moved.push(MovedObject {
                old_package: from.0.clone(),
                old: from.1.path.clone(),
                new_package: to.0.clone(),
                new: to.1.path.clone(),
                class: to.1.class.clone(),
            });
        }
    }
    moved.sort_by(|a, b| (&a.old_package, &a.old).cmp(&(&b.old_package, &b.old)));
    moved
}
