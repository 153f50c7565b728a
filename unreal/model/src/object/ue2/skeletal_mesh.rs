//! Skeletal meshes.

use super::{LodMesh, LodModel};
use crate::object::VengeanceHeader;
use crate::object::game::{swat, ut};
use crate::object::geometry::{Coords, Vector};
use crate::object::ue1::Bone;
use crate::primitive::{LazyPayload, Name, PackageIndex, Payload};
use crate::version::UnrealVersions;
use crate::{Archive, Archived};

/// A mesh that bones move.
///
/// Spec: ue1-3/10 §10.2, §10.6. C++: `USkeletalMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalMesh {
    /// The part that all meshes have.
    pub base: LodMesh,
    /// Version 2, 4.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Points: three floats each.
    pub points: Payload<12>,
    /// Bones.
    pub bones: Vec<Bone>,
    /// Default animation.
    pub animation: PackageIndex,
    /// Depth of the skeleton.
    pub skeletal_depth: i32,
    /// Weights of bones.
    pub weight_indices: Vec<WeightIndices>,
    /// Weights of bones: two u16.
    pub bone_influences: Payload<4>,
    /// Names of places to attach to.
    pub attach_aliases: Vec<Name>,
    /// Bones of places to attach to.
    pub attach_bones: Vec<Name>,
    /// How attached things stand.
    pub attach_coords: Vec<Coords>,
    /// Levels of detail.
    #[archive(when = self.base.version >= 2)]
    pub lod_models: Vec<LodModel>,
    /// The only level of detail of old meshes.
    #[archive(when = self.base.version <= 1)]
    pub early_lod: EarlyLod,
    /// Another object.
    pub other: PackageIndex,
    /// Points as imported.
    pub raw_points: LazyPayload<12>,
    /// Wedges as imported.
    pub raw_wedges: LazyPayload<10>,
    /// Triangles as imported: three u16, two u8, u32.
    pub raw_triangles: LazyPayload<12>,
    /// Weights as imported: f32, two u16.
    pub raw_influences: LazyPayload<8>,
    /// Wedges by their number in lower levels.
    pub collapse_wedges: LazyPayload<2>,
    /// Further indices.
    pub face_levels: LazyPayload<2>,
    /// Tangents.
    #[archive(when = swat(ar) && self.header.subversion >= 4)]
    pub raw_tangents: LazyPayload<24>,
    /// Further points.
    #[archive(when = swat(ar) && self.header.subversion >= 3)]
    pub more_points: LazyPayload<12>,
    /// Further wedges.
    #[archive(when = swat(ar) && self.header.subversion >= 3)]
    pub more_wedges: LazyPayload<10>,
    /// Further indices.
    #[archive(when = swat(ar) && self.header.subversion >= 3)]
    pub more_indices: LazyPayload<2>,
    /// Key of the tool that made it.
    #[since(120)]
    pub authentication_key: i32,
    /// Physics.
    #[archive(when = has_collision(ar))]
    pub karma_props: PackageIndex,
    /// Spheres that bones collide with.
    #[archive(when = has_collision(ar))]
    pub spheres: Vec<BoneSphere>,
    /// Boxes that bones collide with.
    #[archive(when = has_collision(ar))]
    pub boxes: Vec<BoneBox>,
    /// Static meshes of bones.
    #[archive(when = ar.versions().file() >= 125 || ut(ar, 122))]
    pub bone_meshes: Vec<PackageIndex>,
    /// The mesh that everything but bones collides with.
    #[archive(when = ut(ar, 127))]
    pub collision_mesh: PackageIndex,
    /// Further objects.
    #[archive(when = swat(ar))]
    pub more: [PackageIndex; 2],
}

/// Whether bones have shapes of their own.
fn has_collision<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().file() >= 124 || ut(ar, 122)
}

/// Weights of a bone. C++: `VWeightIndex`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct WeightIndices {
    /// Indices of vertices.
    pub indices: Vec<u16>,
    /// First of the weights.
    pub start: i32,
}

/// The only level of detail of meshes up to mesh version 1; no file at hand has it.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct EarlyLod {
    /// Sections, 18 bytes each.
    pub soft_sections: Payload<18>,
    /// Sections, 18 bytes each.
    pub rigid_sections: Payload<18>,
    /// Indices.
    pub indices: Payload<2>,
}

/// A sphere that a bone collides with. C++: `FSkelBoneSphere`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct BoneSphere {
    /// The bone.
    pub bone: Name,
    /// Centre.
    pub offset: Vector,
    /// Radius.
    pub radius: f32,
    /// Whether it stops bodies with physics; UT2004 line.
    #[archive(when = ut(ar, 124))]
    pub block_karma: i32,
    /// Whether it stops what has no extent, and what has; UT2004 line.
    #[archive(when = ut(ar, 125))]
    pub block_extents: [i32; 2],
}

/// A box that a bone collides with. C++: `FSkelBoneBox`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct BoneBox {
    /// The bone.
    pub bone: Name,
    /// Centre.
    pub offset: Vector,
    /// Size from the centre.
    pub radii: Vector,
    /// Whether it stops bodies with physics; UT2004 line.
    #[archive(when = ut(ar, 124))]
    pub block_karma: i32,
    /// Whether it stops what has no extent, and what has; UT2004 line.
    #[archive(when = ut(ar, 125))]
    pub block_extents: [i32; 2],
}
