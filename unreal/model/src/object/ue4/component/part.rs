//! The part that all components start with.

use super::member::MemberReference;
use crate::Archived;
use crate::object::Facts;
use crate::object::ue4::geometry::Bounds;
use crate::object::ue4::prepared::{Flagged, Prepared};
use crate::version::custom;

/// The part that all components start with.
///
/// Spec: ue4-5/05 §4, 09 §2. C++: `UActorComponent`, `USceneComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ComponentPart {
    /// Properties that the construction script changed.
    #[since(custom = custom::FORTNITE_RELEASE, custom::fortnite_release::ACTOR_COMPONENT_UCS_MODIFIED_PROPERTIES_SPARSE_STORAGE)]
    pub ucs_modified_properties: Vec<MemberReference>,
    /// Bounds that never change; set in cooked packages.
    #[since(custom = custom::UE5_SPECIAL_PROJECT, custom::ue5_special_project::SERIALIZE_SCENE_COMPONENT_STATIC_BOUNDS)]
    pub static_bounds: Prepared<Flagged<Bounds>>,
}

impl ComponentPart {
    /// An empty part for an object with these properties.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        let asked = ["bComputeBoundsOnceForGame", "bComputedBoundsOnceForGame"];
        let static_bounds = Prepared::when(
            facts.versions.custom(&custom::UE5_SPECIAL_PROJECT)
                >= custom::ue5_special_project::SERIALIZE_SCENE_COMPONENT_STATIC_BOUNDS
                && asked.iter().any(|name| facts.flag(name)),
        );
        Self { static_bounds, ..Self::default() }
    }
}

/// A component that begins as another one does.
macro_rules! based_component {
    ($type:ident: $base:ident) => {
        impl $type {
            /// An empty component for these properties.
            pub(in crate::object) fn prepared(facts: &crate::object::Facts<'_>) -> Self {
                Self { base: $base::prepared(facts), ..Self::default() }
            }
        }
    };
}
pub(in crate::object::ue4) use based_component;
