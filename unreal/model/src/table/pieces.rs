//! Rows that copies share.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use super::rows::Rows;
use crate::archive::{Archive, ArchiveExt, Archived, Direction, at_index};
use crate::error::Result;
use crate::primitive::array;

/// Rows of a table, in pieces: a copy shares all of them, and one that changes shares all but the pieces that
/// have changed.
#[derive(Clone, PartialEq, Eq)]
pub struct Pieces<T> {
    /// Each of [`Self::LENGTH`] rows, but the last one.
    pieces: Vec<Arc<Vec<T>>>,
}

impl<T> Pieces<T> {
    /// Rows of every piece but the last.
    const LENGTH: usize = 256;

    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        let last = self.pieces.last().map_or(0, |last| last.len());
        self.pieces.len().saturating_sub(1) * Self::LENGTH + last
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// A row.
    #[inline]
    pub fn get(&self, row: usize) -> Option<&T> {
        self.pieces.get(row / Self::LENGTH)?.get(row % Self::LENGTH)
    }

    /// All rows in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator + Clone {
        (0..self.len()).map(|row| &self[row])
    }
}

impl<T: Clone> Pieces<T> {
    /// A row, to be changed.
    #[inline]
    pub fn get_mut(&mut self, row: usize) -> Option<&mut T> {
        Arc::make_mut(self.pieces.get_mut(row / Self::LENGTH)?).get_mut(row % Self::LENGTH)
    }

    /// All rows in their order, to be changed: none is shared afterwards.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.pieces.iter_mut().flat_map(|piece| Arc::make_mut(piece).iter_mut())
    }

    /// Adds a row behind the others.
    #[inline]
    pub fn push(&mut self, row: T) {
        match self.pieces.last_mut() {
            Some(last) if last.len() < Self::LENGTH => Arc::make_mut(last).push(row),
            _ => self.pieces.push(Arc::new(vec![row])),
        }
    }

    /// Takes a row out: all behind it move.
    pub fn remove(&mut self, row: usize) -> Option<T> {
        let removed = self.get(row)?.clone();
        let rows = std::mem::take(self).into_vec();
        let left = rows.into_iter().enumerate().filter(|(at, _)| *at != row);
        *self = left.map(|(_, value)| value).collect();
        Some(removed)
    }

    /// All rows as one list; those that no copy shares are moved.
    pub fn into_vec(self) -> Vec<T> {
        let mut rows = Vec::with_capacity(self.len());
        for piece in self.pieces {
            rows.extend(Arc::unwrap_or_clone(piece));
        }
        rows
    }

    /// Keeps this many rows.
    pub fn truncate(&mut self, length: usize) {
        if length >= self.len() {
            return;
        }
        self.pieces.truncate(length.div_ceil(Self::LENGTH));
        let left = length % Self::LENGTH;
        if let Some(last) = self.pieces.last_mut().filter(|_| left > 0) {
            Arc::make_mut(last).truncate(left);
        }
    }
}

impl<T> Default for Pieces<T> {
    fn default() -> Self {
        Self { pieces: Vec::new() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Pieces<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T> Index<usize> for Pieces<T> {
    type Output = T;

    fn index(&self, row: usize) -> &T {
        &self.pieces[row / Self::LENGTH][row % Self::LENGTH]
    }
}

impl<T: Clone> IndexMut<usize> for Pieces<T> {
    fn index_mut(&mut self, row: usize) -> &mut T {
        &mut Arc::make_mut(&mut self.pieces[row / Self::LENGTH])[row % Self::LENGTH]
    }
}

impl<T> FromIterator<T> for Pieces<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        let mut rows = rows.into_iter().peekable();
        let mut pieces = Vec::new();
        while rows.peek().is_some() {
            let mut piece = Vec::with_capacity(Self::LENGTH);
            piece.extend(rows.by_ref().take(Self::LENGTH));
            pieces.push(Arc::new(piece));
        }
        Self { pieces }
    }
}

impl<T> From<Vec<T>> for Pieces<T> {
    fn from(rows: Vec<T>) -> Self {
        rows.into_iter().collect()
    }
}

impl<T: Archived + Default + Clone + PartialEq> Rows for Pieces<T> {
    const ABSENT: Self = Self { pieces: Vec::new() };

    fn expect(&mut self, _size: u64) {}

    fn rows(&self) -> usize {
        self.len()
    }

    fn serialize_rows<A: Archive + ?Sized>(
        &mut self,
        count: Option<i32>,
        ar: &mut A,
    ) -> Result<()> {
        let count = count.map_or(0, |count| usize::try_from(count).unwrap_or(0));
        if ar.is_loading() {
            return self.load(count, ar);
        }
        for (at, piece) in self.pieces.iter_mut().enumerate() {
            let first = at * Self::LENGTH;
            match Arc::get_mut(piece) {
                Some(rows) => each(first, rows, ar)?,
                // Visits seldom change anything: what is shared stays so where it is the same.
                None if ar.direction() == Direction::Visiting => {
                    let mut rows = Vec::clone(piece);
                    each(first, &mut rows, ar)?;
                    if rows != **piece {
                        *piece = Arc::new(rows);
                    }
                }
                // Saving changes nothing.
                None => {
                    for (row, value) in (first..).zip(&**piece) {
                        at_index(row, ar, |ar| value.clone().serialize(ar))?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl<T: Archived + Default> Pieces<T> {
    fn load<A: Archive + ?Sized>(&mut self, count: usize, ar: &mut A) -> Result<()> {
        self.pieces.clear();
        ar.claim(count as u64, size_of::<T>())?;
        self.pieces.reserve_exact(count.div_ceil(Self::LENGTH));
        for first in (0..count).step_by(Self::LENGTH) {
            let mut piece = Vec::new();
            let loaded = array::load(&mut piece, first, Self::LENGTH.min(count - first), ar);
            if !piece.is_empty() {
                self.pieces.push(Arc::new(piece));
            }
            loaded?;
        }
        Ok(())
    }
}

fn each<T: Archived, A: Archive + ?Sized>(first: usize, rows: &mut [T], ar: &mut A) -> Result<()> {
    for (row, value) in (first..).zip(rows) {
        at_index(row, ar, |ar| value.serialize(ar))?;
    }
    Ok(())
}
