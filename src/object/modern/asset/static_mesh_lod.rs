//! What is drawn of a static mesh.

use super::mesh_buffer::{ColorBuffer, IndexBuffer, PositionBuffer, VertexBuffer, WeightedSampler};
use crate::archive::{in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::modern::bulk::{BulkArray, BulkData};
use crate::object::modern::condition::{custom as custom_version, from_release, ue4};
use crate::object::modern::geometry::{BoundingBox, Bounds};
use crate::object::modern::prepared::Flagged;
use crate::object::modern::strip::StripFlags;
use crate::primitive::{Payload, Real, array, boolean};
use crate::version::custom;
use crate::{Archive, Archived};

/// What is drawn of a static mesh.
///
/// Spec: ue4-5/09 §4. C++: `FStaticMeshRenderData`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RenderData {
    /// Levels of detail.
    pub lods: Vec<Lod>,
    /// Levels whose buffers are here, from UE4.23.
    pub inlined_lods: u8,
    /// Virtualised geometry, from UE5.0.
    pub nanite: Nanite,
    /// A copy for ray tracing, from UE5.5.
    pub ray_tracing_proxy: Flagged<RayTracingProxy>,
    /// What was left out, from UE5.0.
    pub strip: StripFlags,
    /// Cards of each level, from UE5.0.
    pub cards: Vec<Flagged<CardData>>,
    /// Distances to surfaces.
    pub distance_fields: DistanceFields,
    /// Box and sphere around it.
    pub bounds: Bounds,
    /// Whether levels share baked light; flags from UE5.6.
    pub lods_share_static_lighting: u32,
    /// Whether it was reduced, below UE4.14.
    pub reduced: bool,
    /// Spread of texture coordinates, below the rendering version 10.
    pub texel_factors: [f32; 9],
    /// From which size on screen each level is drawn.
    pub screen_sizes: Vec<ScreenSize>,
    /// What was left out, from UE5.4.
    pub tail_strip: StripFlags,
}

/// From which size on screen a level is drawn. C++: `FPerPlatformFloat`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ScreenSize {
    /// Whether it was cooked.
    #[archive(when = from_release(ar, 4, 20))]
    pub cooked: bool,
    /// The size.
    pub size: f32,
}

/// A part that no known file has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Absent;

impl Archived for Absent {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        Err(ar.error(ErrorKind::NonCanonical { form: "a part of unknown layout" }))
    }
}

impl Archived for RenderData {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("lods", ar, |ar| self.lods.serialize(ar))?;
        when(from_release(ar, 4, 23), &mut self.inlined_lods, "inlined_lods", ar)?;
        let ue5 = from_release(ar, 5, 0);
        when(ue5, &mut self.nanite, "nanite", ar)?;
        when(from_release(ar, 5, 5), &mut self.ray_tracing_proxy, "ray_tracing_proxy", ar)?;
        when(ue5, &mut self.strip, "strip", ar)?;
        let lods = self.lods.len();
        let has_cards = ue5 && self.strip.has_audio_visual_data() && self.strip.has(2);
        in_field("cards", ar, |ar| fixed(&mut self.cards, if has_cards { lods } else { 0 }, ar))?;
        in_field("distance_fields", ar, |ar| self.distance_fields.serialize_in(lods, ar))?;
        in_field("bounds", ar, |ar| self.bounds.serialize(ar))?;
        in_field("lods_share_static_lighting", ar, |ar| match from_release(ar, 5, 6) {
            true => private::narrow(&mut self.lods_share_static_lighting, ar, A::serialize_u8),
            false => ar.serialize_u32(&mut self.lods_share_static_lighting),
        })?;
        when(!from_release(ar, 4, 14), &mut self.reduced, "reduced", ar)?;
        let old_factors = custom_version(ar, custom::RENDERING) < 10;
        when(old_factors, &mut self.texel_factors, "texel_factors", ar)?;
        let sizes = if from_release(ar, 4, 9) { 8 } else { 4 };
        in_field("screen_sizes", ar, |ar| fixed(&mut self.screen_sizes, sizes, ar))?;
        when(from_release(ar, 5, 4), &mut self.tail_strip, "tail_strip", ar)
    }
}

/// A field that is there when `present`.
fn when<T: Archived + Default + PartialEq, A: Archive + ?Sized>(
    present: bool,
    value: &mut T,
    name: &'static str,
    ar: &mut A,
) -> Result<()> {
    match present {
        true => in_field(name, ar, |ar| value.serialize(ar)),
        false => private::absent(value, ar, name),
    }
}

/// As many elements as something else says.
fn fixed<T: Archived + Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    count: usize,
    ar: &mut A,
) -> Result<()> {
    if ar.is_saving() && values.len() != count {
        return Err(ar.error(ErrorKind::OutOfRange { value: values.len() as i128, bits: 32 }));
    }
    array::elements(values, count, ar)
}

/// Views of a level of detail. Spec: ue4-5/09 §4. C++: `FCardRepresentationData`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CardData {
    /// Box around them.
    pub bounds: BoundingBox,
    /// Of UE5.0 alone.
    pub max_lod_level: i32,
    /// Whether most triangles have two sides, from UE5.2.
    pub mostly_two_sided: bool,
    /// The views: 61 bytes each, 62 in UE5.0.
    pub cards: SizedPayload,
}

impl Archived for CardData {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("bounds", ar, |ar| self.bounds.serialize(ar))?;
        let old = !from_release(ar, 5, 1);
        when(old, &mut self.max_lod_level, "max_lod_level", ar)?;
        when(from_release(ar, 5, 2), &mut self.mostly_two_sided, "mostly_two_sided", ar)?;
        let size = if old { 62 } else { 61 };
        in_field("cards", ar, |ar| self.cards.serialize_in(size, ar))
    }
}

/// Distances to surfaces, for each level of detail. Spec: ue4-5/09 §4.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DistanceFields {
    /// What was left out.
    pub strip: StripFlags,
    /// One for each level.
    pub fields: Vec<Flagged<DistanceField>>,
}

impl DistanceFields {
    fn serialize_in<A: Archive + ?Sized>(&mut self, lods: usize, ar: &mut A) -> Result<()> {
        let any = ue4(ar) >= 394;
        when(any && ue4(ar) >= 416, &mut self.strip, "strip", ar)?;
        let by_class = from_release(ar, 4, 21);
        let skipped = !self.strip.has_audio_visual_data() || by_class && !self.strip.has(1);
        fixed(&mut self.fields, if any && !skipped { lods } else { 0 }, ar)
    }
}

/// Distances to surfaces of a level of detail. Spec: ue4-5/09 §4. C++: `FDistanceFieldVolumeData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DistanceField {
    /// Packed distances, UE4.16 to 4.27.
    #[archive(when = from_release(ar, 4, 16) && !from_release(ar, 5, 0))]
    pub compressed: Payload<1>,
    /// Distances, half floats, below UE4.16.
    #[archive(when = !from_release(ar, 4, 16))]
    pub distances: Payload<2>,
    /// Distances along each edge.
    #[archive(when = !from_release(ar, 5, 0))]
    pub size: [i32; 3],
    /// The box that they fill.
    pub bounds: LocalBox,
    /// The shortest and longest, UE4.16 to 4.27.
    #[archive(when = from_release(ar, 4, 16) && !from_release(ar, 5, 0))]
    pub range: [f32; 2],
    /// Whether the mesh is closed, was built as a plane, has two sides.
    #[archive(when = !from_release(ar, 5, 0))]
    pub flags: [bool; 3],
    /// Whether most triangles have two sides.
    #[archive(when = from_release(ar, 5, 0))]
    pub mostly_two_sided: bool,
    /// Coarser and coarser ones.
    #[archive(when = from_release(ar, 5, 0))]
    pub mips: [DistanceFieldMip; 3],
    /// The coarsest, which is always there.
    #[archive(when = from_release(ar, 5, 0))]
    pub always_loaded: Payload<1>,
    /// The others.
    #[archive(when = from_release(ar, 5, 0))]
    pub streamed: BulkData,
}

/// A box: of coordinates from UE5.0 to 5.3, of f32 before and after.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LocalBox {
    /// Lowest corner.
    pub min: [Real; 3],
    /// Highest corner.
    pub max: [Real; 3],
    /// Whether the corners mean anything.
    pub is_valid: bool,
}

impl Archived for LocalBox {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let single = from_release(ar, 5, 4);
        for number in self.min.iter_mut().chain(&mut self.max) {
            match single {
                true => number.serialize_f32(ar)?,
                false => number.serialize(ar)?,
            }
        }
        boolean::byte(&mut self.is_valid, ar)
    }
}

/// One of the coarser distance fields. Spec: ue4-5/09 §4. C++: `FSparseDistanceFieldMip`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DistanceFieldMip {
    /// Size of the table, number of bricks.
    pub size: [i32; 4],
    /// Scales and biases.
    pub numbers: [Real; 8],
    /// Where it stands, how many bytes.
    pub bulk: [u32; 2],
}

impl Archived for DistanceFieldMip {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.size.serialize(ar)?;
        let single = from_release(ar, 5, 4);
        for number in &mut self.numbers {
            match single {
                true => number.serialize_f32(ar)?,
                false => number.serialize(ar)?,
            }
        }
        self.bulk.serialize(ar)
    }
}

/// A level of detail.
///
/// Spec: ue4-5/09 §4. C++: `FStaticMeshLODResources`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lod {
    /// What was left out.
    pub strip: StripFlags,
    /// Parts with the same material.
    pub sections: Vec<Section>,
    /// Box and sphere around it, from UE5.6.
    pub source_bounds: Bounds,
    /// How far it is from the finest level.
    pub max_deviation: f32,
    /// Whether it is not there.
    pub cooked_out: bool,
    /// Whether its buffers are here.
    pub inlined: bool,
    /// Whether it is for ray tracing, from UE5.5.
    pub has_ray_tracing: bool,
    /// Its buffers.
    pub buffers: Option<Box<LodBuffers>>,
    /// The same elsewhere.
    pub streamed: Option<Box<StreamedBuffers>>,
    /// Sizes in memory, from UE4.23.
    pub sizes: [u32; 3],
}

/// Buffers that stand elsewhere. Spec: ue4-5/09 §4.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StreamedBuffers {
    /// The buffers.
    pub bulk: BulkData,
    /// What the buffers look like.
    pub meta: [u32; 20],
    /// The same of an index buffer for tessellation.
    #[until(custom = custom::UE5_RELEASE, 3)]
    pub adjacency: [u32; 2],
    /// The same for ray tracing.
    #[archive(when = from_release(ar, 5, 6))]
    pub ray_tracing: [u32; 6],
}

impl Archived for Lod {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("strip", ar, |ar| self.strip.serialize(ar))?;
        in_field("sections", ar, |ar| self.sections.serialize(ar))?;
        when(from_release(ar, 5, 6), &mut self.source_bounds, "source_bounds", ar)?;
        in_field("max_deviation", ar, |ar| ar.serialize_f32(&mut self.max_deviation))?;
        let modern = from_release(ar, 4, 23);
        when(modern, &mut self.cooked_out, "cooked_out", ar)?;
        when(modern, &mut self.inlined, "inlined", ar)?;
        let drawn = match modern {
            true => self.strip.has_audio_visual_data() && !self.cooked_out,
            false => self.strip.has_audio_visual_data() && self.strip.has(2),
        };
        when(drawn && from_release(ar, 5, 5), &mut self.has_ray_tracing, "has_ray_tracing", ar)?;
        if ar.is_loading() {
            let here = drawn && (self.inlined || !modern);
            self.buffers = here.then(Box::default);
            self.streamed = (drawn && !here).then(Box::default);
        }
        let (strip, sections) = (self.strip, self.sections.len());
        if let Some(buffers) = &mut self.buffers {
            in_field("buffers", ar, |ar| buffers.serialize_in(strip, sections, ar))?;
        }
        if let Some(streamed) = &mut self.streamed {
            in_field("streamed", ar, |ar| streamed.serialize(ar))?;
        }
        when(modern && drawn, &mut self.sizes, "sizes", ar)
    }
}

/// A part with one material. Spec: ue4-5/09 §4. C++: `FStaticMeshSection`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Section {
    /// Its material.
    pub material_index: i32,
    /// Its first index.
    pub first_index: i32,
    /// Its triangles.
    pub triangle_count: i32,
    /// Its first vertex.
    pub min_vertex: i32,
    /// Its last vertex.
    pub max_vertex: i32,
    /// Whether it collides.
    pub enable_collision: bool,
    /// Whether it casts shadows.
    pub cast_shadow: bool,
    /// Whether it hides what is behind.
    #[since(custom = custom::RENDERING, 37)]
    pub force_opaque: bool,
    /// Whether rays see it.
    #[archive(when = from_release(ar, 4, 25))]
    pub visible_in_ray_tracing: bool,
    /// Whether it counts for distances.
    #[archive(when = from_release(ar, 5, 1))]
    pub affects_distance_field: bool,
}

/// Buffers of a level of detail. Spec: ue4-5/09 §4.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LodBuffers {
    /// What was left out, from UE4.23.
    pub strip: StripFlags,
    /// Positions.
    pub positions: PositionBuffer,
    /// Tangents and texture coordinates.
    pub vertices: VertexBuffer,
    /// Colours.
    pub colors: ColorBuffer,
    /// Indices: of triangles, of the same turned around, of depths, and so on as stored.
    pub indices: Vec<IndexBuffer>,
    /// For ray tracing: what it looks like, from UE5.6.
    pub ray_tracing_meta: [u32; 6],
    /// For ray tracing, from UE4.25.
    pub ray_tracing: BulkArray,
    /// How often triangles are taken for samples: for each section and all.
    pub samplers: Vec<WeightedSampler>,
}

impl LodBuffers {
    fn serialize_in<A: Archive + ?Sized>(
        &mut self,
        lod: StripFlags,
        sections: usize,
        ar: &mut A,
    ) -> Result<()> {
        let modern = from_release(ar, 4, 23);
        when(modern, &mut self.strip, "strip", ar)?;
        let strip = if modern { self.strip } else { lod };
        in_field("positions", ar, |ar| self.positions.serialize(ar))?;
        in_field("vertices", ar, |ar| self.vertices.serialize(ar))?;
        in_field("colors", ar, |ar| self.colors.serialize(ar))?;
        let mut count = 1;
        let reversed = strip.has(4);
        if modern {
            count += 1 + 2 * usize::from(reversed);
            count += usize::from(strip.has_editor_data());
            let adjacency = custom_version(ar, custom::UE5_RELEASE) < 3 && strip.has(1);
            count += usize::from(adjacency);
        } else {
            count += if ue4(ar) >= 489 && reversed { 3 } else { 1 };
            count += usize::from(strip.has_editor_data()) + usize::from(strip.has(1));
        }
        in_field("indices", ar, |ar| fixed(&mut self.indices, count, ar))?;
        let traced = from_release(ar, 4, 25) && strip.has(8);
        let described = traced && from_release(ar, 5, 6);
        when(described, &mut self.ray_tracing_meta, "ray_tracing_meta", ar)?;
        when(traced, &mut self.ray_tracing, "ray_tracing", ar)?;
        let samplers = if from_release(ar, 4, 17) { sections + 1 } else { 0 };
        in_field("samplers", ar, |ar| fixed(&mut self.samplers, samplers, ar))
    }
}

/// Virtualised geometry. Spec: ue4-5/09 §4. C++: `Nanite::FResources`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Nanite {
    /// What was left out.
    pub strip: StripFlags,
    /// The geometry.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub resources: NaniteResources,
}

/// What [`Nanite`] has unless it was left out. Spec: ue4-5/09 §4.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NaniteResources {
    /// Flags.
    pub flags: u32,
    /// Pages that are streamed in.
    pub pages: BulkData,
    /// Pages that are always there.
    pub root: Payload<1>,
    /// State of pages: 24 bytes each, 20 from UE5.3.
    pub page_states: SizedPayload,
    /// Nodes of the tree: 208 bytes each, 224 from UE5.7, 240 from UE5.8.
    pub nodes: SizedPayload,
    /// First nodes: 4 bytes each.
    pub hierarchy_roots: SizedPayload,
    /// Pages that others need: 4 bytes each, 2 from UE5.7.
    pub page_dependencies: SizedPayload,
    /// From UE5.6: parts of 48 bytes.
    pub assembly: SizedPayload,
    /// From UE5.7: numbers of 4 bytes.
    pub assembly_numbers: [SizedPayload; 3],
    /// From UE5.6: box and sphere.
    pub bounds: [f32; 7],
    /// Below UE5.8: frames of imposters.
    pub imposter: Payload<2>,
    /// Numbers of roots, triangles, vertices, meshes, clusters: as many as the release has, in halves.
    pub tail: [u16; 20],
}

/// Elements of a size that the version says, after their number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SizedPayload(pub crate::Span);

impl SizedPayload {
    pub(super) fn serialize_in<A: Archive + ?Sized>(
        &mut self,
        unit: u64,
        ar: &mut A,
    ) -> Result<()> {
        let count = array::serialize_unit_count(self.0.len(), unit, ar)?;
        ar.serialize_span(&mut self.0, count * unit, crate::Kind::Payload)
    }
}

impl Archived for NaniteResources {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let at = |minor: u8, ar: &A| from_release(ar, 5, minor);
        if ar.is_loading() {
            *self = Self::default();
        }
        in_field("flags", ar, |ar| ar.serialize_u32(&mut self.flags))?;
        in_field("pages", ar, |ar| self.pages.serialize(ar))?;
        in_field("root", ar, |ar| self.root.serialize(ar))?;
        let state = if at(3, ar) { 20 } else { 24 };
        in_field("page_states", ar, |ar| self.page_states.serialize_in(state, ar))?;
        let node = if at(8, ar) {
            240
        } else if at(7, ar) {
            224
        } else {
            208
        };
        in_field("nodes", ar, |ar| self.nodes.serialize_in(node, ar))?;
        in_field("hierarchy_roots", ar, |ar| self.hierarchy_roots.serialize_in(4, ar))?;
        let dependency = if at(7, ar) { 2 } else { 4 };
        in_field("page_dependencies", ar, |ar| {
            self.page_dependencies.serialize_in(dependency, ar)
        })?;
        if at(6, ar) {
            in_field("assembly", ar, |ar| self.assembly.serialize_in(48, ar))?;
            let lists = if at(8, ar) {
                3
            } else if at(7, ar) {
                2
            } else {
                0
            };
            for list in self.assembly_numbers.iter_mut().take(lists) {
                in_field("assembly_numbers", ar, |ar| list.serialize_in(4, ar))?;
            }
            in_field("bounds", ar, |ar| self.bounds.serialize(ar))?;
        }
        if !at(8, ar) {
            in_field("imposter", ar, |ar| self.imposter.serialize(ar))?;
        }
        // i32, i32, [5.2+: i32], u32, u32, [before 5.6: u16, u16], [5.1+: u32], [5.7+: u64], [5.8+: u32].
        let mut halves = 8;
        for (more, count) in
            [(at(2, ar), 2), (!at(6, ar), 2), (at(1, ar), 2), (at(7, ar), 4), (at(8, ar), 2)]
        {
            halves += if more { count } else { 0 };
        }
        let Some((tail, rest)) = self.tail.split_at_mut_checked(halves) else { return Ok(()) };
        if ar.is_saving() && rest.iter().any(|half| *half != 0) {
            return Err(ar.error(ErrorKind::NotInVersion).in_field("tail"));
        }
        in_field("tail", ar, |ar| u16::serialize_slice(tail, ar))
    }
}

/// A copy for ray tracing. Spec: ue4-5/09 §4.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RayTracingProxy {
    /// What was left out.
    pub strip: StripFlags,
    /// Whether it is the mesh itself.
    pub uses_mesh: bool,
    /// Levels of detail.
    pub lods: Vec<ProxyLod>,
}

/// A level of detail of a [`RayTracingProxy`]. Spec: ue4-5/09 §4.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ProxyLod {
    /// Whether it has buffers of its own.
    pub owns_buffers: bool,
    /// Parts with the same material.
    #[archive(when = self.owns_buffers)]
    pub sections: Vec<Section>,
    /// Whether it has geometry of its own.
    pub owns_geometry: bool,
    /// Whether its buffers are here: only 0 is known.
    #[archive(when = from_release(ar, 5, 6))]
    pub inlined: bool,
    /// The buffers.
    pub bulk: BulkData,
    /// What the buffers look like.
    #[archive(when = from_release(ar, 5, 6) && self.owns_buffers)]
    pub buffer_meta: [u32; 11],
    /// What the geometry looks like.
    #[archive(when = from_release(ar, 5, 6) && self.owns_geometry)]
    pub geometry_meta: [u32; 8],
}

impl Archived for RayTracingProxy {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("strip", ar, |ar| self.strip.serialize(ar))?;
        in_field("uses_mesh", ar, |ar| self.uses_mesh.serialize(ar))?;
        in_field("lods", ar, |ar| self.lods.serialize(ar))
    }
}
