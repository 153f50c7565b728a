//! Baked light maps.

use crate::Archived;
use crate::object::geometry::{Vector, Vector2D};
use crate::primitive::{BulkData, Guid, PackageIndex};

/// First file version whose light maps have three coefficients instead of four.
///
/// The version of Lightmass; files bracket it as 513..684 (spec: ue1-3/11 §11.2).
pub const THREE_COEFFICIENTS: u32 = 600;

/// The baked light of a part of a component: an i32 that says the form, then its fields.
///
/// Spec: ue1-3/11 §11.2. C++: `FLightMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(i32)]
pub enum LightMap {
    /// Not lit by baked light.
    #[default]
    None = 0,
    /// A sample for every vertex. C++: `FLightMap1D`.
    Vertices {
        /// The lights in it.
        lights: Vec<Guid>,
        /// The component.
        owner: PackageIndex,
        /// Samples of several coefficients: 12 bytes each below version 600, 8 from there on.
        directional_samples: BulkData,
        /// Scales of the coefficients.
        scales: [Vector; 3],
        /// The same for the coefficient of the simple samples.
        #[until(THREE_COEFFICIENTS)]
        simple_scale: Vector,
        /// Samples of one coefficient, 4 bytes each.
        simple_samples: BulkData,
    } = 1,
    /// A texture for every coefficient. C++: `FLightMap2D`.
    Textures {
        /// The lights in it.
        lights: Vec<Guid>,
        /// The coefficients.
        coefficients: [LightMapTexture; 3],
        /// The coefficient of simple light.
        #[until(THREE_COEFFICIENTS)]
        simple: LightMapTexture,
        /// Scale of texture coordinates.
        coordinate_scale: Vector2D,
        /// Bias that is added after the scale.
        coordinate_bias: Vector2D,
    } = 2,
    /// Samples of vertices in 8 bytes each; Mass Effect 3.
    PackedVertices {
        /// The lights in it.
        lights: Vec<Guid>,
        /// The component.
        owner: PackageIndex,
        /// The samples.
        samples: BulkData,
        /// Scales of the coefficients.
        scales: [Vector; 2],
    } = 3,
    /// Textures with eight numbers each; Mass Effect 3.
    ScaledTextures {
        /// The lights in it.
        lights: Vec<Guid>,
        /// The coefficients.
        coefficients: [ScaledLightMapTexture; 3],
        /// Scale of texture coordinates.
        coordinate_scale: Vector2D,
        /// Bias that is added after the scale.
        coordinate_bias: Vector2D,
    } = 4,
    /// Samples of vertices in 4 bytes each; Mass Effect 3, from reference only.
    SimpleVertices {
        /// The lights in it.
        lights: Vec<Guid>,
        /// The component.
        owner: PackageIndex,
        /// The samples.
        samples: BulkData,
        /// Scale of the coefficient.
        scale: Vector,
    } = 5,
    /// As [`LightMap::ScaledTextures`]; Mass Effect 3.
    OtherScaledTextures {
        /// The lights in it.
        lights: Vec<Guid>,
        /// The coefficients.
        coefficients: [ScaledLightMapTexture; 3],
        /// Scale of texture coordinates.
        coordinate_scale: Vector2D,
        /// Bias that is added after the scale.
        coordinate_bias: Vector2D,
    } = 6,
}

/// A coefficient of a [`LightMap`]. Spec: ue1-3/11 §11.2.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct LightMapTexture {
    /// The texture.
    pub texture: PackageIndex,
    /// Scale of its texels.
    pub scale: Vector,
}

/// A coefficient of a [`LightMap`] of Mass Effect 3. Spec: ue1-3/11 §11.2.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ScaledLightMapTexture {
    /// The texture.
    pub texture: PackageIndex,
    /// Scale and bias of the four channels.
    pub numbers: [f32; 8],
}
