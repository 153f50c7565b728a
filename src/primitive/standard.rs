//! Other types of the standard library, and how a format of one's own stores them.
//!
//! | type | stored as |
//! |---|---|
//! | `()` | nothing |
//! | `u128`, `i128` | 16 bytes |
//! | `char` | its scalar value, `u32` |
//! | `NonZero<…>` | the number; 0 is refused |
//! | `Range`, `RangeInclusive` | `start`, `end` |
//! | `Duration` | seconds, `u64`, then nanoseconds, `u32` |
//! | `SystemTime` | seconds since 1970, `i64`, then nanoseconds, `u32` |
//! | `Ipv4Addr`, `Ipv6Addr` | 4 or 16 bytes, as in the network |
//! | `IpAddr` | 4 or 6, `u8`, then the address |
//! | `SocketAddr` | the address, then the port, `u16` |
//! | `Ordering` | -1, 0 or 1, `i8` |

use std::cmp::Ordering;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::ops::{Range, RangeInclusive};
use std::time::{Duration, SystemTime};

use super::string::as_text;
use crate::archive::{Archive, ArchiveExt, Archived, in_field};
use crate::error::{ErrorKind, Result};

/// Nothing: a place for a `with` function that stores something else.
impl Archived for () {
    const NESTS: bool = false;

    #[inline(always)]
    fn serialize<A: Archive + ?Sized>(&mut self, _: &mut A) -> Result<()> {
        Ok(())
    }
}

macro_rules! wide {
    ($($type:ty),*) => { $(
        impl Archived for $type {
            const NESTS: bool = false;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                if as_text(self, ar, |text| text.parse().ok(), |_| 16)? {
                    return Ok(());
                }
                let big = ar.versions().byte_order.is_big();
                let mut bytes = if big { self.to_be_bytes() } else { self.to_le_bytes() };
                ar.serialize_bytes(&mut bytes)?;
                if ar.is_loading() {
                    let number = if big { Self::from_be_bytes } else { Self::from_le_bytes };
                    *self = number(bytes);
                }
                ar.note(self);
                Ok(())
            }
        }
    )* };
}
wide!(u128, i128);

impl Archived for char {
    const NESTS: bool = false;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let alone = |text: String| text.parse().ok();
        if as_text(self, ar, alone, |_| 4)? {
            return Ok(());
        }
        let (start, mut value) = (ar.position(), u32::from(*self));
        ar.serialize_u32(&mut value)?;
        if ar.is_loading() {
            let reason = "no character has this number";
            *self = Self::from_u32(value)
                .ok_or_else(|| ar.error_at(start, ErrorKind::NotText { reason }))?;
        }
        ar.note(self);
        Ok(())
    }
}

macro_rules! nonzero {
    ($($type:ident),*) => { $(
        impl Archived for NonZero<$type> {
            const NESTS: bool = false;

            #[inline]
            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                let mut value = self.get();
                value.serialize(ar)?;
                if ar.is_loading() {
                    *self = Self::new(value).ok_or_else(|| zero(size_of::<$type>(), ar))?;
                }
                Ok(())
            }
        }
    )* };
}
nonzero!(u8, i8, u16, i16, u32, i32, u64, i64);

#[cold]
fn zero<A: Archive + ?Sized>(size: usize, ar: &A) -> crate::Error {
    let start = ar.position().saturating_sub(size as u64);
    ar.error_at(start, ErrorKind::NonCanonical { form: "0 in a number that is never 0" })
}

impl<T: Archived> Archived for Range<T> {
    const NESTS: bool = T::NESTS;

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("start", ar, |ar| self.start.serialize(ar))?;
        in_field("end", ar, |ar| self.end.serialize(ar))
    }
}

impl<T: Archived + Clone> Archived for RangeInclusive<T> {
    const NESTS: bool = T::NESTS;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let (mut start, mut end) = (self.start().clone(), self.end().clone());
        in_field("start", ar, |ar| start.serialize(ar))?;
        in_field("end", ar, |ar| end.serialize(ar))?;
        // A range that was iterated over keeps that where nothing has changed.
        if !ar.is_saving() {
            *self = start..=end;
        }
        Ok(())
    }
}

/// Nanoseconds within a second.
fn nanoseconds<A: Archive + ?Sized>(mut value: u32, ar: &mut A) -> Result<u32> {
    in_field("nanoseconds", ar, |ar| {
        let start = ar.position();
        ar.serialize_u32(&mut value)?;
        match value {
            0..1_000_000_000 => Ok(value),
            _ => {
                let form = "as many nanoseconds as a second has";
                Err(ar.error_at(start, ErrorKind::NonCanonical { form }))
            }
        }
    })
}

impl Archived for Duration {
    const NESTS: bool = false;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut seconds = self.as_secs();
        in_field("seconds", ar, |ar| ar.serialize_u64(&mut seconds))?;
        let nanoseconds = nanoseconds(self.subsec_nanos(), ar)?;
        if ar.is_loading() {
            *self = Self::new(seconds, nanoseconds);
        }
        Ok(())
    }
}

impl Archived for SystemTime {
    const NESTS: bool = false;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let total: i128 = match self.duration_since(Self::UNIX_EPOCH) {
            Ok(since) => since.as_nanos() as i128,
            Err(before) => -(before.duration().as_nanos() as i128),
        };
        let whole = total.div_euclid(1_000_000_000);
        let mut seconds = i64::try_from(whole)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: whole, bits: 64 }))?;
        let start = ar.position();
        in_field("seconds", ar, |ar| ar.serialize_i64(&mut seconds))?;
        let nanoseconds = nanoseconds(total.rem_euclid(1_000_000_000) as u32, ar)?;
        if ar.is_loading() {
            let distance = Duration::from_secs(seconds.unsigned_abs());
            let time = match seconds {
                0.. => Self::UNIX_EPOCH.checked_add(distance),
                _ => Self::UNIX_EPOCH.checked_sub(distance),
            };
            let time = time.and_then(|it| it.checked_add(Duration::new(0, nanoseconds)));
            let error = ErrorKind::OutOfRange { value: seconds.into(), bits: 63 };
            *self = time.ok_or_else(|| ar.error_at(start, error))?;
        }
        Ok(())
    }
}

macro_rules! addresses {
    ($($type:ty, $length:literal);*) => { $(
        impl Archived for $type {
            const NESTS: bool = false;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                if as_text(self, ar, |text| text.parse().ok(), |_| $length)? {
                    return Ok(());
                }
                let mut octets = self.octets();
                ar.serialize_bytes(&mut octets)?;
                if ar.is_loading() {
                    *self = octets.into();
                }
                ar.note(self);
                Ok(())
            }
        }
    )* };
}
addresses!(Ipv4Addr, 4; Ipv6Addr, 16);

impl Archived for IpAddr {
    const NESTS: bool = false;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let length = |it: &Self| if it.is_ipv4() { 5 } else { 17 };
        if as_text(self, ar, |text| text.parse().ok(), length)? {
            return Ok(());
        }
        let (start, mut family) = (ar.position(), if self.is_ipv4() { 4 } else { 6 });
        in_field("family", ar, |ar| ar.serialize_u8(&mut family))?;
        if ar.is_loading() {
            *self = match family {
                4 => Ipv4Addr::UNSPECIFIED.into(),
                6 => Ipv6Addr::UNSPECIFIED.into(),
                _ => {
                    let (value, type_name) = (family.into(), "IpAddr");
                    let kind = ErrorKind::UnknownVariant { value, type_name };
                    return Err(ar.error_at(start, kind));
                }
            };
        }
        in_field("address", ar, |ar| match self {
            Self::V4(address) => address.serialize(ar),
            Self::V6(address) => address.serialize(ar),
        })
    }
}

impl Archived for SocketAddr {
    const NESTS: bool = false;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if let Self::V6(address) = self
            && ar.is_saving()
            && (address.flowinfo(), address.scope_id()) != (0, 0)
        {
            let reason = "a socket's address is stored without flow and scope".to_owned();
            return Err(ar.error(ErrorKind::Invalid { reason }));
        }
        let (mut address, mut port) = (self.ip(), self.port());
        in_field("address", ar, |ar| address.serialize(ar))?;
        in_field("port", ar, |ar| ar.serialize_u16(&mut port))?;
        if ar.is_loading() {
            *self = Self::new(address, port);
        }
        Ok(())
    }
}

impl Archived for Ordering {
    const NESTS: bool = false;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let (start, mut value) = (ar.position(), *self as i8);
        ar.serialize_i8(&mut value)?;
        if ar.is_loading() {
            *self = match value {
                -1 => Self::Less,
                0 => Self::Equal,
                1 => Self::Greater,
                _ => {
                    let (value, type_name) = (value.into(), "Ordering");
                    let kind = ErrorKind::UnknownVariant { value, type_name };
                    return Err(ar.error_at(start, kind));
                }
            };
        }
        Ok(())
    }
}
