//! A data table of as many rows as one asks for, a cell of each of which is changed.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{NewAsset, NewRows};
use unreal_packages::inspect::PackageValues;
use unreal_packages::{Result, version::EngineRelease};

/// Rows for each that was asked for: fewer cost less than what is done once.
const TIMES: usize = 4;

/// Changes one cell of each row, backwards, by the row's name.
pub fn cells_of_a_table(rows: usize) {
    let rows = rows * TIMES;
    let mut table = NewRows::of("/Script/Game.Weapon");
    table.column("Damage", "int".parse().unwrap());
    for row in 0..rows {
        table.row(&format!("Weapon{row}"), [row.to_string()]).unwrap();
    }
    let asset = NewAsset::data_table("/Game/DT_Weapons", table);
    let mut package = asset.build(EngineRelease::new(4, 27)).unwrap();
    let changed = package.edit(|edit| -> Result<()> {
        for row in (0..rows).rev() {
            edit.set_property("DT_Weapons", &format!("[Weapon{row}].Damage"), "-1")?;
        }
        Ok(())
    });
    changed.unwrap();
    let first = package.values().property("DT_Weapons", "[Weapon0].Damage").unwrap();
    assert_eq!(first.text, "-1");
}
