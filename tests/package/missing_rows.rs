//! References of the header to rows that its tables do not have: refused when a package is saved, unless it was opened
//! with them.

use unreal_packages::edit::PackageEdit;
use unreal_packages::package::Package;
use unreal_packages::table::Tables;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Name, PackageIndex, Versions};

use super::common::open;
use super::common::parts::Parts;

/// A number of no row of these packages.
const NOWHERE: i32 = 999;

fn rich(file: u32) -> Package {
    open(&Parts::rich(Versions::ue1_to_3(file, 0)).assemble())
}

type Change = fn(&mut Tables);

/// Each with the file version of a package that has it, and its path.
const REFERENCES: &[(u32, &str, Change)] = &[
    (512, "imports[1].class_package", |t| t.imports[1].class_package = Name::new(NOWHERE)),
    (512, "imports[1].class_name", |t| t.imports[1].class_name = Name::new(NOWHERE)),
    (512, "imports[1].object_name", |t| t.imports[1].object_name = Name::new(-1)),
    (512, "imports[1].outer_index", |t| t.imports[1].outer_index = PackageIndex::new(-NOWHERE)),
    (35, "imports[1].outer_name", |t| t.imports[1].outer_name = Name::new(NOWHERE)),
    (512, "exports[2].object_name", |t| t.exports[2].object_name = Name::new(NOWHERE)),
    (512, "exports[2].class_index", |t| t.exports[2].class_index = PackageIndex::new(-NOWHERE)),
    (512, "exports[2].super_index", |t| t.exports[2].super_index = PackageIndex::new(NOWHERE)),
    (512, "exports[2].outer_index", |t| t.exports[2].outer_index = PackageIndex::new(4)),
    (512, "exports[2].archetype_index", |t| {
        t.exports[2].archetype_index = PackageIndex::new(NOWHERE);
    }),
    (512, "exports[2].details.component_map[0].name", |t| {
        t.exports[2].details.component_map[0].name = Name::new(NOWHERE);
    }),
    (512, "exports[2].details.component_map[0].export", |t| {
        t.exports[2].details.component_map[0].export = PackageIndex::export(3);
    }),
    (512, "depends[1].objects[0]", |t| t.depends[1].objects[0] = PackageIndex::new(NOWHERE)),
    (868, "summary.texture_allocations[0].export_indices[0]", |t| {
        t.summary.texture_allocations[0].export_indices[0] = PackageIndex::export(3);
    }),
];

/// The path of the error, which must be one about a row that is not there.
fn refused(package: &Package, what: &str) -> String {
    let error = package.to_bytes().expect_err(what);
    assert!(matches!(error.kind(), ErrorKind::NotFound { .. }), "{what}: {error}");
    error.path()
}

#[test]
fn rows_that_tables_lack_are_refused_by_the_path_of_the_reference() {
    for (file, path, change) in REFERENCES {
        let mut package = rich(*file);
        let bytes = package.source().to_vec();
        // Tables that could have changed and have not are saved as they were.
        package.parts_mut();
        assert!(package.to_bytes().unwrap() == bytes, "{path}");
        change(package.parts_mut().tables);
        assert_eq!(refused(&package, path), *path);
    }
    let mut package = rich(512);
    package.parts_mut().tables.exports[1].object_name = Name::new(NOWHERE);
    let error = package.to_bytes().unwrap_err().to_string();
    assert_eq!(error, "exports[1].object_name: name '#999' not found; the table has 9");
}

/// A damaged package is saved as it was opened, and may be changed elsewhere.
#[test]
fn rows_that_a_package_was_opened_without_stay_so() {
    for (file, path, change) in REFERENCES {
        let mut damaged = rich(*file);
        let sound = damaged.source().to_vec();
        let mut tables = damaged.tables().clone();
        change(&mut tables);
        let bytes = assembled(*file, &tables);
        assert!(bytes != sound, "{path}");
        damaged = open(&bytes);
        damaged.parts_mut();
        assert!(damaged.to_bytes().unwrap() == bytes, "{path}");
        damaged.edit(|edit| edit.add_name("Hide")).expect(path);
        let changed = open(&damaged.to_bytes().unwrap());
        assert!(changed.names().find("Hide").is_some(), "{path}");
        // Another one is refused.
        damaged.parts_mut().tables.exports[0].class_index = PackageIndex::new(-NOWHERE - 1);
        assert_eq!(refused(&damaged, path), "exports[0].class_index");
    }
}

/// A rich package with the rows of these tables.
fn assembled(file: u32, tables: &Tables) -> Vec<u8> {
    let mut parts = Parts::rich(Versions::ue1_to_3(file, 0));
    parts.imports.clone_from(&tables.imports);
    parts.exports = tables.exports.iter().cloned().collect();
    parts.depends.clone_from(&tables.depends);
    let allocations = &tables.summary.texture_allocations;
    parts.summary.texture_allocations.clone_from(allocations);
    parts.assemble()
}

#[cfg(feature = "json")]
#[test]
fn documents_of_damaged_packages_give_them_back() {
    let mut tables = rich(512).tables().clone();
    tables.exports[1].object_name = Name::new(NOWHERE);
    let damaged = open(&assembled(512, &tables));
    let mut text = Vec::new();
    damaged.to_json(&mut text, false).unwrap();
    let again = Package::from_json(&text).unwrap();
    assert!(again.to_bytes().unwrap() == damaged.source());
}

#[cfg(feature = "json")]
#[test]
fn documents_with_rows_that_tables_lack_make_no_file() {
    use serde_json::{Value, json};

    let package = rich(512);
    let mut text = Vec::new();
    package.to_json(&mut text, false).unwrap();
    let document: Value = serde_json::from_slice(&text).unwrap();
    let read = |document: &Value| Package::from_json(document.to_string().as_bytes()).unwrap();
    assert!(read(&document).to_bytes().unwrap() == package.source());
    for (table, row, field) in [("exports", 2, "object_name"), ("imports", 1, "class_name")] {
        let mut damaged = document.clone();
        damaged[table][row][field] = json!(NOWHERE);
        assert_eq!(refused(&read(&damaged), field), format!("{table}[{row}].{field}"));
    }
}
