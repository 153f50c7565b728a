//! Landscapes.

use super::{ComponentPart, based_component};
use crate::Archived;
use crate::object::ue4::bulk::BulkData;

/// What landscapes collide with, not cooked.
///
/// Spec: ue4-5/09 §9. C++: `ULandscapeHeightfieldCollisionComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HeightfieldCollisionComponent {
    /// What every component has.
    pub base: ComponentPart,
    /// Whether it was cooked.
    pub cooked: bool,
    /// Heights.
    #[archive(when = !self.cooked)]
    pub heights: BulkData,
    /// The layers that count most.
    #[archive(when = !self.cooked)]
    pub dominant_layers: BulkData,
}

based_component!(HeightfieldCollisionComponent: ComponentPart);
