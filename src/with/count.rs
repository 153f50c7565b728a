//! Lists with counts of other widths.

use crate::archive::{Archive, ArchiveExt, Archived, Keyed, Role, Step, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::{array, boolean};

use super::number;

/// Declares how a number of elements is stored.
macro_rules! counts {
    ($($count:ident $type:ident $bits:literal);*) => { paste::paste! { $(
        pub(super) fn $count<A: Archive + ?Sized>(length: usize, ar: &mut A) -> Result<usize> {
            let mut count = $type::try_from(length)
                .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length as i128, bits: $bits }))?;
            ar.[<serialize_ $type>](&mut count)?;
            ar.role(Role::Count);
            fitting(count.into(), ar)
        }
    )* } };
}
counts!(count_u8 u8 8; count_u16 u16 16; count_u32 u32 32; count_u64 u64 64);

/// A varint as the number of elements.
pub(super) fn count_varint<A: Archive + ?Sized>(length: usize, ar: &mut A) -> Result<usize> {
    let mut count = length as u64;
    number::varint(&mut count, ar)?;
    ar.role(Role::Count);
    fitting(count, ar)
}

/// A count that memory could have.
fn fitting<A: Archive + ?Sized>(count: u64, ar: &mut A) -> Result<usize> {
    usize::try_from(count)
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: count.into(), bits: usize::BITS }))
}

macro_rules! lists {
    ($($width:literal $list:ident $each:ident $count:ident;)*) => { $(
        #[doc = concat!("A list behind its number of elements as ", $width, ".")]
        ///
        /// Layout: the count, then the elements one after the other.
        ///
        /// # Errors
        /// `OutOfRange` for more elements than the count can say; `TooLong`, `Budget`, or the elements' own.
        #[inline]
        pub fn $list<T: Archived + Default, A: Archive + ?Sized>(
            values: &mut Vec<T>,
            ar: &mut A,
        ) -> Result<()> {
            let count = $count(values.len(), ar)?;
            array::mark_empty(count, ar);
            array::elements(values, count, ar)
        }

        #[doc = concat!("A list behind its number of elements as ", $width, ", whose elements `form` serialises.")]
        ///
        /// Layout: the count, then the elements one after the other.
        ///
        /// # Errors
        /// `OutOfRange` for more elements than the count can say; `TooLong`, `Budget`, or the elements' own.
        #[inline]
        pub fn $each<T: Default, A: Archive + ?Sized>(
            values: &mut Vec<T>,
            form: impl FnMut(&mut T, &mut A) -> Result<()>,
            ar: &mut A,
        ) -> Result<()> {
            let count = $count(values.len(), ar)?;
            array::mark_empty(count, ar);
            array::elements_by(values, count, form, ar)
        }
    )* };
}
lists! {
    "one byte" list_u8 each_u8 count_u8;
    "two bytes" list_u16 each_u16 count_u16;
    "four bytes" list_u32 each_u32 count_u32;
    "eight bytes" list_u64 each_u64 count_u64;
    "a varint (see [`varint`](super::varint))" list_varint each_varint count_varint;
}

/// A list whose elements `form` serialises, behind the count of a [`Vec`]: for elements of types of other crates, and
/// for other forms of their own.
///
/// ```
/// use farchive::Archived;
///
/// #[derive(Archived)]
/// struct Names {
///     #[archive(with = farchive::with::each(farchive::with::c_text))]
///     names: Vec<String>,
/// }
/// ```
///
/// # Errors
/// `TooLong`, `Budget`, or the elements' own.
#[inline]
pub fn each<T: Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    form: impl FnMut(&mut T, &mut A) -> Result<()>,
    ar: &mut A,
) -> Result<()> {
    let count = array::serialize_list_count(values.len(), ar)?;
    array::elements_by(values, count, form, ar)
}

/// A value that may be missing and that `form` serialises.
///
/// Layout: one byte, 0 or 1, then the value if it is there, as that of an [`Option`].
///
/// # Errors
/// `NonCanonical` for another byte, or the value's own.
#[inline]
pub fn optional<T: Default, A: Archive + ?Sized>(
    value: &mut Option<T>,
    form: impl FnOnce(&mut T, &mut A) -> Result<()>,
    ar: &mut A,
) -> Result<()> {
    ar.step(Step::Keyed(Keyed::Optional));
    let mut present = value.is_some();
    in_field("present", ar, |ar| boolean::byte(&mut present, ar))?;
    if ar.is_loading() {
        *value = present.then(T::default);
    }
    match value {
        Some(value) => in_field("value", ar, |ar| form(value, ar)),
        None => Ok(()),
    }
}
