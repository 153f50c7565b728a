//! Skies and fog.

use super::{ComponentPart, based_component};
use crate::Archived;
use crate::object::ue4::bulk::BulkData;
use crate::primitive::Guid;
use crate::version::UE5;

/// A sky.
///
/// Spec: ue4-5/09 §9. C++: `USkyAtmosphereComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkyAtmosphereComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// Name of what was baked.
    pub static_lighting_guid: Guid,
}

based_component!(SkyAtmosphereComponent: ComponentPart);

/// The fog of the atmosphere.
///
/// Spec: ue4-5/09 §9. C++: `UAtmosphericFogComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AtmosphericFogComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// Computed tables, in UE4.
    #[until(ue5 = 1)]
    pub tables: [BulkData; 3],
    /// How often they were computed.
    #[until(ue5 = 1)]
    pub counter: i32,
    /// Name of what was baked, in UE5.
    #[since(ue5 = 1)]
    pub static_lighting_guid: Guid,
}

based_component!(AtmosphericFogComponent: ComponentPart);
