//! Delegates of UE2: whatever happens to rows of names and objects, they name what they named.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use unreal_packages::edit::PackageEdit;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::Value;
use unreal_packages::version::UnrealVersions;
use unreal_packages::version::threshold::{COMPACT_INDEX_REMOVED, UE2_FIRST};

use crate::files;
use crate::folders::corpus;

/// Every delegate of a package as text, by its object and property.
fn delegates(package: &Package) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for row in 0..package.exports().len() {
        let Ok(values) = package.values().properties(&format!("#{row}")) else { continue };
        for value in values {
            if matches!(value.value, Some(Value::Delegate(_))) {
                found.insert(format!("{}.{}", package.exports().path(row), value.path), value.text);
            }
        }
    }
    found
}

/// Names reversed by a document, then conformed to the original, and objects copied: all delegates still name what
/// they named.
pub fn delegates_of_ue2_follow_their_rows() {
    let (mut packages, mut values, mut conformed, mut copies) = (0, 0, 0, 0);
    let folders = ["classic", "wild/classic"].into_iter();
    let folders = folders.filter(|folder| corpus().join(folder).is_dir());
    for (file, bytes) in folders.flat_map(files::of) {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        let version = package.versions().file();
        if !(UE2_FIRST..COMPACT_INDEX_REMOVED).contains(&version) || package.container().is_some() {
            continue;
        }
        let said = delegates(&package);
        if said.is_empty() {
            continue;
        }
        packages += 1;
        values += said.len();
        let mut text = Vec::new();
        package.to_json(&mut text, false).unwrap();
        let mut document: Json = serde_json::from_slice(&text).unwrap();
        document["names"].as_array_mut().unwrap().reverse();
        let mut reversed = Package::from_json(document.to_string().as_bytes());
        if reversed
            .as_ref()
            .is_err_and(|it| matches!(it.unreal(), Some(UnrealError::Refused { .. })))
        {
            // Bytes beside the delegates may say rows as well; that is not asked here.
            document["stored"].as_object_mut().unwrap().remove("rows");
            reversed = Package::from_json(document.to_string().as_bytes());
        }
        let reversed = reversed.unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut reversed = Package::from_bytes(reversed.to_bytes().unwrap()).unwrap();
        assert_eq!(delegates(&reversed), said, "{file}: by a document");
        match reversed.edit(|edit| edit.conform_to(&package)) {
            Ok(_) => {
                let reversed = Package::from_bytes(reversed.to_bytes().unwrap()).unwrap();
                assert_eq!(delegates(&reversed), said, "{file}: conformed");
                conformed += 1;
            }
            // Other bodies of the package are not decoded whole.
            Err(error) if matches!(error.unreal(), Some(UnrealError::Refused { .. })) => {}
            Err(error) => panic!("{file}: {error}"),
        }
        for path in said.keys() {
            let (object, property) = path.rsplit_once('.').unwrap();
            let mut twin = package.clone();
            let made = twin.edit(|edit| edit.duplicate_object(object, "CopyWithDelegates"));
            if made.is_err() {
                continue;
            }
            let twin = Package::from_bytes(twin.to_bytes().unwrap()).unwrap();
            let row = twin.exports().len() - 1;
            let copied = twin.values().property(&format!("#{row}"), property);
            copies += usize::from(copied.is_ok_and(|copied| copied.text == said[path]));
        }
    }
    println!("{packages} packages, {values} delegates, {conformed} conformed, {copies} copied");
    assert!(packages > 0 && copies > 0);
}
