//! What the derive's code calls; not for use by hand.

use super::{Archive, ArchiveExt, Direction, in_field};
use crate::error::{Error, ErrorKind, Result};

/// A field that this version lacks: `Default` on load, refused on save unless it is `Default`.
///
/// # Errors
/// `NotInVersion`.
#[inline(always)]
pub fn absent<T: Default + PartialEq, A: Archive + ?Sized>(
    value: &mut T,
    ar: &mut A,
    field: &'static str,
) -> Result<()> {
    match ar.direction() {
        Direction::Loading => {
            *value = T::default();
            Ok(())
        }
        Direction::Saving if *value != T::default() => {
            Err(ar.error(ErrorKind::NotInVersion).in_field(field))
        }
        _ => Ok(()),
    }
}

/// The bytes that stand before a value in every file.
///
/// # Errors
/// `BadMagic` when loading others.
pub fn magic<const N: usize, A: Archive + ?Sized>(bytes: &[u8; N], ar: &mut A) -> Result<()> {
    in_field("magic", ar, |ar| {
        let mut stored = *bytes;
        ar.serialize_bytes(&mut stored)?;
        if ar.is_loading() && stored != *bytes {
            let (wanted, found) = (bytes.to_vec(), stored.to_vec());
            return Err(ar.error(ErrorKind::BadMagic { wanted, found }));
        }
        Ok(())
    })
}

/// A field that a function of its own serialises, one level deeper where its type may hold values of the type
/// that it stands in: the function may go through them by itself.
///
/// # Errors
/// `TooDeep`, or those of `inner`.
#[inline(always)]
pub fn within<A: Archive + ?Sized>(
    nests: bool,
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<()>,
) -> Result<()> {
    if nests { ar.nested(inner) } else { inner(ar) }
}

/// A number that this version stores in fewer bits than the type has; one that does not fit is an
/// error, never cut.
///
/// # Errors
/// `OutOfRange` when saving.
pub fn narrow<W, N, A>(
    value: &mut W,
    ar: &mut A,
    serialize: impl FnOnce(&mut A, &mut N) -> Result<()>,
) -> Result<()>
where
    W: Copy + TryInto<N> + From<N> + Into<i128>,
    N: Default,
    A: Archive + ?Sized,
{
    let fitting = (*value).try_into();
    if ar.is_saving() && fitting.is_err() {
        let bits = size_of::<N>() as u32 * 8;
        return Err(ar.error(ErrorKind::OutOfRange { value: (*value).into(), bits }));
    }
    let mut stored = fitting.unwrap_or_default();
    serialize(ar, &mut stored)?;
    if ar.is_loading() {
        *value = stored.into();
    }
    Ok(())
}

/// A field was loaded, or left out, by a condition that the fields behind it have changed.
#[cold]
#[inline(never)]
pub fn depends_on_later<A: Archive + ?Sized>(ar: &A, field: &'static str) -> Error {
    let reason = "its condition depends on a field that stands behind it".to_owned();
    ar.error(ErrorKind::Invalid { reason }).in_field(field)
}

/// A discriminant that no variant has.
#[cold]
#[inline(never)]
pub fn unknown_variant<A: Archive + ?Sized>(ar: &A, value: i64, type_name: &'static str) -> Error {
    ar.error(ErrorKind::UnknownVariant { value, type_name })
}

/// A variant that this version lacks is being saved.
#[cold]
#[inline(never)]
pub fn variant_not_in_version<A: Archive + ?Sized>(ar: &A) -> Error {
    ar.error(ErrorKind::NotInVersion)
}
