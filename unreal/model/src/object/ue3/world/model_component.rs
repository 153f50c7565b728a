//! Parts of BSP that are drawn.

use super::light_map::LightMap;
use crate::Archived;
use crate::primitive::{Guid, PackageIndex};

/// A part of the BSP of a level.
///
/// Spec: ue1-3/11 §11.3. C++: `UModelComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ModelComponent {
    /// The BSP.
    pub model: PackageIndex,
    /// The zone it is in.
    pub zone_index: i32,
    /// Parts of one material.
    pub elements: Vec<ModelElement>,
    /// Its number among the components of the level.
    pub component_index: u16,
    /// Nodes of the BSP.
    pub nodes: Vec<u16>,
}

/// A part of a [`ModelComponent`] of one material. Spec: ue1-3/11 §11.3. C++: `FModelElement`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ModelElement {
    /// Baked light.
    pub light_map: LightMap,
    /// The component.
    pub component: PackageIndex,
    /// The material.
    pub material: PackageIndex,
    /// Nodes of the BSP.
    pub nodes: Vec<u16>,
    /// Shadow maps.
    pub shadow_maps: Vec<PackageIndex>,
    /// Lights that do not reach it.
    pub irrelevant_lights: Vec<Guid>,
}
