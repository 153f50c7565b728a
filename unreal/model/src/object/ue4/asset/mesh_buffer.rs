//! Buffers of vertices and indices.

use crate::object::ue4::bulk::BulkArray;
use crate::object::ue4::condition::{custom as custom_version, from_release, ue4};
use crate::object::ue4::strip::StripFlags;
use crate::version::{UE4, custom};
use crate::{Archive, Archived};

/// First UE4 version whose buffers say what was left out. C++: `STATIC_SKELETAL_MESH_SERIALIZATION_FIX`.
pub(super) const STRIPPED_BUFFERS: u32 = 269;

/// Positions of vertices. Spec: ue4-5/09 §4. C++: `FPositionVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PositionBuffer {
    /// Bytes a vertex.
    pub stride: i32,
    /// Vertices.
    pub count: i32,
    /// The positions.
    pub data: BulkArray,
}

/// Tangents and texture coordinates of vertices. Spec: ue4-5/09 §4. C++: `FStaticMeshVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VertexBuffer {
    /// Flags of the parts that were left out.
    #[since(ue4 = STRIPPED_BUFFERS)]
    pub strip: StripFlags,
    /// Texture coordinates of a vertex.
    pub tex_coords: i32,
    /// Bytes a vertex.
    #[archive(when = !from_release(ar, 4, 19))]
    pub stride: i32,
    /// Vertices.
    pub count: i32,
    /// Whether texture coordinates are f32.
    pub full_precision_uvs: bool,
    /// Whether tangents have 16 bits.
    #[archive(when = from_release(ar, 4, 12))]
    pub high_precision_tangents: bool,
    /// Tangents; below UE4.19 with the texture coordinates.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub tangents: BulkArray,
    /// Texture coordinates.
    #[archive(when = self.strip.has_audio_visual_data() && from_release(ar, 4, 19))]
    pub uvs: BulkArray,
}

/// Colours of vertices. Spec: ue4-5/09 §4. C++: `FColorVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ColorBuffer {
    /// Flags of the parts that were left out.
    #[since(ue4 = STRIPPED_BUFFERS)]
    pub strip: StripFlags,
    /// Bytes a vertex.
    pub stride: i32,
    /// Vertices.
    pub count: i32,
    /// The colours.
    #[archive(when = self.count > 0 && self.strip.has_audio_visual_data())]
    pub data: BulkArray,
}

/// Indices of vertices. Spec: ue4-5/09 §4. C++: `FRawStaticIndexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct IndexBuffer {
    /// Whether indices have 32 bits.
    #[since(ue4 = 277)]
    pub is_32_bit: bool,
    /// The indices; from UE4 version 277 as bytes.
    pub data: BulkArray,
    /// Whether they may be made longer when loaded.
    #[archive(when = from_release(ar, 4, 25) && ue4(ar) >= 277)]
    pub should_expand_to_32_bit: bool,
}

/// Indices of vertices of skeletal meshes. Spec: ue4-5/09 §3. C++: `FMultiSizeIndexContainer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct IndexContainer {
    /// Whether the processor needs them.
    #[until(ue4 = 283)]
    pub needs_cpu_access: bool,
    /// Bytes an index: 2 or 4.
    pub data_type_size: u8,
    /// The indices.
    pub data: BulkArray,
}

/// How often triangles are taken for samples. Spec: ue4-5/09 §4. C++: `FWeightedRandomSampler`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct WeightedSampler {
    /// Probabilities.
    pub probabilities: Vec<f32>,
    /// The other choices.
    pub aliases: Vec<i32>,
    /// Sum of the weights.
    pub total_weight: f32,
}

/// How wide texture coordinates are spread. C++: `FMeshUVChannelInfo`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct UvChannels {
    /// Whether they were computed.
    pub initialized: bool,
    /// Whether they were given.
    pub override_densities: bool,
    /// Density of each channel.
    pub densities: [f32; 4],
}

/// Whether slots of materials have names.
pub(super) fn has_slots<A: Archive + ?Sized>(ar: &A) -> bool {
    custom_version(ar, custom::EDITOR) >= custom::editor::REFACTOR_MESH_EDITOR_MATERIALS
}
