//! Morph targets.

use crate::Archived;
use crate::object::game::is_mass_effect;
use crate::object::geometry::Vector;
use crate::primitive::{Name, Payload};

/// How a mesh looks with another expression.
///
/// Spec: ue1-3/11 §11.1. C++: `UMorphTarget`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// One for each level of detail.
    pub lods: Vec<MorphLod>,
    /// Bones that move along; Mass Effect.
    #[archive(when = is_mass_effect(ar))]
    pub bone_offsets: Vec<(Vector, Name)>,
}

/// The vertices that move.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MorphLod {
    /// Each: vector of the position, 4 bytes of the normal, u32 number of the vertex.
    #[archive(when = !is_mass_effect(ar))]
    pub vertices: Payload<20>,
    /// Each: vector of the position, 4 bytes of the normal, u16 number of the vertex; Mass Effect.
    #[archive(when = is_mass_effect(ar))]
    pub short_vertices: Payload<18>,
    /// How many vertices the mesh has.
    pub base_mesh_vertices: i32,
}

/// Several morph targets of a mesh.
///
/// Spec: ue1-3/11 §11.1. C++: `UMorphTargetSet`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MorphTargetSet {
    /// The imported number of each wedge, by level of detail.
    #[since(814)]
    pub raw_wedge_indices: Vec<Payload<4>>,
}
