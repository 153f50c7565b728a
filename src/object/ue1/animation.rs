//! Animations of meshes with bones in UE1.

use super::MeshSequence;
use crate::Archived;
use crate::object::geometry::Vector;
use crate::primitive::{Name, Payload};

/// Animations of a mesh with bones, in UT.
///
/// Spec: ue1-3/10 §10.5; only bones were ever met. C++: `UAnimation`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Animation {
    /// Bones.
    pub bones: Vec<AnimationBone>,
    /// Movements.
    pub moves: Vec<Move>,
    /// Sequences.
    pub sequences: Vec<AnimationSequence>,
}

/// A sequence of an [`Animation`].
pub type AnimationSequence = MeshSequence;

/// A bone of an [`Animation`], also in UE2.
///
/// Spec: ue1-3/10 §10.5. C++: `FNamedBone`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AnimationBone {
    /// Name.
    pub name: Name,
    /// Flags.
    pub flags: u32,
    /// Number of the parent.
    pub parent: i32,
}

/// How bones move.
///
/// Spec: ue1-3/10 §10.2, §10.5. C++: `MotionChunk`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Move {
    /// Speed of the root.
    pub root_speed: Vector,
    /// Time.
    pub track_time: f32,
    /// First bone.
    pub start_bone: i32,
    /// Flags.
    pub flags: u32,
    /// Bones.
    pub bone_indices: Vec<i32>,
    /// Tracks by bone.
    pub tracks: Vec<AnalogTrack>,
    /// Track of the root.
    pub root_track: AnalogTrack,
}

/// How one bone moves.
///
/// Spec: ue1-3/10 §10.1. C++: `AnalogTrack`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AnalogTrack {
    /// Flags.
    pub flags: u32,
    /// Rotations.
    pub rotations: Payload<16>,
    /// Positions.
    pub positions: Payload<12>,
    /// Times.
    pub times: Payload<4>,
}
