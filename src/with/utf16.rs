//! Texts in UTF-16, their units in the byte order of the versions.

use crate::archive::{Archive, ArchiveExt, Role, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::string::as_text;

use super::count::{count_u8, count_u16, count_u32, count_u64, count_varint};
use super::text::refuse_zero;

/// Bytes of the units of a text.
fn length(text: &str) -> u64 {
    text.encode_utf16().count() as u64 * 2
}

/// So many units; `count` is looked at when loading.
fn serialize_units<A: Archive + ?Sized>(
    units: &mut Vec<u16>,
    count: usize,
    ar: &mut A,
) -> Result<()> {
    let big = ar.versions().byte_order.is_big();
    let bytes_of = |unit: &u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    let mut bytes: Vec<u8> = units.iter().flat_map(bytes_of).collect();
    if ar.is_loading() {
        // Each unit takes two bytes of the file, and four of memory with what is made of it.
        ar.reserve((count as u64).saturating_mul(2), (count as u64).saturating_mul(4))?;
        bytes.clear();
        bytes.resize(count.saturating_mul(2), 0);
    }
    ar.serialize_bytes(&mut bytes)?;
    let (pairs, _) = bytes.as_chunks::<2>();
    let unit =
        |pair: &[u8; 2]| if big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
    if ar.is_loading() {
        *units = pairs.iter().map(unit).collect();
    }
    Ok(())
}

/// The text of units that were loaded from `start` on.
fn decoded<A: Archive + ?Sized>(units: &[u16], start: u64, ar: &mut A) -> Result<String> {
    let reason = "they are not UTF-16: half of a pair stands alone";
    String::from_utf16(units).map_err(|_| ar.error_at(start, ErrorKind::NotText { reason }))
}

/// The units of the text, and the text of those that are loaded.
fn characters<A: Archive + ?Sized>(text: &mut String, count: usize, ar: &mut A) -> Result<()> {
    in_field("characters", ar, |ar| {
        let (start, mut units) = (ar.position(), text.encode_utf16().collect());
        serialize_units(&mut units, count, ar)?;
        if ar.is_loading() {
            *text = decoded(&units, start, ar)?;
        }
        ar.note(text);
        Ok(())
    })
}

macro_rules! texts {
    ($($name:ident $count:ident $bytes:literal $width:literal;)*) => { $(
        #[doc = concat!("A text in UTF-16 (RFC 2781) behind its number of units as ", $width, ".")]
        ///
        /// # Errors
        /// `OutOfRange` for a text that is longer than the count can say; `NotText` for units that are not UTF-16.
        pub fn $name<A: Archive + ?Sized>(text: &mut String, ar: &mut A) -> Result<()> {
            if as_text(text, ar, Some, |text| length(text) + $bytes)? {
                return Ok(());
            }
            let units = if ar.is_loading() { 0 } else { text.encode_utf16().count() };
            let count = in_field("length", ar, |ar| $count(units, ar))?;
            ar.role(Role::Length);
            characters(text, count, ar)
        }
    )* };
}
texts! {
    utf16_u8 count_u8 1 "one byte";
    utf16_u16 count_u16 2 "two bytes";
    utf16_u32 count_u32 4 "four bytes";
    utf16_u64 count_u64 8 "eight bytes";
    utf16_varint count_varint 1 "a varint";
}

/// A text in UTF-16 (RFC 2781) that a zero unit ends; a text with a zero is refused.
///
/// # Errors
/// `BadText` for a zero within the text; `NotText` for units that are not UTF-16; `UnexpectedEnd` where no zero
/// unit follows.
pub fn c_utf16<A: Archive + ?Sized>(text: &mut String, ar: &mut A) -> Result<()> {
    if ar.is_saving() {
        refuse_zero(text, ar)?;
    }
    if as_text(text, ar, Some, |text| length(text) + 2)? {
        return refuse_zero(text, ar);
    }
    if !ar.is_loading() {
        characters(text, 0, ar)?;
        return in_field("terminator", ar, terminator);
    }
    let (start, mut units, mut has_ended) = (ar.position(), Vec::new(), false);
    in_field("characters", ar, |ar| {
        while ar.peek_number(0, 2) != Some(0) {
            let mut unit = 0;
            ar.serialize_u16(&mut unit)?;
            // An archive that does not show what follows has read the end.
            has_ended = unit == 0;
            if has_ended {
                break;
            }
            ar.reserve(0, 4)?;
            units.push(unit);
        }
        *text = decoded(&units, start, ar)?;
        ar.note(text);
        Ok(())
    })?;
    if has_ended { Ok(()) } else { in_field("terminator", ar, terminator) }
}

fn terminator<A: Archive + ?Sized>(ar: &mut A) -> Result<()> {
    ar.serialize_u16(&mut 0)?;
    ar.role(Role::Terminator);
    Ok(())
}

/// A text in UTF-16 (RFC 2781) in a room of `N` units, of which those behind the text are zero (as `wchar_t[N]` of
/// Windows). A text may fill the room.
///
/// # Errors
/// `BadText` for a longer text or a zero within it; `NotText` for units that are not UTF-16; `NonCanonical` for
/// others than zeros behind the first one.
pub fn fixed_utf16<const N: usize>(
    text: &mut String,
    ar: &mut (impl Archive + ?Sized),
) -> Result<()> {
    if ar.is_saving() {
        fits(text, N, ar)?;
    }
    if as_text(text, ar, Some, |_| N as u64 * 2)? {
        return fits(text, N, ar);
    }
    let (start, mut units): (_, Vec<u16>) = (ar.position(), text.encode_utf16().collect());
    units.resize(N, 0);
    in_field("characters", ar, |ar| {
        serialize_units(&mut units, N, ar)?;
        if ar.is_loading() {
            let end = units.iter().position(|unit| *unit == 0).unwrap_or(N);
            if units.get(end..).unwrap_or_default().iter().any(|unit| *unit != 0) {
                let form = "units behind the end of a text that are not zero";
                return Err(ar.error_at(start, ErrorKind::NonCanonical { form }));
            }
            *text = decoded(units.get(..end).unwrap_or_default(), start, ar)?;
        }
        ar.note(text);
        Ok(())
    })
}

fn fits<A: Archive + ?Sized>(text: &str, room: usize, ar: &A) -> Result<()> {
    if text.encode_utf16().count() > room {
        let reason = "it is longer than the room of fixed width that it stands in";
        return Err(ar.error(ErrorKind::BadText { reason }));
    }
    refuse_zero(text, ar)
}
