//! Packages of UE1 to UE3 take new values: what was set reads as set, nothing else changes.

use unreal_packages::Engine;
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyKind, Value};
use unreal_packages::version::UnrealVersions;

use crate::files;

/// Each engine's packages: an int, a string (longer and shorter), an object and a name are set on some
/// object that stores one; the result is sound, and `diff` shows these changes and no other.
pub fn real_packages_take_new_values() {
    let (mut packages, mut sets) = (0, [0usize; 5]);
    for (file, bytes) in ["classic", "conform"].into_iter().flat_map(files::of) {
        let Ok(mut old) = Package::from_bytes(bytes) else { continue };
        // What becomes of compressed files is a matter of their own.
        if old.container().is_some() {
            continue;
        }
        let ue3 = old.versions().engine() == Engine::Ue3;
        old.decode_all();
        let rows = 0..old.exports().len();
        let whole = |row| old.decoded(row).is_none_or(|decoded| decoded.is_complete());
        if !rows.clone().all(whole) || ue3 && old.source().len() > 2_000_000 {
            continue;
        }
        packages += 1;
        let mut new = old.clone();
        let mut expected = std::collections::BTreeSet::new();
        let mut done = [false; 5];
        for row in rows {
            if done.iter().all(|done| *done) {
                break;
            }
            let object = format!("#{row}");
            let Ok(values) = old.values().properties(&object) else { continue };
            for value in values {
                let longer = format!("{}_with_a_longer_text_by_{}", value.path, "x".repeat(70));
                let (kind, text) = match value.value.as_ref().unwrap() {
                    Value::Int(number) => (0, number.wrapping_add(70_000).to_string()),
                    Value::Str(text) if !text.is_empty() && done[1] => (2, "s".to_owned()),
                    Value::Str(_) => (1, longer),
                    Value::Object(index) if !index.is_null() => (3, "None".to_owned()),
                    // Not an enum's value, which must be one of the enum's.
                    Value::Name(_) if value.property_type.kind() == PropertyKind::Name => {
                        (4, "A_Name_That_Is_New".to_owned())
                    }
                    _ => continue,
                };
                let way = (row, value.path.to_ascii_lowercase());
                if done[kind] || value.text.trim_matches('"') == text || expected.contains(&way) {
                    continue;
                }
                let set = new.edit(|edit| edit.set_property(&object, &value.path, &text));
                set.unwrap_or_else(|error| panic!("{file} #{row}.{}: {error}", value.path));
                done[kind] = true;
                sets[kind] += 1;
                expected.insert(way);
            }
        }
        let saved = new.to_bytes().unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut reopened = Package::from_bytes(saved.clone()).unwrap();
        reopened.decode_all();
        assert!(reopened.to_bytes().unwrap() == saved, "{file}");
        let diff = unreal_packages::compare::diff(&old, &reopened);
        assert!(diff.added.is_empty() && diff.removed.is_empty(), "{file}: {diff:?}");
        assert!(diff.header.is_empty(), "{file}: {:?}", diff.header);
        let mut found = std::collections::BTreeSet::new();
        for object in &diff.changed {
            for change in &object.changes {
                let unreal_packages::compare::Difference::Property { property, .. } = change else {
                    panic!("{file} {}: {change:?}", object.path);
                };
                found.insert((object.rows.0, property.to_ascii_lowercase()));
            }
        }
        assert_eq!(found, expected, "{file}");
    }
    println!("{packages} packages; ints, longer and shorter strings, objects, names: {sets:?}");
    assert!(sets.iter().all(|&count| count > 0), "{sets:?}");
}
