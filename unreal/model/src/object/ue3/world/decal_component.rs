//! Decals.

use super::light_map::LightMap;
use crate::Archived;
use crate::primitive::{BulkArray, PackageIndex};

/// A decal and what it is projected onto.
///
/// Spec: ue1-3/11 §11.3. C++: `UDecalComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DecalComponent {
    /// The components that it is projected onto.
    pub receivers: Vec<DecalReceiver>,
}

/// The geometry of a decal on one component.
///
/// Spec: ue1-3/11 §11.3. C++: `FStaticReceiverData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DecalReceiver {
    /// The component.
    pub component: PackageIndex,
    /// Vertices: 28 bytes each, below version 600 52.
    pub vertices: BulkArray<28>,
    /// Indices.
    pub indices: BulkArray<2>,
    /// Triangles.
    pub triangle_count: u32,
    /// Baked light.
    pub light_map: LightMap,
    /// Shadow maps.
    #[since(600)]
    pub shadow_maps: Vec<PackageIndex>,
    /// Of unknown meaning.
    #[since(600)]
    pub unknown: [i32; 2],
}
