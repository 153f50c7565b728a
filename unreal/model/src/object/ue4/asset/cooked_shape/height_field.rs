//! Height fields of Chaos, which landscapes collide with.

use super::chaos::{ChaosObject, ChaosPointer};
use super::part::{Constant, ShapeBounds};
use crate::archive::in_field;
use crate::error::Result;
use crate::object::geometry::Vector;
use crate::primitive::array;
use crate::{Archive, Archived};

/// The shape of a landscape, as it was cooked.
///
/// Seen in 5.8 and 6.0 alone. C++: `ULandscapeHeightfieldCollisionComponent::CookedCollisionData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CookedHeightField {
    /// 0 in every known file.
    pub unknown: Constant<0>,
    /// The height field.
    #[archive(with = first)]
    pub shape: ChaosPointer,
}

/// A shape before which there is none.
fn first<A: Archive + ?Sized>(shape: &mut ChaosPointer, ar: &mut A) -> Result<()> {
    shape.serialize_in(&mut 0, ar)
}

/// A grid of heights. C++: `Chaos::FHeightField`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ChaosHeightField {
    /// The part that all shapes have.
    pub base: ChaosObject,
    /// Bytes of a number; inferred, 8 in every known file.
    pub real_size: Constant<8>,
    /// Heights, row by row: steps above the lowest one.
    #[archive(with = heights)]
    pub heights: Vec<u16>,
    /// Size of a cell.
    pub scale: Vector,
    /// The lowest height.
    pub min_value: f64,
    /// The highest height.
    pub max_value: f64,
    /// Rows.
    pub rows: u16,
    /// Columns.
    pub columns: u16,
    /// The highest height less the lowest.
    pub range: f64,
    /// Height of a step.
    pub height_per_unit: f64,
    /// Material of each cell.
    pub material_indices: Vec<u8>,
    /// Lowest and highest height of each cell of a grid that is coarser.
    pub low_resolution: Vec<[u16; 2]>,
    /// Cells of that grid in a row.
    pub low_resolution_columns: u16,
    /// Lowest corner of the grid, in cells.
    pub grid_min: [f32; 2],
    /// Highest corner of the grid, in cells.
    pub grid_max: [f32; 2],
    /// Cells along each axis.
    pub cells: [i32; 2],
    /// Size of a cell of the grid.
    pub cell_size: [f32; 2],
    /// Lowest corner as seen from above; infinite where there is none.
    pub flat_min: [f32; 2],
    /// Highest corner as seen from above.
    pub flat_max: [f32; 2],
    /// Its box.
    pub bounds: ShapeBounds,
}

fn heights<A: Archive + ?Sized>(heights: &mut Vec<u16>, ar: &mut A) -> Result<()> {
    in_field("element_size", ar, |ar| Constant::<2>.serialize(ar))?;
    array::counted_u32(heights, ar)
}
