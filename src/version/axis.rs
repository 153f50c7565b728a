//! The numbers that versions consist of.

use std::fmt;

use super::Guid;

/// Axes that a format can have.
const MOST: usize = 8;

/// One of the numbers that a layout of a format can depend on: a constant that the format declares.
///
/// Attributes name it by the constant's name in lower case: `#[since(engine = 7)]` asks `ENGINE`. A bound without a name
/// asks the first axis.
///
/// ```
/// use farchive::version::Axis;
///
/// const ENGINE: Axis = Axis::new(1, "engine");
/// assert_eq!(ENGINE.name(), "engine");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axis {
    place: u8,
    name: &'static str,
}

impl Axis {
    /// The first axis, without a name of its own.
    pub const FIRST: Self = Self::new(0, "");

    /// The axis at `place`, counted from 0. Layouts call it `name`.
    ///
    /// # Panics
    /// When there is no such place: a format has at most eight axes. In a constant that is an error of the compiler.
    #[inline]
    pub const fn new(place: usize, name: &'static str) -> Self {
        assert!(place < MOST, "a format has at most eight axes: their places are 0 to 7");
        Self { place: place as u8, name }
    }

    /// Its name in layouts and errors; empty for a first axis that needs no name.
    #[inline]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

/// A number for each axis of a format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Axes([u32; MOST]);

impl Axes {
    /// The number on this axis; 0 where none was set.
    // Of a constant axis no check is left: it is a field access.
    #[inline(always)]
    pub const fn get(&self, axis: Axis) -> u32 {
        let place = axis.place as usize;
        if place < MOST { self.0[place] } else { 0 }
    }

    /// Sets the number on this axis.
    #[inline]
    pub(super) fn set(&mut self, axis: Axis, number: u32) {
        if let Some(place) = self.0.get_mut(usize::from(axis.place)) {
            *place = number;
        }
    }
}

impl From<[u32; MOST]> for Axes {
    #[inline]
    fn from(numbers: [u32; MOST]) -> Self {
        Self(numbers)
    }
}

impl From<Axes> for [u32; MOST] {
    #[inline]
    fn from(axes: Axes) -> Self {
        axes.0
    }
}

impl fmt::Debug for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number that a bound measures: an axis of the format or a custom version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// An axis that the format declares.
    Axis(Axis),
    /// A custom version, known by its GUID.
    Custom(Guid),
}
