//! Havok shapes of SWAT 4.

use super::{KBox, Zeros};
use crate::Archived;
use crate::object::geometry::{Plane, Vector};

/// Collision of a static mesh of SWAT 4 in the Havok physics engine.
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HkMeshProxy {
    /// 0 in every known file.
    pub unknown_1: i32,
    /// Meaning not known.
    pub unknown_2: Vector,
    /// Meaning not known.
    pub unknown_3: Vector,
    /// An empty array, of spheres perhaps.
    pub spheres: Zeros<1>,
    /// Boxes.
    pub boxes: Vec<KBox>,
    /// Capsules.
    pub capsules: Vec<Capsule>,
    /// Convex bodies.
    pub convexes: Vec<HkConvex>,
    /// An empty array.
    pub empty: Zeros<1>,
}

/// A cylinder with round ends.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Capsule {
    /// One end.
    pub start: Vector,
    /// The other end.
    pub end: Vector,
    /// Radius.
    pub radius: f32,
}

/// A convex body of an [`HkMeshProxy`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HkConvex {
    /// Corners.
    pub points: Vec<Vector>,
    /// Sides.
    pub planes: Vec<Plane>,
}
