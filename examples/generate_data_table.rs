//! Makes a data table for Unreal Engine: rows with names and values, in a package of their own.
//!
//! Usage: `generate_data_table OUT.uasset [RELEASE]`

use farchive::package::{NewAsset, NewRows, SaveOptions};
use farchive::{EngineRelease, Result};

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let Some(output) = args.next() else {
        return Err("usage: generate_data_table OUT.uasset [RELEASE]".into());
    };
    let release: EngineRelease = args.next().as_deref().unwrap_or("5.4").parse()?;
    let package = weapons()?.build(release)?;
    package.save_file(&output, &SaveOptions::new())?;
    let (names, imports) = (package.names().len(), package.imports().len());
    println!("{output}: {} for {release}, {names} names, {imports} imports", package.folder_name());
    Ok(())
}

/// Three weapons of a struct that the game declares.
fn weapons() -> Result<NewAsset> {
    let mut rows = NewRows::of("/Script/MyGame.WeaponRow");
    rows.column("Damage", "float".parse()?);
    rows.column("Ammo", "int".parse()?);
    rows.column("Title", "text".parse()?);
    rows.column("Tint", "struct:LinearColor".parse()?);
    rows.row("Sword", ["12.5", "0", "A sword", "(R=1,G=0.8,B=0.1,A=1)"])?;
    rows.row("Bow", ["7", "20", "NSLOCTEXT(\"Weapons\", \"Bow\", \"A bow\")", "(0.4,0.3,0.1,1)"])?;
    // What a row leaves out keeps the struct's default.
    rows.row("Stone", ["1"])?;
    Ok(NewAsset::data_table("/Game/Data/DT_Weapons", rows))
}
