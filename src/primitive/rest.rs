//! Elements and texts up to the end.

use super::array;
use super::string::{as_text, decoded};
use crate::archive::{Archive, ArchiveExt, Archived, at_index};
use crate::error::{ErrorKind, Result};

/// Bytes that are looked for at once.
const STEP: usize = 1 << 16;

/// Elements up to the end of the file, or of the part of declared size that they stand in ([`sized_u32`](crate::with::sized_u32)).
///
/// Layout: the elements one after the other; nothing says how many. What stands behind such a field in the same part
/// could not be loaded again.
///
/// # Errors
/// `Budget`, or the elements' own; `Invalid` for elements that take no bytes.
pub fn rest<T: Archived + Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    ar: &mut A,
) -> Result<()> {
    if !ar.is_loading() {
        return array::elements(values, values.len(), ar);
    }
    if let Some(count) = ar.elements_ahead() {
        return array::elements(values, count, ar);
    }
    values.clear();
    array::deeper::<T, A, _>(ar, |ar| {
        loop {
            let left = ar.peek(STEP).len();
            if left == 0 {
                return Ok(());
            }
            let first = values.len();
            // Single bytes go in steps, other elements one by one: how many bytes they take is not known.
            let more = if T::BULK && size_of::<T>() == 1 { left } else { 1 };
            ar.claim(more as u64, size_of::<T>())?;
            let start = ar.position();
            values.resize_with(first + more, T::default);
            let new = values.get_mut(first..).unwrap_or_default();
            if more > 1 {
                T::serialize_slice(new, ar)?;
            } else if let Some(value) = new.first_mut() {
                at_index(first, ar, |ar| value.serialize(ar))?;
            }
            if ar.position() == start {
                let reason = "elements up to the end of the file need bytes".to_owned();
                return Err(ar.error(ErrorKind::Invalid { reason }).at_index(first));
            }
        }
    })
}

/// A text in UTF-8 up to the end of the file, or of the part of declared size that it stands in.
///
/// # Errors
/// `NotText` for bytes that are not UTF-8.
pub fn rest_of_text<A: Archive + ?Sized>(text: &mut String, ar: &mut A) -> Result<()> {
    if as_text(text, ar, Some, |text| text.len() as u64)? {
        return Ok(());
    }
    let (start, mut bytes) = (ar.position(), std::mem::take(text).into_bytes());
    let result = rest(&mut bytes, ar);
    *text = decoded(bytes, start, ar)?;
    ar.note(text);
    result
}
