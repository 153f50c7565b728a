//! Lights.

use super::{ComponentPart, based_component};
use crate::Archived;
use crate::object::ue4::world::depth_map::DepthMap;
use crate::version::{UE4, custom};

/// A light, but not the sky's.
///
/// Spec: ue4-5/09 §9. C++: `ULightComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// Baked depths.
    #[since(ue4 = 378)]
    #[until(custom = custom::RENDERING, custom::rendering::MAP_BUILD_DATA_SEPARATE_PACKAGE)]
    pub depth_map: DepthMap,
}

based_component!(LightComponent: ComponentPart);
