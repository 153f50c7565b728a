//! Baked light and shadows of components.

use crate::Archived;
use crate::object::geometry::Plane;
use crate::object::ue4::bulk::BulkData;
use crate::primitive::{Guid, PackageIndex, Real};
use crate::version::{UE4, custom};

/// First UE4 version whose light maps share their textures (spec: ue4-5/09 §8).
const SHARED_TEXTURES: u32 = 306;

/// Baked light: an u32 that says the form, then its fields.
///
/// Spec: ue4-5/09 §8. C++: `FLightMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u32)]
pub enum LightMap {
    /// Not lit by baked light.
    #[default]
    None = 0,
    /// A sample for every vertex. C++: `FLegacyLightMap1D`.
    Vertices {
        /// The lights in it.
        lights: Vec<Guid>,
        /// The component.
        owner: PackageIndex,
        /// Samples of several coefficients.
        directional_samples: BulkData,
        /// Scales of the coefficients.
        scales: [[f32; 3]; 5],
        /// Samples of one coefficient.
        simple_samples: BulkData,
    } = 1,
    /// Textures. C++: `FLightMap2D`.
    Textures {
        /// The lights in it.
        lights: Vec<Guid>,
        /// A texture for every coefficient.
        #[until(ue4 = SHARED_TEXTURES)]
        coefficients: [LightMapTexture; 3],
        /// One more.
        #[since(ue4 = 248)]
        #[until(ue4 = SHARED_TEXTURES)]
        fourth_coefficient: LightMapTexture,
        /// The textures, for high and low quality.
        #[since(ue4 = SHARED_TEXTURES)]
        textures: [PackageIndex; 2],
        /// The texture of the sky's share.
        #[since(ue4 = 328)]
        sky_occlusion: PackageIndex,
        /// The texture of shadows of materials.
        #[since(ue4 = 477)]
        ao_material_mask: PackageIndex,
        /// Scale and what is then added, for every coefficient.
        #[since(ue4 = SHARED_TEXTURES)]
        scales: [[Plane; 2]; 4],
        /// Scale of texture coordinates.
        coordinate_scale: [Real; 2],
        /// Bias that is added after the scale.
        coordinate_bias: [Real; 2],
        /// Which channels have shadows.
        #[since(custom = custom::RENDERING, custom::rendering::LIGHTMAP_HAS_SHADOWMAP_DATA)]
        shadow_channels: [bool; 4],
        /// Size of penumbras, inverted, for every channel.
        #[since(custom = custom::RENDERING, custom::rendering::LIGHTMAP_HAS_SHADOWMAP_DATA)]
        inv_uniform_penumbra_size: [f32; 4],
        /// The virtual texture.
        #[since(custom = custom::RENDERING, custom::rendering::VIRTUAL_TEXTURED_LIGHTMAPS)]
        virtual_texture: PackageIndex,
        /// The second one.
        #[since(custom = custom::RENDERING, custom::rendering::VIRTUAL_TEXTURED_LIGHTMAPS_V3)]
        second_virtual_texture: PackageIndex,
    } = 2,
}

/// A coefficient of an old light map.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct LightMapTexture {
    /// The texture.
    pub texture: PackageIndex,
    /// Scale of its texels.
    pub scale: Plane,
    /// Bias that is added after the scale.
    pub add: Plane,
}

/// Baked shadows. Spec: ue4-5/09 §8. C++: `FShadowMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u32)]
pub enum ShadowMap {
    /// None.
    #[default]
    None = 0,
    /// A texture. C++: `FShadowMap2D`.
    Texture {
        /// The lights in it.
        lights: Vec<Guid>,
        /// The texture.
        texture: PackageIndex,
        /// Scale of texture coordinates.
        coordinate_scale: [Real; 2],
        /// Bias that is added after the scale.
        coordinate_bias: [Real; 2],
        /// Which channels are used.
        channels: [bool; 4],
        /// Size of penumbras, inverted, for every channel.
        #[since(ue4 = 468)]
        inv_uniform_penumbra_size: [f32; 4],
    } = 2,
}
