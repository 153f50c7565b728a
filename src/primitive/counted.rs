//! Values whose number of elements stands elsewhere: what `#[archive(count = …)]` calls.

use super::array::{elements, save};
use super::{rest, string};
use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::{Error, ErrorKind, Result};

/// A value of as many elements as another field says: lists, and texts in bytes of UTF-8.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements that `count` could count",
    label = "no list and no text",
    note = "`count` is for `Vec`, `Box<[T]>` and `String`; what is there or not depends on a field by `#[archive(when = n != 0)]`"
)]
pub trait Counted {
    /// Its elements.
    fn count(&self) -> usize;

    /// The elements without their number: when loading as many as `count` says, of which `None` means up to the end.
    ///
    /// # Errors
    /// `TooLong`, `Budget`, or the elements' own.
    fn serialize_counted<A: Archive + ?Sized>(
        &mut self,
        count: Option<usize>,
        ar: &mut A,
    ) -> Result<()>;
}

impl<T: Archived + Default> Counted for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn serialize_counted<A: Archive + ?Sized>(
        &mut self,
        count: Option<usize>,
        ar: &mut A,
    ) -> Result<()> {
        match count {
            Some(_) if !ar.is_loading() => save(self, ar),
            Some(count) => elements(self, count, ar),
            None => rest::rest(self, ar),
        }
    }
}

impl<T: Archived + Default> Counted for Box<[T]> {
    fn count(&self) -> usize {
        self.len()
    }

    fn serialize_counted<A: Archive + ?Sized>(
        &mut self,
        count: Option<usize>,
        ar: &mut A,
    ) -> Result<()> {
        if !ar.is_loading() {
            return save(self, ar);
        }
        let mut values = Vec::new();
        let result = values.serialize_counted(count, ar);
        *self = values.into();
        result
    }
}

impl Counted for String {
    fn count(&self) -> usize {
        self.len()
    }

    fn serialize_counted<A: Archive + ?Sized>(
        &mut self,
        count: Option<usize>,
        ar: &mut A,
    ) -> Result<()> {
        let Some(count) = count else { return rest::rest_of_text(self, ar) };
        if string::as_text(self, ar, Some, |text| text.len() as u64)? {
            return check(self.len(), count as i128, ar);
        }
        string::characters(self, count, ar)
    }
}

/// Elements whose count stands in another field (for `#[archive(count = …)]`).
///
/// # Errors
/// `Invalid` when not loading and that field has another number than there are elements; `NegativeCount`,
/// `TooLong`, or the elements' own.
#[inline]
pub fn counted_elsewhere<V: Counted + ?Sized, A: Archive + ?Sized>(
    values: &mut V,
    count: impl Into<i128>,
    ar: &mut A,
) -> Result<()> {
    let count = count.into();
    if !ar.is_loading() {
        check(values.count(), count, ar)?;
        return values.serialize_counted(Some(values.count()), ar);
    }
    match usize::try_from(count) {
        Ok(count) => values.serialize_counted(Some(count), ar),
        Err(_) => Err(impossible(count, ar)),
    }
}

/// The same where saving works out the field with the count, so that the one in memory says nothing.
///
/// # Errors
/// `NegativeCount`, `TooLong`, or the elements' own.
#[doc(hidden)]
#[inline]
pub fn counted_when_loading<V: Counted + ?Sized, A: Archive + ?Sized>(
    values: &mut V,
    count: impl Into<i128>,
    ar: &mut A,
) -> Result<()> {
    match ar.is_loading() {
        true => counted_elsewhere(values, count, ar),
        false => values.serialize_counted(Some(values.count()), ar),
    }
}

/// Elements up to the end of the file, or of the part of declared size around them (for `#[archive(count = ..)]`).
///
/// # Errors
/// `Budget`, or the elements' own.
#[doc(hidden)]
#[inline]
pub fn to_the_end<V: Counted + ?Sized, A: Archive + ?Sized>(
    values: &mut V,
    ar: &mut A,
) -> Result<()> {
    values.serialize_counted(None, ar)
}

/// Refuses a count that does not count what there is.
#[inline]
fn check<A: Archive + ?Sized>(length: usize, count: i128, ar: &A) -> Result<()> {
    if count == length as i128 { Ok(()) } else { Err(differs(length, count, ar)) }
}

#[cold]
#[inline(never)]
fn differs<A: Archive + ?Sized>(length: usize, count: i128, ar: &A) -> Error {
    let reason = format!(
        "its count says {count}, there are {length}: set it, or let saving work it out with \
         `#[archive(computed = …)]`"
    );
    ar.error(ErrorKind::Invalid { reason })
}

/// A count that no memory has: the claim says so of one that is too large.
#[cold]
#[inline(never)]
fn impossible<A: Archive + ?Sized>(count: i128, ar: &mut A) -> Error {
    let (kind, large) = match i64::try_from(count) {
        Ok(count) if count < 0 => (ErrorKind::NegativeCount { count }, None),
        _ if count < 0 => (ErrorKind::NegativeCount { count: i64::MIN }, None),
        _ => {
            let count = u64::try_from(count).unwrap_or(u64::MAX);
            (ErrorKind::TooLong { count, remaining: 0 }, Some(count))
        }
    };
    match large.map(|count| ar.claim(count, 1)) {
        Some(Err(error)) => error,
        _ => ar.error(kind),
    }
}
