//! Meshes of UE1 with levels of detail.

use super::Mesh;
use crate::Archived;
use crate::primitive::Payload;

/// A mesh whose vertices can be joined one by one.
///
/// Spec: ue1-3/06 §6.2. C++: `ULodMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LodMesh {
    /// The mesh without levels of detail.
    pub mesh: Mesh,
    /// Vertex that each vertex falls to. C++: `CollapsePointThus`.
    pub collapse_points: Payload<2>,
    /// Number of vertices at which each face goes.
    pub face_levels: Payload<2>,
    /// Faces: three `u16` wedges, `u16` material.
    pub faces: Payload<8>,
    /// Wedge that each wedge falls to. C++: `CollapseWedgeThus`.
    pub collapse_wedges: Payload<2>,
    /// Wedges: `u16` vertex, texture place of two `u8`.
    pub wedges: Payload<4>,
    /// Materials.
    pub materials: Vec<MeshMaterial>,
    /// Faces, stored as the others, that are not drawn, such as the one a weapon is attached to.
    pub special_faces: Payload<8>,
    /// Vertices. C++: `ModelVerts`.
    pub model_vertices: i32,
    /// Vertices of special faces.
    pub special_vertices: i32,
    /// Largest scale.
    pub mesh_scale_max: f32,
    /// Hysteresis.
    pub lod_hysteresis: f32,
    /// Strength.
    pub lod_strength: f32,
    /// Fewest vertices.
    pub lod_min_vertices: i32,
    /// Morph.
    pub lod_morph: f32,
    /// Displacement.
    pub lod_z_displace: f32,
    /// Vertices by their old number. C++: `ReMapAnimVerts`.
    pub remap_vertices: Payload<2>,
    /// Vertices of a frame before.
    pub old_frame_vertices: i32,
}

/// How faces of a [`LodMesh`] are drawn.
///
/// Spec: ue1-3/06 §6.2. C++: `FMeshMaterial`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MeshMaterial {
    /// Flags. C++: `PolyFlags`.
    pub poly_flags: u32,
    /// Number of the texture in the mesh's list.
    pub texture_index: i32,
}
