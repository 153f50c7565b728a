//! Meshes of UE1 with bones.

use super::LodMesh;
use crate::Archived;
use crate::object::geometry::{Coords, Plane, Vector};
use crate::primitive::{Name, PackageIndex, Payload};

/// A mesh with bones, in UT.
///
/// Spec: ue1-3/10 §10.5. C++: `USkeletalMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalMesh {
    /// The mesh without its bones.
    pub lod_mesh: LodMesh,
    /// Wedges: `u16` vertex, `u16` flags, texture place of two `f32`. C++: `ExtWedges`.
    pub ext_wedges: Payload<12>,
    /// Points: three floats each.
    pub points: Payload<12>,
    /// Reference skeleton.
    pub bones: Vec<Bone>,
    /// Weights by bone: four `u16`. C++: `BoneWeightIdx`.
    pub bone_weight_indices: Payload<8>,
    /// Weights: `u16` point, `u16` weight.
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
