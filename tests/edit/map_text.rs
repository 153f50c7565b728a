//! Actors as UnrealEd's text: what it writes is read, what is written comes back, and what is wrong is refused.

use unreal_packages::content::{MapText, MapTextEdits, MapTextSources, PackageContents};
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::{EngineRelease, Result};

use super::common::many_actors::add_level;
use super::common::{GUID, ue4};

/// As UnrealEd of UE1 writes a light and a sheet: fields at their defaults are not there, the package is `MyLevel`.
const UNREAL_ED: &str = "\
Begin Map
Begin Actor Class=LevelInfo Name=LevelInfo7
    Title=\"Other\"
    Name=LevelInfo7
End Actor
Begin Actor Class=Brush Name=Brush
    Begin Brush Name=Brush
       Begin PolyList
       End PolyList
    End Brush
    Brush=Model'MyLevel.Brush'
    Name=Brush
End Actor
Begin Actor Class=Light Name=Light0
    Level=LevelInfo'MyLevel.LevelInfo7'
    Tag=Lamp
    Region=(Zone=LevelInfo'MyLevel.LevelInfo7',iLeaf=-1)
    Location=(X=-768.000000,Y=-304.000000)
    Owner=Brush'MyLevel.Brush1'
    Target=Pawn'MyLevel.Pawn3'
    bStatic=False
    Name=Light0
End Actor
Begin Actor Class=Brush Name=Brush1
    CsgOper=CSG_Add
    MainScale=(SheerAxis=SHEER_ZX)
    PostScale=(Scale=(Y=2.000000),SheerAxis=SHEER_ZX)
    Level=LevelInfo'MyLevel.LevelInfo7'
    Begin Brush Name=Model2
       Begin PolyList
          Begin Polygon Item=Sheet Texture=Bricks Flags=264 Link=3
             Origin   +00128.000000,+00128.000000,+00000.000000
             Normal   +00000.000000,+00000.000000,-00001.000000
             TextureU -00001.000000,+00000.000000,+00000.000000
             TextureV +00000.000000,+00001.000000,+00000.000000
             Pan      U=16 V=-8
             Vertex   +00128.000000,+00128.000000,+00000.000000
             Vertex   +00128.000000,-00128.000000,+00000.000000
             Vertex   -00128.000000,-00128.000000,+00000.000000
             Vertex   -00128.000000,+00128.000000,+00000.100000
          End Polygon
       End PolyList
    End Brush
    Brush=Model'MyLevel.Model2'
    Name=Brush1
End Actor
Begin Surface
End Surface
End Map
";

/// A level with its settings, a light of the name that the text has, and a texture that it borrows.
fn map(file: u32) -> Package {
    let builder = Builder::new(file).guid(GUID).import("Walls.Bricks", "Engine.Texture");
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        add_level(edit)?;
        edit.add_blank_object("Light0", "Engine.Light").map(drop)
    });
    made.unwrap();
    package
}

/// Classes of the engine.
pub struct Engine;

impl MapTextSources for Engine {
    fn class_path(&self, class: &str) -> Option<String> {
        Some(format!("Engine.{class}"))
    }

    fn class_of(&self, _: &str) -> Option<String> {
        None
    }
}

fn text_of(package: &Package, object: &str) -> String {
    let listed = package.values().properties(object).unwrap();
    listed.iter().map(|it| format!("{}={}\n", it.path, it.text)).collect()
}

#[test]
fn what_unreal_ed_writes_comes_into_a_map() {
    let mut package = map(69);
    let text: MapText = UNREAL_ED.parse().unwrap();
    let added = package.edit(|edit| edit.add_map_text(&text, &Engine)).unwrap();
    let paths: Vec<_> = added.rows.iter().map(|&row| package.exports().path(row)).collect();
    assert_eq!(paths, ["Light1", "Brush1"]);
    assert_eq!(
        added.left_out,
        [
            "LevelInfo7: the map has a LevelInfo of its own",
            "Brush: the map has a builder brush of its own",
            "Light0.Target: Pawn3 is neither in the text nor an actor of the map",
        ]
    );
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let light = text_of(&package, "Light1");
    for line in [
        "Level=LevelInfo'LevelInfo0'\n",
        "Tag=Lamp\n",
        "Location=(X=-768.0,Y=-304.0,Z=0.0)\n",
        "Owner=Brush'Brush1'\n",
        "Target=None\n",
        "bStatic=False\n",
    ] {
        assert!(light.contains(line), "{line}{light}");
    }
    let brush = text_of(&package, "Brush1");
    // What the text leaves out is 1, not 0.
    for line in [
        "CsgOper=CSG_Add\n",
        "MainScale=(Scale=(X=1.0,Y=1.0,Z=1.0),SheerRate=0.0,SheerAxis=5)\n",
        "PostScale=(Scale=(X=1.0,Y=2.0,Z=1.0),SheerRate=0.0,SheerAxis=5)\n",
        "Brush=Model'Model2'\n",
    ] {
        assert!(brush.contains(line), "{line}{brush}");
    }
    // The level has them, and another writing says the same.
    let map = package.values().level_map().unwrap();
    let actors: Vec<_> = map.actors.iter().map(|actor| actor.path.as_str()).collect();
    assert_eq!(actors, ["LevelInfo0", "Light0", "Light1", "Brush1"]);
    let again = package.contents().map_text(&added.rows).unwrap();
    assert_eq!(again.to_string().parse::<MapText>().unwrap(), again);
    let (sheet, stored) = (&text.actors[3].brush, &again.actors[1].brush);
    let (mut sheet, stored) = (sheet.clone().unwrap(), stored.clone().unwrap());
    sheet.polygons[0].texture = "Walls.Bricks".to_owned();
    assert_eq!(stored, sheet);
}

#[test]
fn a_text_that_does_not_fit_changes_nothing() {
    let mut package = map(69);
    let before = package.to_bytes().unwrap();
    let cases = [
        ("Begin Actor Class=Nothing Name=A\nEnd Actor\n", "the class 'Nothing' is"),
        ("Begin Actor Class=Engine.Light Name=A\n  Nothing=1\nEnd Actor\n", "A.Nothing=1"),
        ("Begin Actor Class=Engine.Light Name=A\n  Location=(Q=1)\nEnd Actor\n", "A.Location"),
        ("Begin Actor Class=Core.Object Name=A\nEnd Actor\n", "not known as a class of actors"),
        (
            "Begin Actor Class=Engine.Brush Name=A\nCsgOper=1\nBegin Brush Name=M\nBegin PolyList\nBegin Polygon \
             Texture=Un.Known\nEnd Polygon\nEnd PolyList\nEnd Brush\nEnd Actor\n",
            "Un.Known",
        ),
    ];
    for (text, reason) in cases {
        let text: MapText = text.parse().unwrap();
        let failed = package.edit(|edit| edit.add_map_text(&text, &())).unwrap_err();
        assert!(failed.to_string().contains(reason), "{failed}");
        assert_eq!(package.to_bytes().unwrap(), before, "{reason}");
    }
}

#[test]
fn lines_that_are_wrong_are_named() {
    let cases = [
        ("Begin Map\nBegin Actor Name=A\n", "line 2: an actor without Class="),
        ("Begin Map\nLocation=1\n", "line 2: 'Location=1' stands in no actor"),
        ("Begin Actor Class=A Name=B\nEnd Map\n", "line 2: 'End Map' where 'Actor' has begun"),
        ("Begin Actor Class=A Name=B\n", "the text ends before what it has begun"),
        ("Begin Actor Class=A Name=B\nBegin Object Name=C\n", "line 2: an object without Class="),
        (
            "Begin Actor Class=A Name=B\nBegin Object Class=C\nEnd Actor\n",
            "where 'Object' has begun",
        ),
        ("Begin Actor Class=A Name=B\nnothing\n", "line 2: 'nothing' has no '='"),
        ("End Map\n", "line 1: 'End Map' ends nothing"),
    ];
    for (text, reason) in cases {
        let failed = text.parse::<MapText>().unwrap_err().to_string();
        assert!(failed.contains(reason), "{failed}");
    }
    let corner = "Begin Actor Class=A Name=B\nBegin Brush Name=C\nBegin PolyList\nBegin Polygon\nVertex 1,2\n";
    assert!(
        corner.parse::<MapText>().unwrap_err().to_string().contains("line 5: '1,2' is no place")
    );
}

#[test]
fn later_engines_are_refused() {
    let mut package =
        Package::from_bytes(ue4::builder(&EngineRelease::new(5, 3).versions()).build().unwrap())
            .unwrap();
    let text = MapText::default();
    let refused = package.edit(|edit| edit.add_map_text(&text, &())).unwrap_err();
    assert!(refused.to_string().contains("UE1 to UE3 alone"), "{refused}");
    let ue3 = Package::from_bytes(Builder::new(600).guid(GUID).build().unwrap()).unwrap();
    assert!(ue3.contents().map_text(&[0]).is_err());
}

/// Numbers that six digits do not hold come back as they are.
#[test]
fn corners_keep_all_their_bits() {
    let mut package = map(69);
    let text: MapText = UNREAL_ED.parse().unwrap();
    let rows = package.edit(|edit: &mut Edit| edit.add_map_text(&text, &Engine)).unwrap().rows;
    for number in [0.1_f32, 1.0e-30, -3.402_823_5e38, 123_456.79, f32::MIN_POSITIVE] {
        let mut text = package.contents().map_text(&rows).unwrap();
        let brush = text.actors[1].brush.as_mut().unwrap();
        brush.polygons[0].vertices[2].y = number;
        let read: MapText = text.to_string().parse().unwrap();
        let corner = read.actors[1].brush.as_ref().unwrap().polygons[0].vertices[2].y;
        assert_eq!(corner.to_bits(), number.to_bits());
    }
}
