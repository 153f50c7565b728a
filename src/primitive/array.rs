//! Arrays: a count, then the elements.

pub use super::counted::{Counted, counted_elsewhere, counted_when_loading, to_the_end};

use crate::archive::layout::{Field, Layout};
use crate::archive::{
    Archive, ArchiveExt, Archived, CompactIndex, Keyed, Role, Step, Width, at_index, in_field,
};
use crate::error::{ErrorKind, Result};
use crate::version::{Counts, Versions};

/// Elements that are larger are read where nothing else lies and then put in their place, so that what the
/// version lacks is not written twice and the reader's place stays in registers; smaller ones where they stay.
const LARGE: usize = 96;
/// Small elements that are made ready in one step while loading: so few that they are still in the processor's
/// nearest cache when they are read.
const STEP: usize = 32;

/// A count, then the elements. The format says how the count is stored
/// ([`Counts`](crate::version::Counts)): as a `u32` in a format of one's own.
impl<T: Archived + Default> Archived for Vec<T> {
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("A count, then the elements.")
        .with_parts(&[
            Field::plain("count", "Index", "Elements."),
            Field::plain("elements", "[T]", "The elements."),
        ]);

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = serialize_list_count(self.len(), ar)?;
        elements(self, count, ar)
    }
}

/// An `i32` as count in every version, then the elements (for `#[archive(with = …)]`).
///
/// # Errors
/// `NegativeCount`, `TooLong`, or the elements' own.
#[inline]
pub fn counted_i32<T: Archived + Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    ar: &mut A,
) -> Result<()> {
    let count = serialize_i32_list_count(values.len(), ar)?;
    elements(values, count, ar)
}

/// A `u32` as count in every version, then the elements (for `#[archive(with = …)]`).
///
/// # Errors
/// `TooLong`, or the elements' own.
#[inline]
pub fn counted_u32<T: Archived + Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    ar: &mut A,
) -> Result<()> {
    let mut count = u32_count(values.len(), ar)?;
    ar.serialize_u32(&mut count)?;
    ar.role(Role::Count);
    mark_empty(count as usize, ar);
    elements(values, count as usize, ar)
}

/// A number of elements as an `u32`, where the count does not stand right before them.
///
/// # Errors
/// `OutOfRange`.
#[doc(hidden)]
#[inline]
pub fn u32_count<A: Archive + ?Sized>(length: usize, ar: &A) -> Result<u32> {
    u32::try_from(length)
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length as i128, bits: 32 }))
}

/// An `i32` as count in every version, then elements that `each` serialises: for elements that are
/// stored otherwise than their type's own way.
///
/// # Errors
/// `NegativeCount`, `TooLong`, or the elements' own.
#[inline]
pub fn counted_i32_by<T: Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    ar: &mut A,
    each: impl FnMut(&mut T, &mut A) -> Result<()>,
) -> Result<()> {
    let count = serialize_i32_list_count(values.len(), ar)?;
    elements_by(values, count, each, ar)
}

/// Elements that `each` serialises, as many as `count` says when loading.
#[inline]
pub(crate) fn elements_by<T: Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    count: usize,
    mut each: impl FnMut(&mut T, &mut A) -> Result<()>,
    ar: &mut A,
) -> Result<()> {
    if ar.is_loading() {
        ar.claim(count as u64, size_of::<T>())?;
        values.clear();
        values.reserve_exact(count);
        values.resize_with(count, T::default);
    }
    if values.is_empty() {
        return Ok(());
    }
    // What `each` does with an element is not known: it may nest.
    ar.nested(|ar| {
        for (index, value) in values.iter_mut().enumerate() {
            at_index(index, ar, |ar| each(value, ar))?;
        }
        Ok(())
    })?;
    claim_saved::<T, A>(values.len(), ar)
}

/// An `i32` as count in every version; says how many there are.
///
/// # Errors
/// `OutOfRange`; loading, `NegativeCount`.
#[inline]
#[doc(hidden)]
pub fn serialize_i32_count<A: Archive + ?Sized>(length: usize, ar: &mut A) -> Result<usize> {
    let mut count = stored_count(length, ar)?;
    ar.serialize_i32(&mut count)?;
    ar.role(Role::Count);
    checked_count(count, ar)
}

/// As [`serialize_i32_count`], of a list whose elements come next.
///
/// # Errors
/// As [`serialize_i32_count`].
#[inline]
#[doc(hidden)]
pub fn serialize_i32_list_count<A: Archive + ?Sized>(length: usize, ar: &mut A) -> Result<usize> {
    let count = serialize_i32_count(length, ar)?;
    mark_empty(count, ar);
    Ok(count)
}

/// The count that stands before the elements of a [`Vec`]; says how many there are. Loading, elements are
/// claimed by whoever makes them.
///
/// # Errors
/// `OutOfRange`; loading, `NegativeCount`, and `NonCanonical` for a form that arrays do not keep.
#[inline]
pub fn serialize_count<A: Archive + ?Sized>(length: usize, ar: &mut A) -> Result<usize> {
    if ar.versions().counts() == Counts::Unsigned {
        let mut count = u32_count(length, ar)?;
        ar.serialize_u32(&mut count)?;
        ar.role(Role::Count);
        return Ok(count as usize);
    }
    // Both say success in the same way, and none looks at it a second time.
    let count = serialize_compact_count(length, ar)?;
    Ok(count)
}

/// A compact index as count. A function of its own: with it, that of four bytes would be too long to be inlined.
#[inline(never)]
fn serialize_compact_count<A: Archive + ?Sized>(length: usize, ar: &mut A) -> Result<usize> {
    let mut count = CompactIndex::new(stored_count(length, ar)?);
    count.serialize_as(Width::of(ar.versions()), ar)?;
    ar.role(Role::Count);
    if ar.is_loading() && !count.is_canonical() {
        return Err(ar.error(ErrorKind::NonCanonical { form: "an overlong count" }));
    }
    checked_count(count.value(), ar)
}

/// As [`serialize_count`], of a list whose elements come next.
///
/// # Errors
/// As [`serialize_count`].
#[inline]
pub fn serialize_list_count<A: Archive + ?Sized>(length: usize, ar: &mut A) -> Result<usize> {
    let count = serialize_count(length, ar)?;
    mark_empty(count, ar);
    Ok(count)
}

/// Says of a count, which was serialised last, that it counts elements, where none follow that would: documents have
/// an empty list for it.
#[inline]
#[doc(hidden)]
pub fn mark_empty<A: Archive + ?Sized>(count: usize, ar: &mut A) {
    if count == 0 {
        ar.step(Step::Keyed(Keyed::NoElements));
    }
}

/// The same for bytes that stay as they are, in units of `unit` bytes; says how many units.
///
/// # Errors
/// As [`serialize_count`]; `OutOfRange` when the bytes are no whole number of units.
pub fn serialize_unit_count<A: Archive + ?Sized>(bytes: u64, unit: u64, ar: &mut A) -> Result<u64> {
    let length = match usize::try_from(bytes / unit) {
        Ok(length) if ar.is_loading() || bytes.is_multiple_of(unit) => length,
        _ => return Err(ar.error(ErrorKind::OutOfRange { value: bytes.into(), bits: 31 })),
    };
    let mut count = 0;
    in_field("count", ar, |ar| {
        count = serialize_list_count(length, ar)? as u64;
        Ok(())
    })?;
    Ok(count)
}

fn stored_count<A: Archive + ?Sized>(length: usize, ar: &A) -> Result<i32> {
    i32::try_from(length)
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length as i128, bits: 31 }))
}

#[inline]
fn checked_count<A: Archive + ?Sized>(count: i32, ar: &A) -> Result<usize> {
    usize::try_from(count).map_err(|_| ar.error(ErrorKind::NegativeCount { count: count.into() }))
}

/// `count` elements without a count of their own, which stands elsewhere: table rows.
///
/// Loading, `count` elements are read; otherwise those that are there are written or visited.
///
/// # Errors
/// `TooLong`, `Budget`, or the elements' own with their index.
#[inline]
pub fn elements<T: Archived + Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    count: usize,
    ar: &mut A,
) -> Result<()> {
    if !ar.is_loading() {
        return save(values, ar);
    }
    values.clear();
    if count == 0 {
        return Ok(());
    }
    claim_elements::<T, A>(count, size_of::<T>(), ar)?;
    // Single bytes go in one step: the claim has seen every one of them.
    if T::BULK && size_of::<T>() == 1 {
        make_room(values, count);
        values.resize_with(count, T::default);
        return T::serialize_slice(values, ar);
    }
    deeper::<T, A, _>(ar, |ar| load(values, 0, count, ar))
}

/// Room for `count` elements in an empty list. A new one takes a third of the instructions of growing the one that is
/// there.
#[inline(always)]
fn make_room<T>(values: &mut Vec<T>, count: usize) {
    if values.capacity() < count {
        *values = Vec::with_capacity(count);
    }
}

/// Writes or visits the elements that are there.
#[inline]
pub(crate) fn save<T: Archived, A: Archive + ?Sized>(values: &mut [T], ar: &mut A) -> Result<()> {
    if values.is_empty() || count_alike::<T, A>(values.len(), ar) {
        return Ok(());
    }
    if count_seen(values.iter(), T::seen_size, ar) {
        return Ok(());
    }
    deeper::<T, A, _>(ar, |ar| T::serialize_slice(values, ar))?;
    claim_saved::<T, A>(values.len(), ar)
}

/// Counts values that all take as many bytes, without a look at them: whether the archive only counts, and has done so.
#[inline(always)]
pub(crate) fn count_alike<T: Archived, A: Archive + ?Sized>(count: usize, ar: &mut A) -> bool {
    if !ar.is_saving() {
        return false;
    }
    let bytes = T::fixed_size(ar.versions()).and_then(|size| size.checked_mul(count as u64));
    bytes.is_some_and(|bytes| ar.count_bytes(bytes))
}

/// Counts values whose sizes a glance says: whether the archive only counts, and has done so. Where `size` does not know
/// one of them, nothing is counted.
#[inline(always)]
pub(crate) fn count_seen<T, A: Archive + ?Sized>(
    values: impl Iterator<Item = T>,
    size: impl Fn(T, &Versions) -> Option<u64>,
    ar: &mut A,
) -> bool {
    if !ar.is_saving() || !ar.count_bytes(0) {
        return false;
    }
    let versions = ar.versions();
    let mut bytes = 0_u64;
    for value in values {
        match size(value, versions) {
            Some(size) => bytes = bytes.saturating_add(size),
            None => return false,
        }
    }
    ar.count_bytes(bytes)
}

/// Runs `inner` one level deeper where values of type `T` may hold others of their own type.
///
/// # Errors
/// `TooDeep`, or those of `inner`.
#[inline(always)]
pub(crate) fn deeper<T: Archived + ?Sized, A: Archive + ?Sized, R>(
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<R>,
) -> Result<R> {
    if T::NESTS { ar.nested(inner) } else { inner(ar) }
}

/// Claims the memory of `count` elements of `memory` bytes each before they are loaded.
///
/// # Errors
/// `TooLong`, `Budget`.
#[inline]
pub(crate) fn claim_elements<T: Archived + Default, A: Archive + ?Sized>(
    count: usize,
    memory: usize,
    ar: &mut A,
) -> Result<()> {
    match ar.claim(count as u64, memory) {
        // There may be more elements than bytes follow where the version stores nothing of them: each counts as a byte
        // of memory at least, since time is bounded by that.
        Err(error) if matches!(error.kind(), ErrorKind::TooLong { .. }) => {
            match is_without_bytes(ar, |ar| T::default().serialize(ar)) {
                true => ar.reserve(0, (count as u64).saturating_mul(memory.max(1) as u64)),
                false => Err(error),
            }
        }
        result => result,
    }
}

/// Whether an element takes no bytes, in a version that stores nothing of it. Where it takes some, the archive is not of use
/// any more.
// It is the archive itself that is asked: with one that counts, each type of element would be compiled for that as well.
// One level deeper, whatever the type says: an element whose own list is too long asks the same.
#[cold]
#[inline(never)]
fn is_without_bytes<A: Archive + ?Sized>(ar: &mut A, element: fn(&mut A) -> Result<()>) -> bool {
    let before = ar.position();
    ar.nested(element).is_ok() && ar.position() == before
}

/// Claims, behind elements that were saved, what loading them claims.
///
/// # Errors
/// `Budget`.
#[inline]
pub(crate) fn claim_saved<T, A: Archive + ?Sized>(count: usize, ar: &mut A) -> Result<()> {
    if ar.is_saving() {
        // They are in memory: the product can not overflow, but for elements without any.
        return ar.reserve(0, (count as u64).wrapping_mul(size_of::<T>().max(1) as u64));
    }
    Ok(())
}

/// Loads `count` elements that are claimed into an empty list; `first` is the number of the first one.
///
/// # Errors
/// The elements' own with their index.
#[inline]
#[doc(hidden)]
pub fn load<T: Archived + Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    first: usize,
    count: usize,
    ar: &mut A,
) -> Result<()> {
    make_room(values, count);
    if size_of::<T>() > LARGE {
        for index in 0..count {
            let mut value = T::default();
            at_index(first + index, ar, |ar| value.serialize(ar))?;
            values.push(value);
        }
        return Ok(());
    }
    while values.len() < count {
        let start = values.len();
        values.resize_with(count.min(start + STEP), T::default);
        let new = values.get_mut(start..).unwrap_or_default();
        for (index, value) in (start..).zip(new) {
            if let Err(error) = at_index(first + index, ar, |ar| value.serialize(ar)) {
                values.truncate(index);
                return Err(error);
            }
        }
    }
    Ok(())
}
