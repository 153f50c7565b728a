//! Values that stand elsewhere, and values that are checked.

use crate::archive::checksum::{self, Checksum};
use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::{ErrorKind, Result};

/// A value that stands at a place of its own, `offset` bytes from the start of the file, which a field above says. So a
/// table of offsets is followed in any order; the offsets are values as any other, so that a file keeps its order.
///
/// ```
/// use farchive::{Archived, Versions, from_bytes, to_bytes, with};
///
/// #[derive(Archived, Clone, Default, PartialEq, Debug)]
/// struct Entry {
///     offset: u32,
///     #[archive(with = with::at(self.offset))]
///     text: String,
/// }
///
/// let entry = |offset, text: &str| Entry { offset, text: text.into() };
/// let table = vec![entry(17, "a"), entry(12, "b")];
/// let bytes = to_bytes(&table, &Versions::own(1))?;
/// assert_eq!(bytes, b"\x02\0\0\0\x11\0\0\0\x0c\0\0\0\x01\0\0\0b\x01\0\0\0a");
/// assert_eq!(from_bytes::<Vec<Entry>>(&bytes, &Versions::own(1))?, table);
/// # Ok::<(), farchive::Error>(())
/// ```
///
/// # Errors
/// `OutOfRange` for an offset below zero; `BadOffset` for one outside of the file; those of [`ArchiveExt::at_offset`] and
/// the value's own.
pub fn at<T: Archived + ?Sized, A: Archive + ?Sized>(
    value: &mut T,
    offset: impl Into<i128>,
    ar: &mut A,
) -> Result<()> {
    let offset = offset.into();
    match u64::try_from(offset) {
        Ok(offset) => ar.at_offset(offset, |ar| value.serialize(ar)),
        Err(_) => Err(ar.error(ErrorKind::OutOfRange { value: offset, bits: 64 })),
    }
}

/// A value, then the checksum of its bytes: made anew when saving, compared when loading
/// ([`behind`](checksum::behind)).
///
/// # Errors
/// `Invalid` where the checksum is that of other bytes; the value's own.
pub fn checksum_behind<S: Checksum + Default>(
    value: &mut (impl Archived + ?Sized),
    ar: &mut (impl Archive + ?Sized),
) -> Result<()>
where
    S::Value: Default,
{
    checksum::behind::<S, _>(ar, |ar| value.serialize(ar))
}

/// The checksum of a value, then the value ([`before`](checksum::before)).
///
/// # Errors
/// As [`checksum_behind`].
pub fn checksum_before<S: Checksum + Default>(
    value: &mut (impl Archived + ?Sized),
    ar: &mut (impl Archive + ?Sized),
) -> Result<()>
where
    S::Value: Default,
{
    checksum::before::<S, _>(ar, |ar| value.serialize(ar))
}
