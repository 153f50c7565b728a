//! Sizes of the buffers of cooked skeletal meshes.

use super::static_mesh_lod::SizedPayload;
use crate::error::Result;
use crate::object::ue4::condition::{custom as custom_version, from_release};
use crate::object::ue4::prepared::Prepared;
use crate::primitive::Name;
use crate::version::custom;
use crate::{Archive, Archived};

/// Sizes and strides of the buffers of a level of detail.
///
/// C++: `FSkeletalMeshLODRenderData::SerializeAvailabilityInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalBufferSizes {
    /// Bytes an index.
    pub index_size: u8,
    /// Indices.
    pub index_count: i32,
    /// The same of the indices for tessellation.
    pub adjacency: Prepared<(u8, i32)>,
    /// Texture coordinates of a vertex, vertices, whether they are f32, whether tangents have 16 bits.
    pub vertices: [u32; 4],
    /// Bytes a position, positions.
    pub positions: [u32; 2],
    /// Bytes a colour, colours.
    pub colors: [u32; 2],
    /// Of the influences of bones.
    pub skin_weights: SkinWeightSizes,
    /// Of the vertices that follow cloth.
    pub cloth: Prepared<ClothBufferSizes>,
    /// Other influences of bones by name.
    pub skin_weight_profiles: Vec<Name>,
    /// Where the parts of the geometry for rays stand; -1 for each that is not there.
    #[archive(when = from_release(ar, 5, 6))]
    pub ray_tracing: [i32; 6],
}

impl SkeletalBufferSizes {
    /// Empty sizes of buffers with these parts.
    pub(super) fn with(adjacency: bool, cloth: bool) -> Self {
        Self {
            adjacency: Prepared::when(adjacency),
            cloth: Prepared::when(cloth),
            ..Self::default()
        }
    }

    /// Whether it is of buffers with the same parts.
    pub(super) fn has_parts_of(&self, other: &Self) -> bool {
        self.adjacency.0.is_some() == other.adjacency.0.is_some()
            && self.cloth.0.is_some() == other.cloth.0.is_some()
    }
}

/// Sizes of the influences of bones. C++: `FSkinWeightVertexBuffer::SerializeMetaData`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkinWeightSizes {
    /// Whether eight bones move a vertex.
    #[until(custom = custom::ANIM, custom::anim::UNLIMITED_BONE_INFLUENCES)]
    pub has_extra_influences: bool,
    /// Bytes a vertex.
    #[until(custom = custom::ANIM, custom::anim::UNLIMITED_BONE_INFLUENCES)]
    pub stride: u32,
    /// Whether some vertices have more of them than others.
    #[since(custom = custom::ANIM, custom::anim::UNLIMITED_BONE_INFLUENCES)]
    pub is_variable: bool,
    /// Bones of a vertex at most.
    #[since(custom = custom::ANIM, custom::anim::UNLIMITED_BONE_INFLUENCES)]
    pub most_bones: u32,
    /// Influences of all vertices.
    #[since(custom = custom::ANIM, custom::anim::UNLIMITED_BONE_INFLUENCES)]
    pub count: u32,
    /// Vertices.
    pub vertex_count: u32,
    /// Whether numbers of bones have 16 bits.
    #[since(custom = custom::ANIM, custom::anim::UNLIMITED_BONE_INFLUENCES)]
    pub wide_bones: bool,
    /// Whether weights have 16 bits.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::INCREASED_SKIN_WEIGHT_PRECISION)]
    pub wide_weights: bool,
    /// Entries of the list by vertex.
    #[since(custom = custom::ANIM, custom::anim::UNLIMITED_BONE_INFLUENCES)]
    pub lookup_count: u32,
}

/// Sizes of the vertices that follow cloth. C++: `FSkeletalMeshVertexClothBuffer::SerializeMetaData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ClothBufferSizes {
    /// Where the vertices of each section stand, in this order: its first vertex, the first one in the buffer, and from UE5
    /// release version 15 those of a level of detail, a u32 each.
    #[archive(with = cloth_ranges)]
    pub ranges: SizedPayload,
    /// Bytes a vertex, vertices.
    pub vertices: [u32; 2],
}

/// The vertices of cloth of each section: its first vertex, the first one in the buffer, and from UE5 release version 15
/// those of a level of detail, a u32 each. C++: `FClothBufferIndexMapping`.
pub(super) fn cloth_ranges<A: Archive + ?Sized>(
    ranges: &mut SizedPayload,
    ar: &mut A,
) -> Result<()> {
    let has_bias =
        custom_version(ar, custom::UE5_RELEASE) >= custom::ue5_release::ADD_CLOTH_MAPPING_LOD_BIAS;
    ranges.serialize_in(if has_bias { 12 } else { 8 }, ar)
}
