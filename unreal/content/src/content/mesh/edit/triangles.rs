//! Triangles as they are imported: each corner for itself.

use super::point_box::{NO_POINTS, widen};
use crate::content::mesh::numbers::{cross, less, unit};
use crate::content::mesh::shape::Lod;
use crate::error::{Error, Result};

/// The triangles of a level of detail, those of one material together.
#[derive(Debug, Default)]
pub(super) struct MeshTriangles {
    /// Sets of texture coordinates.
    pub sets: usize,
    pub list: Vec<MeshTriangle>,
    /// Of each triangle three times those of a corner.
    uvs: Vec<[f32; 2]>,
    /// Triangles that were left out, since two of their corners are in one place.
    pub without_area: usize,
    /// Whether a corner is not white.
    pub is_colored: bool,
}

/// A triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeshTriangle {
    /// The corners in Unreal's order: `(b - a) × (c - a)` points inwards.
    pub positions: [[f32; 3]; 3],
    pub normals: [[f32; 3]; 3],
    pub colors: [[u8; 4]; 3],
    pub material: usize,
    /// Its number among those of [`MeshTriangles`] as they were read.
    pub row: usize,
}

impl MeshTriangle {
    /// The direction that it looks to, of the length 1; none without an area.
    pub fn outwards(&self) -> Option<[f32; 3]> {
        let [a, b, c] = self.positions;
        unit(cross(less(c, a), less(b, a)))
    }
}

impl MeshTriangles {
    /// Those of a level of detail with at most so many sets of texture coordinates; `materials` says the number in the
    /// mesh for each material of the file.
    ///
    /// # Errors
    /// `Invalid` for lists of unequal length.
    pub fn of(lod: &Lod, most_sets: usize, materials: &[usize]) -> Result<Self> {
        let sets = lod.uvs.len().clamp(1, most_sets.max(1));
        let mut made = Self { sets, ..Self::default() };
        let missing = || Error::invalid("the parts of the mesh's vertices do not fit each other");
        for section in &lod.sections {
            let material = *materials.get(section.material).ok_or_else(missing)?;
            for corners in section.indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|at| corners[at] as usize);
                let of = |at: usize| lod.positions.get(corners[at]).copied().ok_or_else(missing);
                let positions = [of(0)?, of(1)?, of(2)?];
                let [a, b, c] = positions;
                if a == b || b == c || c == a {
                    made.without_area += 1;
                    continue;
                }
                let row = made.list.len();
                let normals = [[0.0; 3]; 3];
                let colors = corners.map(|at| lod.colors.get(at).copied().unwrap_or([255; 4]));
                made.is_colored |= colors.iter().any(|color| *color != [255; 4]);
                let mut triangle = MeshTriangle { positions, normals, colors, material, row };
                let flat = triangle.outwards().unwrap_or([0.0, 0.0, 1.0]);
                triangle.normals = corners.map(|at| {
                    let known = lod.normals.get(at).copied().filter(|it| *it != [0.0; 3]);
                    known.filter(|it| it.iter().all(|number| number.is_finite())).unwrap_or(flat)
                });
                for at in corners {
                    for set in 0..sets {
                        let uv = lod.uvs.get(set).and_then(|set| set.get(at)).copied();
                        let uv = uv.unwrap_or_default();
                        made.uvs.push(uv.map(|it| if it.is_finite() { it } else { 0.0 }));
                    }
                }
                made.list.push(triangle);
            }
        }
        // Engines keep the triangles of a material together, in the order of the file.
        made.list.sort_by_key(|triangle| triangle.material);
        match made.list.is_empty() {
            true => Err(Error::invalid("it has no triangles with an area")),
            false => Ok(made),
        }
    }

    /// Numbers materials anew, without those that no triangle has; returns the old number of each.
    pub fn renumber(&mut self) -> Vec<usize> {
        let mut used: Vec<usize> = self.list.iter().map(|triangle| triangle.material).collect();
        used.dedup();
        for triangle in &mut self.list {
            triangle.material = used.binary_search(&triangle.material).unwrap_or(0);
        }
        used
    }

    /// The texture coordinates of a corner, one of each set.
    pub fn uvs(&self, triangle: &MeshTriangle, corner: usize) -> &[[f32; 2]] {
        let start = (triangle.row * 3 + corner) * self.sets;
        self.uvs.get(start..start + self.sets).unwrap_or_default()
    }

    /// All positions.
    pub fn positions(&self) -> impl Iterator<Item = [f32; 3]> + '_ {
        self.list.iter().flat_map(|triangle| triangle.positions)
    }

    /// The lowest and the highest corner of a box around all.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let (mut min, mut max) = NO_POINTS;
        widen(&mut min, &mut max, self.positions());
        (min, max)
    }
}
