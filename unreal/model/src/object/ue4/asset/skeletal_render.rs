//! What is drawn of cooked skeletal meshes.

use super::static_mesh_lod::{Absent, Nanite};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::from_release;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{Guid, Name, Payload, array};
use crate::{Archive, ArchiveExt, Archived};

/// What is drawn of a skeletal mesh, cooked in 5.8 or later; of earlier ones no file was at hand.
///
/// C++: `FSkeletalMeshRenderData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalRenderData {
    /// Levels of detail.
    #[archive(with = lods)]
    pub lods: Vec<SkeletalRenderLod>,
    /// Virtualised geometry.
    pub nanite: Nanite,
    /// Levels of detail that stand in the package.
    pub inlined_lods: u8,
    /// Levels of detail that must be there.
    pub non_optional_lods: u8,
}

fn lods<A: Archive + ?Sized>(lods: &mut Vec<SkeletalRenderLod>, ar: &mut A) -> Result<()> {
    match from_release(ar, 5, 8) {
        true => array::counted_i32(lods, ar),
        false => Err(ar.error(ErrorKind::NonCanonical { form: "a part of unknown layout" })),
    }
}

/// A level of detail as it is drawn. C++: `FSkeletalMeshLODRenderData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalRenderLod {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether it was left out.
    pub is_cooked_out: bool,
    /// Whether it stands in the package.
    pub is_inlined: bool,
    /// Bones that are needed.
    pub required_bones: Vec<u16>,
    /// Parts with the same material.
    #[archive(when = self.is_there())]
    pub sections: Vec<SkeletalRenderSection>,
    /// Bones in use.
    #[archive(when = self.is_there())]
    pub active_bones: Vec<u16>,
    /// Bytes of the buffers.
    #[archive(when = self.is_there())]
    pub buffers_size: u32,
    /// The buffers of vertices and indices.
    #[archive(when = self.is_there())]
    pub buffers: BulkData,
    /// Sizes of the buffers.
    #[archive(when = self.is_there() && self.has_buffers())]
    pub buffer_sizes: SkeletalBufferSizes,
}

impl SkeletalRenderLod {
    fn is_there(&self) -> bool {
        self.strip.has_audio_visual_data() && !self.is_cooked_out
    }

    fn has_buffers(&self) -> bool {
        self.buffers.size_on_disk > 0 || !self.buffers.payload.is_empty()
    }
}

/// A part with one material as it is drawn. C++: `FSkelMeshRenderSection`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalRenderSection {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Its material.
    pub material_index: i16,
    /// Its first index.
    pub base_index: i32,
    /// Its triangles.
    pub triangle_count: i32,
    /// Whether tangents are computed anew.
    pub recompute_tangent: bool,
    /// The channel of colours that masks it.
    pub recompute_tangent_mask: u8,
    /// Whether it casts shadows.
    pub cast_shadow: bool,
    /// Whether rays see it.
    pub visible_in_ray_tracing: bool,
    /// Its first vertex.
    pub base_vertex: u32,
    /// How vertices follow cloth, for each level of detail: 64 bytes each.
    pub cloth_mapping_lods: Vec<Payload<64>>,
    /// Cloth in a mesh that is drawn: its buffer is of a form that was not seen.
    #[archive(when = !self.cloth_mapping_lods.is_empty())]
    pub cloth: Absent,
    /// Bones in use.
    pub bone_map: Vec<u16>,
    /// Vertices.
    pub vertex_count: i32,
    /// Bones that move a vertex at most; the highest bit is set where sections share a map of bones.
    pub max_bone_influences: u32,
    /// The cloth.
    pub cloth_asset_index: i16,
    /// Name of the cloth and level of detail.
    pub clothing: (Guid, i32),
    /// Vertices at the same place, one after the other.
    #[archive(when = self.strip.has(1))]
    pub duplicated_vertices: Vec<u32>,
    /// How many of them each vertex has, and where they start.
    #[archive(when = self.strip.has(1))]
    pub duplicated_ranges: Vec<[u32; 2]>,
    /// Whether it is not drawn.
    pub disabled: bool,
}

/// Sizes and strides of the buffers of a level of detail.
///
/// C++: `FSkeletalMeshLODRenderData::SerializeAvailabilityInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalBufferSizes {
    /// Bytes an index.
    pub index_size: u8,
    /// Indices.
    pub index_count: i32,
    /// Texture coordinates of a vertex, vertices, whether they are f32, whether tangents have 16 bits.
    pub vertices: [u32; 4],
    /// Bytes a position, positions.
    pub positions: [u32; 2],
    /// Bytes a colour, colours.
    pub colors: [u32; 2],
    /// Of the influences of bones: whether their number varies, bones at most, their number, vertices, bytes of a
    /// bone less one, bytes of a weight less one, entries of the list by vertex.
    pub skin_weights: [u32; 7],
    /// Other influences of bones by name.
    pub skin_weight_profiles: Vec<Name>,
    /// Where the parts of the geometry for rays stand; -1 for each that is not there.
    pub ray_tracing: [i32; 6],
}
