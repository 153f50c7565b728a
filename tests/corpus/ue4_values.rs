//! Packages of UE4 and UE5 take new values: what was set reads as set, all else as before.

use std::collections::BTreeMap;
use unreal_packages::package::checksum::saved_hash_is_right;

use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::{PackageValues, PropertyValue};
use unreal_packages::package::Package;
use unreal_packages::property::Value;

use crate::manifest;

/// Objects that are looked at in each package.
const OBJECTS: usize = 24;

/// A new text for a value, and its kind.
fn other(value: &PropertyValue) -> Option<(usize, String)> {
    Some(match value.value.as_ref()? {
        Value::Str(_) => (0, format!("{} is longer by {}", value.path, "x".repeat(70))),
        Value::Int(number) if value.property_type.to_string() == "int" => {
            (1, number.wrapping_add(70_000).to_string())
        }
        Value::Float(_) | Value::Double(_) => (2, "1234.5".to_owned()),
        Value::SoftObject(_) | Value::SoftObjectIndex(_) => {
            (3, "/Game/Somewhere/Else.Else:Sub".to_owned())
        }
        Value::Text(_) if value.text.starts_with("NSLOC") || value.text.starts_with("INV") => {
            (4, "A text of the test".to_owned())
        }
        Value::Name(_) if value.property_type.to_string() == "name" => {
            (5, "A_New_Name_7".to_owned())
        }
        Value::Bool(flag) => (6, (!flag).to_string()),
        _ => return None,
    })
}
const KINDS: [&str; 9] =
    ["strings", "ints", "reals", "soft paths", "texts", "names", "bools", "row values", "rows"];

/// Whether a text shows what was set.
fn shows(text: &str, set: &str) -> bool {
    text.eq_ignore_ascii_case(set) || text.contains(set)
}

fn all(package: &Package, rows: &[usize]) -> BTreeMap<(usize, String), Vec<String>> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for &row in rows {
        let object = format!("#{row}");
        let values = package.values().properties(&object).unwrap_or_default();
        for value in
            values.into_iter().chain(package.values().table_rows(&object).unwrap_or_default())
        {
            found.entry((row, value.path)).or_default().push(value.text);
        }
    }
    found
}

pub fn real_packages_take_new_values() {
    let (mut edited, mut sets) = (0, [0_usize; KINDS.len()]);
    let mut refused = BTreeMap::<String, usize>::new();
    let mut untouched = 0;
    for entry in manifest::packages() {
        let file = entry.name();
        let size: u64 = entry.column("bytes").parse().unwrap_or(0);
        if size > 4_000_000 {
            continue;
        }
        if entry.is_unversioned() && !entry.has_mappings() {
            *refused.entry("unversioned, without mappings".to_owned()).or_default() += 1;
            continue;
        }
        let options = entry.options_with_mappings();
        let mut old = options.open(&entry.path).unwrap();
        old.decode_all();
        let count = old.exports().len();
        // From everywhere in the table.
        let step = count.div_ceil(OBJECTS).max(1);
        let rows: Vec<_> = (0..count).step_by(step).collect();
        let before = all(&old, &rows);
        let mut new = old.clone();
        let mut expected = BTreeMap::<(usize, String), String>::new();
        let mut done = [false; KINDS.len()];
        for &row in &rows {
            let object = format!("#{row}");
            let Ok(values) = old.values().properties(&object) else { continue };
            for value in &values {
                let Some((kind, text)) = other(value) else { continue };
                let key = (row, value.path.clone());
                if done[kind] || before[&key].len() > 1 {
                    continue;
                }
                match new.edit(|edit| edit.set_property(&object, &value.path, &text)) {
                    Ok(change) => {
                        let shown = change.new.unwrap();
                        assert!(shows(&shown, &text), "{file} {object}.{}: {shown}", value.path);
                        expected.insert(key, text);
                        done[kind] = true;
                        sets[kind] += 1;
                    }
                    Err(error) => {
                        let error = error.to_string();
                        let reason = error.rsplit(": ").next().unwrap_or_default().to_owned();
                        *refused.entry(reason).or_default() += 1;
                    }
                }
            }
            edit_row(&old, &mut new, &object, (file, row), &mut expected, &mut sets, &mut done);
        }
        if expected.is_empty() {
            untouched += 1;
            continue;
        }
        let saved = match new.to_bytes() {
            Ok(saved) => saved,
            Err(error) => {
                // Bodies behind may hold positions that nobody decodes.
                let error = error.to_string();
                assert!(error.contains("move") || error.contains("position"), "{file}: {error}");
                *refused.entry("saving would move undecoded positions".to_owned()).or_default() +=
                    1;
                continue;
            }
        };
        let mut again = options.open_bytes(saved.clone()).unwrap_or_else(|e| panic!("{file}: {e}"));
        again.decode_all();
        assert!(again.to_bytes().unwrap() == saved, "{file}");
        assert_ne!(saved_hash_is_right(&again), Some(false), "{file}");
        let mut after = all(&again, &rows);
        for (key, text) in &expected {
            let found = after.remove(key).unwrap_or_default();
            assert!(found.iter().any(|found| shows(found, text)), "{file} {key:?}: {found:?}");
        }
        let mut rest = before;
        rest.retain(|key, _| !expected.contains_key(key));
        assert!(
            after == rest,
            "{file}: {:?}",
            after.iter().find(|(k, v)| rest.get(*k) != Some(*v))
        );
        edited += 1;
    }
    println!("{edited} packages edited, {untouched} have no such value; refused:");
    refused.iter().for_each(|(reason, count)| println!("{count:6} {reason}"));
    KINDS.iter().zip(sets).for_each(|(kind, count)| println!("{count:6} {kind}"));
    assert!(edited > 0 && sets.iter().all(|count| *count > 0), "{sets:?}");
}

/// A value within the first row of a table, and a row that is added.
fn edit_row(
    old: &Package,
    new: &mut Package,
    object: &str,
    (file, row): (&str, usize),
    expected: &mut BTreeMap<(usize, String), String>,
    sets: &mut [usize],
    done: &mut [bool],
) {
    let Some(first) = old.values().table_rows(object).ok().and_then(|rows| rows.into_iter().next())
    else {
        return;
    };
    if done[8] {
        return;
    }
    if let Some(Value::List(list)) = &first.value {
        for property in &list.properties {
            let name = property.name_text(|name| old.name_text(name));
            let text = match property.value() {
                Value::Int(_) => "4321",
                Value::Float(_) | Value::Double(_) => "4321.5",
                Value::Str(_) => "a text in a row",
                _ => continue,
            };
            let way = format!("{}.{name}", first.path);
            new.edit(|edit| edit.set_property(object, &way, text))
                .unwrap_or_else(|e| panic!("{file} {way}: {e}"));
            expected.insert((row, first.path.clone()), text.to_owned());
            sets[7] += 1;
            break;
        }
    }
    let added = if matches!(&first.value, Some(Value::Str(_))) { "added" } else { "()" };
    let set = new.edit(|edit| edit.set_property(object, "[A row of the test]", added));
    set.unwrap_or_else(|error| panic!("{file} {object}: {error}"));
    expected.insert((row, "[A row of the test]".to_owned()), added.to_owned());
    sets[8] += 1;
    done[8] = true;
}
