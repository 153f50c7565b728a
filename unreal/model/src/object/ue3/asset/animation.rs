//! Animations.

use crate::Archived;
use crate::object::game::{is_mass_effect_2, is_mass_effect_3};
use crate::primitive::{BulkArray, BulkData, Payload};
use crate::version::UnrealVersions;

/// How bones move; which track is which bone's, and how keys are compressed, are properties.
///
/// Spec: ue1-3/11 §11.7. C++: `UAnimSequence`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AnimSequence {
    /// Raw tracks of Mass Effect 2.
    #[archive(when = is_mass_effect_2(ar) || ar.versions().mass_effect_port() == Some(2))]
    pub mass_effect: BulkData,
    /// Raw tracks.
    #[since(577)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub raw_tracks: Vec<RawTrack>,
    /// Compressed tracks.
    pub compressed: Payload<1>,
}

/// The keys of a bone.
///
/// C++: `FRawAnimSequenceTrack`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RawTrack {
    /// Places, each a vector.
    pub positions: BulkArray<12>,
    /// Rotations, each a quaternion.
    pub rotations: BulkArray<16>,
}
