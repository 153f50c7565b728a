//! Landscapes.

use super::{ComponentPart, based_component};
use crate::Archived;
use crate::object::Zeros;
use crate::object::ue4::bulk::BulkData;
use crate::version::custom;

/// The collision of landscapes, not cooked.
///
/// Spec: ue4-5/09 §9. C++: `ULandscapeHeightfieldCollisionComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HeightfieldCollisionComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// Whether it was cooked.
    pub cooked: bool,
    /// Heights.
    #[archive(when = !self.cooked)]
    pub heights: BulkData,
    /// The layers that count most.
    #[archive(when = !self.cooked)]
    pub dominant_layers: BulkData,
    /// Physical materials as they are drawn; seen empty.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::LANDSCAPE_PHYSICAL_MATERIAL_RENDER_DATA)]
    #[archive(when = !self.cooked)]
    pub physical_materials: BulkData,
}

/// A part of a landscape, not cooked, in UE5.
///
/// C++: `ULandscapeComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LandscapeComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// Hash of what its grass was made of.
    pub grass_hash: u32,
    /// Grass and what was cooked: none in every known file.
    pub nothing: Zeros<20>,
}

based_component!(LandscapeComponent: ComponentPart);
based_component!(HeightfieldCollisionComponent: ComponentPart);
