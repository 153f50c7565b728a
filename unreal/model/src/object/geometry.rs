//! Structs that many classes share (spec: ue1-3/01 §1.10).

use crate::{Archived, Index};

/// A point or direction.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Vector {
    /// Forwards.
    pub x: f32,
    /// To the right.
    pub y: f32,
    /// Upwards.
    pub z: f32,
}

/// Angles; 65536 is a full turn.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Rotator {
    /// Up and down.
    pub pitch: i32,
    /// Left and right.
    pub yaw: i32,
    /// Around the own axis.
    pub roll: i32,
}

/// A plane: normal and distance. Quaternions and 4-vectors have the same layout.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Plane {
    /// X of the normal.
    pub x: f32,
    /// Y of the normal.
    pub y: f32,
    /// Z of the normal.
    pub z: f32,
    /// Distance from the origin.
    pub w: f32,
}

/// A sphere; without its radius up to file version 61.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Sphere {
    /// Centre.
    pub centre: Vector,
    /// Radius.
    #[since(62)]
    pub radius: f32,
}

/// An axis-aligned box.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct BoundingBox {
    /// Lowest corner.
    pub min: Vector,
    /// Highest corner.
    pub max: Vector,
    /// Whether the corners mean anything.
    pub is_valid: u8,
}

/// Box and sphere of UE3. C++: `FBoxSphereBounds`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Bounds {
    /// Centre.
    pub origin: Vector,
    /// Half the size of the box.
    pub box_extent: Vector,
    /// Radius of the sphere.
    pub sphere_radius: f32,
}

/// Four bytes in the order of the file.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Color {
    /// The bytes.
    pub bytes: [u8; 4],
}

/// Presence and three axes.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Coords {
    /// Presence.
    pub origin: Vector,
    /// X axis.
    pub x_axis: Vector,
    /// Y axis.
    pub y_axis: Vector,
    /// Z axis.
    pub z_axis: Vector,
}

/// Two-dimensional point.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Vector2D {
    /// Horizontal.
    pub x: f32,
    /// Vertical.
    pub y: f32,
}

/// Four by four numbers, row by row.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Matrix {
    /// The numbers.
    pub rows: [Plane; 4],
}

/// Box and sphere of UE1 and UE2, what `UPrimitive` adds.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Primitive {
    /// The box.
    pub bounding_box: BoundingBox,
    /// The sphere.
    pub bounding_sphere: Sphere,
}

/// Two indices that are compact in UE1 and UE2.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct IndexPair {
    /// First.
    pub first: Index,
    /// Second.
    pub second: Index,
}
