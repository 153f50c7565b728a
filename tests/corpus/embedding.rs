//! What packages of the corpora import from others of them becomes their own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use unreal_packages::content::PackageContents;
use unreal_packages::edit::{CopyOptions, PackageEdit};
use unreal_packages::package::{ImportView, Package};
use unreal_packages::version::UnrealVersions;

use crate::folders::corpus;

/// The name that others import a package of the corpora by: its file's without the versions before it.
fn name_of(path: &std::path::Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stem = stem.split('~').next().unwrap_or_default();
    let parts: Vec<&str> = stem.splitn(3, '_').collect();
    match parts[..] {
        [file, licensee, rest]
            if file.parse::<u32>().is_ok() && licensee.parse::<u32>().is_ok() =>
        {
            rest.to_ascii_lowercase()
        }
        _ => stem.to_ascii_lowercase(),
    }
}

fn packages() -> Vec<(PathBuf, Package)> {
    let mut files = Vec::new();
    for folder in ["classic", "wild/classic"] {
        let Ok(entries) = std::fs::read_dir(corpus().join(folder)) else { continue };
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.sort();
    let open = |path: PathBuf| Package::open(&path).ok().map(|package| (path, package));
    files.into_iter().filter_map(open).filter(|(_, it)| it.versions().ue4() == 0).collect()
}

/// What a package imports from another one, but for code: that goes with its own package.
fn borrowed(package: &Package, other: &str) -> Vec<String> {
    let class =
        |import: &ImportView<'_>| import.class().rsplit('.').next().unwrap_or_default().to_owned();
    let code = ["Class", "Function", "Struct", "ScriptStruct", "Enum", "State", "Const"];
    let is_code = |import: &ImportView<'_>| {
        code.contains(&class(import).as_str()) || class(import).ends_with("Property")
    };
    let imports = package.imports();
    let of_other = imports.iter().filter(|import| {
        let path = import.path();
        let is_inner = path.split_once('.').is_some_and(|(it, _)| it.eq_ignore_ascii_case(other));
        is_inner && class(import) != "Package" && !is_code(import)
    });
    of_other.map(|import| import.path()).collect()
}

pub fn what_is_imported_becomes_the_packages_own() {
    let all = packages();
    let mut by_name = BTreeMap::<String, Vec<&Package>>::new();
    for (path, package) in &all {
        by_name.entry(name_of(path)).or_default().push(package);
    }
    let (mut embedded, mut objects, mut pictures) = (0, 0, 0);
    let mut refused = BTreeMap::<String, u32>::new();
    for (path, package) in &all {
        let own = name_of(path);
        for (other, sources) in by_name.iter().filter(|(name, _)| **name != own) {
            let paths = borrowed(package, other);
            let has = |source: &&&Package| {
                let inner = |path: &String| path.split_once('.').map(|(_, inner)| inner.to_owned());
                let there = |path| inner(path).is_some_and(|it| source.find_export(&it).is_ok());
                source.versions().file() == package.versions().file() && paths.iter().all(there)
            };
            let Some(source) = sources.iter().find(has).filter(|_| !paths.is_empty()) else {
                continue;
            };
            let mut changed = package.clone();
            let words: Vec<&str> = paths.iter().map(String::as_str).collect();
            let options = CopyOptions::new().source_name(other).target_name(&own);
            let done = match changed.edit(|edit| edit.embed(source, &words, &options)) {
                Ok(done) => done,
                Err(error) => {
                    let reason = error.to_string().chars().take(90).collect();
                    *refused.entry(reason).or_default() += 1;
                    continue;
                }
            };
            let again = Package::from_bytes(changed.to_bytes().unwrap()).unwrap();
            assert!(borrowed(&again, other).is_empty(), "{} from {other}", path.display());
            // What lies in others of them comes along with those.
            assert!(done.objects.len() <= paths.len(), "{} from {other}", path.display());
            for (import, place) in &done.objects {
                let (_, inner) = import.split_once('.').unwrap();
                let picture = |package: &Package, path: &str| {
                    let row = package.find_export(path).unwrap();
                    package.contents().texture_image(row).ok().map(|it| it.to_png().unwrap())
                };
                let (copy, original) = (picture(&again, place), picture(source, inner));
                assert_eq!(copy, original, "{} {import}", path.display());
                pictures += u32::from(copy.is_some());
            }
            objects += done.objects.len();
            embedded += 1;
        }
    }
    println!(
        "{embedded} packages, {objects} objects, {pictures} pictures as before; refused {refused:#?}"
    );
    assert!(embedded > 0);
}
