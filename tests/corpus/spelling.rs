//! What `get` prints, `set` takes: of every value of the corpora, without changing a byte; and rows of data
//! tables become rows of another name.

use std::collections::BTreeMap;

use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::inspect::{PackageValues, PropertyValue};
use unreal_packages::package::Package;

use crate::{files, manifest};

/// Values of one package that are set, the others are left out.
const VALUES: usize = 100;

/// Sets every value of an object to what it is.
fn set_again(
    edit: &mut Edit,
    package: &Package,
    row: usize,
    left: &mut usize,
) -> Result<usize, String> {
    let object = format!("#{row}");
    let values = package.values().properties(&object).unwrap_or_default();
    let rows = package.values().table_rows(&object).unwrap_or_default();
    let mut seen = std::collections::BTreeSet::new();
    let mut count = 0;
    for PropertyValue { path, text, .. } in values.into_iter().chain(rows) {
        // Damaged packages and odd tools store a property twice: a path means the first.
        if *left == 0 || !seen.insert(path.to_ascii_lowercase()) {
            continue;
        }
        *left -= 1;
        count += 1;
        let change = edit.set_property(&object, &path, &text);
        let change = change.map_err(|error| format!("{object}.{path}={text}: {error}"))?;
        if change.old.as_deref() != Some(&text) || change.new.as_deref() != Some(&text) {
            return Err(format!("{object}.{path}={text}: {change:?}"));
        }
    }
    Ok(count)
}

/// Sets values of a package to what they are: nothing changes.
fn check(file: &str, package: &mut Package) -> usize {
    package.decode_all();
    let before = match package.to_bytes() {
        Ok(bytes) => bytes,
        Err(_) => return 0,
    };
    let kept = package.clone();
    let (count, mut left, mut done) = (package.exports().len(), VALUES, 0);
    package
        .edit(|edit| {
            // From everywhere in the table.
            let step = count.div_ceil(VALUES).max(1);
            for row in (0..count).step_by(step) {
                match set_again(edit, &kept, row, &mut left) {
                    Ok(count) => done += count,
                    Err(error) => {
                        panic!("{file}: {}", error.chars().take(2000).collect::<String>())
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    assert!(package.to_bytes().unwrap() == before, "{file}: bytes changed");
    done
}

pub fn what_get_prints_set_takes() {
    let (mut packages, mut values) = (0, 0);
    for (file, bytes) in ["classic", "conform"].into_iter().flat_map(files::of) {
        let Ok(mut package) = Package::from_bytes(bytes) else { continue };
        if package.source().len() > 1_000_000 {
            continue;
        }
        packages += 1;
        values += check(&file, &mut package);
    }
    for entry in manifest::packages() {
        let size: u64 = entry.column("bytes").parse().unwrap_or(0);
        if size > 1_000_000 || entry.is_unversioned() && !entry.has_mappings() {
            continue;
        }
        packages += 1;
        values +=
            check(entry.name(), &mut entry.options_with_mappings().open(&entry.path).unwrap());
    }
    println!("{packages} packages, {values} values");
    assert!(values > 10_000, "{values}");
}

pub fn rows_become_rows_of_another_name() {
    let (mut tables, mut rows) = (0, 0);
    let mut refused = BTreeMap::<String, usize>::new();
    for entry in manifest::packages() {
        if entry.is_unversioned() && !entry.has_mappings() {
            continue;
        }
        let mut package = entry.options_with_mappings().open(&entry.path).unwrap();
        let table_rows = |package: &Package, row: usize| {
            package.values().table_rows(&format!("#{row}")).unwrap_or_default()
        };
        let is_table = |row: &usize| {
            package.exports().get(*row).is_some_and(|export| export.class().ends_with("Table"))
        };
        let found: Vec<_> = (0..package.exports().len()).filter(is_table).collect();
        for row in found {
            let before = table_rows(&package, row);
            if before.is_empty() {
                continue;
            }
            tables += 1;
            package.decode_all();
            let object = format!("#{row}");
            let mut new = package.clone();
            let mut done = Vec::new();
            for (at, known) in before.iter().enumerate() {
                let path = format!("[A new row {at}]");
                match new.edit(|edit| edit.set_property(&object, &path, &known.text)) {
                    Ok(_) => done.push((path, known.text.clone())),
                    Err(error) => {
                        let error = error.to_string();
                        let text: String = known.text.chars().take(300).collect();
                        println!("{} {object}{}: {error}\n   {text}", entry.name(), known.path);
                        let reason = error.rsplit(": ").next().unwrap_or_default().to_owned();
                        *refused.entry(reason).or_default() += 1;
                    }
                }
            }
            let saved = new.to_bytes().unwrap_or_else(|e| panic!("{}: {e}", entry.name()));
            let again = entry.options_with_mappings().open_bytes(saved).unwrap();
            let after = table_rows(&again, row);
            assert_eq!(after.len(), before.len() + done.len(), "{}", entry.name());
            let texts = |rows: &[PropertyValue]| -> Vec<(String, String)> {
                rows.iter().map(|row| (row.path.clone(), row.text.clone())).collect()
            };
            let mut expected = texts(&before);
            expected.extend(done.iter().cloned());
            assert!(
                texts(&after) == expected,
                "{}: {:?}",
                entry.name(),
                texts(&after).into_iter().zip(expected).find(|(a, b)| a != b)
            );
            rows += done.len();
        }
    }
    println!("{rows} rows of {tables} tables; refused {refused:?}");
    assert!(refused.is_empty(), "{refused:?}");
    assert!(rows > 0);
}
