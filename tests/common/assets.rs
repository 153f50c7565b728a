//! New assets of UE4 and UE5.

use unreal_packages::generate::{NewAsset, NewRows};

pub fn weapons() -> NewAsset {
    let mut rows = NewRows::of("/Script/MyGame.WeaponRow");
    for (name, known) in [
        ("Damage", "float"),
        ("Ammo", "int"),
        ("Title", "string"),
        ("Slot", "name"),
        ("bHeavy", "bool"),
    ] {
        rows.column(name, known.parse().unwrap());
    }
    rows.row("Sword", ["12.5", "0", "A sword", "Hand", "false"]).unwrap();
    rows.row("Kanone", ["99", "-3", "Größe", "Back_2", "true"]).unwrap();
    rows.row("Unset", ["1"]).unwrap();
    NewAsset::data_table("/Game/Data/DT_Weapons", rows)
}

pub fn object() -> NewAsset {
    NewAsset::object("/Game/Data/DA_Level", "/Script/MyGame.LevelData")
        .property("Number", "int".parse().unwrap(), "7")
        .property("Caption", "string".parse().unwrap(), "Seven")
        .tag("NativeClass", "/Script/CoreUObject.Class'/Script/MyGame.LevelData'")
}

pub fn strings() -> NewAsset {
    NewAsset::string_table(
        "/Game/Text/ST_Menu",
        "Menu",
        [("Start", "Start!"), ("Quit", "Ende – aus")],
    )
}
