//! Meshes of UE1 with bones.

use super::LodMesh;
use crate::Archived;
use crate::object::geometry::{Coords, Plane, Vector};
use crate::primitive::{Name, PackageIndex, Payload};

/// A mesh with bones, in UT.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | LOD mesh | |
/// | 2 | idx n, n × 12 bytes | wedges: u16 vertex, u16 flags, f32, f32 texture place |
/// | 3 | idx n, n × 12 bytes | points |
/// | 4 | idx n, n × bone | reference skeleton |
/// | 5 | idx n, n × 8 bytes | weights by bone: 4 × u16 |
/// | 6 | idx n, n × 4 bytes | weights: u16 point, u16 weight |
/// | 7 | idx n, n × 12 bytes | local points |
/// | 8 | i32 | depth of the skeleton |
/// | 9 | objref | animation |
/// | 10 | i32 | bone of the weapon |
/// | 11 | 48 bytes | place of the weapon |
///
/// Spec: ue1-3/10 §10.5. C++: `USkeletalMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalMesh {
    /// Base.
    pub lod_mesh: LodMesh,
    /// Wedges. C++: `ExtWedges`.
    pub ext_wedges: Payload<12>,
    /// Points.
    pub points: Payload<12>,
    /// Reference skeleton.
    pub bones: Vec<Bone>,
    /// Weights by bone. C++: `BoneWeightIdx`.
    pub bone_weight_indices: Payload<8>,
    /// Weights.
    pub bone_weights: Payload<4>,
    /// Local points.
    pub local_points: Payload<12>,
    /// Depth of the skeleton.
    pub skeletal_depth: i32,
    /// The animation.
    pub default_animation: PackageIndex,
    /// Bone of the weapon.
    pub weapon_bone_index: i32,
    /// Place of the weapon.
    pub weapon_adjust: Coords,
}

/// A bone of a reference skeleton, in UE1 and UE2.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | name | name |
/// | 2 | u32 | flags |
/// | 3 | 16 bytes | orientation |
/// | 4 | 12 bytes | position |
/// | 5 | f32 | length |
/// | 6 | 12 bytes | size |
/// | 7 | i32, i32 | children, parent |
///
/// Spec: ue1-3/10 §10.1. C++: `FMeshBone`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Bone {
    /// Name.
    pub name: Name,
    /// Flags.
    pub flags: u32,
    /// Orientation, a quaternion.
    pub orientation: Plane,
    /// Position.
    pub position: Vector,
    /// Length.
    pub length: f32,
    /// Size.
    pub size: Vector,
    /// Number of children.
    pub child_count: i32,
    /// Number of the parent.
    pub parent: i32,
}
