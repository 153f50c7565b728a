//! Skeletal meshes.

use super::kdop::KdopTree;
use super::skeletal_lod::SkeletalLod;
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::Facts;
use crate::object::game::is_mass_effect_3;
use crate::object::geometry::{Bounds, Color, Plane, Rotator, Vector};
use crate::primitive::{BulkArray, FString, Map, Name, PackageIndex, Payload, array};
use crate::{Archive, ArchiveExt, Archived, Described};

/// A mesh with bones.
///
/// Whether levels of detail have colours is a property (`bHasVertexColors`).
///
/// Spec: ue1-3/11 §11.7. C++: `USkeletalMesh`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct SkeletalMesh {
    /// Bounds, materials, bones.
    pub head: SkeletalMeshHead,
    /// Levels of detail.
    pub lods: Vec<SkeletalLod>,
    /// Everything else.
    pub tail: SkeletalMeshTail,
    /// Read when loading only.
    colored: bool,
}

impl SkeletalMesh {
    /// An empty mesh with or without colours, to be loaded.
    pub fn blank(colored: bool) -> Self {
        Self { colored, ..Self::default() }
    }

    /// An empty mesh for these properties.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        Self::blank(facts.flag("bHasVertexColors"))
    }
}

/// Loads what [`SkeletalMesh::blank`] says.
impl Archived for SkeletalMesh {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("head", ar, |ar| self.head.serialize(ar))?;
        let colored = self.colored;
        in_field("lods", ar, |ar| {
            array::counted_i32_by(&mut self.lods, ar, |lod, ar| {
                if ar.is_loading() {
                    lod.colors = colored.then(BulkArray::default);
                }
                lod.serialize(ar)
            })
        })?;
        in_field("tail", ar, |ar| self.tail.serialize(ar))
    }
}

/// The start of a [`SkeletalMesh`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalMeshHead {
    /// Box and sphere.
    pub bounds: Bounds,
    /// Materials, which sections know by their numbers.
    pub materials: Vec<PackageIndex>,
    /// Where the mesh stands.
    pub origin: Vector,
    /// How it is turned.
    pub rotation: Rotator,
    /// Bones, parents first.
    pub bones: Vec<Bone>,
    /// Levels of the tree of bones.
    pub skeletal_depth: i32,
}

/// A bone in its pose of rest.
///
/// C++: `FMeshBone`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Bone {
    /// Name.
    pub name: Name,
    /// Flags, 0.
    pub flags: u32,
    /// Rotation, a quaternion.
    pub orientation: Plane,
    /// Place.
    pub position: Vector,
    /// Number of children.
    pub child_count: i32,
    /// Number of the parent.
    pub parent_index: i32,
    /// How the editor draws it.
    #[since(515)]
    pub color: Color,
}

/// The fields behind the levels of detail of a [`SkeletalMesh`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalMeshTail {
    /// Number of each bone.
    pub name_index_map: Map<Name, i32>,
    /// Collision by bone; version 391 lacks it, 491 has it.
    #[since(392)]
    pub per_poly_bones: Vec<PerPolyBone>,
    /// Bones at which the mesh breaks.
    #[since(609)]
    pub bone_break_names: Vec<FString>,
    /// How it breaks there.
    #[since(694)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub bone_break_options: Payload<1>,
    /// Clothing.
    #[since(680)]
    pub clothing_assets: Vec<PackageIndex>,
    /// How densely textures lie, by texture coordinates.
    #[since(797)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub streaming_texture_factors: Vec<f32>,
    /// Whether the mesh before it was simplified follows, 0 in every known file.
    #[since(834)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub has_source: u32,
}

/// Triangles that collide and move with a bone.
///
/// C++: `FPerPolyBoneCollisionData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PerPolyBone {
    /// The tree.
    pub tree: KdopTree,
    /// Corners.
    pub vertices: Payload<12>,
}
