//! Counted bytes whose elements are not decoded.

use crate::archive::{Role, in_part};
use crate::primitive::array;
use crate::{Archive, ArchiveExt, ErrorKind, Kind, Result, Span};

/// A count, then elements of `stride` bytes.
pub(super) fn counted_span<A: Archive + ?Sized>(
    span: &mut Span,
    stride: u64,
    kind: Kind,
    ar: &mut A,
) -> Result<()> {
    let whole = span.len();
    let fits = ar.is_loading() || whole.is_multiple_of(stride);
    let count = i32::try_from(whole / stride).ok().filter(|_| fits);
    let Some(mut count) = count.or(ar.is_loading().then_some(0)) else {
        return Err(ar.error(ErrorKind::OutOfRange { value: whole.into(), bits: 31 }));
    };
    in_part("count", ar, |ar| ar.serialize_i32(&mut count))?;
    ar.role(Role::Count);
    array::mark_empty(usize::try_from(count).unwrap_or(usize::MAX), ar);
    let elements = u64::try_from(count)
        .map_err(|_| ar.error(ErrorKind::NegativeCount { count: count.into() }))?;
    in_part("data", ar, |ar| ar.serialize_span(span, elements.saturating_mul(stride), kind))
}
