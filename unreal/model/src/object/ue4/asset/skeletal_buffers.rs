//! Buffers of skeletal meshes that were cooked.

use super::mesh_buffer::{ColorBuffer, IndexContainer, PositionBuffer, VertexBuffer};
use super::skeletal_buffer_sizes::cloth_ranges;
use super::static_mesh_lod::{Absent, SizedPayload};
use crate::archive::layout::Layout;
use crate::archive::{Loader, in_field, private};
use crate::error::Result;
use crate::object::optional::optional;
use crate::object::ue4::bulk::BulkArray;
use crate::object::ue4::condition::{custom as custom_version, from_release, when};
use crate::object::ue4::prepared::Flagged;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{Map, Name, Payload};
use crate::version::{UE4, Versions, custom};
use crate::{Archive, Archived, Described};

/// The buffers of a level of detail, in the body of the mesh or in bulk data.
///
/// C++: `FSkeletalMeshLODRenderData::SerializeStreamedData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct SkeletalBuffers {
    /// Flags of the parts that were left out, from 4.24.
    pub strip: StripFlags,
    /// Indices, from 4.24; before they stand beside the buffers.
    pub indices: IndexContainer,
    /// Positions.
    pub positions: PositionBuffer,
    /// Tangents and texture coordinates.
    pub vertices: VertexBuffer,
    /// Influences of bones.
    pub skin_weights: DrawnSkinWeights,
    /// Where the influences of each vertex begin.
    pub lookup: SkinWeightLookup,
    /// Colours of vertices, whose presence is known before loading.
    pub colors: Option<Box<ColorBuffer>>,
    /// Indices for tessellation.
    pub adjacency: IndexContainer,
    /// Vertices that follow cloth.
    pub cloth: ClothBuffer,
    /// Other influences of bones by name, from 4.24.
    pub skin_weight_profiles: Map<Name, SkinWeightProfile>,
    /// Where the parts of the geometry for rays stand, from 5.6.
    pub ray_tracing_sizes: [i32; 6],
    /// The geometry for rays, from 4.27 to 5.5.
    pub ray_tracing_early: Payload<1>,
    /// The geometry for rays, from 5.6.
    pub ray_tracing: BulkArray,
    /// Shapes that the vertices may take.
    pub morphs: Flagged<MorphBuffers>,
    /// Other values of vertices by name: only their absence is known.
    pub attributes: Map<Name, Absent>,
    /// Edges of triangles.
    pub half_edges: HalfEdges,
}

impl Archived for SkeletalBuffers {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let has_cloth = self.cloth != ClothBuffer::default();
        self.serialize_streamed(has_cloth, ar)
    }
}

impl SkeletalBuffers {
    /// Empty buffers, with colours or without.
    pub(super) fn with(colors: bool) -> Self {
        Self { colors: colors.then(Box::default), ..Self::default() }
    }

    /// Reads buffers in bulk data, with colours or without, with cloth or without, and whether all of them could be: where
    /// what stands behind the colours is of a form that is not known, what is drawn is there, and the rest is empty.
    ///
    /// # Errors
    /// As any [`Archived`] reports them.
    pub fn read(
        bytes: &[u8],
        (has_colors, has_cloth): (bool, bool),
        versions: &Versions,
    ) -> Result<(Self, bool)> {
        let mut buffers = Self::with(has_colors);
        let mut loader = Loader::new(bytes, versions.clone());
        buffers.serialize_head(&mut loader)?;
        buffers.serialize_drawn(&mut loader)?;
        let mut whole = buffers.clone();
        match whole.serialize_rest(has_cloth, &mut loader) {
            Ok(()) => Ok((whole, true)),
            Err(_) => Ok((buffers, false)),
        }
    }

    /// From 4.24.
    pub(super) fn serialize_streamed<A: Archive + ?Sized>(
        &mut self,
        has_cloth: bool,
        ar: &mut A,
    ) -> Result<()> {
        self.serialize_head(ar)?;
        self.serialize_drawn(ar)?;
        self.serialize_rest(has_cloth, ar)
    }

    fn serialize_rest<A: Archive + ?Sized>(&mut self, has_cloth: bool, ar: &mut A) -> Result<()> {
        let has_adjacency = self.strip.has(1)
            && custom_version(ar, custom::UE5_RELEASE) < custom::ue5_release::REMOVING_TESSELLATION;
        when(has_adjacency, &mut self.adjacency, "adjacency", ar)?;
        when(has_cloth, &mut self.cloth, "cloth", ar)?;
        in_field("skin_weight_profiles", ar, |ar| self.skin_weight_profiles.serialize(ar))?;
        let (is_traced, is_late) = (from_release(ar, 4, 27), from_release(ar, 5, 6));
        when(is_traced && !is_late, &mut self.ray_tracing_early, "ray_tracing_early", ar)?;
        when(is_late, &mut self.ray_tracing_sizes, "ray_tracing_sizes", ar)?;
        when(is_late, &mut self.ray_tracing, "ray_tracing", ar)?;
        let has_morphs = custom_version(ar, custom::UE5_SPECIAL_PROJECT)
            >= custom::ue5_special_project::SERIALIZE_SKELETAL_MESH_MORPH_TARGET_RENDER_DATA;
        when(has_morphs, &mut self.morphs, "morphs", ar)?;
        let has_attributes =
            custom_version(ar, custom::UE5_MAIN) >= custom::ue5_main::SKELETAL_VERTEX_ATTRIBUTES;
        when(has_attributes, &mut self.attributes, "attributes", ar)?;
        let has_edges = custom_version(ar, custom::FORTNITE_MAIN)
            >= custom::fortnite_main::SKELETAL_HALF_EDGE_DATA;
        when(has_edges, &mut self.half_edges, "half_edges", ar)
    }

    /// Before 4.24.
    pub(super) fn serialize_whole<A: Archive + ?Sized>(
        &mut self,
        has_adjacency: bool,
        has_cloth: bool,
        ar: &mut A,
    ) -> Result<()> {
        private::absent(&mut self.strip, ar, "strip")?;
        private::absent(&mut self.indices, ar, "indices")?;
        private::absent(&mut self.skin_weight_profiles, ar, "skin_weight_profiles")?;
        private::absent(&mut self.ray_tracing_early, ar, "ray_tracing_early")?;
        private::absent(&mut self.ray_tracing_sizes, ar, "ray_tracing_sizes")?;
        private::absent(&mut self.ray_tracing, ar, "ray_tracing")?;
        private::absent(&mut self.morphs, ar, "morphs")?;
        private::absent(&mut self.attributes, ar, "attributes")?;
        private::absent(&mut self.half_edges, ar, "half_edges")?;
        self.serialize_drawn(ar)?;
        when(has_adjacency, &mut self.adjacency, "adjacency", ar)?;
        when(has_cloth, &mut self.cloth, "cloth", ar)
    }

    fn serialize_head<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("strip", ar, |ar| self.strip.serialize(ar))?;
        in_field("indices", ar, |ar| self.indices.serialize(ar))
    }

    fn serialize_drawn<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("positions", ar, |ar| self.positions.serialize(ar))?;
        in_field("vertices", ar, |ar| self.vertices.serialize(ar))?;
        in_field("skin_weights", ar, |ar| self.skin_weights.serialize(ar))?;
        let has_lookup = has_free_influences(ar);
        when(has_lookup, &mut self.lookup, "lookup", ar)?;
        optional(&mut self.colors, "colors", ar)
    }
}

/// Whether any number of bones may move a vertex, not four or eight.
fn has_free_influences<A: Archive + ?Sized>(ar: &A) -> bool {
    custom_version(ar, custom::ANIM) >= custom::anim::UNLIMITED_BONE_INFLUENCES
}

/// Influences of bones as they are drawn. C++: `FSkinWeightDataVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DrawnSkinWeights {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether eight bones move a vertex, not four.
    #[until(custom = custom::ANIM, custom::anim::UNLIMITED_BONE_INFLUENCES)]
    pub has_extra_influences: bool,
    /// Bytes a vertex.
    #[until(custom = custom::ANIM, custom::anim::UNLIMITED_BONE_INFLUENCES)]
    #[archive(when = from_release(ar, 4, 24))]
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
    /// The numbers of a vertex's bones, then their weights.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub data: BulkArray,
}

/// Where the influences of each vertex begin, where their number varies. C++: `FSkinWeightLookupVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkinWeightLookup {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Vertices.
    pub vertex_count: u32,
    /// A number for each: in its lowest 8 bits how many bones move the vertex, above them the first byte of its influences.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub data: BulkArray,
}

/// Vertices that follow cloth. C++: `FSkeletalMeshVertexClothBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ClothBuffer {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// How they follow, 64 bytes each.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub vertices: BulkArray,
    /// Where those of each section stand.
    #[archive(when = self.strip.has_audio_visual_data(), with = cloth_ranges)]
    pub ranges: SizedPayload,
}

/// Other influences of bones. C++: `FRuntimeSkinWeightProfileData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkinWeightProfile {
    /// Where influences begin and how many there are: a u32 and a byte each.
    #[until(ue4 = 519)]
    pub overrides: Payload<5>,
    /// A bone and its weight, a byte each.
    #[until(ue4 = 519)]
    pub weights: Payload<2>,
    /// Bones.
    #[since(ue4 = 519)]
    pub bones: Payload<1>,
    /// Their weights.
    #[since(ue4 = 519)]
    pub bone_weights: Payload<1>,
    /// Bones of a vertex.
    #[since(ue4 = 519)]
    pub bones_per_vertex: u8,
    /// Where the influences of a vertex begin.
    pub offsets: Map<u32, u32>,
}

/// Shapes that the vertices may take, packed. C++: `FMorphTargetVertexInfoBuffers`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MorphBuffers {
    /// Batches of changes, then the changes.
    pub data: Payload<4>,
    /// The least change of each shape: four f32.
    pub minima: Payload<16>,
    /// The greatest change of each shape: four f32.
    pub maxima: Payload<16>,
    /// The first batch of each shape.
    pub first_batches: Vec<u32>,
    /// The batches of each shape.
    pub batch_counts: Vec<u32>,
    /// All batches.
    pub batch_count: i32,
    /// Units of positions.
    pub position_precision: f32,
    /// Units of normals.
    pub tangent_precision: f32,
}

/// Edges of triangles. C++: `FSkeletalMeshHalfEdgeBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HalfEdges {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// An edge of each vertex.
    #[archive(when = self.strip.has(1))]
    pub edges_by_vertex: Payload<4>,
    /// The edge of the other triangle beside each.
    #[archive(when = self.strip.has(1))]
    pub twins: Payload<4>,
}
