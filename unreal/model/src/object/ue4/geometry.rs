//! Structs of coordinates (spec: ue4-5/01 §10, 04 §6). What stays f32 in every version is in
//! [`crate::object::geometry`].

use crate::Archived;
use crate::primitive::{Real, boolean};

/// A point or direction.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Vector {
    /// Forwards.
    pub x: Real,
    /// To the right.
    pub y: Real,
    /// Upwards.
    pub z: Real,
}

/// Four coordinates: a rotation, a plane.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Vector4 {
    /// First.
    pub x: Real,
    /// Second.
    pub y: Real,
    /// Third.
    pub z: Real,
    /// Fourth.
    pub w: Real,
}

/// Rotation, place, size.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Transform {
    /// Rotation, as a quaternion.
    pub rotation: Vector4,
    /// Place.
    pub translation: Vector,
    /// Size.
    pub scale: Vector,
}

/// Box and sphere. C++: `FBoxSphereBounds`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Bounds {
    /// Centre.
    pub origin: Vector,
    /// Half the size of the box.
    pub box_extent: Vector,
    /// Radius of the sphere.
    pub sphere_radius: Real,
}

/// An axis-aligned box. C++: `FBox`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct BoundingBox {
    /// Lowest corner.
    pub min: Vector,
    /// Highest corner.
    pub max: Vector,
    /// Whether the corners mean anything.
    #[archive(with = boolean::byte)]
    pub is_valid: bool,
}
