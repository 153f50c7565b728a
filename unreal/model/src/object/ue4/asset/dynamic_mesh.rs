//! Meshes that change while the game runs.

use super::compressed_block::CompressedBlocks;
use super::cooked_shape::part::Constant;
use crate::Archived;
use crate::archive::Span;
use crate::object::ue4::condition::rest;
use crate::object::ue4::prepared::Flagged;

/// A mesh that changes while the game runs: seen compact and compressed alone.
///
/// C++: `UDynamicMesh`, `FDynamicMesh3`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DynamicMesh {
    /// Whether numbers of vertices and triangles stay as they were: 0.
    pub preserve_data_layout: Constant<0>,
    /// Whether holes were left out: 1.
    pub compact_data: Constant<1>,
    /// Whether the buffers are compressed: 1.
    pub use_compression: Constant<1>,
    /// Places: three f64 each.
    pub vertices: DynamicMeshBuffer,
    /// Normals of vertices: three f32 each.
    pub vertex_normals: Flagged<DynamicMeshBuffer>,
    /// Colours of vertices: three f32 each.
    pub vertex_colors: Flagged<DynamicMeshBuffer>,
    /// Texture coordinates of vertices: two f32 each.
    pub vertex_uvs: Flagged<DynamicMeshBuffer>,
    /// Vertices of triangles: three i32 each.
    pub triangles: DynamicMeshBuffer,
    /// Groups of triangles.
    pub triangle_groups: Flagged<DynamicMeshGroups>,
    /// Whether it has layers of attributes.
    pub has_attributes: bool,
    /// The layers, of which only empty ones were seen.
    #[archive(when = self.has_attributes, with = rest)]
    pub attributes: Span,
}

/// Groups of the triangles of a [`DynamicMesh`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DynamicMeshGroups {
    /// Group of each triangle: an i32.
    pub groups: DynamicMeshBuffer,
    /// The number of the next group. C++: `GroupIDCounter`.
    pub group_id_counter: i32,
}

/// Elements of a mesh, compressed.
///
/// C++: `UE::Geometry::TDynamicVector::Serialize`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DynamicMeshBuffer {
    /// Elements.
    pub count: i32,
    /// Whether they are compressed: 1.
    #[archive(when = self.count != 0)]
    pub is_compressed: Constant<1>,
    /// The elements.
    #[archive(when = self.count != 0)]
    pub data: CompressedBlocks,
}
