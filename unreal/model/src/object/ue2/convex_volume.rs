//! Convex volumes.

use crate::Archived;
use crate::object::geometry::{BoundingBox, Plane, Primitive, Vector};
use crate::primitive::Payload;

/// A convex body: faces and edges.
///
/// Spec: ue1-3/10 §10.3. C++: `UConvexVolume`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ConvexVolume {
    /// Bounds as the engine last computed them.
    pub primitive: Primitive,
    /// Faces.
    pub faces: Vec<Face>,
    /// Edges: two faces and two points, each an i32.
    pub edges: Payload<16>,
    /// The box again.
    pub bounding_box: BoundingBox,
}

/// A face of a [`ConvexVolume`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Face {
    /// Its plane.
    pub plane: Plane,
    /// Its corners.
    pub points: Vec<Vector>,
}
