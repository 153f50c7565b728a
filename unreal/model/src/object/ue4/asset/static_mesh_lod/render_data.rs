//! Render data, with the parts of all levels of detail.

use super::{DistanceFields, Lod, Nanite, RayTracingProxy, SizedPayload};
use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::{custom as custom_version, fixed, from_release, when};
use crate::object::ue4::geometry::{BoundingBox, Bounds};
use crate::object::ue4::prepared::Flagged;
use crate::object::ue4::strip::StripFlags;
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// The render data of a static mesh.
///
/// Spec: ue4-5/09 §4. C++: `FStaticMeshRenderData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RenderData {
    /// Levels of detail.
    pub lods: Vec<Lod>,
    /// Levels whose buffers are here, from UE4.23.
    pub inlined_lods: u8,
    /// Virtualised geometry, from UE5.0.
    pub nanite: Nanite,
    /// A copy for ray tracing, from UE5.5.
    pub ray_tracing_proxy: Flagged<RayTracingProxy>,
    /// Flags of the parts that were left out, from UE5.0.
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
    /// Flags of the parts that were left out, from UE5.4.
    pub tail_strip: StripFlags,
}

impl Archived for RenderData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

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
        let old_factors = custom_version(ar, custom::RENDERING)
            < custom::rendering::TEXTURE_STREAMING_MESH_UV_CHANNEL_DATA;
        when(old_factors, &mut self.texel_factors, "texel_factors", ar)?;
        let sizes = match (from_release(ar, 4, 9), from_release(ar, 4, 3)) {
            (true, _) => 8,
            (false, true) => 4,
            // Distances, and one more than there can be levels: seen in 4.2.
            (false, false) => 5,
        };
        in_field("screen_sizes", ar, |ar| fixed(&mut self.screen_sizes, sizes, ar))?;
        when(from_release(ar, 5, 4), &mut self.tail_strip, "tail_strip", ar)
    }
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
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Absent;

impl Archived for Absent {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        Err(ar.error(ErrorKind::NonCanonical { form: "a part of unknown layout" }))
    }
}

/// Views of a level of detail. Spec: ue4-5/09 §4. C++: `FCardRepresentationData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CardData {
    /// Box around them.
    pub bounds: BoundingBox,
    /// Of UE5.0 alone.
    #[archive(when = !from_release(ar, 5, 1))]
    pub max_lod_level: i32,
    /// Whether most triangles have two sides.
    #[archive(when = from_release(ar, 5, 2))]
    pub mostly_two_sided: bool,
    /// The views: 61 bytes each, 62 in UE5.0.
    #[archive(with = cards)]
    pub cards: SizedPayload,
}

fn cards<A: Archive + ?Sized>(cards: &mut SizedPayload, ar: &mut A) -> Result<()> {
    cards.serialize_in(if from_release(ar, 5, 1) { 61 } else { 62 }, ar)
}
