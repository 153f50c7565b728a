//! Texts in UTF-8.

use crate::archive::{Archive, ArchiveExt, Role, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::string::{as_text, characters, decoded};

use super::blank::zeros;
use super::count::{count_u8, count_u16, count_u32, count_u64, count_varint};

macro_rules! texts {
    ($($name:ident $count:ident $bytes:literal $width:literal;)*) => { $(
        #[doc = concat!("A text in UTF-8 behind its number of bytes as ", $width, ".")]
        ///
        /// # Errors
        /// `OutOfRange` for a text that is longer than the count can say; `NotText` for bytes that are not UTF-8.
        pub fn $name<A: Archive + ?Sized>(text: &mut String, ar: &mut A) -> Result<()> {
            if as_text(text, ar, Some, |text| text.len() as u64 + $bytes)? {
                return Ok(());
            }
            let count = in_field("length", ar, |ar| $count(text.len(), ar))?;
            ar.role(Role::Length);
            in_field("characters", ar, |ar| characters(text, count, ar))
        }
    )* };
}
texts! {
    text_u8 count_u8 1 "one byte (a Pascal string)";
    text_u16 count_u16 2 "two bytes (as MQTT 5, section 1.5.4)";
    text_u32 count_u32 4 "four bytes";
    text_u64 count_u64 8 "eight bytes";
    text_varint count_varint 1 "a varint (as Protocol Buffers and `BinaryWriter` of .NET)";
}

/// Bytes that are claimed at once while the end of a text is looked for.
const STEP: usize = 256;

/// A text in UTF-8 that a zero byte ends (C 2011, section 7.1.1); a text with a zero byte is refused.
///
/// # Errors
/// `BadText` for a zero byte within the text; `NotText` for bytes that are not UTF-8; `UnexpectedEnd` where no zero
/// byte follows.
pub fn c_text<A: Archive + ?Sized>(text: &mut String, ar: &mut A) -> Result<()> {
    if ar.is_saving() {
        refuse_zero(text, ar)?;
    }
    if as_text(text, ar, Some, |text| text.len() as u64 + 1)? {
        return refuse_zero(text, ar);
    }
    let start = ar.position();
    if !ar.is_loading() {
        in_field("characters", ar, |ar| characters(text, 0, ar))?;
        return in_field("terminator", ar, terminator);
    }
    let (mut bytes, mut has_ended) = (Vec::new(), false);
    in_field("characters", ar, |ar| {
        loop {
            let ahead = ar.peek(STEP);
            let (end, length) = (memchr::memchr(0, ahead), ahead.len());
            if length == 0 {
                // Nothing follows, or the archive does not show it: the next byte says.
                let mut byte = 0;
                ar.serialize_u8(&mut byte)?;
                has_ended = byte == 0;
                if has_ended {
                    break;
                }
                ar.reserve(0, 1)?;
                bytes.push(byte);
                continue;
            }
            let (first, length) = (bytes.len(), end.unwrap_or(length));
            if length > 0 {
                ar.claim(length as u64, 1)?;
                bytes.resize(first + length, 0);
                ar.serialize_bytes(bytes.get_mut(first..).unwrap_or_default())?;
            }
            if end.is_some() {
                break;
            }
        }
        *text = decoded(bytes, start, ar)?;
        ar.note(text);
        Ok(())
    })?;
    if has_ended { Ok(()) } else { in_field("terminator", ar, terminator) }
}

fn terminator<A: Archive + ?Sized>(ar: &mut A) -> Result<()> {
    ar.serialize_u8(&mut 0)?;
    ar.role(Role::Terminator);
    Ok(())
}

pub(super) fn refuse_zero<A: Archive + ?Sized>(text: &str, ar: &A) -> Result<()> {
    match text.contains('\0') {
        true => {
            let reason = "a zero inside a text that ends at the first zero";
            Err(ar.error(ErrorKind::BadText { reason }))
        }
        false => Ok(()),
    }
}

/// A text in UTF-8 in a room of `N` bytes, of which those behind the text are zero (as `char[N]` in C). A text may
/// fill the room.
///
/// # Errors
/// `OutOfRange` for a longer text; `BadText` for a zero byte within it; `NotText` for bytes that are not UTF-8;
/// `NonCanonical` for others than zeros behind the first one.
pub fn fixed_text<const N: usize>(
    text: &mut String,
    ar: &mut (impl Archive + ?Sized),
) -> Result<()> {
    if ar.is_saving() {
        fits(text, N, ar)?;
    }
    if as_text(text, ar, Some, |_| N as u64)? {
        return fits(text, N, ar);
    }
    let start = ar.position();
    if !ar.is_loading() {
        in_field("characters", ar, |ar| characters(text, 0, ar))?;
        return in_field("padding", ar, |ar| zeros(N.saturating_sub(text.len()) as u64, ar));
    }
    ar.claim(N as u64, 1)?;
    let mut bytes = vec![0; N];
    in_field("characters", ar, |ar| {
        ar.serialize_bytes(&mut bytes)?;
        let length = memchr::memchr(0, &bytes).unwrap_or(N);
        if bytes.get(length..).unwrap_or_default().iter().any(|byte| *byte != 0) {
            let form = "bytes behind the end of a text that are not zero";
            return Err(ar.error_at(start, ErrorKind::NonCanonical { form }));
        }
        bytes.truncate(length);
        *text = decoded(bytes, start, ar)?;
        ar.note(text);
        Ok(())
    })
}

fn fits<A: Archive + ?Sized>(text: &str, room: usize, ar: &A) -> Result<()> {
    if text.len() > room {
        let reason = "it is longer than the room of fixed width that it stands in";
        return Err(ar.error(ErrorKind::BadText { reason }));
    }
    refuse_zero(text, ar)
}
