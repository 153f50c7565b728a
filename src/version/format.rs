//! Formats: what versions are of.

use std::fmt;

use super::{Axes, Axis};
use crate::error::ShowVersions;

/// How counts are stored before lists, texts and maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counts {
    /// As four bytes without a sign.
    Unsigned,
    /// As four bytes with a sign.
    Signed,
    /// As a compact index of one to five bytes.
    Compact,
}

/// A format: its axes, and what the framework's own types ask of it.
///
/// ```
/// use farchive::version::{Axis, Format};
/// use farchive::{Archived, Saver, Versions};
///
/// const FORMAT: Axis = Axis::FIRST;
/// const ENGINE: Axis = Axis::new(1, "engine");
/// static LEVELS: Format = Format::new("levels", &[FORMAT, ENGINE]);
///
/// #[derive(Archived)]
/// struct Level {
///     width: u16,
///     #[since(3)]
///     #[since(engine = 7)]
///     gravity: f32,
/// }
///
/// let versions = Versions::of(&LEVELS).with(FORMAT, 3).with(ENGINE, 7);
/// assert_eq!(versions.to_string(), "3, engine 7");
/// let mut saver = Saver::new(versions);
/// Level { width: 1, gravity: 2.0 }.serialize(&mut saver)?;
/// assert_eq!(saver.bytes().len(), 6);
/// # Ok::<(), farchive::Error>(())
/// ```
pub struct Format {
    name: &'static str,
    axes: &'static [Axis],
    counts: fn(&Axes) -> Counts,
    wide_bools: bool,
    stamp: Option<fn(&Axes, &mut fmt::Formatter<'_>) -> fmt::Result>,
}

impl Format {
    /// A format of one axis without a name, whose counts are a `u32`: that of [`Versions::own`](super::Versions::own).
    pub const PLAIN: &'static Self = &PLAIN;

    /// A format with these axes. Its counts are a `u32`, a `bool` is one byte; errors show each axis with its name.
    #[inline]
    pub const fn new(name: &'static str, axes: &'static [Axis]) -> Self {
        Self { name, axes, counts: |_| Counts::Unsigned, wide_bools: false, stamp: None }
    }

    /// The format with the way in which counts are stored in its versions.
    #[must_use]
    #[inline]
    pub const fn with_counts(mut self, counts: fn(&Axes) -> Counts) -> Self {
        self.counts = counts;
        self
    }

    /// The format with a `bool` of four bytes, as C's `BOOL`.
    #[must_use]
    #[inline]
    pub const fn with_wide_bools(mut self) -> Self {
        self.wide_bools = true;
        self
    }

    /// The format with the text that errors show of its versions.
    #[must_use]
    #[inline]
    pub const fn with_stamp(
        mut self,
        stamp: fn(&Axes, &mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> Self {
        self.stamp = Some(stamp);
        self
    }

    /// Its name.
    #[inline]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The axes that it declares.
    #[inline]
    pub const fn axes(&self) -> &'static [Axis] {
        self.axes
    }

    /// How counts are stored in these versions.
    #[inline]
    pub fn counts(&self, axes: &Axes) -> Counts {
        (self.counts)(axes)
    }

    /// Whether a `bool` takes four bytes, and not one.
    #[inline]
    pub const fn has_wide_bools(&self) -> bool {
        self.wide_bools
    }

    /// Writes these versions as errors show them.
    pub(super) fn stamp(&self, axes: &Axes, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(stamp) = self.stamp {
            return stamp(axes, f);
        }
        for (index, axis) in self.axes.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            let space = if axis.name().is_empty() { "" } else { " " };
            write!(f, "{}{space}{}", axis.name(), axes.get(*axis))?;
        }
        Ok(())
    }
}

impl ShowVersions for Format {
    fn show(&self, numbers: &[u32; 8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stamp(&Axes::from(*numbers), f)
    }
}

/// Formats are known by their names.
impl PartialEq for Format {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.name)
    }
}

static PLAIN: Format = Format::new("plain", &[Axis::FIRST]);
