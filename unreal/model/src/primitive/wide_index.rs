//! A number that is compact in old versions, four bytes wide in later ones and eight in new ones.

use std::fmt;

use super::CompactIndex;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Width};
use crate::error::{ErrorKind, Result};
use crate::version::UnrealVersions;
use crate::version::threshold::ue4;

/// The size or the place of a body: a [`CompactIndex`] below file version 178, an `i32` from there on, an
/// `i64` from UE4 object version 511 (spec: ue1-3/01 §1.1, ue4-5/03 §5).
///
/// A compact number keeps the form in which it was stored. Equal when the values are. Packed, since every
/// row of an export table holds two.
#[derive(Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "i64", into = "i64"))]
#[repr(Rust, packed)]
pub struct WideIndex {
    value: i64,
    /// Of a compact number; 0 for the canonical form.
    form: u8,
}

impl WideIndex {
    /// A number in canonical form.
    #[inline]
    pub const fn new(value: i64) -> Self {
        Self { value, form: 0 }
    }

    /// The number.
    #[inline]
    pub const fn value(self) -> i64 {
        self.value
    }

    /// Replaces the number; the form becomes canonical, unless the number is the same.
    #[inline]
    pub fn set(&mut self, value: i64) {
        if self.value() != value {
            *self = Self::new(value);
        }
    }
}

impl Archived for WideIndex {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc(
            "A compact index below file version 178, an i32 from there on, an i64 from UE4 511.",
        )
        .with_size(|versions| match versions.ue4() >= ue4::EXPORT_MAP_SERIAL_SIZES_64_BIT {
            true => Some(8),
            false => (!versions.has_compact_index()).then_some(4),
        });

    #[inline(always)]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.versions().ue4() >= ue4::EXPORT_MAP_SERIAL_SIZES_64_BIT {
            let mut value = self.value;
            ar.serialize_i64(&mut value)?;
            if ar.is_loading() {
                *self = Self::new(value);
            }
            return Ok(());
        }
        let mut index = CompactIndex::with_form(self.value as i32, self.form);
        if ar.is_saving() && i64::from(index.value()) != self.value() {
            return Err(ar.error(ErrorKind::OutOfRange { value: self.value().into(), bits: 32 }));
        }
        index.serialize_as(Width::of(ar.versions()), ar)?;
        if ar.is_loading() {
            *self = Self { value: index.value().into(), form: index.form() };
        }
        Ok(())
    }
}

impl PartialEq for WideIndex {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl Eq for WideIndex {}

impl fmt::Debug for WideIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match i32::try_from(self.value()) {
            Ok(value) => CompactIndex::with_form(value, self.form).fmt(f),
            Err(_) => self.value().fmt(f),
        }
    }
}

impl From<i32> for WideIndex {
    fn from(value: i32) -> Self {
        Self::new(value.into())
    }
}

impl From<i64> for WideIndex {
    fn from(value: i64) -> Self {
        Self::new(value)
    }
}

impl From<WideIndex> for i64 {
    fn from(index: WideIndex) -> Self {
        index.value()
    }
}
