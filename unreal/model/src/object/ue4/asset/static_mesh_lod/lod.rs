//! Levels of detail of static meshes.

use super::section::Section;
use crate::archive::layout::Layout;
use crate::archive::{Loader, in_field};
use crate::error::Result;
use crate::object::optional::optional;
use crate::object::ue4::asset::mesh_buffer::{
    ColorBuffer, IndexBuffer, PositionBuffer, VertexBuffer, WeightedSampler,
};
use crate::object::ue4::bulk::{BulkArray, BulkData};
use crate::object::ue4::condition::{custom as custom_version, fixed, from_release, ue4, when};
use crate::object::ue4::geometry::Bounds;
use crate::object::ue4::strip::StripFlags;
use crate::version::{Versions, custom};
use crate::{Archive, ArchiveExt, Archived, Described};

/// A level of detail.
///
/// Spec: ue4-5/09 §4. C++: `FStaticMeshLODResources`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Lod {
    /// Flags of the parts that were left out.
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

impl Archived for Lod {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("strip", ar, |ar| self.strip.serialize(ar))?;
        in_field("sections", ar, |ar| self.sections.serialize(ar))?;
        when(from_release(ar, 5, 6), &mut self.source_bounds, "source_bounds", ar)?;
        in_field("max_deviation", ar, |ar| ar.serialize_f32(&mut self.max_deviation))?;
        let has_release_4_23 = from_release(ar, 4, 23);
        when(has_release_4_23, &mut self.cooked_out, "cooked_out", ar)?;
        when(has_release_4_23, &mut self.inlined, "inlined", ar)?;
        let drawn = match has_release_4_23 {
            true => self.strip.has_audio_visual_data() && !self.cooked_out,
            false => self.strip.has_audio_visual_data() && self.strip.has(2),
        };
        when(drawn && from_release(ar, 5, 5), &mut self.has_ray_tracing, "has_ray_tracing", ar)?;
        if ar.is_loading() {
            let here = drawn && (self.inlined || !has_release_4_23);
            self.buffers = here.then(Box::default);
            self.streamed = (drawn && !here).then(Box::default);
        }
        let (strip, sections) = (self.strip, self.sections.len());
        if let Some(buffers) = &mut self.buffers {
            in_field("buffers", ar, |ar| buffers.serialize_in(strip, sections, ar))?;
        }
        optional(&mut self.streamed, "streamed", ar)?;
        when(has_release_4_23 && drawn, &mut self.sizes, "sizes", ar)
    }
}

/// Buffers that stand elsewhere. Spec: ue4-5/09 §4.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StreamedBuffers {
    /// The buffers.
    pub bulk: BulkData,
    /// Sizes and strides of the buffers.
    pub meta: [u32; 20],
    /// The same of an index buffer for tessellation.
    #[until(custom = custom::UE5_RELEASE, custom::ue5_release::REMOVING_TESSELLATION)]
    pub adjacency: [u32; 2],
    /// The same for ray tracing.
    #[archive(when = from_release(ar, 5, 6))]
    pub ray_tracing: [u32; 6],
}

/// Buffers of a level of detail. Spec: ue4-5/09 §4.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LodBuffers {
    /// Flags of the parts that were left out, from UE4.23.
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
    /// The buffers of a level of detail that stand elsewhere; spans are of these bytes.
    ///
    /// # Errors
    /// As any [`Archived`] reports them.
    pub fn read(bytes: &[u8], lod: &Lod, versions: &Versions) -> Result<Self> {
        let mut buffers = Self::default();
        let mut loader = Loader::new(bytes, versions.clone());
        buffers.serialize_in(lod.strip, lod.sections.len(), &mut loader)?;
        loader.finish()?;
        Ok(buffers)
    }

    fn serialize_in<A: Archive + ?Sized>(
        &mut self,
        lod: StripFlags,
        sections: usize,
        ar: &mut A,
    ) -> Result<()> {
        let has_release_4_23 = from_release(ar, 4, 23);
        when(has_release_4_23, &mut self.strip, "strip", ar)?;
        let strip = if has_release_4_23 { self.strip } else { lod };
        in_field("positions", ar, |ar| self.positions.serialize(ar))?;
        in_field("vertices", ar, |ar| self.vertices.serialize(ar))?;
        in_field("colors", ar, |ar| self.colors.serialize(ar))?;
        let mut count = 1;
        let reversed = strip.has(4);
        if has_release_4_23 {
            count += 1 + 2 * usize::from(reversed);
            count += usize::from(strip.has_editor_data());
            let adjacency = custom_version(ar, custom::UE5_RELEASE)
                < custom::ue5_release::REMOVING_TESSELLATION
                && strip.has(1);
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
