//! Tangents: where a texture runs to on a surface.

use std::collections::HashMap;

use super::triangles::{MeshTriangle, MeshTriangles};
use crate::content::mesh::numbers::{cross, dot, less, unit};

/// Added before a number is cut off, so that one that was cut off before stays.
const NEARLY: f32 = 1e-3;

type TangentKey = ([u32; 3], [u32; 3], [u32; 2], bool);

/// The tangents of a mesh: the mean of the triangles that meet in a place with one normal and one place in the texture.
#[derive(Debug, Default)]
pub(super) struct MeshTangents {
    sums: HashMap<TangentKey, [f32; 3]>,
}

fn bits<const N: usize>(numbers: [f32; N]) -> [u32; N] {
    numbers.map(|number| (number + 0.0).to_bits())
}

/// The direction of a texture's U on a triangle, and whether the texture is seen as it is and not in a mirror.
fn direction(triangles: &MeshTriangles, triangle: &MeshTriangle) -> ([f32; 3], bool) {
    let [a, b, c] = triangle.positions;
    let [u, v, w] = [0, 1, 2]
        .map(|corner| triangles.uvs(triangle, corner).first().copied().unwrap_or_default());
    let (one, other) = (less(b, a), less(c, a));
    let (left, right) = ([v[0] - u[0], v[1] - u[1]], [w[0] - u[0], w[1] - u[1]]);
    let area = left[0] * right[1] - right[0] * left[1];
    let along = [0, 1, 2].map(|at| (one[at] * right[1] - other[at] * left[1]) / area);
    let down = [0, 1, 2].map(|at| (other[at] * left[0] - one[at] * right[0]) / area);
    let (Some(along), Some(down)) = (unit(along), unit(down)) else { return ([0.0; 3], true) };
    let outwards = triangle.outwards().unwrap_or_default();
    (along, dot(cross(along, down), outwards) > 0.0)
}

impl MeshTangents {
    pub fn of(triangles: &MeshTriangles) -> Self {
        let mut made = Self::default();
        for triangle in &triangles.list {
            let (along, upright) = direction(triangles, triangle);
            for corner in 0..3 {
                let sum = made.sums.entry(key(triangles, triangle, corner, upright)).or_default();
                *sum = [0, 1, 2].map(|axis| sum[axis] + along[axis]);
            }
        }
        made
    }

    /// The tangent and the normal of a corner, each three bytes and a fourth: 128, and 255 or 0 as the texture is seen
    /// (all 1,709 triangles of 49 meshes).
    pub fn packed(
        &self,
        triangles: &MeshTriangles,
        triangle: &MeshTriangle,
        corner: usize,
    ) -> ([u8; 4], [u8; 4]) {
        let upright = direction(triangles, triangle).1;
        let normal = triangle.normals[corner];
        let sum = self.sums.get(&key(triangles, triangle, corner, upright)).copied();
        let away = |v: [f32; 3]| {
            let part = dot(v, normal);
            unit([0, 1, 2].map(|axis| v[axis] - normal[axis] * part))
        };
        // Where a texture does not say it any direction along the surface will do.
        let tangent =
            sum.and_then(away).or_else(|| away([1.0, 0.0, 0.0])).or_else(|| away([0.0, 1.0, 0.0]));
        let [x, y, z] = packed(tangent.unwrap_or([1.0, 0.0, 0.0]));
        let [i, j, k] = packed(normal);
        ([x, y, z, 128], [i, j, k, if upright { 255 } else { 0 }])
    }
}

fn key(
    triangles: &MeshTriangles,
    triangle: &MeshTriangle,
    corner: usize,
    upright: bool,
) -> TangentKey {
    let uv = triangles.uvs(triangle, corner).first().copied().unwrap_or_default();
    (bits(triangle.positions[corner]), bits(triangle.normals[corner]), bits(uv), upright)
}

/// A direction in bytes: cut off, as engines do (1,965 numbers of 49 meshes).
pub(super) fn packed(direction: [f32; 3]) -> [u8; 3] {
    direction.map(|number| ((number + 1.0) * 127.5 + NEARLY).clamp(0.0, 255.0) as u8)
}
