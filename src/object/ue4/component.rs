//! Components.

pub mod instanced;
pub mod landscape;
pub mod light;
pub mod reflection_capture;
pub mod sky;
pub mod static_mesh;

use crate::Archived;
use crate::object::Facts;
use crate::object::ue4::geometry::Bounds;
use crate::object::ue4::prepared::{Flagged, Prepared};
use crate::primitive::{Guid, Name, PackageIndex};
use crate::version::custom;

/// What every component starts with.
///
/// Spec: ue4-5/05 §4, 09 §2. C++: `UActorComponent`, `USceneComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ComponentPart {
    /// Properties that the construction script changed.
    #[since(custom = custom::FORTNITE_RELEASE, 4)]
    pub ucs_modified_properties: Vec<MemberReference>,
    /// Bounds that never change; set in cooked packages.
    #[since(custom = custom::UE5_SPECIAL_PROJECT, 2)]
    pub static_bounds: Prepared<Flagged<Bounds>>,
}

impl ComponentPart {
    /// An empty part for an object with these properties.
    pub fn blank(facts: &Facts<'_>) -> Self {
        let asked = ["bComputeBoundsOnceForGame", "bComputedBoundsOnceForGame"];
        let static_bounds = Prepared::when(
            facts.versions.custom(&custom::UE5_SPECIAL_PROJECT) >= 2
                && asked.iter().any(|name| facts.flag(name)),
        );
        Self { static_bounds, ..Self::default() }
    }
}

/// A property or function of a class. Spec: ue4-5/05 §4. C++: `FSimpleMemberReference`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct MemberReference {
    /// The class.
    pub parent: PackageIndex,
    /// Its name.
    pub name: Name,
    /// Its GUID.
    pub guid: Guid,
}
