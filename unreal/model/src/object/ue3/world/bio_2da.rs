//! Tables of Mass Effect 1 and 2.

use crate::archive::in_part;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::primitive::{Name, array};
use crate::{Archive, ArchiveExt, Archived, Described};

/// A table of numbers and names; names of rows are properties.
///
/// Spec: ue1-3/11 §11.11. C++: `UBio2DA`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Bio2Da {
    /// The cells.
    pub cells: Cells,
    /// Columns and their numbers, behind the cells.
    pub columns: Vec<(Name, i32)>,
}

/// The cells of a [`Bio2Da`]: their number, then as many; or 0, then cells with their places.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Every cell, row by row, and a number behind them that is 0. There is at least one.
    All(Vec<Cell>, i32),
    /// Cells that are not empty, with their places.
    Sparse(Vec<(i32, Cell)>),
}

impl Default for Cells {
    fn default() -> Self {
        Self::Sparse(Vec::new())
    }
}

/// A cell of a [`Bio2Da`]: a byte that says the type, then the value. Spec: ue1-3/11 §11.11.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
#[repr(u8)]
pub enum Cell {
    /// A number.
    Int(i32) = 0,
    /// A name.
    Name(Name) = 1,
    /// A floating point number.
    Float(f32) = 2,
    /// Nothing.
    #[default]
    Empty = 3,
}

impl Archived for Bio2Da {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let length = match &self.cells {
            Cells::All(cells, _) => cells.len(),
            Cells::Sparse(_) => 0,
        };
        let count = in_part("count", ar, |ar| array::serialize_i32_list_count(length, ar))?;
        if ar.is_loading() {
            self.cells = match count {
                0 => Cells::default(),
                _ => Cells::All(Vec::new(), 0),
            };
        }
        match &mut self.cells {
            Cells::All(cells, end) => {
                array::elements(cells, count, ar)?;
                in_part("end", ar, |ar| ar.serialize_i32(end))?;
            }
            Cells::Sparse(cells) => in_part("sparse", ar, |ar| cells.serialize(ar))?,
        }
        in_part("columns", ar, |ar| self.columns.serialize(ar))
    }
}
