//! Vertices as they are drawn: corners that are alike become one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::triangles::{MeshTriangle, MeshTriangles};
use crate::error::{Error, Result};

/// Numbers of vertices have 16 bits; the last one is reserved.
const MOST_VERTICES: usize = 65_535;

/// A mesh as engines draw it.
#[derive(Debug, Default)]
pub(super) struct DrawnMesh {
    /// Bytes of a vertex.
    size: usize,
    /// The vertices, one after the other.
    bytes: Vec<u8>,
    /// Three vertices for each triangle.
    pub indices: Vec<u16>,
    /// One for each material, without triangles where it has none.
    pub sections: Vec<DrawnSection>,
}

/// The triangles of a material.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct DrawnSection {
    /// Place of the first in the indices.
    pub first_index: usize,
    pub triangles: usize,
    pub min_vertex: u16,
    pub max_vertex: u16,
}

impl DrawnMesh {
    /// Draws triangles with so many materials. `vertex` writes the bytes of a corner: corners of one material with the
    /// same bytes become one vertex. Vertices stand in the order of triangles, as engines build them (all 33 static
    /// meshes of UE2 and 49 of UE3 whose triangles were kept but for four).
    ///
    /// # Errors
    /// `Invalid` for more than 65,535 vertices.
    pub fn of(
        triangles: &MeshTriangles,
        materials: usize,
        mut vertex: impl FnMut(&MeshTriangle, usize, &mut Vec<u8>),
    ) -> Result<Self> {
        let mut made =
            Self { sections: vec![DrawnSection::default(); materials], ..Self::default() };
        made.indices.reserve(triangles.list.len() * 3);
        let mut corner_bytes = Vec::new();
        for group in triangles.list.chunk_by(|one, other| one.material == other.material) {
            let mut known: HashMap<Vec<u8>, u16> = HashMap::new();
            let (first_index, start) = (made.indices.len(), made.count());
            for triangle in group {
                for corner in 0..3 {
                    corner_bytes.clear();
                    vertex(triangle, corner, &mut corner_bytes);
                    made.size = corner_bytes.len();
                    let next = made.count();
                    let number = match known.entry(corner_bytes.clone()) {
                        Entry::Occupied(known) => *known.get(),
                        Entry::Vacant(new) => {
                            let number = u16::try_from(next).ok();
                            let number = number.filter(|_| next < MOST_VERTICES);
                            let number = number.ok_or_else(|| {
                                Error::invalid(format!(
                                    "it has more than {MOST_VERTICES} vertices, corners with other normals or \
                                     texture coordinates counted for themselves: this engine draws no more"
                                ))
                            })?;
                            made.bytes.extend_from_slice(&corner_bytes);
                            *new.insert(number)
                        }
                    };
                    made.indices.push(number);
                }
            }
            let material = group.first().map_or(0, |triangle| triangle.material);
            let last = made.count() - 1;
            if let Some(section) = made.sections.get_mut(material) {
                *section = DrawnSection {
                    first_index,
                    triangles: group.len(),
                    min_vertex: start as u16,
                    max_vertex: last as u16,
                };
            }
        }
        Ok(made)
    }

    fn count(&self) -> usize {
        self.bytes.len() / self.size.max(1)
    }

    /// The bytes of each vertex.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.size.max(1))
    }

    /// A part of each vertex, one after the other.
    pub fn part(&self, place: std::ops::Range<usize>) -> Vec<u8> {
        self.vertices().flat_map(|vertex| &vertex[place.clone()]).copied().collect()
    }

    /// The edges, each once: two vertices for each. Edges are the same where `of_vertex` says the same of their ends.
    pub fn edges<K: std::hash::Hash + Eq + Copy>(&self, of_vertex: impl Fn(u16) -> K) -> Vec<u16> {
        let mut seen = std::collections::HashSet::with_capacity(self.indices.len());
        let mut lines = Vec::new();
        for [a, b] in self.indices.chunks_exact(3).flat_map(sides) {
            let (one, other) = (of_vertex(a), of_vertex(b));
            if !seen.contains(&(other, one)) && seen.insert((one, other)) {
                lines.extend([a, b]);
            }
        }
        lines
    }
}

/// The sides of a triangle.
pub(super) fn sides(triangle: &[u16]) -> [[u16; 2]; 3] {
    let [a, b, c] = [0, 1, 2].map(|at| triangle.get(at).copied().unwrap_or_default());
    [[a, b], [b, c], [c, a]]
}

/// Whole numbers of 16 bits as bytes.
pub(super) fn bytes_of(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Adds numbers as bytes.
pub(super) fn push_floats(bytes: &mut Vec<u8>, numbers: &[f32]) {
    numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
}
