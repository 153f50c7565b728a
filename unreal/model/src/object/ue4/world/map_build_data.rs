//! Data that was baked for a map.

use super::depth_map::DepthMap;
use super::light_map::{LightMap, ShadowMap};
use super::light_volume::{LightVolume, VolumetricLightMap};
use crate::object::Zeros;
use crate::object::ue4::bulk::BulkArray;
use crate::object::ue4::condition::custom as custom_version;
use crate::object::ue4::prepared::Flagged;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{Guid, Map, PackageIndex, Payload};
use crate::version::custom;
use crate::{Archive, Archived};

/// Data that was baked for a map.
///
/// Spec: ue4-5/09 §8. C++: `UMapBuildDataRegistry`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MapBuildDataRegistry {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Light and shadows of components.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub meshes: Map<Guid, MeshMapBuildData>,
    /// Light at points of levels.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub light_volumes: Map<Guid, Flagged<LightVolume>>,
    /// Light in bricks of a grid.
    #[since(custom = custom::RENDERING, custom::rendering::VOLUMETRIC_LIGHTMAPS)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub volumetric_light_maps: Map<Guid, Flagged<VolumetricLightMap>>,
    /// Depths of lights.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub lights: Map<Guid, LightMapBuildData>,
    /// Captured surroundings.
    #[since(custom = custom::REFLECTION_CAPTURE, 1)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub reflection_captures: Map<Guid, ReflectionCapture>,
    /// Skies.
    #[since(custom = custom::RENDERING, custom::rendering::SKY_ATMOSPHERE_STATIC_LIGHTING_VERSIONING)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub sky_atmospheres: Vec<Guid>,
    /// Whether a grid of volumetric light follows; only none is known.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::VOLUMETRIC_LIGHT_MAP_GRID_DESC_SUPPORT)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub has_grid: Zeros<4>,
}

/// Baked light and shadows of a component. Spec: ue4-5/09 §8. C++: `FMeshMapBuildData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshMapBuildData {
    /// Light.
    pub light_map: LightMap,
    /// Shadows.
    pub shadow_map: ShadowMap,
    /// Lights that do not matter.
    pub irrelevant_lights: Vec<Guid>,
    /// Light of single instances.
    pub instances: BulkArray,
}

/// Depths of a light. Spec: ue4-5/09 §8. C++: `FLightComponentMapBuildData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightMapBuildData {
    /// Channel of its shadows.
    pub shadow_map_channel: i32,
    /// Depths.
    pub depth_map: DepthMap,
}

/// Surroundings that a reflection capture has seen.
///
/// Spec: ue4-5/09 §8. C++: `FReflectionCaptureMapBuildData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ReflectionCapture {
    /// Texels along an edge.
    pub cubemap_size: i32,
    /// Average brightness.
    pub average_brightness: f32,
    /// Brightness that texels are multiplied by.
    #[since(custom = custom::RENDERING, custom::rendering::STORE_REFLECTION_CAPTURE_BRIGHTNESS_FOR_COOKING)]
    #[until(custom = custom::UE5_RELEASE, custom::ue5_release::EXCLUDE_BRIGHTNESS_FROM_ENCODED_HDR_CUBEMAP)]
    pub brightness: f32,
    /// Texels.
    pub full_hdr: Payload<1>,
    /// Texels for mobile devices.
    #[archive(when = !is_compressed(ar))]
    pub encoded_hdr: Payload<1>,
    /// A texture for mobile devices.
    #[archive(when = is_compressed(ar))]
    pub encoded_texture: PackageIndex,
}

fn is_compressed<A: Archive + ?Sized>(ar: &A) -> bool {
    custom_version(ar, custom::MOBILE) >= custom::mobile::STORE_REFLECTION_CAPTURE_COMPRESSED_MOBILE
        && custom_version(ar, custom::UE5_RELEASE)
            < custom::ue5_release::STORE_REFLECTION_CAPTURE_ENCODED_HDR_DATA_IN_RG11_B10_FORMAT
}
