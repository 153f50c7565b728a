//! A map that gets as many actors as one asks for.

use unreal_packages::content::MapTextEdits;
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::Builder;
use unreal_packages::object::ue1;
use unreal_packages::package::Package;
use unreal_packages::property::PropertyList;
use unreal_packages::{PackageIndex, Result};

/// A level of UE1 with its settings, and nothing else in it.
pub fn add_level(edit: &mut Edit) -> Result<()> {
    let info = edit.add_plain_object("LevelInfo0", "Engine.LevelInfo", PropertyList::default())?;
    let mut level = ue1::Level::default();
    level.actors.items = vec![PackageIndex::export(info)];
    level.actors.maximum = 1;
    edit.add_object("MyLevel", "Engine.Level", PropertyList::default(), level).map(drop)
}

/// Lights and brushes as UnrealEd writes them, so many of each, into a map of its own.
pub fn actors_from_text(rows: usize) {
    let builder = Builder::new(69).import("Walls.Bricks", "Engine.Texture");
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let actors = (0..rows).map(|row| {
        format!(
            "Begin Actor Class=Light Name=Light{row}\n    Tag=Lamp\n    LightBrightness=9\n    \
             Location=(X=-768.0,Y={row}.0)\nEnd Actor\n\
             Begin Actor Class=Brush Name=Brush{row}\n    CsgOper=CSG_Add\n    \
             Begin Brush Name=Model{row}\n       Begin PolyList\n          \
             Begin Polygon Texture=Bricks Flags=264\n             \
             Origin   +00128.0,+00128.0,+00000.0\n             \
             Vertex   +00128.0,+00128.0,+00000.0\n             \
             Vertex   +00128.0,-00128.0,+00000.0\n             \
             Vertex   -00128.0,-00128.0,+00000.0\n          End Polygon\n       End PolyList\n    \
             End Brush\n    Brush=Model'MyLevel.Model{row}'\nEnd Actor\n"
        )
    });
    let text = format!("Begin Map\n{}End Map\n", actors.collect::<String>()).parse().unwrap();
    let added = package.edit(|edit| -> Result<_> {
        add_level(edit)?;
        edit.add_blank_object("Light0", "Engine.Light")?;
        edit.add_blank_object("Brush0", "Engine.Brush")?;
        edit.add_map_text(&text, &())
    });
    assert_eq!(added.unwrap().rows.len(), 2 * rows, "every actor comes in");
}
