//! Places one within the other.

use super::glb::{position, quaternion};
use super::shape::MeshPlacement;

/// A place with rotation and size, in glTF's axes: three columns and a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Affine {
    columns: [[f64; 3]; 4],
}

impl Affine {
    pub fn of(place: &MeshPlacement) -> Self {
        let [x, y, z, w] = quaternion(place.rotation).map(f64::from);
        let [sx, sy, sz] = place.scale.map(f64::from);
        let turn = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
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

    /// The way back, unless there is none.
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c, place] = self.columns;
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let rows = [cross(b, c), cross(c, a), cross(a, b)];
        let size: f64 = (0..3).map(|at| a[at] * rows[0][at]).sum();
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
