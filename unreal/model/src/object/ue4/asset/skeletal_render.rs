//! What is drawn of cooked skeletal meshes.

use super::mesh_buffer::IndexContainer;
use super::skeletal_buffer_sizes::SkeletalBufferSizes;
use super::skeletal_buffers::{SkeletalBuffers, SkinWeightProfile};
use super::skeletal_render_section::SkeletalRenderSection;
use super::static_mesh_lod::Nanite;
use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::optional::present;
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::{custom as custom_version, from_release, when};
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{Map, Name, array};
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// The part of a skeletal mesh that is drawn: a bool, and where it is set what was cooked.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct DrawnSkeletalMesh {
    /// Whether vertices have colours: the property `bHasVertexColors`, known before loading.
    pub colors: bool,
    /// What is drawn.
    pub data: Option<Box<SkeletalRenderData>>,
}

impl DrawnSkeletalMesh {
    /// What is drawn of a mesh without colours.
    pub fn new(data: SkeletalRenderData) -> Self {
        Self { colors: false, data: Some(Box::new(data)) }
    }
}

impl Archived for DrawnSkeletalMesh {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut is_cooked = self.data.is_some();
        is_cooked.serialize(ar)?;
        if ar.is_loading() {
            let colors = self.colors;
            self.data =
                is_cooked.then(|| Box::new(SkeletalRenderData { colors, ..Default::default() }));
        }
        present(&mut self.data, ar)
    }
}

/// What is drawn of a skeletal mesh, cooked in 4.19 or later.
///
/// Inferred from files of 5.8 and 6.0, and before these from what public readers know. C++: `FSkeletalMeshRenderData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct SkeletalRenderData {
    /// Whether vertices have colours, known before loading.
    pub colors: bool,
    /// Levels of detail.
    pub lods: Vec<SkeletalRenderLod>,
    /// Virtualised geometry, from 5.5.
    pub nanite: Nanite,
    /// Levels of detail that stand in the package, from 4.24.
    pub inlined_lods: u8,
    /// Levels of detail that must be there, from 4.24.
    pub non_optional_lods: u8,
}

impl Archived for SkeletalRenderData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let colors = self.colors;
        in_field("lods", ar, |ar| {
            array::counted_i32_by(&mut self.lods, ar, |lod, ar| lod.serialize_in(colors, ar))
        })?;
        when(from_release(ar, 5, 5), &mut self.nanite, "nanite", ar)?;
        let is_streamed = from_release(ar, 4, 24);
        when(is_streamed, &mut self.inlined_lods, "inlined_lods", ar)?;
        when(is_streamed, &mut self.non_optional_lods, "non_optional_lods", ar)
    }
}

/// A level of detail as it is drawn. C++: `FSkeletalMeshLODRenderData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct SkeletalRenderLod {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether it was left out, from 4.24.
    pub is_cooked_out: bool,
    /// Whether it stands in the package, from 4.24.
    pub is_inlined: bool,
    /// Bones that are needed; before 4.24 behind those in use.
    pub required_bones: Vec<u16>,
    /// Parts with the same material.
    pub sections: Vec<SkeletalRenderSection>,
    /// Indices, before 4.24.
    pub indices: IndexContainer,
    /// Bones in use.
    pub active_bones: Vec<u16>,
    /// Bytes of the buffers, from 4.24.
    pub buffers_size: u32,
    /// The buffers of vertices and indices, where they stand here: never in 5.8 and later.
    pub inlined: Option<Box<SkeletalBuffers>>,
    /// The same as bulk data.
    pub buffers: BulkData,
    /// Sizes of the buffers that are bulk data.
    pub buffer_sizes: SkeletalBufferSizes,
    /// Other influences of bones by name, in 4.23; later they stand in the buffers.
    pub skin_weight_profiles: Map<Name, SkinWeightProfile>,
}

impl Archived for SkeletalRenderLod {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let colors = self.inlined.as_ref().is_some_and(|buffers| buffers.colors.is_some());
        self.serialize_in(colors, ar)
    }
}

impl SkeletalRenderLod {
    /// Whether parts of it follow cloth.
    pub fn has_cloth(&self) -> bool {
        self.sections.iter().any(SkeletalRenderSection::has_cloth)
    }

    /// Whether the buffers have indices for tessellation.
    fn has_adjacency<A: Archive + ?Sized>(strip: StripFlags, ar: &A) -> bool {
        let ends = custom::ue5_release::REMOVING_TESSELLATION;
        custom_version(ar, custom::UE5_RELEASE) < ends && strip.has(1)
    }

    fn serialize_in<A: Archive + ?Sized>(&mut self, colors: bool, ar: &mut A) -> Result<()> {
        in_field("strip", ar, |ar| self.strip.serialize(ar))?;
        match from_release(ar, 4, 24) {
            true => self.serialize_streamed(colors, ar),
            false => self.serialize_whole(colors, ar),
        }
    }

    /// From 4.24: buffers may be bulk data.
    fn serialize_streamed<A: Archive + ?Sized>(&mut self, colors: bool, ar: &mut A) -> Result<()> {
        private::absent(&mut self.indices, ar, "indices")?;
        private::absent(&mut self.skin_weight_profiles, ar, "skin_weight_profiles")?;
        in_field("is_cooked_out", ar, |ar| self.is_cooked_out.serialize(ar))?;
        in_field("is_inlined", ar, |ar| self.is_inlined.serialize(ar))?;
        in_field("required_bones", ar, |ar| self.required_bones.serialize(ar))?;
        let is_there = self.strip.has_audio_visual_data() && !self.is_cooked_out;
        when(is_there, &mut self.sections, "sections", ar)?;
        when(is_there, &mut self.active_bones, "active_bones", ar)?;
        when(is_there, &mut self.buffers_size, "buffers_size", ar)?;
        let is_bulk = !self.is_inlined || from_release(ar, 5, 8);
        self.make_ready(is_there && !is_bulk, colors, ar)?;
        let has_cloth = self.has_cloth();
        if let Some(buffers) = &mut self.inlined {
            in_field("inlined", ar, |ar| buffers.serialize_streamed(has_cloth, ar))?;
        }
        when(is_there && is_bulk, &mut self.buffers, "buffers", ar)?;
        let has_buffers = self.buffers.size_on_disk > 0 || !self.buffers.payload.is_empty();
        let has_sizes = is_there && is_bulk && has_buffers;
        if has_sizes {
            let ready = SkeletalBufferSizes::with(Self::has_adjacency(self.strip, ar), has_cloth);
            match ar.is_loading() {
                true => self.buffer_sizes = ready,
                false if !self.buffer_sizes.has_parts_of(&ready) => {
                    return Err(ar.error(ErrorKind::NotInVersion).in_field("buffer_sizes"));
                }
                false => {}
            }
        }
        when(has_sizes, &mut self.buffer_sizes, "buffer_sizes", ar)
    }

    /// Before 4.24: all stands here.
    fn serialize_whole<A: Archive + ?Sized>(&mut self, colors: bool, ar: &mut A) -> Result<()> {
        private::absent(&mut self.is_cooked_out, ar, "is_cooked_out")?;
        private::absent(&mut self.is_inlined, ar, "is_inlined")?;
        private::absent(&mut self.buffers_size, ar, "buffers_size")?;
        private::absent(&mut self.buffers, ar, "buffers")?;
        private::absent(&mut self.buffer_sizes, ar, "buffer_sizes")?;
        in_field("sections", ar, |ar| self.sections.serialize(ar))?;
        in_field("indices", ar, |ar| self.indices.serialize(ar))?;
        in_field("active_bones", ar, |ar| self.active_bones.serialize(ar))?;
        in_field("required_bones", ar, |ar| self.required_bones.serialize(ar))?;
        // The second bit: levels of detail finer than the platform's finest have no vertices.
        let has_vertices = self.strip.has_audio_visual_data() && self.strip.has(2);
        self.make_ready(has_vertices, colors, ar)?;
        let has_cloth = self.has_cloth();
        let has_adjacency = Self::has_adjacency(self.strip, ar);
        if let Some(buffers) = &mut self.inlined {
            in_field("inlined", ar, |ar| buffers.serialize_whole(has_adjacency, has_cloth, ar))?;
        }
        when(from_release(ar, 4, 23), &mut self.skin_weight_profiles, "skin_weight_profiles", ar)
    }

    fn make_ready<A: Archive + ?Sized>(
        &mut self,
        is_here: bool,
        colors: bool,
        ar: &mut A,
    ) -> Result<()> {
        if ar.is_loading() {
            self.inlined = is_here.then(|| Box::new(SkeletalBuffers::with(colors)));
        }
        match self.inlined.is_some() == is_here {
            true => Ok(()),
            false => Err(ar.error(ErrorKind::NotInVersion).in_field("inlined")),
        }
    }
}
