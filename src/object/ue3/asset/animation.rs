//! Animations.

use super::{is_me2, is_me3};
use crate::Archived;
use crate::primitive::{BulkArray, BulkData, Payload};

/// How bones move; which track is which bone's, and how keys are compressed, are properties.
///
/// Spec: ue1-3/11 §11.7. C++: `UAnimSequence`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AnimSequence {
    /// Raw tracks of Mass Effect 2.
    #[archive(when = is_me2(ar) || ar.versions().mass_effect_port() == Some(2))]
    pub mass_effect: BulkData,
    /// Raw tracks.
    #[since(577)]
    #[archive(when = !is_me3(ar))]
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
