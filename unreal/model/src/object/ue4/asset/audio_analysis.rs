//! What was heard in a sound before it is played.

use crate::Archived;
use crate::primitive::Map;

/// Spectra of a sound with bands of constant quality.
///
/// C++: `UConstantQNRT`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ConstantQ {
    /// Length of the sound, seconds.
    pub duration: f32,
    /// Whether spectra stand in the order of time.
    pub sorted_chronologically: bool,
    /// Spectra by channel; -1 stands for all channels together.
    pub frames: Map<i32, Vec<ConstantQFrame>>,
    /// The least and the largest value by channel, decibels.
    pub intervals: Map<i32, [f32; 2]>,
}

/// A spectrum at a time.
///
/// C++: `FConstantQFrame`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ConstantQFrame {
    /// The channel.
    pub channel: i32,
    /// Seconds from the start.
    pub timestamp: f32,
    /// Strength of each band.
    pub spectrum: Vec<f32>,
}

/// Loudness of a sound.
///
/// C++: `ULoudnessNRT`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Loudness {
    /// Length of the sound, seconds.
    pub duration: f32,
    /// Whether values stand in the order of time.
    pub sorted_chronologically: bool,
    /// Values by channel; -1 stands for all channels together.
    pub values: Map<i32, Vec<LoudnessDatum>>,
    /// The least and the largest value by channel, decibels.
    pub intervals: Map<i32, [f32; 2]>,
}

/// Loudness at a time.
///
/// C++: `FLoudnessDatum`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct LoudnessDatum {
    /// The channel.
    pub channel: i32,
    /// Seconds from the start.
    pub timestamp: f32,
    /// Energy as an ear hears it.
    pub energy: f32,
    /// The same in decibels.
    pub loudness: f32,
}
