//! Fields that are bits of one number.

use super::{Archive, ArchiveExt};
use crate::error::{ErrorKind, Result};

/// A value that a few bits say: whole numbers and truth values; a type of one's own may be one.
pub trait BitField: Sized {
    /// The value as a number.
    fn to_bits(&self) -> u64;

    /// The value that a number says; `None` where it says none.
    fn from_bits(bits: u64) -> Option<Self>;
}

impl BitField for bool {
    fn to_bits(&self) -> u64 {
        u64::from(*self)
    }

    fn from_bits(bits: u64) -> Option<Self> {
        (bits < 2).then_some(bits == 1)
    }
}

macro_rules! integers {
    ($($type:ty),*) => { $(
        impl BitField for $type {
            fn to_bits(&self) -> u64 {
                u64::from(*self)
            }

            fn from_bits(bits: u64) -> Option<Self> {
                bits.try_into().ok()
            }
        }
    )* };
}
integers!(u8, u16, u32, u64);

/// A number whose bits are those of several fields, the first in the lowest ones; for the derive's code.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct PackedBits {
    number: u64,
    /// Bits that were put or taken.
    done: u32,
    /// Bits that the number is stored in.
    size: u32,
}

impl PackedBits {
    /// A number that was loaded, of so many bits.
    pub fn of(number: u64, size: u32) -> Self {
        Self { number, done: 0, size }
    }

    /// The number.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Puts a field behind those before it.
    ///
    /// # Errors
    /// `OutOfRange` for a value that does not fit.
    pub fn put<T: BitField, A: Archive + ?Sized>(
        &mut self,
        value: &T,
        bits: u32,
        ar: &A,
    ) -> Result<()> {
        let number = value.to_bits();
        if bits < u64::BITS && number >> bits != 0 && !self.is_visited(ar) {
            return Err(ar.error(ErrorKind::OutOfRange { value: number.into(), bits }));
        }
        self.number |= number.checked_shl(self.done).unwrap_or(0);
        self.done += bits;
        Ok(())
    }

    /// Visitors don't look at numbers.
    fn is_visited<A: Archive + ?Sized>(&self, ar: &A) -> bool {
        ar.direction() == super::Direction::Visiting
    }

    /// Takes the next field.
    ///
    /// # Errors
    /// `NonCanonical` for bits that say no value.
    pub fn take<T: BitField, A: Archive + ?Sized>(&mut self, bits: u32, ar: &A) -> Result<T> {
        let rest = self.number.checked_shr(self.done).unwrap_or(0);
        let number = if bits < u64::BITS { rest & ((1 << bits) - 1) } else { rest };
        self.done += bits;
        T::from_bits(number).ok_or_else(|| self.fault("bits that say no value of their field", ar))
    }

    /// Refuses bits that no field has: saving would lose them.
    ///
    /// # Errors
    /// `NonCanonical`.
    pub fn rest<A: Archive + ?Sized>(&self, ar: &A) -> Result<()> {
        match self.number.checked_shr(self.done) {
            None | Some(0) => Ok(()),
            Some(_) => Err(self.fault("bits that no field has", ar)),
        }
    }

    #[cold]
    fn fault<A: Archive + ?Sized>(&self, form: &'static str, ar: &A) -> crate::Error {
        let start = ar.position().saturating_sub(u64::from(self.size / 8));
        ar.error_at(start, ErrorKind::NonCanonical { form })
    }
}
