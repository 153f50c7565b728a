//! Vertices of static meshes of UE3.

use std::collections::HashMap;

use half::f16;

use super::drawn::push_floats;
use super::tangents::MeshTangents;
use super::triangles::{MeshTriangle, MeshTriangles};
use super::ue3_static::StaticForm;
use crate::content::mesh::source::MeshSource;
use crate::error::Result;
use crate::object::ue3::asset::static_lod::StaticLod;

/// Writes vertices: position, tangent, normal, in early versions the colour, texture coordinates; behind them the
/// colour.
pub(super) struct VertexWriter<'a> {
    triangles: &'a MeshTriangles,
    form: StaticForm,
    is_wide: bool,
    /// Tangent and normal of each corner of each triangle.
    bases: Vec<[VertexBasis; 3]>,
}

/// A tangent and a normal as they are stored.
type VertexBasis = [u8; 8];

/// Tangents and normals that were there, by what stands around them: those of whole triangles, since corners that are
/// alike may have several, and those of vertices.
#[derive(Default)]
struct KnownBases {
    triangles: HashMap<Vec<u8>, [VertexBasis; 3]>,
    vertices: HashMap<Vec<u8>, VertexBasis>,
}

impl KnownBases {
    fn of(source: &MeshSource<'_>, stored: &StaticLod, sets: usize) -> Result<Self> {
        let mut made = Self::default();
        let size = usize::try_from(stored.vertices.data.element_size).unwrap_or(0);
        // What has another number of texture coordinates is never the same.
        if size < 8 || stored.vertices.tex_coords != sets as i32 {
            return Ok(made);
        }
        let positions = source.elements(&stored.positions.data.data, 12)?;
        let vertices = source.elements(&stored.vertices.data.data, size)?;
        let mut all = Vec::with_capacity(positions.len());
        for (position, vertex) in positions.iter().zip(vertices.iter()) {
            let mut key = position.bytes.to_vec();
            key.extend_from_slice(&vertex.bytes[4..7]);
            key.extend_from_slice(&vertex.bytes[8..]);
            let mut basis = [0; 8];
            basis.copy_from_slice(&vertex.bytes[..8]);
            made.vertices.entry(key.clone()).or_insert(basis);
            all.push((key, basis));
        }
        for corners in source.indices(&stored.indices.data, false)?.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|at| all.get(corners[at] as usize));
            if let (Some(a), Some(b), Some(c)) = (a, b, c) {
                let key = [&a.0[..], &b.0[..], &c.0[..]].concat();
                made.triangles.entry(key).or_insert([a.1, b.1, c.1]);
            }
        }
        Ok(made)
    }
}

impl<'a> VertexWriter<'a> {
    /// What writes the vertices of these triangles, with the tangents and normals of a level that are still right.
    ///
    /// # Errors
    /// What the stored vertices can't be read for.
    pub fn of(
        source: &MeshSource<'_>,
        stored: &StaticLod,
        triangles: &'a MeshTriangles,
        form: StaticForm,
        is_wide: bool,
    ) -> Result<Self> {
        let known = KnownBases::of(source, stored, triangles.sets)?;
        let tangents = MeshTangents::of(triangles);
        let mut made = Self { triangles, form, is_wide, bases: Vec::new() };
        let mut bases = vec![[[0; 8]; 3]; triangles.list.len()];
        for triangle in &triangles.list {
            let corners = [0, 1, 2].map(|corner| {
                let (tangent, normal) = tangents.packed(triangles, triangle, corner);
                let mut key = Vec::new();
                push_floats(&mut key, &triangle.positions[corner]);
                key.extend_from_slice(&normal[..3]);
                made.rest(triangle, corner, &mut key);
                let mut basis = [0; 8];
                basis[..4].copy_from_slice(&tangent);
                basis[4..].copy_from_slice(&normal);
                (key, basis)
            });
            let [a, b, c] = &corners;
            let whole = known.triangles.get(&[&a.0[..], &b.0[..], &c.0[..]].concat());
            let own =
                || corners.each_ref().map(|(key, basis)| *known.vertices.get(key).unwrap_or(basis));
            if let Some(place) = bases.get_mut(triangle.row) {
                *place = whole.copied().unwrap_or_else(own);
            }
        }
        made.bases = bases;
        Ok(made)
    }

    /// What stands behind the normal.
    fn rest(&self, triangle: &MeshTriangle, corner: usize, bytes: &mut Vec<u8>) {
        let [red, green, blue, alpha] = triangle.colors[corner];
        if self.form.has_color {
            bytes.extend_from_slice(&[blue, green, red, alpha]);
        }
        for uv in self.triangles.uvs(triangle, corner) {
            match self.is_wide {
                true => push_floats(bytes, uv),
                false => {
                    let halves = uv.iter().map(|it| f16::from_f32(*it).to_le_bytes());
                    halves.for_each(|half| bytes.extend_from_slice(&half));
                }
            }
        }
    }

    /// Writes the vertex of a corner.
    pub fn write(&self, triangle: &MeshTriangle, corner: usize, bytes: &mut Vec<u8>) {
        push_floats(bytes, &triangle.positions[corner]);
        let basis = self.bases.get(triangle.row).map(|corners| corners[corner]);
        bytes.extend_from_slice(&basis.unwrap_or_default());
        self.rest(triangle, corner, bytes);
        let [red, green, blue, alpha] = triangle.colors[corner];
        bytes.extend_from_slice(&[blue, green, red, alpha]);
    }
}
