//! Everything that decides a layout.

use std::fmt;
use std::sync::Arc;

use super::{Axes, Axis, ByteOrder, Counts, Format, Guid, Measure};
use crate::error::VersionStamp;

/// Everything that decides a layout: a number for each axis of a format, custom versions, byte order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions {
    axes: Axes,
    /// How counts are stored: the format's answer, kept, since it is asked before every list.
    counts: Counts,
    /// Custom versions, ascending by GUID ([`Versions::set_custom_versions`]); shared, since every archive
    /// carries them.
    pub custom_versions: Option<Arc<[(Guid, i32)]>>,
    /// Byte order of every number.
    pub byte_order: ByteOrder,
    format: &'static Format,
}

impl Versions {
    /// Versions of this format, with 0 on every axis.
    #[inline]
    pub fn of(format: &'static Format) -> Self {
        let axes = Axes::default();
        let counts = format.counts(&axes);
        Self { axes, counts, custom_versions: None, byte_order: ByteOrder::Little, format }
    }

    /// Version `number` of a format of your own with one axis, whose counts are a `u32`.
    #[inline]
    pub fn own(number: u32) -> Self {
        Self::of(Format::PLAIN).with(Axis::FIRST, number)
    }

    /// The format.
    #[inline]
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// The number on the first axis: the version of a format that has no other.
    #[inline(always)]
    pub fn number(&self) -> u32 {
        self.get(Axis::FIRST)
    }

    /// The number on this axis.
    #[inline(always)]
    pub fn get(&self, axis: Axis) -> u32 {
        self.axes.get(axis)
    }

    /// The numbers on all axes.
    #[inline]
    pub fn axes(&self) -> &Axes {
        &self.axes
    }

    /// Sets the number on this axis.
    #[inline]
    pub fn set(&mut self, axis: Axis, number: u32) {
        self.axes.set(axis, number);
        self.counts = self.format.counts(&self.axes);
    }

    /// The same versions with this number on the axis.
    #[must_use]
    #[inline]
    pub fn with(mut self, axis: Axis, number: u32) -> Self {
        self.set(axis, number);
        self
    }

    /// The number that a bound compares: that on an axis, or a custom version.
    pub fn measure(&self, measure: Measure) -> i64 {
        match measure {
            Measure::Axis(axis) => self.get(axis).into(),
            Measure::Custom(guid) => self.custom(&guid).into(),
        }
    }

    /// How counts are stored.
    #[inline(always)]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Replaces the custom versions. Of a GUID that is listed twice the first row counts.
    #[inline]
    pub fn set_custom_versions(&mut self, mut list: Vec<(Guid, i32)>) {
        list.sort_by_key(|(guid, _)| *guid);
        list.dedup_by_key(|(guid, _)| *guid);
        self.custom_versions = (!list.is_empty()).then(|| list.into());
    }

    /// The same versions with these custom versions.
    #[must_use]
    #[inline]
    pub fn with_custom_versions(mut self, list: Vec<(Guid, i32)>) -> Self {
        self.set_custom_versions(list);
        self
    }

    /// The same versions in the other byte order.
    #[must_use]
    #[inline]
    pub fn with_byte_order(mut self, byte_order: ByteOrder) -> Self {
        self.byte_order = byte_order;
        self
    }

    /// The custom version of `guid`, or -1 when it is not listed.
    #[inline]
    pub fn custom(&self, guid: &Guid) -> i32 {
        let Some(list) = &self.custom_versions else { return -1 };
        let at = list.binary_search_by_key(guid, |(known, _)| *known);
        at.ok().and_then(|at| list.get(at)).map_or(-1, |(_, version)| *version)
    }
}

/// Version 0 of a format of your own.
impl Default for Versions {
    #[inline]
    fn default() -> Self {
        Self::own(0)
    }
}

/// As the format shows them: `7`, `3, engine 7`.
impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.format.stamp(&self.axes, f)
    }
}

impl From<&Versions> for VersionStamp {
    fn from(versions: &Versions) -> Self {
        Self::new(versions.format, versions.axes.into())
    }
}
