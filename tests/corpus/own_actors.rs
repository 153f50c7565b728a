//! Packages of one actor each: where the editor looks for them, and new ones.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use unreal_packages::edit::{PackageEdit, actor_package};
use unreal_packages::inspect::{PackageValues, package_path};
use unreal_packages::package::Package;
use unreal_packages::primitive::{ObjectRef, PackageIndex};

use crate::folders::corpus;

/// The actor of a package of one, and the package of its level.
fn actor(package: &Package) -> Option<(usize, String)> {
    let row = (0..package.exports().len()).find(|&row| {
        let ObjectRef::Import(level) = package.outer(PackageIndex::export(row)).target() else {
            return false;
        };
        package.name_text(package.tables().imports[level].class_name) == "Level"
    })?;
    let level = package.path(package.outer(PackageIndex::export(row)));
    Some((row, level.split('.').next().unwrap().to_owned()))
}

fn packages() -> Vec<(String, Package)> {
    let mut all = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(corpus().join("wild/modern"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "uasset")) {
        let Ok(package) = Package::open(file) else { continue };
        if package_path(&package).is_some_and(|path| path.contains("/__ExternalActors__/")) {
            all.push((file.file_name().unwrap().to_string_lossy().into_owned(), package));
        }
    }
    all
}

/// The bytes of every text of the header that is Base64: what tells the level of the actor.
fn told(package: &Package) -> Vec<Vec<u8>> {
    let source = package.source();
    let registry = package.tables().further.asset_registry.as_ref();
    let tags = registry.iter().flat_map(|it| &it.assets).flat_map(|asset| &asset.tags);
    tags.filter(|tag| tag.key.text(source).unwrap() == "ActorMetaData")
        .map(|tag| STANDARD.decode(tag.value.text(source).unwrap().as_bytes()).unwrap())
        .collect()
}

fn guid(package: &Package, row: usize) -> Option<Vec<u8>> {
    let text = package.values().property(&format!("#{row}"), "ActorGuid").ok()?.text;
    let word = |at: usize| u32::from_str_radix(&text[at * 8..at * 8 + 8], 16).unwrap();
    Some((0..4).flat_map(|at| word(at).to_le_bytes()).collect())
}

fn holds(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).filter(|window| *window == part).count()
}

/// The editor has given each package its path by the path of the actor: the same comes out here, but for three of one map,
/// whose paths are those of another name or map. A new actor has a package
/// at its own path, GUIDs of its own in the body and in the header, and nothing of the old ones.
pub fn actors_have_packages_of_their_own() {
    let (mut named, mut others, mut refused, mut told_of) = (0, 0, 0, 0);
    for (file, package) in packages() {
        let Some((row, map)) = actor(&package) else {
            println!("{file}: no actor");
            continue;
        };
        let name = package.object_name(PackageIndex::export(row));
        let path = package_path(&package).unwrap();
        let usual = actor_package(&map, &name);
        if usual == path {
            named += 1;
        } else {
            println!("{file}: {name} is {path} and not {usual}");
            others += 1;
        }

        let mut made = package.clone();
        let own = match made.edit(|edit| edit.make_own_actor(None)) {
            Ok(own) => own,
            // A GUID may stand in what is not decoded.
            Err(error) => {
                println!("{file}: {error}");
                assert!(error.to_string().contains("not decoded whole"), "{file}: {error}");
                refused += 1;
                continue;
            }
        };
        let saved = made.to_bytes().unwrap();
        let again = Package::from_bytes(saved.clone()).unwrap();
        assert_eq!(again.to_bytes().unwrap(), saved, "{file}");
        assert_eq!(package_path(&again).unwrap(), own.package, "{file}");
        assert_eq!(actor_package(&map, &own.name), own.package, "{file}");
        assert_eq!(again.object_name(PackageIndex::export(row)), own.name);
        assert_eq!(again.exports().len(), package.exports().len(), "{file}");
        let Some(old) = guid(&package, row) else {
            println!("{file}: without ActorGuid");
            continue;
        };
        let new = guid(&again, row).unwrap();
        assert_ne!(old, new, "{file}");
        assert_eq!(holds(&saved, &old), 0, "{file}");
        for (before, after) in told(&package).iter().zip(told(&again)) {
            assert_eq!(holds(before, &old), holds(&after, &new), "{file}");
            assert_eq!(holds(&after, &old), 0, "{file}");
            told_of += holds(&after, &new);
        }
        println!("{file}: {} is {}", own.name, own.package);
    }
    println!(
        "{named} packages, {others} of other names, {refused} refused, {told_of} GUIDs in headers"
    );
    assert!(named >= 15 && others <= 3 && refused < 3 && told_of > 10);
}
