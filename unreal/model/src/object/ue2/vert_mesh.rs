//! Meshes whose vertices are animated.

use super::{LodMesh, Stream};
use crate::Archived;
use crate::object::geometry::{BoundingBox, Sphere};
use crate::object::ue1::AnimSequence;
use crate::primitive::Payload;

/// A mesh whose vertices are stored for each frame.
///
/// Spec: ue1-3/10 §10.2. C++: `UVertMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VertMesh {
    /// The part that all meshes have.
    pub base: LodMesh,
    /// Vertices: position, normal, texture coordinates.
    pub vertices: Stream<32>,
    /// Four bytes for each vertex.
    pub colors: Payload<4>,
    /// Meaning not known.
    pub unknown: Vec<f32>,
    /// The sequences to play.
    pub sequences: Vec<AnimSequence>,
    /// Packed normals.
    pub normals: Payload<4>,
    /// Vertices of a frame.
    pub frame_vertices: i32,
    /// Frames.
    pub frame_count: i32,
    /// Box of each frame.
    pub bounding_boxes: Vec<BoundingBox>,
    /// Sphere of each frame.
    pub bounding_spheres: Vec<Sphere>,
}
