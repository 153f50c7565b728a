//! Workbooks that another reader and writer has judged: openpyxl.

use crate::common::{Folder, upk};
use crate::duckdb::python;

/// openpyxl as a package of python3.
pub fn openpyxl() -> Result<(), String> {
    match python("import openpyxl", &[], None) {
        Ok(_) => Ok(()),
        Err(_) => Err("needs python3 with openpyxl".to_owned()),
    }
}

const WEAPONS: &str = "---,Damage:float,Ammo:int,Title:string,bHeavy:bool\n\
                       Sword,12.5,0,\"A \"\"big\"\" sword\",False\n\
                       Gun,3.0,7,Größe 😀,True\n";

const LOOK: &str = r#"
import openpyxl, sys
book = openpyxl.load_workbook(sys.argv[1])
rows = [list(row) for row in book.active.iter_rows(values_only=True)]
assert rows == [
    ["---", "Damage", "Ammo", "Title", "bHeavy"],
    ["Sword", 12.5, 0, 'A "big" sword', False],
    ["Gun", 3, 7, "Größe 😀", True],
], rows
assert [type(cell) for cell in rows[1]] == [str, float, int, str, bool], rows[1]
book.active["C3"] = 8
book.active.append(["Bow", 1.5, 2, None, False])
book.create_sheet("Notes")["A1"] = "Made by hand"
book.save(sys.argv[2])
"#;

pub fn another_program_reads_workbooks_and_what_it_saves_is_taken() {
    let folder = Folder::new();
    folder.write("Weapons.csv", WEAPONS);
    let [input, asset, out] = ["Weapons.csv", "DT.uasset", "out"].map(|name| folder.arg(name));
    let args = ["new", "data-table", "--engine", "5.4", "--package", "/Game/DT", &input];
    upk(&[&args[..], &["--row-struct", "/Script/MyGame.Weapon", "-o", &asset]].concat()).exits(0);
    upk(&["extract", &asset, "-o", &out, "--tables", "xlsx"]).exits(0);
    let [made, saved] = ["out/DT.xlsx", "Saved.xlsx"].map(|name| folder.arg(name));
    // As it came out it changes nothing.
    let same = upk(&["import", &asset, "DT", &made, "--dry-run", "--json"]).exits(0).object();
    assert_eq!(
        (&same["change"]["facts"]["cells"], &same["changed"]),
        (&0.into(), &false.into()),
        "{same}"
    );
    python(LOOK, &[&made, &saved], None).unwrap();
    let change = upk(&["import", &asset, "DT", &saved, "--in-place", "--json"]).exits(0).object();
    let numbers =
        ["cells", "added", "removed"].map(|key| change["change"]["facts"][key].as_u64().unwrap());
    assert_eq!(numbers, [1, 1, 0], "{change}");
    upk(&["extract", &asset, "-o", &out, "--tables", "csv"]).exits(0);
    let csv = String::from_utf8(folder.read("out/DT.csv")).unwrap();
    let heads = "---,Damage,Ammo,Title,bHeavy\n";
    let rows =
        "Sword,12.5,0,\"A \"\"big\"\" sword\",False\nGun,3.0,8,Größe 😀,True\nBow,1.5,2,,False\n";
    assert_eq!(csv, format!("{heads}{rows}"));
}
