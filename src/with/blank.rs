//! Bytes that say nothing: zeros, and values that every file has.

use std::fmt;

use crate::archive::{Archive, ArchiveExt, Archived, Keyed, Step};
use crate::error::{ErrorKind, Result};

/// Zeros that are written at once.
const ROOM: usize = 64;

/// `N` zero bytes. Others are refused: saving would lose them.
///
/// # Errors
/// `NonCanonical` when loading anything but zeros.
pub fn padding<const N: usize>(_: &mut (), ar: &mut (impl Archive + ?Sized)) -> Result<()> {
    zeros(N as u64, ar)
}

/// Zero bytes up to the next multiple of `N` bytes from the start of the file; none where the position is one.
///
/// # Errors
/// `NonCanonical` when loading anything but zeros.
pub fn align<const N: u64>(_: &mut (), ar: &mut (impl Archive + ?Sized)) -> Result<()> {
    const { assert!(N > 0, "bytes are aligned to a multiple of one or more") };
    let position = ar.position();
    zeros(position.next_multiple_of(N).saturating_sub(position), ar)
}

pub(super) fn zeros<A: Archive + ?Sized>(mut count: u64, ar: &mut A) -> Result<()> {
    if ar.leaves_out_derived() {
        ar.step(Step::Keyed(Keyed::Follows(count)));
        return Ok(());
    }
    while count > 0 {
        let (start, mut bytes) = (ar.position(), [0; ROOM]);
        let length = usize::try_from(count).map_or(ROOM, |count| count.min(ROOM));
        let bytes = bytes.get_mut(..length).unwrap_or_default();
        ar.serialize_bytes(bytes)?;
        if bytes.iter().any(|byte| *byte != 0) {
            let form = "padding that is not zero";
            return Err(ar.error_at(start, ErrorKind::NonCanonical { form }));
        }
        count -= length as u64;
    }
    Ok(())
}

/// A value that every file has, such as a version of the format or a mark between parts.
///
/// ```
/// use farchive::Archived;
///
/// #[derive(Archived, Default)]
/// struct Header {
///     #[archive(with = farchive::with::constant(0xfeff_u16))]
///     byte_order_mark: (),
/// }
/// ```
///
/// # Errors
/// `Invalid` when loading another value, or the value's own.
pub fn constant<T, A>(_: &mut (), mut value: T, ar: &mut A) -> Result<()>
where
    T: Archived + Clone + PartialEq + fmt::Debug,
    A: Archive + ?Sized,
{
    if ar.leaves_out_derived() {
        let mut counter = crate::Counter::new(ar.versions().clone());
        value.serialize(&mut counter)?;
        ar.step(Step::Keyed(Keyed::Follows(counter.length())));
        return Ok(());
    }
    let (start, wanted) = (ar.position(), value.clone());
    value.serialize(ar)?;
    if ar.is_loading() && value != wanted {
        let reason = format!("{wanted:?} belongs here, found {value:?}");
        return Err(ar.error_at(start, ErrorKind::Invalid { reason }));
    }
    Ok(())
}
