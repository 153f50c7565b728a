//! Settings of baked light.

use crate::Archived;
use crate::version::UE4;

/// How a surface takes part in baked light.
///
/// Spec: ue4-5/09 §2. C++: `FLightmassPrimitiveSettings`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct LightmassPrimitiveSettings {
    /// Lit from both sides.
    pub two_sided_lighting: bool,
    /// Shadows only indirect light.
    pub shadow_indirect_only: bool,
    /// How much of an area may be covered.
    pub fully_occluded_samples_fraction: f32,
    /// Emissive surfaces light others.
    pub use_emissive_for_static_lighting: bool,
    /// Directions come from the normals of vertices.
    #[since(ue4 = 461)]
    pub use_vertex_normal_for_hemisphere_gather: bool,
    /// How fast emissive light falls off.
    pub emissive_light_falloff_exponent: f32,
    /// How far it reaches.
    pub emissive_light_explicit_influence_radius: f32,
    /// How strong emissive light is.
    pub emissive_boost: f32,
    /// How strong reflected light is.
    pub diffuse_boost: f32,
}
