//! Parts of terrains.

use super::light_map::LightMap;
use crate::Archived;
use crate::object::game::is_mass_effect;
use crate::object::geometry::BoundingBox;
use crate::primitive::Payload;

/// A part of a terrain.
///
/// Spec: ue1-3/11 §11.3. C++: `UTerrainComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TerrainComponent {
    /// Vertices for collision: three floats each.
    pub collision_vertices: Payload<12>,
    /// A tree of boxes.
    pub nodes: Vec<TerrainNode>,
    /// Bounds of patches.
    pub patches: Vec<PatchBounds>,
    /// Baked light.
    pub light_map: LightMap,
}

/// A node of the tree of a [`TerrainComponent`]. Spec: ue1-3/11 §11.3. C++: `FTerrainBVNode`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct TerrainNode {
    /// Its size.
    pub bounds: BoundingBox,
    /// Whether the numbers below are a place on the terrain, or nodes.
    pub is_leaf: bool,
    /// Nodes; or x, y, width, height.
    pub numbers: [u16; 4],
    /// Of unknown meaning.
    #[archive(when = is_mass_effect(ar))]
    pub unknown: f32,
}

/// Bounds of a patch of a [`TerrainComponent`]. Spec: ue1-3/11 §11.3. C++: `FTerrainPatchBounds`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct PatchBounds {
    /// Lowest height.
    pub min_height: f32,
    /// Highest height.
    pub max_height: f32,
    /// How far it is displaced.
    pub max_displacement: f32,
}
