//! Makes a data table for Unreal Engine: rows with names and values, in a package of their own.
//!
//! ```sh
//! cargo run --example generate_data_table -- DT_Weapons.uasset 5.4
//! ```
//! Without a file name the package stays in memory.

use unreal_packages::generate::{NewAsset, NewRows};
use unreal_packages::inspect::folder_name;
use unreal_packages::package::SaveOptions;
use unreal_packages::{EngineRelease, Package, Result};

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let output = args.next();
    let release: EngineRelease = args.next().as_deref().unwrap_or("5.4").parse()?;
    let package = weapons()?.build(release)?;
    if let Some(path) = output {
        package.save(&SaveOptions::new())?.write_file(&path)?;
        println!("wrote {path}");
    }
    let package = Package::from_bytes(package.to_bytes()?)?;
    let (names, imports) = (package.names().len(), package.imports().len());
    println!("{} for {release}: {names} names, {imports} imports", folder_name(&package));
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
