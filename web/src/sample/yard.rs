//! A map of one room, with lights in a ring and places to start that paths connect.

use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::{Profile, create};
use unreal_packages::object::geometry::Vector;
use unreal_packages::object::ue1;
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyList, Type};
use unreal_packages::{PackageIndex, Result};

/// Half of the room's sides, Unreal's units.
const ROOM: [f32; 3] = [1024.0, 640.0, 192.0];
const LIGHTS: usize = 12;

pub(super) fn make() -> Result<Package> {
    let mut package = create(&Profile::UT99)?;
    package.edit(fill)?;
    Ok(package)
}

fn set(edit: &mut Edit, object: &str, property: &str, kind: &str, value: &str) -> Result<()> {
    let kind: Type = kind.parse()?;
    edit.add_property_or(object, property, &kind, value).map(drop)
}

fn actor(edit: &mut Edit, name: &str, class: &str, place: [f32; 3]) -> Result<PackageIndex> {
    let row = edit.add_plain_object(name, class, PropertyList::default())?;
    let [x, y, z] = place;
    set(edit, name, "Location", "struct:Vector", &format!("(X={x},Y={y},Z={z})"))?;
    Ok(PackageIndex::export(row))
}

/// The six sides of a box.
fn sides(half: [f32; 3]) -> Vec<ue1::Poly> {
    let mut polys = Vec::new();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [-1.0, 1.0] {
            let corner = |(a, b): (f32, f32)| {
                let mut point = [0.0; 3];
                (point[axis], point[u], point[v]) = (side * half[axis], a * half[u], b * half[v]);
                Vector { x: point[0], y: point[1], z: point[2] }
            };
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let mut poly = ue1::Poly::default();
            poly.shape.vertices = corners.map(corner).to_vec();
            polys.push(poly);
        }
    }
    polys
}

fn brush(
    edit: &mut Edit,
    number: usize,
    half: [f32; 3],
    place: [f32; 3],
    how: u8,
) -> Result<PackageIndex> {
    let plain = PropertyList::default;
    let mut polys = ue1::Polys::default();
    polys.polys.items = sides(half);
    polys.polys.maximum = polys.polys.items.len() as _;
    let polys = edit.add_object(&format!("Polys{number}"), "Engine.Polys", plain(), polys)?;
    let model = ue1::Model { polys: PackageIndex::export(polys), ..Default::default() };
    edit.add_object(&format!("Model{number}"), "Engine.Model", plain(), model)?;
    let name = format!("Brush{number}");
    let index = actor(edit, &name, "Engine.Brush", place)?;
    set(edit, &name, "Brush", "object", &format!("Model'Model{number}'"))?;
    set(edit, &name, "CsgOper", "byte", &how.to_string())?;
    Ok(index)
}

fn fill(edit: &mut Edit) -> Result<()> {
    let mut actors = vec![actor(edit, "LevelInfo0", "Engine.LevelInfo", [0.0; 3])?];
    // A room is taken out of what is solid, pillars are put into it again.
    actors.push(brush(edit, 0, ROOM, [0.0; 3], 2)?);
    for (at, x) in [-512.0, 512.0].into_iter().enumerate() {
        actors.push(brush(edit, at + 1, [64.0, 64.0, ROOM[2]], [x, 0.0, 0.0], 1)?);
    }
    for at in 0..LIGHTS {
        let turn = at as f32 * std::f32::consts::TAU / LIGHTS as f32;
        let place = [(turn.cos() * 800.0).round(), (turn.sin() * 480.0).round(), 128.0];
        actors.push(actor(edit, &format!("Light{at}"), "Engine.Light", place)?);
    }
    let first = actors.len();
    for (at, (x, y)) in
        [(-700.0, 0.0), (0.0, -400.0), (700.0, 0.0), (0.0, 400.0)].into_iter().enumerate()
    {
        actors.push(actor(
            edit,
            &format!("PlayerStart{at}"),
            "Engine.PlayerStart",
            [x, y, -150.0],
        )?);
    }
    let ring = (0..4).map(|at| (first + at, first + (at + 1) % 4));
    let spec = |(start, end): (usize, usize)| ue1::ReachSpec {
        start: actors[start],
        end: actors[end],
        ..Default::default()
    };
    let mut level = ue1::Level { reach_specs: ring.map(spec).collect(), ..Default::default() };
    level.actors.maximum = actors.len() as _;
    level.actors.items = actors;
    edit.add_object("MyLevel", "Engine.Level", PropertyList::default(), level)?;
    Ok(())
}
