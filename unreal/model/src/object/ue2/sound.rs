//! Sounds that are made of others.

use crate::Archived;
use crate::primitive::PackageIndex;

/// Sounds of which one is chosen by chance; the line of UT2004.
///
/// Spec: ue1-3/10 §10.4. C++: `USoundGroup`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SoundGroup {
    /// The sounds.
    pub sounds: Vec<PackageIndex>,
}

/// A sound with its pitch and volume changed by chance; the line of UT2004.
///
/// Spec: ue1-3/10 §10.4. C++: `UProceduralSound`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ProceduralSound {
    /// How likely it is chosen.
    pub likelihood: f32,
    /// The sound.
    pub base_sound: PackageIndex,
    /// Added to the pitch.
    pub pitch_modification: f32,
    /// Added to the volume.
    pub volume_modification: f32,
    /// By how much the pitch varies.
    pub pitch_variance: f32,
    /// By how much the volume varies.
    pub volume_variance: f32,
}
