//! Assets as games have cooked them, made anew from what they say: stored like one of the game's own, they are what the
//! cooker has made.

use unreal_packages::compare::{Difference, ObjectDifference, diff};
use unreal_packages::content::{PackageContents, TableEdits, TableFormat, strings_from};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{NewAsset, NewRows};
use unreal_packages::inspect::{PackageValues, package_path};
use unreal_packages::object::Native;
use unreal_packages::object::ue4::table::data_table::DataTable;
use unreal_packages::object::ue4::table::string_table::StringTable;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{PackageFlags, PackageIndex};
use unreal_packages::property::Value;

use crate::manifest;

/// Whether its one object says all of itself by properties, rows or texts.
fn is_plain(package: &Package) -> bool {
    if package.exports().len() != 1
        || !package.summary().package_flags.contains(PackageFlags::FILTER_EDITOR_ONLY)
    {
        return false;
    }
    let Ok(decoded) = package.decode(0) else { return false };
    let body = &decoded.body;
    let is_known = matches!(body.native, Native::None)
        || native_as::<DataTable>(body).is_some()
        || native_as::<StringTable>(body).is_some();
    is_known && decoded.error.is_none() && decoded.opaque == 0
}

/// The package made anew, with itself as the model: nothing of its object is left when it is used.
fn made(package: &Package) -> unreal_packages::Result<Package> {
    let name = package.object_name(PackageIndex::export(0));
    let path = package_path(package).unwrap_or_else(|| format!("/Game/{name}"));
    let class = package.exports().get(0).unwrap().class().to_string();
    let decoded = package.decode(0)?;
    let values = package.values().properties("#0")?;
    let is_table = native_as::<DataTable>(&decoded.body).is_some();
    let asset = if is_table {
        let row_struct = values.iter().find(|value| value.path == "RowStruct").unwrap();
        let Some(Value::Object(index)) = &row_struct.value else { panic!("{row_struct:?}") };
        NewAsset::data_table(&path, NewRows::of(&package.path(*index)))
    } else if native_as::<StringTable>(&decoded.body).is_some() {
        let file = package.contents().table(0)?.file(TableFormat::Json)?;
        let (namespace, entries) = strings_from(&file, TableFormat::Json)?;
        NewAsset::string_table(&path, &namespace.unwrap_or_default(), entries)
    } else {
        NewAsset::object(&path, &class)
    };
    let mut made = asset.build_like(package)?;
    made.edit(|edit| {
        for value in values.iter().filter(|value| !value.path.starts_with('[')) {
            edit.set_property("#0", &value.path, &value.text)?;
        }
        if is_table {
            let file = package.contents().table(0)?.with_types().file(TableFormat::Csv)?;
            edit.replace_table(0, &file, TableFormat::Csv)?;
        }
        Ok(())
    })?;
    Ok(made)
}

/// Whether both say the same. Packages without tags store a zero in two ways, of which an edit takes one: of these the values
/// are compared.
fn says_the_same(old: &Package, new: &Package) -> Result<(), String> {
    let mut found = diff(old, new);
    let text = |package: &Package| -> Vec<(String, String)> {
        let values = package.values().properties("#0").unwrap();
        values.into_iter().map(|value| (value.path, value.text)).collect()
    };
    let is_unversioned = old.summary().package_flags.contains(PackageFlags::UNVERSIONED_PROPERTIES);
    let only_values = |one: &ObjectDifference| {
        one.changes.iter().all(|it| matches!(it, Difference::Property { .. }))
    };
    if is_unversioned && text(old) == text(new) {
        found.changed.retain(|one| !only_values(one));
    }
    if found.says_nothing() { Ok(()) } else { Err(format!("{found:?}")) }
}

pub fn cooked_assets_are_made_anew_as_their_cooker_has_made_them() {
    let (mut same, mut other) = (0, Vec::new());
    let mut refused = Vec::new();
    for entry in manifest::packages() {
        let Ok(package) = entry.options_with_readable_mappings().open(&entry.path) else {
            continue;
        };
        if !is_plain(&package) {
            continue;
        }
        let found = match made(&package) {
            Ok(made) => says_the_same(&package, &made),
            Err(error) => {
                refused.push(format!("{}: {error}", entry.name()));
                continue;
            }
        };
        match found {
            Ok(()) => same += 1,
            Err(found) => other.push(format!("{}: {found}", entry.name())),
        }
    }
    let (others, refusals) = (other.join("\n"), refused.join("\n"));
    println!("{same} the same, {} others:\n{others}\n{refusals}", other.len());
    assert!(other.is_empty() && same >= 5);
    // The file of a table says no class of an object, and without mappings nothing says what a struct holds.
    let is_known = |reason: &&String| {
        reason.contains("to import it, write it with its class")
            || reason.contains("is not known, so nothing says its type")
    };
    assert_eq!(refused.iter().filter(is_known).count(), refused.len());
}
