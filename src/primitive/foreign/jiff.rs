//! Points in time, spans of it, and dates of jiff.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Timestamp};

use crate::archive::{Archive, ArchiveExt, Archived, in_field};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::string::as_text;

/// Numbers that are no date or time, which start at `start`.
#[cold]
fn no_time<A: Archive + ?Sized>(start: u64, ar: &A) -> Error {
    let form = "numbers that are no date or time";
    ar.error_at(start, ErrorKind::NonCanonical { form })
}

macro_rules! moments {
    ($($type:ident: $seconds:ident, $nanoseconds:ident, $make:expr;)*) => { $(
        impl Archived for $type {
            const NESTS: bool = false;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                if as_text(self, ar, |text| text.parse().ok(), |_| 12)? {
                    return Ok(());
                }
                let start = ar.position();
                let (mut seconds, mut nanoseconds) = (self.$seconds(), self.$nanoseconds());
                in_field("seconds", ar, |ar| ar.serialize_i64(&mut seconds))?;
                in_field("nanoseconds", ar, |ar| ar.serialize_i32(&mut nanoseconds))?;
                if ar.is_loading() {
                    let make: fn(i64, i32) -> Option<Self> = $make;
                    let same = |it: &Self| (it.$seconds(), it.$nanoseconds()) == (seconds, nanoseconds);
                    *self = make(seconds, nanoseconds)
                        .filter(same)
                        .ok_or_else(|| no_time(start, ar))?;
                }
                Ok(())
            }
        }
    )* };
}
moments! {
    Timestamp: as_second, subsec_nanosecond, |seconds, nanoseconds| Self::new(seconds, nanoseconds).ok();
    SignedDuration: as_secs, subsec_nanos, |seconds, nanoseconds| {
        Self::from_secs(seconds).checked_add(Self::from_nanos(nanoseconds.into()))
    };
}

macro_rules! civil {
    ($($type:ident $length:literal: $($part:ident $number:ident)*, $make:expr;)*) => { $(
        impl Archived for $type {
            const NESTS: bool = false;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                if as_text(self, ar, |text| text.parse().ok(), |_| $length)? {
                    return Ok(());
                }
                let start = ar.position();
                $(let mut $part: $number = self.$part();)*
                $(in_field(stringify!($part), ar, |ar| $part.serialize(ar))?;)*
                if ar.is_loading() {
                    *self = $make.map_err(|_| no_time(start, ar))?;
                }
                Ok(())
            }
        }
    )* };
}
civil! {
    Date 4: year i16 month i8 day i8, Self::new(year, month, day);
    Time 7: hour i8 minute i8 second i8 subsec_nanosecond i32,
        Self::new(hour, minute, second, subsec_nanosecond);
    DateTime 11: year i16 month i8 day i8 hour i8 minute i8 second i8 subsec_nanosecond i32,
        Self::new(year, month, day, hour, minute, second, subsec_nanosecond);
}
