//! Rows of data tables, and texts of string tables.

use std::sync::Arc;

use unreal_packages::ErrorKind;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue4::table::data_table::{DataTable, Row};
use unreal_packages::package::{OpenOptions, Package, native_as};
use unreal_packages::version::EngineRelease;

use super::{RELEASES, empty_body, reopened};

fn package(release: EngineRelease) -> Package {
    let body = |more| empty_body(release, more);
    let builder = Builder::for_release(release)
        .name("None")
        .export("DT", "/Script/Engine.DataTable", body(4))
        .export("ST", "/Script/Engine.StringTable", body(12))
        .export("Lamp", "/Script/Engine.PointLight", body(0));
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    assert_eq!(package.names().find("None"), Some(0));
    package.decode_all();
    package
}

#[test]
fn rows_are_added_changed_renamed_and_removed() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let mut package = package(release);
        for row in ["[Sword]", "[Shield]", "[\"Big ] axe\"]"] {
            package.edit(|edit| edit.set_property("DT", row, "()")).unwrap();
        }
        let int = "int".parse().unwrap();
        package.edit(|edit| edit.add_property("DT", "[Sword].Damage", &int, "5")).unwrap();
        package.edit(|edit| edit.set_property("DT", "[sword].Damage", "50")).unwrap();
        package.edit(|edit| edit.set_property("DT", "[Sword]", "(Damage=51)")).unwrap();
        package.edit(|edit| edit.rename_table_row("DT", "Shield", "Buckler_2")).unwrap();
        let mut package = reopened(&package, &OpenOptions::new());
        let rows = package.values().table_rows("DT").unwrap();
        let rows: Vec<_> = rows.into_iter().map(|row| (row.path, row.text)).collect();
        let row = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let shown =
            [row("[Sword]", "(Damage=51)"), row("[Buckler_2]", "()"), row("[\"Big ] axe\"]", "()")];
        assert_eq!(rows, shown, "{release}");
        let path = "DT[Sword].Damage";
        assert_eq!(package.values().split_property_path(path).unwrap(), ("DT", "[Sword].Damage"));
        assert_eq!(package.values().property("DT", "[Sword].Damage").unwrap().text, "51");
        assert!(package.edit(|edit| edit.rename_table_row("DT", "Sword", "BUCKLER_2")).is_err());
        assert!(package.edit(|edit| edit.rename_table_row("DT", "Nothing", "Other")).is_err());
        for name in ["None", "none", ""] {
            assert!(
                package.edit(|edit| edit.rename_table_row("DT", "Sword", name)).is_err(),
                "{release} '{name}'"
            );
            let path = format!("[\"{name}\"]");
            let error = package.edit(|edit| edit.set_property("DT", &path, "()")).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{release}: {error}");
        }
        assert!(package.values().property("DT", "[Nothing]").is_err());
        assert!(package.values().table_rows("Lamp").is_err());
        assert!(package.edit(|edit| edit.set_property("Lamp", "[Row]", "()")).is_err());
        package.edit(|edit| edit.remove_property("DT", "[Sword]")).unwrap();
        assert_eq!(
            reopened(&package, &OpenOptions::new()).values().table_rows("DT").unwrap().len(),
            2
        );
    }
}

/// Rows are remembered by their names from one change to the next, and looked at before they are believed.
#[test]
fn rows_that_move_within_an_edit_are_found_where_they_are() {
    let mut package = package(EngineRelease::new(5, 3));
    let int = "int".parse().unwrap();
    let done = package.edit(|edit| -> unreal_packages::Result<()> {
        let names = ["A", "B", "C", "D_7", "E"];
        for name in names {
            edit.set_property("DT", &format!("[{name}]"), "()")?;
        }
        for name in names {
            edit.add_property("DT", &format!("[{name}].Damage"), &int, "1")?;
        }
        edit.rename_table_row("DT", "A", "F")?;
        edit.set_property("DT", "[f].Damage", "2")?;
        edit.set_property("DT", "[A]", "()")?;
        edit.add_property("DT", "[A].Damage", &int, "3")?;
        edit.remove_property("DT", "[B]")?;
        assert!(edit.set_property("DT", "[B].Damage", "9").is_err());
        for (name, damage) in [("E", "4"), ("D_7", "5"), ("C", "6")] {
            edit.set_property("DT", &format!("[{name}].Damage"), damage)?;
        }
        // Two rows change their names with each other, often.
        for _ in 0..20 {
            edit.rename_table_row("DT", "C", "Other")?;
            edit.rename_table_row("DT", "E", "C")?;
            edit.rename_table_row("DT", "Other", "E")?;
            edit.set_property("DT", "[C].Damage", "7")?;
            edit.set_property("DT", "[E].Damage", "8")?;
        }
        Ok(())
    });
    done.unwrap();
    let package = reopened(&package, &OpenOptions::new());
    let rows = package.values().table_rows("DT").unwrap();
    let rows: Vec<_> = rows.into_iter().map(|row| row.path + &row.text).collect();
    assert_eq!(
        rows,
        ["[F](Damage=2)", "[C](Damage=7)", "[D_7](Damage=5)", "[E](Damage=8)", "[A](Damage=3)"]
    );
}

/// What takes an edit back shares the rows that it leaves alone.
#[test]
fn a_cell_that_changes_copies_its_row_alone() {
    fn rows(package: &Package) -> Vec<Arc<Row>> {
        let decoded = package.decoded(package.find_export("DT").unwrap()).unwrap();
        native_as::<DataTable>(&decoded.body).unwrap().rows.clone().into_vec()
    }
    let mut package = package(EngineRelease::new(5, 3));
    let shared = package.edit(|edit| {
        for row in ["[Sword]", "[Axe]", "[Bow]"] {
            edit.set_property("DT", row, "()")?;
        }
        let before = rows(edit);
        edit.add_property("DT", "[Axe].Damage", &"int".parse()?, "5")?;
        let after = rows(edit);
        let pairs = before.iter().zip(&after);
        Ok::<_, unreal_packages::Error>(pairs.map(|(old, new)| Arc::ptr_eq(old, new)).collect())
    });
    let shared: Vec<bool> = shared.unwrap();
    assert_eq!(shared, [true, false, true]);
}

#[test]
fn texts_of_string_tables() {
    for (major, minor) in RELEASES {
        let mut package = package(EngineRelease::new(major, minor));
        package.edit(|edit| edit.set_property("ST", "[Greeting]", "Hello, \"you\"")).unwrap();
        package.edit(|edit| edit.set_property("ST", "[Bye]", "\"Tschüß\"")).unwrap();
        package.edit(|edit| edit.set_property("ST", "[Greeting]", "Hi")).unwrap();
        package.edit(|edit| edit.rename_table_row("ST", "Greeting", "Welcome")).unwrap();
        let mut package = reopened(&package, &OpenOptions::new());
        assert_eq!(package.values().property("ST", "[Welcome]").unwrap().text, "\"Hi\"");
        let rows = package.values().table_rows("ST").unwrap();
        let rows: Vec<_> = rows.into_iter().map(|row| row.path + &row.text).collect();
        assert_eq!(rows, ["[Welcome]\"Hi\"", "[Bye]\"Tschüß\""]);
        assert!(package.edit(|edit| edit.set_property("ST", "[Bye].X", "1")).is_err());
        package.edit(|edit| edit.remove_property("ST", "[Bye]")).unwrap();
        assert!(package.values().property("ST", "[Bye]").is_err());
    }
}
