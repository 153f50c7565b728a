//! Shapes for navigation.

use super::part::ConstantByte;
use crate::error::Result;
use crate::object::optional::last;
use crate::object::ue4::geometry::{BoundingBox, Vector};
use crate::{Archive, Archived};

/// Shapes that block navigation. C++: `FNavCollisionDataReader`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct NavShapes {
    /// Whether numbers are little-endian: 1.
    pub little_endian: ConstantByte<1>,
    /// Triangles.
    pub triangles: NavShape,
    /// Convex hulls.
    pub convexes: NavShape,
    /// The first corner of each convex hull.
    pub convex_shape_indices: Vec<i32>,
    /// The box around all, in newer files.
    #[archive(with = bounds)]
    pub bounds: Option<BoundingBox>,
}

fn bounds<A: Archive + ?Sized>(value: &mut Option<BoundingBox>, ar: &mut A) -> Result<()> {
    last(value, &["", "box"], ar)
}

/// Corners and triangles. C++: `FNavCollisionConvex`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct NavShape {
    /// Corners.
    pub vertex_buffer: Vec<Vector>,
    /// Corners of triangles.
    pub index_buffer: Vec<i32>,
}
