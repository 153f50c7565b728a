//! Matrices of UE2 and UE3 as places, and coordinate systems of UE1 and UE2.

use super::numbers::unit;
use super::shape::MeshPlacement;
use crate::object::geometry::{Coords, Matrix, Plane};
use crate::property::Value;

/// How far axes at right angles may lean, of lengths of 1.
const LEANING: f32 = 1e-3;

/// Where the three axes point, and a place.
#[derive(Clone, Copy)]
pub(super) struct MatrixRows([[f32; 3]; 4]);

impl MatrixRows {
    pub fn of(matrix: &Matrix) -> Self {
        Self(matrix.rows.map(|Plane { x, y, z, .. }| [x, y, z]))
    }

    /// A matrix as a property of UE3 stores it: of each `Plane` its W first, as in [`terrain`](super::terrain).
    pub fn of_planes(value: &Value) -> Option<Self> {
        let Value::Fields(planes) = value else { return None };
        // Without the declaration of the struct its numbers stand one after the other.
        if planes.len() == 16 {
            let number = |at: usize| match planes.get(at) {
                Some(Value::Float(number)) => Some(*number),
                _ => None,
            };
            let row = |at: usize| Some([number(at + 1)?, number(at + 2)?, number(at + 3)?]);
            return Some(Self([row(0)?, row(4)?, row(8)?, row(12)?]));
        }
        let row = |plane: &Value| match plane {
            Value::Float4([_, x, y, z]) => Some([*x, *y, *z]),
            _ => None,
        };
        let [x, y, z, place] = planes.as_slice() else { return None };
        Some(Self([row(x)?, row(y)?, row(z)?, row(place)?]))
    }

    /// Axes and the place of a coordinate system, as they stand in the space around it.
    pub fn of_coords(coords: &Coords) -> Self {
        let Coords { origin, x_axis, y_axis, z_axis } = coords;
        Self([x_axis, y_axis, z_axis, origin].map(|v| [v.x, v.y, v.z]))
    }

    /// The same with another unit of lengths.
    pub fn in_units(self, units: f32) -> Self {
        let Self([x, y, z, place]) = self;
        Self([x, y, z, place.map(|number| number * units)])
    }

    /// The same as sizes, a rotation and a place; `None` where axes lean or have no length.
    pub fn placement(self) -> Option<MeshPlacement> {
        use super::numbers::{cross, dot};
        let Self([x, y, z, translation]) = self;
        let mut scale = [x, y, z].map(|axis| dot(axis, axis).sqrt());
        let [mut x, y, z] = [unit(x)?, unit(y)?, unit(z)?];
        if [dot(x, y), dot(y, z), dot(z, x)].iter().any(|cosine| cosine.abs() > LEANING) {
            return None;
        }
        if dot(cross(x, y), z) < 0.0 {
            x = x.map(|number| -number);
            scale[0] = -scale[0];
        }
        Some(MeshPlacement { translation, rotation: quaternion([x, y, z]), scale })
    }
}

/// The rotation that turns the axes to these, which stand at right angles.
fn quaternion([x, y, z]: [[f32; 3]; 3]) -> [f32; 4] {
    // The largest of the four by its square, the others from it.
    let squares = [
        1.0 + x[0] - y[1] - z[2],
        1.0 - x[0] + y[1] - z[2],
        1.0 - x[0] - y[1] + z[2],
        1.0 + x[0] + y[1] + z[2],
    ];
    let largest = (0..4).max_by(|a, b| squares[*a].total_cmp(&squares[*b])).unwrap_or(3);
    let (xy, yz, zx) = (x[1] + y[0], y[2] + z[1], z[0] + x[2]);
    let (a, b, c) = (y[2] - z[1], z[0] - x[2], x[1] - y[0]);
    let four = match largest {
        0 => [squares[0], xy, zx, a],
        1 => [xy, squares[1], yz, b],
        2 => [zx, yz, squares[2], c],
        _ => [a, b, c, squares[3]],
    };
    unit(four).unwrap_or([0.0, 0.0, 0.0, 1.0])
}
