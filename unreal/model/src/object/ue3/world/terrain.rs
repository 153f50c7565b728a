//! Terrains.

use crate::Archived;
use crate::object::game::is_mass_effect_2_3;
use crate::object::ue3::asset::material::MaterialResource;
use crate::primitive::{Guid, PackageIndex, Payload};

/// A terrain: heights, layers, compiled materials.
///
/// The fields of Mass Effect 2 and 3 are from reference only.
///
/// Spec: ue1-3/11 §11.10. C++: `ATerrain`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Terrain {
    /// Heights, u16 each.
    pub heights: Payload<2>,
    /// Holes and other marks.
    pub info: Payload<1>,
    /// Weights of layers.
    pub alpha_maps: Vec<Payload<1>>,
    /// Textures of weights.
    pub weight_maps: Vec<PackageIndex>,
    /// Materials.
    pub materials: Vec<TerrainMaterialResource>,
    /// A second list of materials; Mass Effect 2 and 3.
    #[archive(when = is_mass_effect_2_3(ar))]
    pub other_materials: Vec<TerrainMaterialResource>,
    /// Displacements; Mass Effect 2 and 3.
    #[archive(when = is_mass_effect_2_3(ar))]
    pub displacements: Payload<1>,
    /// Of unknown meaning; Mass Effect 2 and 3.
    #[archive(when = is_mass_effect_2_3(ar))]
    pub max_displacement: f32,
}

/// A compiled material of a [`Terrain`]. Spec: ue1-3/11 §11.10. C++: `FTerrainMaterialResource`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TerrainMaterialResource {
    /// The compiled material.
    pub resource: MaterialResource,
    /// The terrain.
    pub terrain: PackageIndex,
    /// Number of bits in the mask.
    pub mask_bits: i32,
    /// Which layers it mixes, a bit each.
    pub mask: u64,
    /// The materials that it was compiled from.
    pub material_ids: Vec<Guid>,
    /// Which baked light fits.
    #[since(600)]
    pub lighting_guid: Guid,
    /// Of unknown meaning; files bracket 684..859.
    #[since(800)]
    pub flag: bool,
}
