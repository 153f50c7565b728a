//! Places one within the other.

use gltf_json::Node;

use super::glb::{UNITS, position, quaternion};
use super::shape::MeshPlacement;

/// A place with rotation and size, in glTF's axes: three columns and a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Affine {
    columns: [[f64; 3]; 4],
}

impl Affine {
    /// Where things are already.
    pub const IDENTITY: Self =
        Self { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]] };

    /// Where a node of glTF stands in its parent.
    pub fn of_node(node: &Node) -> Self {
        if let Some(m) = node.matrix {
            let column = |at: usize| [0, 1, 2].map(|row: usize| f64::from(m[at * 4 + row]));
            return Self { columns: [0, 1, 2, 3].map(column) };
        }
        let [x, y, z] = node.scale.unwrap_or([1.0; 3]).map(f64::from);
        let turn = turn(node.rotation.map_or([0.0, 0.0, 0.0, 1.0], |it| it.0).map(f64::from));
        let [a, b, c] = [(turn[0], x), (turn[1], y), (turn[2], z)]
            .map(|(column, size)| column.map(|number| number * size));
        let place = node.translation.unwrap_or_default().map(f64::from);
        Self { columns: [a, b, c, place] }
    }

    /// Of the images of Unreal's axes and a place in its units.
    pub fn of_axes([x, y, z]: [[f64; 3]; 3], place: [f64; 3]) -> Self {
        let turned = |[a, b, c]: [f64; 3]| [a, c, b];
        Self::of_axes_in_file([turned(x), turned(z), turned(y)], place)
    }

    /// Of the images of glTF's axes and a place in Unreal's units.
    pub fn of_axes_in_file([x, y, z]: [[f64; 3]; 3], place: [f64; 3]) -> Self {
        let [a, b, c] = place.map(|part| part / UNITS);
        Self { columns: [x, y, z, [a, c, b]] }
    }

    pub fn of(place: &MeshPlacement) -> Self {
        let [sx, sy, sz] = place.scale.map(f64::from);
        let turn = turn(quaternion(place.rotation).map(f64::from));
        // Sizes stand in Unreal's order of axes.
        let [a, b, c] = [(turn[0], sx), (turn[1], sz), (turn[2], sy)]
            .map(|(column, size)| column.map(|number| number * size));
        Self { columns: [a, b, c, position(place.translation).map(f64::from)] }
    }

    fn direction(&self, v: [f64; 3]) -> [f64; 3] {
        let [a, b, c, _] = &self.columns;
        [0, 1, 2].map(|row| a[row] * v[0] + b[row] * v[1] + c[row] * v[2])
    }

    /// `inner`, which stands within this one, as a whole.
    pub fn then(&self, inner: &Self) -> Self {
        let [a, b, c, place] = inner.columns;
        let moved = self.direction(place);
        let place = [0, 1, 2].map(|row| moved[row] + self.columns[3][row]);
        Self { columns: [self.direction(a), self.direction(b), self.direction(c), place] }
    }

    /// A place within this one; as it is where this changes nothing.
    pub fn apply(&self, v: [f32; 3]) -> [f32; 3] {
        if *self == Self::IDENTITY {
            return v;
        }
        let moved = self.direction(v.map(f64::from));
        [0, 1, 2].map(|row| (moved[row] + self.columns[3][row]) as f32)
    }

    /// A direction that stands upright on a surface, which stays upright on it.
    pub fn normal(&self, v: [f32; 3]) -> [f32; 3] {
        if *self == Self::IDENTITY {
            return v;
        }
        let rows = self.cofactors();
        let side = if self.is_mirrored() { -1.0 } else { 1.0 };
        let v = v.map(f64::from);
        let turned =
            [0, 1, 2].map(|row| (0..3).map(|at| rows[at][row] * v[at]).sum::<f64>() * side);
        super::numbers::unit(turned.map(|number| number as f32)).unwrap_or_default()
    }

    /// Whether left becomes right.
    pub fn is_mirrored(&self) -> bool {
        self.size() < 0.0
    }

    /// How large a cube of the size 1 becomes.
    fn size(&self) -> f64 {
        let rows = self.cofactors();
        (0..3).map(|at| self.columns[0][at] * rows[0][at]).sum()
    }

    fn cofactors(&self) -> [[f64; 3]; 3] {
        let [a, b, c, _] = self.columns;
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        [cross(b, c), cross(c, a), cross(a, b)]
    }

    /// The way back, unless there is none.
    pub fn inverse(&self) -> Option<Self> {
        let place = self.columns[3];
        let (rows, size) = (self.cofactors(), self.size());
        if !size.is_finite() || size.abs() < 1e-18 {
            return None;
        }
        let column = |at: usize| [0, 1, 2].map(|row: usize| rows[row][at] / size);
        let turned = Self { columns: [column(0), column(1), column(2), [0.0; 3]] };
        let back = turned.direction(place).map(|number| -number);
        let [a, b, c, _] = turned.columns;
        Some(Self { columns: [a, b, c, back] })
    }

    /// The sixteen numbers of a matrix, column by column.
    pub fn columns(&self) -> [f32; 16] {
        let mut all = [0.0; 16];
        for (at, column) in self.columns.iter().enumerate() {
            for (row, number) in column.iter().enumerate() {
                all[at * 4 + row] = *number as f32;
            }
        }
        all[15] = 1.0;
        all
    }
}

/// The columns of a rotation.
fn turn([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}
