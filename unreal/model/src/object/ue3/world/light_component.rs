//! Lights, and baked shadows.

use crate::Archived;
use crate::object::game::is_mass_effect_3;
use crate::object::geometry::Plane;
use crate::primitive::{BulkArray, Guid, Payload};

/// A light: the volumes that it is confined to, below file version 829.
///
/// Spec: ue1-3/11 §11.3. C++: `ULightComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightComponent {
    /// Where it shines.
    #[until(829)]
    pub inclusion: Vec<ConvexVolume>,
    /// Where it does not.
    #[until(829)]
    pub exclusion: Vec<ConvexVolume>,
}

/// A convex volume. Spec: ue1-3/11 §11.3. C++: `FConvexVolume`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ConvexVolume {
    /// Its planes.
    pub planes: Vec<Plane>,
    /// The same, by fours and turned for vector instructions.
    pub permuted_planes: Vec<Plane>,
}

/// Shadows of one light on the vertices of a component.
///
/// Spec: ue1-3/11 §11.3. C++: `UShadowMap1D`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShadowMap1D {
    /// Floats from 0 to 1.
    #[archive(when = !is_mass_effect_3(ar))]
    pub samples: Payload<4>,
    /// The same; Mass Effect 3.
    #[archive(when = is_mass_effect_3(ar))]
    pub bulk_samples: BulkArray<4>,
    /// The light.
    pub light: Guid,
}
