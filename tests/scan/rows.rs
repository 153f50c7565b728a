//! The rows of packages.

use unreal_packages::Package;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Builder, Profile, create};
use unreal_packages::inspect::PackageValues;
use unreal_packages::scan::arrow_array::Array;
use unreal_packages::scan::arrow_array::cast::AsArray;
use unreal_packages::scan::arrow_array::types::{Float64Type, Int64Type};
use unreal_packages::scan::{PackageRows, ScannedFile, TableKind, TableSet};

#[test]
fn tables_have_the_rows_of_their_package() {
    let bytes = Builder::new(69).name("Hello").build().unwrap();
    let package = Package::from_bytes(bytes).unwrap();
    let file = ScannedFile::of(&package, "Mods/Mod.u");
    let mut rows = PackageRows::new(TableSet::ALL);
    rows.add_package(&file, &package);
    let batches = rows.finish();
    let (table, batch) = &batches[0];
    assert_eq!((*table, batch.num_rows()), (TableKind::Packages, 1));
    assert_eq!(batch.column(0).as_primitive::<Int64Type>().value(0), file.id());
    assert_eq!(batch.column_by_name("mount_path").unwrap().as_string::<i32>().value(0), "Mod");
    let names = &batches.iter().find(|(table, _)| *table == TableKind::Names).unwrap().1;
    assert_eq!(names.num_rows(), package.names().len());
}

/// The cells of a row of leaves: path, property, name, kind, whole number, number, text.
type Leaf = (String, String, String, String, Option<i64>, Option<f64>, Option<String>);

fn leaves(package: &Package) -> Vec<Leaf> {
    let mut rows = PackageRows::new(TableSet::of([TableKind::Leaves]));
    rows.add_package(&ScannedFile::of(package, "A.uasset"), package);
    let batches = rows.finish();
    let Some((_, batch)) = batches.iter().find(|(table, _)| *table == TableKind::Leaves) else {
        return Vec::new();
    };
    let text = |name: &str, row: usize| {
        let column = batch.column_by_name(name).unwrap().as_string::<i32>();
        column.is_valid(row).then(|| column.value(row).to_owned())
    };
    let integers = batch.column_by_name("integer").unwrap().as_primitive::<Int64Type>();
    let numbers = batch.column_by_name("number").unwrap().as_primitive::<Float64Type>();
    let one = |row: usize| {
        let [path, property, name, kind] =
            ["path", "property", "name", "kind"].map(|name| text(name, row).unwrap());
        let integer = integers.is_valid(row).then(|| integers.value(row));
        let number = numbers.is_valid(row).then(|| numbers.value(row));
        (path, property, name, kind, integer, number, text("text", row))
    };
    (0..batch.num_rows()).map(one).collect()
}

fn with_values() -> Package {
    let mut package = create(&Profile::UT99).unwrap();
    let filled = package.edit(|edit| {
        edit.add_blank_object("Light0", "Engine.Light")?;
        for (name, word, value) in [
            ("Location", "struct:Vector", "(X=1.5,Y=-2,Z=0)"),
            ("LightRadius", "byte", "64"),
            ("bHidden", "bool", "True"),
            ("Order", "int", "-7"),
            ("Title", "string", "\"with \\\"quotes\\\"\""),
        ] {
            edit.add_property("Light0", name, &word.parse()?, value)?;
        }
        Ok(())
    });
    filled.unwrap();
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

#[test]
fn leaves_are_numbers_and_texts_by_the_paths_of_fields() {
    let found = leaves(&with_values());
    let seen: Vec<_> = found
        .iter()
        .map(|(path, property, name, kind, integer, number, text)| {
            (&**path, &**property, &**name, &**kind, *integer, *number, text.as_deref())
        })
        .collect();
    let wanted = [
        ("Location.X", "Location", "X", "number", None, Some(1.5), None),
        ("Location.Y", "Location", "Y", "number", None, Some(-2.0), None),
        ("Location.Z", "Location", "Z", "number", None, Some(0.0), None),
        ("LightRadius", "LightRadius", "LightRadius", "integer", Some(64), Some(64.0), None),
        ("bHidden", "bHidden", "bHidden", "bool", Some(1), Some(1.0), None),
        ("Order", "Order", "Order", "integer", Some(-7), Some(-7.0), None),
        ("Title", "Title", "Title", "text", None, None, Some("with \"quotes\"")),
    ];
    assert_eq!(seen, wanted);
}

#[test]
fn leaves_are_where_their_paths_lead() {
    let package = with_values();
    let light = package.exports().iter().find(|export| export.path() == "Light0").unwrap();
    for (path, ..) in leaves(&package) {
        let found = package.values().property(&light.path(), &path);
        assert!(found.is_ok(), "{path}: {found:?}");
    }
}

#[test]
fn leaves_are_made_where_they_are_asked_for() {
    assert!(!TableSet::USUAL.contains(TableKind::Leaves));
    assert_eq!(TableSet::USUAL.iter().count() + 1, TableSet::ALL.iter().count());
}
