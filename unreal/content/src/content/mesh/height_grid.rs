//! Grids of heights as triangles.

use super::shape::MeshSection;

/// Vertices of a grid, by rows, from the one of this number on.
#[derive(Clone, Copy)]
pub(super) struct HeightGrid {
    pub first: u32,
    /// Vertices of a row, and rows.
    pub columns: u32,
    pub rows: u32,
}

/// How a quad between four vertices is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quad {
    /// Not at all.
    Hole,
    /// Its edge goes from the first corner to the last.
    Plain,
    /// Its edge goes from the second corner to the third.
    Turned,
}

impl HeightGrid {
    /// Adds the triangles of all quads, seen from above.
    pub fn add_to(&self, section: &mut MeshSection, quad: impl Fn(u32, u32) -> Quad) {
        for y in 0..self.rows.saturating_sub(1) {
            for x in 0..self.columns.saturating_sub(1) {
                let a = self.first + y * self.columns + x;
                let (b, c, d) = (a + 1, a + self.columns, a + self.columns + 1);
                let corners = match quad(x, y) {
                    Quad::Hole => continue,
                    Quad::Plain => [a, d, b, a, c, d],
                    Quad::Turned => [a, c, b, b, c, d],
                };
                section.indices.extend(corners);
            }
        }
    }
}
