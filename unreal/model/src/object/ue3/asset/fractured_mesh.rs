//! Meshes that break.

use super::static_mesh::StaticMesh;
use crate::Archived;
use crate::object::geometry::{BoundingBox, Bounds, Rotator, Vector};
use crate::primitive::{PackageIndex, Payload};

/// A mesh that breaks into fragments.
///
/// Spec: ue1-3/11 §11.6. C++: `UFracturedStaticMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct FracturedStaticMesh {
    /// The mesh that shows until it breaks.
    pub base: StaticMesh,
    /// The mesh as it was.
    pub source_mesh: PackageIndex,
    /// The fragments.
    pub fragments: Vec<Fragment>,
    /// The fragment that stays; -1 for none.
    pub core_fragment_index: i32,
    /// The element with the inner faces.
    #[since(518)]
    pub interior_element_index: i32,
    /// Scale of the core.
    #[since(521)]
    pub core_scale: Vector,
    /// Place of the core.
    #[since(521)]
    pub core_offset: Vector,
    /// Rotation of the core.
    #[since(549)]
    pub core_rotation: Rotator,
    /// Where the cuts lie more densely.
    #[since(526)]
    pub plane_bias: Vector,
    /// Version of the tool.
    #[since(557)]
    pub build_versions: [u16; 2],
}

/// A fragment.
///
/// C++: `FFragmentInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Fragment {
    /// Centre.
    pub center: Vector,
    /// Corners of the hull.
    pub hull_vertices: Payload<12>,
    /// Planes of the hull.
    pub hull_planes: Payload<16>,
    /// Indices into the corners.
    pub hull_indices: Payload<4>,
    /// Directions of edges.
    pub edge_directions: Payload<12>,
    /// Directions of faces.
    pub face_directions: Payload<12>,
    /// Planes of faces.
    pub face_planes: Payload<16>,
    /// Box.
    pub element_box: BoundingBox,
    /// Box and sphere.
    pub bounds: Bounds,
    /// Fragments beside this one.
    #[since(517)]
    pub neighbours: Payload<1>,
    /// Whether it can be destroyed.
    #[since(519)]
    pub can_be_destroyed: u32,
    /// Whether it is fixed.
    #[since(519)]
    pub is_root: u32,
    /// Whether it never becomes a part of its own.
    #[since(549)]
    pub never_spawns_physics: u32,
    /// Where the outer face looks.
    #[since(520)]
    pub exterior_normal: Vector,
    /// Area shared with each neighbour.
    #[since(520)]
    pub neighbour_areas: Vec<f32>,
}
