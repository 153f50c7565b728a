//! Terrains of UE2 and UE3: a grid of heights. The layers of materials are not mixed: the first gives its texture, where it
//! names one.

use super::height_grid::{HeightGrid, Quad};
use super::shape::{Lod, Mesh, MeshPlacement, MeshSection};
use super::source::{MeshSource, value, value_at};
use crate::PackageIndex;
use crate::error::{Error, Result};
use crate::object::ue2::TerrainInfo;
use crate::object::ue3::world::terrain::Terrain;
use crate::property::{Elements, PropertyList, Value};

/// Height that means none, and steps of a unit.
const ZERO: f32 = 32768.0;
const STEPS: f32 = 128.0;

/// Marks of a vertex of UE3: the quad behind it is a hole; its edge is the other one. C++: `TID_Visibility_Off`,
/// `TID_OrientationFlip`.
const HOLE: u8 = 0x1;
const TURNED: u8 = 0x2;

/// The size of a terrain of UE3 that says none.
const UE3_SCALE: f32 = 256.0;

/// A terrain of UE2, whose vertices are stored where they stand in the level.
pub(super) fn ue2(
    source: &MeshSource<'_>,
    stored: &TerrainInfo,
) -> Result<(Mesh, Vec<PackageIndex>)> {
    let [columns, rows] = stored.height_map_size.map(|side| u32::try_from(side).unwrap_or(0));
    let vertices = source.payload(&stored.vertices)?;
    let grid = grid(columns, rows, vertices.len())?;
    let mut lod =
        Lod { positions: vertices.iter().map(|at| at.vector(0)).collect(), ..Lod::default() };
    let colors = source.payload(&stored.vertex_colors)?;
    if colors.len() == lod.positions.len() {
        lod.colors = colors.iter().map(|at| at.color(0)).collect();
    }
    let bits = |name| match source.value(name) {
        Some(Value::Array(Elements::Int(words))) => words.as_slice(),
        _ => &[],
    };
    let (visible, turned) = (bits("QuadVisibilityBitmap"), bits("EdgeTurnBitmap"));
    let bit = |words: &[i32], x: u32, y: u32| {
        let at = y * columns + x;
        words.get(at as usize / 32).map(|word| word >> (at % 32) & 1 == 1)
    };
    let mut section = MeshSection::default();
    grid.add_to(&mut section, |x, y| match (bit(visible, x, y), bit(turned, x, y)) {
        (Some(false), _) => Quad::Hole,
        (_, Some(true)) => Quad::Turned,
        _ => Quad::Plain,
    });
    lod.sections.push(section);
    let layer =
        source.body.lists().next().and_then(|list| value_at(source.package, list, "Layers", 0));
    let layer = layer.and_then(Value::as_list);
    let way = layer.and_then(|layer| texture_way(source, layer));
    let uv = |position: &[f32; 3]| match &way {
        Some(way) => [0, 1].map(|axis| {
            let along = |at: usize| position[at] * way[at][axis];
            along(0) + along(1) + along(2) + way[3][axis]
        }),
        None => [position[0] / ZERO, position[1] / ZERO],
    };
    lod.uvs.push(lod.positions.iter().map(uv).collect());
    let texture = layer.and_then(|layer| match value(source.package, layer, "Texture") {
        Some(Value::Object(index)) => Some(*index),
        _ => None,
    });
    let mesh = Mesh { name: source.name(), lods: vec![lod], ..Mesh::default() };
    Ok((mesh, vec![texture.unwrap_or_default()]))
}

/// From the world to a layer's texture, by rows.
fn texture_way(source: &MeshSource<'_>, layer: &PropertyList) -> Option<[[f32; 2]; 4]> {
    let Some(Value::List(matrix)) = value(source.package, layer, "TerrainMatrix") else {
        return None;
    };
    let number = |plane: &PropertyList, name| match value(source.package, plane, name) {
        Some(Value::Float(number)) => Some(*number),
        _ => None,
    };
    let row = |name| match value(source.package, matrix, name) {
        Some(Value::List(plane)) => Some([number(plane, "X")?, number(plane, "Y")?]),
        // `Plane` has W last in C++, and first in a file.
        Some(Value::Float4([_, x, y, _])) => Some([*x, *y]),
        _ => None,
    };
    Some([row("XPlane")?, row("YPlane")?, row("ZPlane")?, row("WPlane")?])
}

/// A terrain of UE3, in the space of its actor.
pub(super) fn ue3(source: &MeshSource<'_>, stored: &Terrain) -> Result<(Mesh, Vec<PackageIndex>)> {
    let side = |name| match source.value(name) {
        Some(Value::Int(side)) => u32::try_from(*side).unwrap_or(0),
        _ => 0,
    };
    let (columns, rows) = (side("NumVerticesX"), side("NumVerticesY"));
    let heights = source.payload(&stored.heights)?;
    let grid = grid(columns, rows, heights.len())?;
    let marks = stored.info.0.bytes(source.package.source())?;
    let mut lod = Lod { uvs: vec![Vec::new()], ..Lod::default() };
    for (at, height) in (0_u32..).zip(heights.iter()) {
        let (x, y) = ((at % columns) as f32, (at / columns) as f32);
        lod.positions.push([x, y, units(height.u16(0))]);
        lod.uvs[0].push([x, y]);
    }
    let mut section = MeshSection::default();
    grid.add_to(&mut section, |x, y| {
        match marks.get((y * columns + x) as usize).copied().unwrap_or(0) {
            mark if mark & HOLE != 0 => Quad::Hole,
            mark if mark & TURNED != 0 => Quad::Turned,
            _ => Quad::Plain,
        }
    });
    lod.sections.push(section);
    let three = source.value("DrawScale3D").and_then(Value::three_numbers);
    let one = match source.value("DrawScale") {
        Some(Value::Float(scale)) => *scale,
        _ => 1.0,
    };
    let scale = three.map_or([UE3_SCALE; 3], |scale| scale.map(|axis| axis as f32));
    let placement =
        MeshPlacement { scale: scale.map(|axis| axis * one), ..MeshPlacement::default() };
    let mesh = Mesh { name: source.name(), lods: vec![lod], placement, ..Mesh::default() };
    Ok((mesh, vec![PackageIndex::NULL]))
}

/// A stored height in units, of terrains and of landscapes.
pub(super) fn units(height: u16) -> f32 {
    (f32::from(height) - ZERO) / STEPS
}

/// A grid that has so many vertices.
fn grid(columns: u32, rows: u32, vertices: usize) -> Result<HeightGrid> {
    match u64::from(columns) * u64::from(rows) {
        count if count == vertices as u64 && columns > 1 && rows > 1 => {
            Ok(HeightGrid { first: 0, columns, rows })
        }
        _ => Err(Error::invalid(format!(
            "{vertices} vertices, where {columns} by {rows} are said to be"
        ))),
    }
}
