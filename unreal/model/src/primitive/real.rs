//! Numbers that became wider with large worlds.

use std::fmt;

use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Versions};

/// First UE5 version with large world coordinates (spec: ue4-5/01 §10).
const LARGE_WORLD_COORDINATES: u32 = 1004;

/// A coordinate: an f32 below UE5 version 1004, an f64 from there on. Its bits are kept.
///
/// Spec: ue4-5/01 §10. C++: `FReal`, `FLargeWorldCoordinatesReal`.
#[derive(Clone, Copy, Default)]
pub struct Real(f64);

impl Real {
    /// The coordinate with this value.
    #[inline]
    pub const fn new(value: f64) -> Self {
        Self(value)
    }

    /// The value.
    #[inline]
    pub const fn value(self) -> f64 {
        self.0
    }

    /// Bytes that it takes in files and in memory.
    #[inline]
    pub fn size(versions: &Versions) -> u32 {
        if versions.ue5() >= LARGE_WORLD_COORDINATES { 8 } else { 4 }
    }

    /// Widened by hand where it is no number: a conversion would change the bits.
    fn widen(single: f32) -> f64 {
        if !single.is_nan() {
            return single.into();
        }
        let bits = u64::from(single.to_bits());
        f64::from_bits((bits >> 31) << 63 | 0x7ff << 52 | (bits & 0x7f_ffff) << 29)
    }

    /// The same the other way; `None` where bits would be lost.
    fn narrow(double: f64) -> Option<f32> {
        let bits = double.to_bits();
        let single = match double.is_nan() {
            true => {
                let (sign, digits) = (bits >> 63 << 31, bits >> 29 & 0x7f_ffff);
                f32::from_bits((sign | 0x7f80_0000 | digits) as u32)
            }
            false => double as f32,
        };
        (Self::widen(single).to_bits() == bits).then_some(single)
    }
}

impl Real {
    /// Four bytes in every version.
    ///
    /// # Errors
    /// `NotInVersion` when the value has more digits than an f32.
    pub fn serialize_f32<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let narrowed = Self::narrow(self.0);
        if ar.is_saving() && narrowed.is_none() {
            return Err(ar.error(ErrorKind::NotInVersion));
        }
        let mut single = narrowed.unwrap_or_default();
        ar.serialize_f32(&mut single)?;
        if ar.is_loading() {
            self.0 = Self::widen(single);
        }
        Ok(())
    }
}

impl Archived for Real {
    const NESTS: bool = false;
    const BULK: bool = true;

    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("A number of eight bytes from UE5.0 on, of four before.")
        .with_size(|versions| Some(Self::size(versions) as u64));

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match Self::size(ar.versions()) {
            8 => ar.serialize_f64(&mut self.0),
            _ => self.serialize_f32(ar),
        }
    }
}

/// Equal when the bits are.
impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<f64> for Real {
    fn from(value: f64) -> Self {
        Self(value)
    }
}
