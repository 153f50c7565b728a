//! Static meshes of UE3.

use std::collections::HashMap;

use super::change::MeshChange;
use super::drawn::{DrawnMesh, bytes_of, push_floats, sides};
use super::kdop::{compact, stopping, triangle_bytes, wide};
use super::smoothing;
use super::triangles::MeshTriangles;
use super::ue2_static::vector;
use super::ue3_vertices::VertexWriter;
use crate::archive::Span;
use crate::content::mesh::source::MeshSource;
use crate::error::{Error, Result};
use crate::object::geometry::Bounds;
use crate::object::ue3::asset::kdop::KdopTree;
use crate::object::ue3::asset::static_lod::{ColorStream, Element, StaticLod};
use crate::primitive::{BulkArray, BulkData, PackageIndex, Payload};

/// Sets of texture coordinates that are drawn: as many as a mesh notes the density of textures for.
pub(super) const MOST_SETS: usize = 4;
/// Sets that a triangle as imported has room for.
const RAW_SETS: usize = 8;
/// Bytes of a triangle as imported, below version 514 and from 845 on.
const RAW_SIZES: [usize; 2] = [252, 372];

/// How a version stores static meshes.
#[derive(Debug, Clone, Copy)]
pub(super) struct StaticForm {
    /// Whether each vertex has its colour, below version 615.
    pub has_color: bool,
    /// Whether collision trees have small nodes, from version 770 on.
    pub has_small_nodes: bool,
    /// Whether parts name their pieces, from version 514 on.
    pub has_fragments: bool,
}

/// What a level of detail stores beside what is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct LodParts {
    /// Lines for looking at its edges.
    pub lines: bool,
    /// Indices for tessellation.
    pub adjacency: bool,
    /// Vertices and edges of a volume that casts shadows, below version 686.
    pub volume: bool,
    /// Bytes of a triangle as imported, where those are kept.
    pub raw: Option<usize>,
}

impl LodParts {
    /// What a level has: games leave out what they do not need.
    pub fn of(lod: &StaticLod) -> Self {
        let triangles = usize::try_from(lod.raw_triangles.element_count).ok();
        let raw = triangles
            .and_then(|count| (lod.raw_triangles.payload.len() as usize).checked_div(count));
        Self {
            lines: lod.wireframe_indices.count > 0,
            adjacency: lod.adjacency_indices.count > 0,
            volume: lod.shadow.count > 0,
            raw,
        }
    }

    /// What the editor stores in a new one: triangles as imported where their form is known, indices for tessellation
    /// from version 864 on (every mesh of the corpora that has its triangles), a volume for shadows at 512 and 513.
    pub fn new(file_version: u32) -> Self {
        let raw = match file_version {
            ..514 => Some(RAW_SIZES[0]),
            845.. => Some(RAW_SIZES[1]),
            _ => None,
        };
        Self { lines: true, adjacency: file_version >= 864, volume: file_version < 600, raw }
    }
}

/// A material of a mesh: the object, and the part that had it before.
#[derive(Debug, Clone, Default)]
pub(super) struct StaticSlot {
    pub material: PackageIndex,
    pub before: Option<Element>,
}

impl StaticSlot {
    pub fn collides(&self) -> bool {
        self.before.as_ref().is_none_or(|before| before.enable_collision != 0)
    }
}

/// Puts triangles into a level of detail.
pub(super) fn store(
    source: &MeshSource<'_>,
    stored: &mut StaticLod,
    triangles: &MeshTriangles,
    slots: &[StaticSlot],
    (form, parts): (StaticForm, LodParts),
    change: &mut MeshChange,
) -> Result<DrawnMesh> {
    let is_wide = stored.vertices.full_precision != 0;
    let writer = VertexWriter::of(source, stored, triangles, form, is_wide)?;
    let drawn = DrawnMesh::of(triangles, slots.len(), |triangle, corner, bytes| {
        writer.write(triangle, corner, bytes);
    })?;
    let count = drawn.vertices().len();
    let size = drawn.vertices().next().map_or(0, <[u8]>::len) - 4;
    let number = count as i32;
    stored.elements = elements(&drawn, slots, form);
    (stored.positions.stride, stored.positions.count) = (12, number);
    stored.positions.data = bulk(12, drawn.part(0..12));
    let vertices = &mut stored.vertices;
    (vertices.tex_coords, vertices.count) = (triangles.sets as i32, number);
    vertices.stride = (size - 12) as i32;
    vertices.data = bulk(size - 12, drawn.part(12..size));
    stored.colors = match triangles.is_colored && !form.has_color {
        true => ColorStream { stride: 4, count: number, data: bulk(4, drawn.part(size..size + 4)) },
        false => ColorStream::default(),
    };
    stored.vertex_count = number;
    stored.indices = bulk(2, bytes_of(&drawn.indices));
    let place: Vec<_> = drawn.vertices().map(|vertex| &vertex[..12]).collect();
    let place = |vertex: u16| place.get(usize::from(vertex)).copied().unwrap_or_default();
    if parts.lines {
        stored.wireframe_indices = bulk(2, bytes_of(&drawn.edges(place)));
    }
    if parts.adjacency {
        stored.adjacency_indices = bulk(2, bytes_of(&adjacency(&drawn, place)));
    }
    if parts.volume {
        add_volume(source, stored, (triangles, &drawn), slots, place)?;
    }
    if let Some(size) = parts.raw {
        stored.raw_triangles = raw(source, &stored.raw_triangles, size, triangles)?;
    }
    change.vertices += count;
    Ok(drawn)
}

fn bulk<const N: usize>(size: usize, bytes: Vec<u8>) -> BulkArray<N> {
    let count = (bytes.len() / size.max(1)) as i32;
    BulkArray { element_size: size as i32, count, data: Span::owned(bytes) }
}

fn elements(drawn: &DrawnMesh, slots: &[StaticSlot], form: StaticForm) -> Vec<Element> {
    let parts = drawn.sections.iter().zip(slots).enumerate();
    let parts = parts.filter(|(_, (section, _))| section.triangles > 0);
    let part = |(at, (section, slot)): (usize, (&super::drawn::DrawnSection, &StaticSlot))| {
        let new = Element {
            enable_collision: 1,
            old_enable_collision: 1,
            enable_shadow_casting: 1,
            ..Element::default()
        };
        let (first, triangles) = (section.first_index as u32, section.triangles as u32);
        let fragments = vec![(first as i32, triangles as i32)];
        Element {
            material: slot.material,
            first_index: first,
            triangle_count: triangles,
            min_vertex: section.min_vertex.into(),
            max_vertex: section.max_vertex.into(),
            material_index: at as i32,
            fragments: if form.has_fragments { fragments } else { Vec::new() },
            ..slot.before.clone().unwrap_or(new)
        }
    };
    parts.map(part).collect()
}

/// Twelve vertices for each triangle, for tessellation: its corners; for each side that of the first triangle on the
/// other side of it, or its own; for each corner the first vertex in its place (27 meshes of versions 864 to 868, but
/// for 373 of 10,524 corners, where the engine takes another of the same place).
fn adjacency<'a>(drawn: &DrawnMesh, place: impl Fn(u16) -> &'a [u8]) -> Vec<u16> {
    let mut across: HashMap<(&[u8], &[u8]), [u16; 2]> = HashMap::new();
    let mut first: HashMap<&[u8], u16> = HashMap::new();
    for triangle in drawn.indices.chunks_exact(3) {
        for [a, b] in sides(triangle) {
            across.entry((place(a), place(b))).or_insert([a, b]);
        }
        for vertex in triangle {
            first.entry(place(*vertex)).or_insert(*vertex);
        }
    }
    let mut made = Vec::with_capacity(drawn.indices.len() * 4);
    for triangle in drawn.indices.chunks_exact(3) {
        made.extend_from_slice(triangle);
        for [a, b] in sides(triangle) {
            let other = across.get(&(place(b), place(a)));
            made.extend(other.map_or([a, b], |[to, from]| [*from, *to]));
        }
        made.extend(
            triangle.iter().map(|vertex| first.get(place(*vertex)).copied().unwrap_or(*vertex)),
        );
    }
    made
}

/// The volume that casts shadows: all vertices a second time, for those that are drawn away from the light; each edge
/// with the triangles at its two sides, the second -1 where there is none; and whether triangles cast shadows on both
/// sides, as those of their material did before. The edges of the six meshes of versions 512 and 513 come out so.
fn add_volume<'a>(
    source: &MeshSource<'_>,
    stored: &mut StaticLod,
    (triangles, drawn): (&MeshTriangles, &DrawnMesh),
    slots: &[StaticSlot],
    place: impl Fn(u16) -> &'a [u8],
) -> Result<()> {
    let count = drawn.vertices().len();
    let twice = |bytes: &Span| -> Result<Span> {
        let bytes = bytes.bytes(&[])?;
        Ok(Span::owned([bytes, bytes].concat()))
    };
    stored.positions.data.data = twice(&stored.positions.data.data)?;
    stored.vertices.data.data = twice(&stored.vertices.data.data)?;
    for number in [
        &mut stored.positions.count,
        &mut stored.positions.data.count,
        &mut stored.vertices.count,
        &mut stored.vertices.data.count,
    ] {
        *number = number.saturating_mul(2);
    }
    let away = [0.0_f32, 1.0].map(|away| away.to_le_bytes());
    let bytes: Vec<u8> = away.into_iter().flat_map(|away| away.repeat(count)).collect();
    (stored.shadow.stride, stored.shadow.count) = (4, stored.positions.count);
    stored.shadow.data = bulk(4, bytes);
    let mut edges: Vec<[i32; 4]> = Vec::new();
    let mut open: HashMap<(&[u8], &[u8]), usize> = HashMap::new();
    for (number, triangle) in drawn.indices.chunks_exact(3).enumerate() {
        for [a, b] in sides(triangle) {
            let known = open.get(&(place(b), place(a))).copied();
            match known.and_then(|at| edges.get_mut(at)).filter(|edge| edge[3] < 0) {
                Some(edge) => edge[3] = number as i32,
                None => {
                    open.entry((place(a), place(b))).or_insert(edges.len());
                    edges.push([a.into(), b.into(), number as i32, -1]);
                }
            }
        }
    }
    let bytes = edges.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let before = source.payload(&stored.double_sided)?;
    let flag = |slot: &StaticSlot| {
        let first = slot.before.as_ref().map(|element| element.first_index as usize / 3);
        first.and_then(|first| before.get(first)).map_or(0, |triangle| triangle.u8(0))
    };
    let flags: Vec<u8> = slots.iter().map(flag).collect();
    let flags = triangles.list.iter().map(|triangle| flags[triangle.material]).collect::<Vec<_>>();
    stored.edges = bulk(16, bytes);
    stored.double_sided = Payload(Span::owned(flags));
    Ok(())
}

/// Triangles as they are imported: three positions; eight texture coordinates for each corner; three colours; material,
/// in late versions the number of the piece, smoothing mask, number of texture coordinates; in late versions nine
/// vectors and two flags of a basis of their own, which is not used. What a triangle does not use is 0.
fn raw(
    source: &MeshSource<'_>,
    old: &BulkData,
    size: usize,
    triangles: &MeshTriangles,
) -> Result<BulkData> {
    if !RAW_SIZES.contains(&size) {
        return Err(Error::invalid(format!(
            "its triangles as imported have {size} bytes, a form that is not made"
        )));
    }
    let is_late = size == RAW_SIZES[1];
    let mask_at = if is_late { 248 } else { 244 };
    let before = source.elements(&old.payload, size)?;
    let known: HashMap<_, _> = before
        .iter()
        .map(|triangle| (triangle.bytes[..36].to_vec(), triangle.u32(mask_at)))
        .collect();
    let mut bytes = Vec::with_capacity(triangles.list.len() * size);
    for (triangle, mask) in triangles.list.iter().zip(smoothing::masks(triangles)) {
        let start = bytes.len();
        triangle.positions.iter().for_each(|v| push_floats(&mut bytes, v));
        let mask = known.get(&bytes[start..]).copied().unwrap_or(mask);
        for corner in 0..3 {
            let mut uvs = [[0.0; 2]; RAW_SETS];
            let own = triangles.uvs(triangle, corner);
            uvs.iter_mut().zip(own).for_each(|(uv, own)| *uv = *own);
            push_floats(&mut bytes, uvs.as_flattened());
        }
        for [red, green, blue, alpha] in triangle.colors {
            bytes.extend_from_slice(&[blue, green, red, alpha]);
        }
        bytes.extend_from_slice(&(triangle.material as u32).to_le_bytes());
        if is_late {
            bytes.extend_from_slice(&0_u32.to_le_bytes());
        }
        bytes.extend_from_slice(&mask.to_le_bytes());
        bytes.extend_from_slice(&(triangles.sets as u32).to_le_bytes());
        bytes.resize(start + size, 0);
    }
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    Ok(BulkData {
        element_count: count(triangles.list.len()),
        size_on_disk: count(bytes.len()),
        payload: Span::owned(bytes),
        flags: 0,
        ..old.clone()
    })
}

/// The box and the sphere around a mesh, the sphere around its vertices.
pub(super) fn bounds(triangles: &MeshTriangles) -> Bounds {
    let (min, max) = triangles.bounds();
    let origin = [0, 1, 2].map(|axis| (min[axis] + max[axis]) * 0.5);
    let extent = [0, 1, 2].map(|axis| (max[axis] - min[axis]) * 0.5);
    let square =
        |v: [f32; 3]| (0..3).map(|axis| f64::from(v[axis] - origin[axis]).powi(2)).sum::<f64>();
    let radius = triangles.positions().map(square).fold(0.0, f64::max).sqrt() as f32;
    Bounds { origin: vector(origin), box_extent: vector(extent), sphere_radius: radius }
}

/// The collision tree of the finest level of detail.
pub(super) fn collision(
    triangles: &MeshTriangles,
    drawn: &DrawnMesh,
    slots: &[StaticSlot],
    form: StaticForm,
) -> Result<KdopTree> {
    let mut all = stopping(triangles, drawn, |material| slots[material].collides());
    let mut made = KdopTree::default();
    if form.has_small_nodes {
        let (root, nodes) = compact(&mut all);
        (made.root_bound, made.compact_nodes) = (root, bulk(6, nodes));
    } else {
        made.nodes = bulk(32, wide(&mut all)?);
    }
    made.triangles = bulk(8, triangle_bytes(&all));
    Ok(made)
}
