//! Baked depths of lights.

use crate::Archived;
use crate::primitive::{Payload, Real};

/// How far the light of a light reaches, seen from it.
///
/// Spec: ue4-5/09 §8. C++: `FStaticShadowDepthMapData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DepthMap {
    /// From the world to the light.
    pub world_to_light: [[Real; 4]; 4],
    /// Samples in a row.
    pub size_x: i32,
    /// Rows.
    pub size_y: i32,
    /// The samples, half floats.
    pub samples: Payload<2>,
}
