//! The rows of packages.

use unreal_packages::Package;
use unreal_packages::generate::Builder;
use unreal_packages::scan::arrow_array::cast::AsArray;
use unreal_packages::scan::arrow_array::types::Int64Type;
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
