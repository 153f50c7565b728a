//! Texts of formats of one's own.

use std::fmt;

use super::array;
use crate::archive::{Archive, ArchiveExt, Archived, Keyed, Role, Step, in_field};
use crate::error::{ErrorKind, Result};
use crate::version::{Counts, Versions};

/// A count as that of a [`Vec`], then so many bytes of UTF-8.
impl Archived for String {
    const NESTS: bool = false;
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if !ar.is_loading() {
            return save(self, ar);
        }
        if as_text(self, ar, Some, |text| text.len() as u64 + 4)? {
            return Ok(());
        }
        let count = in_field("length", ar, |ar| array::serialize_count(self.len(), ar))?;
        ar.role(Role::Length);
        in_field("characters", ar, |ar| characters(self, count, ar))
    }

    #[inline]
    fn save_lent<A: Archive + ?Sized>(&self, _: &mut Self, ar: &mut A) -> Result<()> {
        save(self, ar)
    }

    #[inline(always)]
    fn seen_size(&self, versions: &Versions) -> Option<u64> {
        let is_plain = versions.counts() == Counts::Unsigned;
        let length = u32::try_from(self.len()).ok().filter(|_| is_plain)?;
        Some(u64::from(length) + 4)
    }
}

/// A text where nothing changes it.
#[inline]
fn save<A: Archive + ?Sized>(text: &str, ar: &mut A) -> Result<()> {
    if ar.readable_text(&text).is_some() {
        ar.step(Step::Keyed(Keyed::Follows(text.len() as u64 + 4)));
        return Ok(());
    }
    in_field("length", ar, |ar| array::serialize_count(text.len(), ar))?;
    ar.role(Role::Length);
    in_field("characters", ar, |ar| save_characters(text, ar))
}

#[inline]
fn save_characters<A: Archive + ?Sized>(text: &str, ar: &mut A) -> Result<()> {
    ar.save_bytes(text.as_bytes())?;
    ar.note(&text);
    Ok(())
}

/// So many bytes of UTF-8; `count` is looked at when loading.
///
/// # Errors
/// `TooLong`, `Budget`, `UnexpectedEnd`; `NotText` for other bytes.
pub(crate) fn characters<A: Archive + ?Sized>(
    text: &mut String,
    count: usize,
    ar: &mut A,
) -> Result<()> {
    if !ar.is_loading() {
        return save_characters(text, ar);
    }
    let start = ar.position();
    ar.claim(count as u64, 1)?;
    let mut bytes = std::mem::take(text).into_bytes();
    if bytes.capacity() < count {
        // A new one takes fewer instructions than growing the one that is there.
        bytes = vec![0; count];
    } else {
        bytes.clear();
        bytes.resize(count, 0);
    }
    ar.serialize_bytes(&mut bytes)?;
    *text = decoded(bytes, start, ar)?;
    ar.note(text);
    Ok(())
}

/// Bytes that were loaded from `start` on as text.
///
/// # Errors
/// `NotText`.
#[inline]
pub(crate) fn decoded<A: Archive + ?Sized>(bytes: Vec<u8>, start: u64, ar: &A) -> Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| ar.error_at(start, ErrorKind::NotText { reason: "they are not UTF-8" }))
}

/// Hands the value over as its text where the archive takes one: whether it did. `length` says how many bytes it
/// would have taken, `parse` what another text means.
///
/// # Errors
/// `NotText` for a text that means no such value.
#[inline(always)]
pub(crate) fn as_text<T: fmt::Display, A: Archive + ?Sized>(
    value: &mut T,
    ar: &mut A,
    parse: impl FnOnce(String) -> Option<T>,
    length: impl FnOnce(&T) -> u64,
) -> Result<bool> {
    match ar.readable_text(value) {
        None => Ok(false),
        Some(text) => {
            if ar.is_loading() {
                let reason = "the text that stands there means no such value";
                *value = parse(text).ok_or_else(|| ar.error(ErrorKind::NotText { reason }))?;
            }
            ar.step(Step::Keyed(Keyed::Follows(length(value))));
            Ok(true)
        }
    }
}

/// The same for a whole number that is stored in `bytes` bytes, or as many as it needs.
///
/// # Errors
/// `OutOfRange` for a number that the type can't hold.
#[inline(always)]
pub(crate) fn as_number<T: Copy + Into<i128> + TryFrom<i128>, A: Archive + ?Sized>(
    value: &mut T,
    ar: &mut A,
    length: impl FnOnce(T) -> u64,
) -> Result<bool> {
    match ar.readable_number((*value).into()) {
        None => Ok(false),
        Some(number) => {
            if ar.is_loading() {
                let bits = size_of::<T>() as u32 * 8;
                *value = T::try_from(number)
                    .map_err(|_| ar.error(ErrorKind::OutOfRange { value: number, bits }))?;
            }
            ar.step(Step::Keyed(Keyed::Follows(length(*value))));
            Ok(true)
        }
    }
}
