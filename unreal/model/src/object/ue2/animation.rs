//! Mesh animations.

use crate::Archived;
use crate::object::ue1::{AnimSequence, Motion, NamedBone};

/// Animations of a skeletal mesh.
///
/// Spec: ue1-3/10 §10.2. C++: `UMeshAnimation`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshAnimation {
    /// Version of the layout within the class.
    pub version: i32,
    /// The bones that tracks are about.
    pub bones: Vec<NamedBone>,
    /// The tracks.
    pub motions: Vec<Motion>,
    /// The sequences to play.
    pub sequences: Vec<AnimSequence>,
}
