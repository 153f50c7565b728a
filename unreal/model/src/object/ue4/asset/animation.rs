//! The part that all animations have.

use crate::Archived;
use crate::primitive::Guid;
use crate::version::UE4;

/// Montages, blend spaces, poses: nothing but the skeleton's name.
///
/// Spec: ue4-5/09 §2. C++: `UAnimationAsset`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct AnimationAsset {
    /// Name of the skeleton.
    #[since(ue4 = 338)]
    pub skeleton_guid: Guid,
}
