//! Baked light between surfaces.

use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::Result;
use crate::object::geometry::Color;
use crate::object::ue4::condition::{custom as custom_version, ue4, when};
use crate::object::ue4::geometry::{BoundingBox, Vector};
use crate::object::ue4::prepared::Flagged;
use crate::primitive::{FString, Payload};
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described, ErrorKind};

/// Baked light at points of a level.
///
/// Spec: ue4-5/09 §8. C++: `FPrecomputedLightVolumeData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightVolume {
    /// The samples, once there are some.
    pub data: Flagged<LightSamples>,
}

/// The samples of a [`LightVolume`].
///
/// Spec: ue4-5/09 §8.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct LightSamples {
    /// Box around them.
    pub bounds: BoundingBox,
    /// Distance between samples.
    pub spacing: f32,
    /// Numbers of a sample and colour: 4 or 9.
    pub sh_samples: i32,
    /// Samples for high quality.
    pub high_quality: Vec<LightSample>,
    /// Samples for low quality.
    pub low_quality: Vec<LightSample>,
}

/// A sample of a [`LightVolume`]. Spec: ue4-5/09 §8. C++: `FVolumeLightingSample`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LightSample {
    /// Where it is.
    pub position: Vector,
    /// How far it counts.
    pub radius: f32,
    /// Light of every colour: 4 or 9 numbers each.
    pub lighting: Vec<f32>,
    /// Direction to the sky.
    pub sky_bent_normal: Color,
    /// How much of the sun is seen.
    pub directional_light_shadowing: f32,
}

impl LightSample {
    fn serialize_in<A: Archive + ?Sized>(&mut self, numbers: usize, ar: &mut A) -> Result<()> {
        in_field("position", ar, |ar| self.position.serialize(ar))?;
        in_field("radius", ar, |ar| ar.serialize_f32(&mut self.radius))?;
        let lighting = &mut self.lighting;
        in_field("lighting", ar, |ar| crate::primitive::array::elements(lighting, numbers, ar))?;
        if ue4(ar) >= 346 {
            in_field("sky_bent_normal", ar, |ar| self.sky_bent_normal.serialize(ar))?;
        } else {
            private::absent(&mut self.sky_bent_normal, ar, "sky_bent_normal")?;
        }
        if ue4(ar) >= 296 {
            let shadowing = &mut self.directional_light_shadowing;
            in_field("directional_light_shadowing", ar, |ar| ar.serialize_f32(shadowing))
        } else {
            private::absent(&mut self.directional_light_shadowing, ar, "shadowing")
        }
    }
}

impl Archived for LightSamples {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("bounds", ar, |ar| self.bounds.serialize(ar))?;
        in_field("spacing", ar, |ar| ar.serialize_f32(&mut self.spacing))?;
        let has_number = custom_version(ar, custom::RENDERING)
            >= custom::rendering::INDIRECT_LIGHTING_CACHE3_BAND_SUPPORT;
        when(has_number, &mut self.sh_samples, "sh_samples", ar)?;
        let numbers = if self.sh_samples == 9 { 27 } else { 12 };
        let wrong = |sample: &LightSample| sample.lighting.len() != numbers;
        if ar.is_saving() && self.high_quality.iter().chain(&self.low_quality).any(wrong) {
            return Err(ar.error(ErrorKind::NonCanonical { form: "a light sample of other size" }));
        }
        let list = |samples: &mut Vec<LightSample>, ar: &mut A| {
            crate::primitive::array::counted_i32_by(samples, ar, |sample, ar| {
                sample.serialize_in(numbers, ar)
            })
        };
        in_field("high_quality", ar, |ar| list(&mut self.high_quality, ar))?;
        if ue4(ar) >= 296 {
            in_field("low_quality", ar, |ar| list(&mut self.low_quality, ar))
        } else {
            private::absent(&mut self.low_quality, ar, "low_quality")
        }
    }
}

/// Baked light in bricks of a grid.
///
/// Spec: ue4-5/09 §8. C++: `FPrecomputedVolumetricLightmapData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VolumetricLightMap {
    /// The box that it fills.
    pub bounds: BoundingBox,
    /// Size of the table of bricks.
    pub indirection_size: [i32; 3],
    /// The table of bricks.
    pub indirection: DataLayer,
    /// Samples along an edge of a brick.
    pub brick_size: i32,
    /// Size of the bricks' textures.
    pub brick_data_size: [i32; 3],
    /// Light from everywhere.
    pub ambient: DataLayer,
    /// Light by direction.
    pub sh_coefficients: [DataLayer; 6],
    /// Direction to the sky.
    pub sky_bent_normal: DataLayer,
    /// How much of the sun is seen.
    pub directional_light_shadowing: DataLayer,
    /// Layers of low quality.
    #[since(custom = custom::MOBILE, custom::mobile::LQ_VOLUMETRIC_LIGHTMAP_LAYERS)]
    #[until(custom = custom::UE5_MAIN, custom::ue5_main::MANAGED_ARRAY_COLLECTION_ALWAYS_SERIALIZE_VALUE)]
    pub low_quality: [DataLayer; 2],
    /// Levels that have bricks of their own: places of the bricks.
    #[since(custom = custom::RENDERING, custom::rendering::VOLUMETRIC_LIGHTMAP_STREAMING)]
    pub sub_level_bricks: Vec<[i32; 3]>,
    /// The table of bricks at these places.
    #[since(custom = custom::RENDERING, custom::rendering::VOLUMETRIC_LIGHTMAP_STREAMING)]
    pub sub_level_indirection: Vec<Color>,
}

/// Texels of a [`VolumetricLightMap`]. Spec: ue4-5/09 §8.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DataLayer {
    /// The texels.
    pub data: Payload<1>,
    /// Name of their format.
    pub format: FString,
}
