//! Which statements of code are in another version of it.

use std::ops::Range;

use super::walk::disassemble;
use super::{CodePlaces, MovedPlaces, ScriptItem};
use crate::Versions;
use crate::error::Result;
use crate::primitive::Name;

/// Comparisons that the search for the longest common sequence may take: beyond, what is between the common start
/// and the common end counts as changed.
const MOST: usize = 1 << 22;

impl MovedPlaces {
    /// From code to code that was written in its place: statements that say the same are the same, wherever
    /// jumps lead in them. The strings of both own their bytes.
    ///
    /// # Errors
    /// An item that does not follow the grammar.
    pub fn aligned(
        old: &[ScriptItem],
        new: &[ScriptItem],
        versions: &Versions,
        none: impl Fn(&Name) -> bool,
    ) -> Result<Self> {
        let before = statements(old, versions, &none)?;
        let after = statements(new, versions, &none)?;
        let same = |a: usize, b: usize| is_same(&old[before[a].clone()], &new[after[b].clone()]);
        let mut kept = vec![None; old.len() + 1];
        kept[old.len()] = Some(new.len());
        for (a, b) in common(before.len(), after.len(), same) {
            let rows = before[a].clone().zip(after[b].clone());
            rows.for_each(|(a, b)| kept[a] = Some(b));
        }
        Ok(Self::along(old, new, kept, versions))
    }
}

/// The items of each statement.
fn statements(
    items: &[ScriptItem],
    versions: &Versions,
    none: impl Fn(&Name) -> bool,
) -> Result<Vec<Range<usize>>> {
    let places = CodePlaces::of(items, versions);
    let lines = disassemble(items, versions, none)?;
    let starts = lines.iter().filter(|line| line.depth == 0);
    let starts: Vec<usize> = starts.filter_map(|line| places.item_at(line.offset.into())).collect();
    let ends = starts.iter().skip(1).copied().chain([items.len()]);
    Ok(starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect())
}

/// Whether two statements say the same, wherever their jumps lead.
fn is_same(old: &[ScriptItem], new: &[ScriptItem]) -> bool {
    old.len() == new.len()
        && old.iter().zip(new).all(|pair| match pair {
            (ScriptItem::Label(_), ScriptItem::Label(_))
            | (ScriptItem::Place(_), ScriptItem::Place(_))
            | (ScriptItem::Skip(_), ScriptItem::Skip(_)) => true,
            // Numbers that are none are the same by their bits.
            (ScriptItem::Float(a), ScriptItem::Float(b)) => a.to_bits() == b.to_bits(),
            (ScriptItem::Double(a), ScriptItem::Double(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        })
}

/// Pairs of the longest common sequence, ascending.
fn common(old: usize, new: usize, same: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let shorter = old.min(new);
    let start = (0..shorter).take_while(|&at| same(at, at)).count();
    let end = (0..shorter - start).take_while(|at| same(old - 1 - at, new - 1 - at)).count();
    let (rows, columns) = (old - start - end, new - start - end);
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|at| (at, at)).collect();
    if rows.saturating_mul(columns) <= MOST {
        let width = columns + 1;
        let mut lengths = vec![0_u32; (rows + 1) * width];
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                lengths[row * width + column] = match same(start + row, start + column) {
                    true => lengths[(row + 1) * width + column + 1] + 1,
                    false => {
                        lengths[(row + 1) * width + column].max(lengths[row * width + column + 1])
                    }
                };
            }
        }
        let (mut row, mut column) = (0, 0);
        while row < rows && column < columns {
            if same(start + row, start + column) {
                pairs.push((start + row, start + column));
                (row, column) = (row + 1, column + 1);
            } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
                row += 1;
            } else {
                column += 1;
            }
        }
    }
    pairs.extend((0..end).rev().map(|at| (old - 1 - at, new - 1 - at)));
    pairs
}
