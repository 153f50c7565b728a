//! Animations of meshes with bones, and what UE2 keeps of them.

use crate::Archived;
use crate::object::geometry::Vector;
use crate::primitive::{Name, PackageIndex, Payload, StoredName};
use crate::version::threshold::UE2_FIRST;

/// Animations of a mesh with bones, in UT.
///
/// Spec: ue1-3/10 §10.5; only bones were ever met. C++: `UAnimation`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Animation {
    /// The bones that movements are about.
    pub bones: Vec<NamedBone>,
    /// The tracks.
    pub moves: Vec<Motion>,
    /// The sequences to play.
    pub sequences: Vec<AnimSequence>,
}

/// A bone, known by its name.
///
/// Spec: ue1-3/10 §10.5. C++: `FNamedBone`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NamedBone {
    /// Its name.
    pub name: Name,
    /// Flags.
    pub flags: u32,
    /// Index of the parent.
    pub parent: i32,
}

/// The tracks of one sequence.
///
/// Spec: ue1-3/10 §10.2, §10.5. C++: `MotionChunk`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Motion {
    /// Speed of the root.
    pub root_speed: Vector,
    /// Length of the tracks.
    pub track_time: f32,
    /// First bone.
    pub start_bone: i32,
    /// 3 and more: there are compressed tracks.
    pub flags: u32,
    /// Indices of the bones.
    pub bone_indices: Vec<i32>,
    /// A track for each bone.
    pub tracks: Vec<AnalogTrack>,
    /// The root's track.
    pub root_track: AnalogTrack,
    /// Compressed tracks.
    #[since(UE2_FIRST)]
    #[archive(when = self.flags >= 3)]
    pub flex_tracks: Vec<FlexTrack>,
}

/// Keys of one bone.
///
/// Spec: ue1-3/10 §10.1. C++: `AnalogTrack`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AnalogTrack {
    /// Flags.
    pub flags: u32,
    /// Rotations: quaternions of 16 bytes.
    pub rotations: Payload<16>,
    /// Positions: vectors of 12 bytes.
    pub positions: Payload<12>,
    /// Times: floats.
    pub times: Payload<4>,
}

/// Compressed keys of one bone.
///
/// Spec: ue1-3/10 §10.2.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(i32)]
pub enum FlexTrack {
    /// Nothing.
    #[default]
    Empty = 0,
    /// One rotation and position.
    Fixed {
        /// The rotation without its fourth part.
        rotation: Vector,
        /// The position.
        position: Vector,
    } = 1,
    /// Rotations of 6 bytes, positions, times.
    Moving {
        /// Rotations: three i16.
        rotations: Payload<6>,
        /// Positions.
        positions: Payload<12>,
        /// Times: i16.
        times: Payload<2>,
    } = 3,
    /// Rotations of 6 bytes with times, one position.
    Turning {
        /// Rotations: three i16.
        rotations: Payload<6>,
        /// Times: i16.
        times: Payload<2>,
        /// The position.
        position: Vector,
    } = 4,
}

/// A range of frames with a name.
///
/// Spec: ue1-3/06 §6.2, 10 §10.1. C++: `FMeshAnimSeq`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AnimSequence {
    /// A time.
    #[since(115)]
    pub bookmark: f32,
    /// Its name.
    pub name: Name,
    /// Its group.
    #[until(UE2_FIRST)]
    pub group: StoredName,
    /// Its groups.
    #[since(UE2_FIRST)]
    pub groups: Vec<Name>,
    /// First frame.
    pub start_frame: i32,
    /// Frames.
    pub frame_count: i32,
    /// Calls on the way.
    pub notifies: Vec<Notify>,
    /// Frames a second.
    pub rate: f32,
}

/// A call at a time of a sequence.
///
/// Spec: ue1-3/06 §6.2. C++: `FMeshAnimNotify`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Notify {
    /// When, 0 to 1.
    pub time: f32,
    /// Function to call.
    pub function: Name,
    /// The object that is notified.
    #[since(112)]
    pub object: PackageIndex,
}
