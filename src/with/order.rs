//! A byte order for one field.

use crate::archive::{Archive, Archived};
use crate::error::Result;
use crate::version::ByteOrder;

/// The value with the most significant byte of each number first, whatever the byte order of the file is: also in all
/// that it holds.
///
/// # Errors
/// The value's own.
pub fn big_endian<T: Archived + ?Sized, A: Archive + ?Sized>(
    value: &mut T,
    ar: &mut A,
) -> Result<()> {
    ordered(value, ByteOrder::Big, ar)
}

/// The value with the least significant byte of each number first, whatever the byte order of the file is: also in all
/// that it holds.
///
/// # Errors
/// The value's own.
pub fn little_endian<T: Archived + ?Sized, A: Archive + ?Sized>(
    value: &mut T,
    ar: &mut A,
) -> Result<()> {
    ordered(value, ByteOrder::Little, ar)
}

fn ordered<T: Archived + ?Sized, A: Archive + ?Sized>(
    value: &mut T,
    order: ByteOrder,
    ar: &mut A,
) -> Result<()> {
    let around = ar.versions().byte_order;
    if around == order {
        return value.serialize(ar);
    }
    set_order(order, ar);
    let result = value.serialize(ar);
    // Only the order goes back: a header within may have told the archive its version.
    set_order(around, ar);
    result
}

fn set_order<A: Archive + ?Sized>(order: ByteOrder, ar: &mut A) {
    let mut versions = ar.versions().clone();
    versions.byte_order = order;
    ar.set_versions(versions);
}
