//! Levels from above: places in the world, brushes, paths, and drawings that are well-formed.

use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{BrushUse, MapPath, PackageValues};
use unreal_packages::object::geometry::Vector;
use unreal_packages::object::{ue1, ue3, ue4};
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyList, Type};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{PackageIndex, Result, Versions};

use super::common::GUID;

fn set(edit: &mut Edit, object: &str, property: &str, kind: &str, value: &str) -> Result<()> {
    let kind: Type = kind.parse()?;
    edit.add_property_or(object, property, &kind, value).map(drop)
}

/// A square of 32 by 16 units that lies, and one that stands.
fn squares() -> [Vec<Vector>; 2] {
    let point = |x, y, z| Vector { x, y, z };
    let corners = [(-16.0, -8.0), (16.0, -8.0), (16.0, 8.0), (-16.0, 8.0)];
    [
        corners.iter().map(|&(x, y)| point(x, y, 4.0)).collect(),
        corners.iter().map(|&(x, y)| point(x, 0.0, y)).collect(),
    ]
}

/// A map of UE1: a hollow brush that is turned by a quarter, and two lights with a path between them, one with a
/// name that no XML may have as it is.
fn ue1_map() -> Package {
    let mut package = Package::from_bytes(Builder::new(69).guid(GUID).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        // Names that the editor refuses may be in a file all the same.
        edit.set_checks(false);
        let plain = PropertyList::default;
        let mut polys = ue1::Polys::default();
        for vertices in squares() {
            let mut poly = ue1::Poly::default();
            poly.shape.vertices = vertices;
            polys.polys.items.push(poly);
        }
        polys.polys.maximum = 2;
        let polys = edit.add_object("Polys0", "Engine.Polys", plain(), polys)?;
        let model = ue1::Model { polys: PackageIndex::export(polys), ..Default::default() };
        edit.add_object("Model0", "Engine.Model", plain(), model)?;
        let mut actors = Vec::new();
        for (name, class) in
            [("Brush0", "Brush"), ("Lamp&<0>", "Light"), ("Lamp1", "Light"), ("Info", "LevelInfo")]
        {
            actors.push(edit.add_plain_object(name, &format!("Engine.{class}"), plain())?);
        }
        set(edit, "Brush0", "Brush", "object", "Model'Model0'")?;
        set(edit, "Brush0", "CsgOper", "byte", "2")?;
        set(edit, "Brush0", "Location", "struct:Vector", "(X=100,Y=50,Z=0)")?;
        set(edit, "Brush0", "PrePivot", "struct:Vector", "(X=16,Y=0,Z=0)")?;
        set(edit, "Brush0", "Rotation", "struct:Rotator", "(Pitch=0,Yaw=16384,Roll=0)")?;
        set(edit, "Lamp&<0>", "Location", "struct:Vector", "(X=-300,Y=20,Z=8)")?;
        let index = |at: usize| PackageIndex::export(actors[at]);
        let spec = ue1::ReachSpec { start: index(1), end: index(2), ..Default::default() };
        let mut level = ue1::Level { reach_specs: vec![spec], ..Default::default() };
        // A deleted actor leaves a hole.
        level.actors.items = vec![index(3), index(0), PackageIndex::NULL, index(1), index(2)];
        level.actors.maximum = 5;
        edit.add_object("MyLevel", "Engine.Level", plain(), level)?;
        Ok(())
    });
    made.unwrap();
    package
}

#[test]
fn actors_of_ue1_stand_where_they_say() {
    let package = ue1_map();
    let map = package.values().level_map().unwrap();
    let places: Vec<_> = map.actors.iter().map(|it| (it.path.as_str(), it.place)).collect();
    assert_eq!(
        places,
        [
            ("Info", Some([0.0; 3])),
            ("Brush0", Some([100.0, 50.0, 0.0])),
            ("Lamp&<0>", Some([-300.0, 20.0, 8.0])),
            ("Lamp1", Some([0.0; 3])),
        ]
    );
    let brush = &map.actors[1];
    assert_eq!(brush.brush, Some(BrushUse::Subtract));
    // The one that stands is left out; the other has its pivot at its right side and is turned.
    let expected = [[108.0, 18.0], [108.0, 50.0], [92.0, 50.0], [92.0, 18.0]];
    assert_eq!(brush.outline.len(), 1);
    for (point, expected) in brush.outline[0].iter().zip(expected) {
        assert!((0..2).all(|at| (point[at] - expected[at]).abs() < 1e-9), "{:?}", brush.outline);
    }
    let row = |path: &str| package.find_export(path).unwrap();
    assert_eq!(map.paths, [MapPath { from: row("Lamp&<0>"), to: row("Lamp1") }]);
}

#[test]
fn drawings_are_well_formed() {
    let svg = ue1_map().values().level_map().unwrap().to_svg();
    let drawing = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    let root = drawing.root_element();
    assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
    let group =
        |class: &str| root.children().find(|node| node.attribute("class") == Some(class)).unwrap();
    let elements = |class: &str| group(class).children().filter(|it| it.is_element()).count();
    assert_eq!(["brushes", "paths", "actors"].map(elements), [1, 1, 3]);
    let titles: Vec<_> = group("actors").descendants().filter_map(|node| node.text()).collect();
    assert!(titles.contains(&"Lamp&<0> (Engine.Light) at -300 20 8"), "{titles:?}");
    let legend: Vec<_> = group("legend").descendants().filter_map(|node| node.text()).collect();
    assert!(legend.contains(&"Light (2)") && legend.contains(&"LevelInfo (1)"), "{legend:?}");
    let line = group("paths").first_element_child().unwrap();
    assert_eq!((line.attribute("x1"), line.attribute("y2")), (Some("-300"), Some("0")));
}

/// A map of UE4 or UE5: a door that hangs on a wall, which is turned and twice as large, and one that is free of it.
fn ue4_map(versions: Versions) -> Package {
    let empty = Builder::for_versions(versions).guid(GUID).build().unwrap();
    let mut package = Package::from_bytes(empty).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        let plain = PropertyList::default;
        let package = "/Script/CoreUObject.Package";
        edit.add_plain_object("Town", package, plain())?;
        edit.add_plain_object("Town.PersistentLevel", package, plain())?;
        let mut actors = Vec::new();
        for name in ["Wall", "Door", "Free", "Info"] {
            let actor = format!("Town.PersistentLevel.{name}");
            let class = "/Script/Town.Prop";
            actors.push(PackageIndex::export(edit.add_plain_object(&actor, class, plain())?));
            if name != "Info" {
                let root = format!("{actor}.Root");
                edit.add_plain_object(&root, "/Script/Town.Node", plain())?;
                set(edit, &actor, "RootComponent", "object", &root)?;
            }
        }
        let root = |name: &str| format!("Town.PersistentLevel.{name}.Root");
        for name in ["Door", "Free"] {
            set(edit, &root(name), "AttachParent", "object", &root("Wall"))?;
            set(edit, &root(name), "RelativeLocation", "struct:Vector", "(X=10,Y=0,Z=5)")?;
        }
        set(edit, &root("Free"), "bAbsoluteLocation", "bool", "true")?;
        set(edit, &root("Wall"), "RelativeLocation", "struct:Vector", "(X=100,Y=0,Z=0)")?;
        set(edit, &root("Wall"), "RelativeRotation", "struct:Rotator", "(Pitch=0,Yaw=90,Roll=0)")?;
        set(edit, &root("Wall"), "RelativeScale3D", "struct:Vector", "(X=2,Y=2,Z=2)")?;
        let level = ue4::world::level::Level { actors, ..Default::default() };
        edit.add_object("Town.Level", "/Script/Engine.Level", plain(), level)?;
        Ok(())
    });
    made.unwrap();
    package
}

#[test]
fn components_stand_where_what_they_hang_on_puts_them() {
    for versions in [Versions::ue4_and_5(522, 0), Versions::ue4_and_5(522, 1008)] {
        let map = ue4_map(versions).values().level_map().unwrap();
        let place = |name: &str| {
            let end = format!(".{name}");
            map.actors.iter().find(|actor| actor.path.ends_with(&end)).unwrap().place
        };
        let near = |found: Option<[f64; 3]>, wanted: [f64; 3]| {
            let found = found.unwrap();
            assert!((0..3).all(|at| (found[at] - wanted[at]).abs() < 1e-6), "{found:?} {wanted:?}");
        };
        near(place("Wall"), [100.0, 0.0, 0.0]);
        near(place("Door"), [100.0, 20.0, 10.0]);
        near(place("Free"), [10.0, 0.0, 5.0]);
        assert_eq!(place("Info"), None);
        roxmltree::Document::parse(&map.to_svg()).unwrap();
    }
}

#[test]
fn paths_of_ue3_are_objects_and_a_package_without_a_level_is_no_map() {
    let mut package = Package::from_bytes(Builder::new(868).guid(GUID).build().unwrap()).unwrap();
    assert!(package.values().level_map().is_err());
    let made = package.edit(|edit| -> Result<()> {
        let plain = PropertyList::default;
        edit.add_plain_object("World", "Core.Package", plain())?;
        let mut actors = Vec::new();
        for name in ["World.A", "World.B"] {
            let row = edit.add_plain_object(name, "Engine.PathNode", plain())?;
            actors.push(PackageIndex::export(row));
        }
        edit.add_plain_object("World.Spec", "Engine.ReachSpec", plain())?;
        set(edit, "World.Spec", "Start", "object", "World.A")?;
        set(edit, "World.Spec", "End", "object", "World.B")?;
        let level = ue3::world::level::Level { actors, ..Default::default() };
        edit.add_object("World.PersistentLevel", "Engine.Level", plain(), level)?;
        Ok(())
    });
    made.unwrap();
    let map = package.values().level_map().unwrap();
    let row = |path: &str| package.find_export(path).unwrap();
    assert_eq!(map.paths, [MapPath { from: row("World.A"), to: row("World.B") }]);
    assert!(package.versions().file() == 868 && map.actors.len() == 2);
}
