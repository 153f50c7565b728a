//! Meshes of triangles of Chaos.

use super::chaos::ChaosObject;
use super::part::ShapeBounds;
use crate::Archived;
use crate::object::geometry::Vector;
use crate::object::ue4::prepared::Flagged;

/// A mesh of triangles. C++: `Chaos::FTriangleMeshImplicitObject`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ChaosMesh {
    /// The part that all shapes have.
    pub base: ChaosObject,
    /// Corners.
    pub particles: Flagged<Vec<Vector>>,
    /// Whether numbers of corners have 32 bits.
    pub requires_large_indices: bool,
    /// Corners of triangles in 32 bits.
    #[archive(when = self.requires_large_indices)]
    pub large_indices: Vec<[i32; 3]>,
    /// Corners of triangles in 16 bits.
    #[archive(when = !self.requires_large_indices)]
    pub small_indices: Vec<[u16; 3]>,
    /// Its box.
    pub bounds: ShapeBounds,
    /// Boxes around boxes.
    pub nodes: Vec<MeshNode>,
    /// The box of each triangle, in the order of the nodes.
    pub face_bounds: Vec<ShapeBounds>,
    /// Material of each triangle.
    pub material_indices: Vec<u16>,
    /// The triangle that each one was made from.
    pub external_face_indices: Vec<i32>,
    /// The corner that each one became.
    pub external_vertex_indices: Vec<i32>,
}

/// Two boxes. C++: `FTrimeshBVH::FNode`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct MeshNode {
    /// The boxes.
    pub children: [MeshChild; 2],
}

/// A box with a node or triangles in it. C++: `FTrimeshBVH::FChildData`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct MeshChild {
    /// The box.
    pub bounds: ShapeBounds,
    /// Its node, or the first of its triangles; -1 for none.
    pub child_or_face_index: i32,
    /// Triangles; 0 for a node.
    pub face_count: i32,
}
