//! Values whose size in bytes stands before them.

use crate::archive::{Archive, ArchiveExt, Archived, Extent, Patch, Role, in_field};
use crate::error::{ErrorKind, Result};

use super::number;

/// A value of so many bytes: it must use them up.
fn load<T: Archived + ?Sized, A: Archive + ?Sized>(
    value: &mut T,
    size: u64,
    ar: &mut A,
) -> Result<()> {
    let window = ar.open(Extent::Size(size))?;
    let result = value.serialize(ar);
    ar.close(window, result)
}

macro_rules! sizes {
    ($($name:ident $type:ident $width:literal;)*) => { paste::paste! { $(
        #[doc = concat!("A value behind its size in bytes as ", $width, "; saving works the size out.")]
        ///
        /// The value must use up its bytes; one that does not know all of them ends in a field with
        /// [`rest`](super::rest).
        ///
        /// # Errors
        /// `OutOfRange` for a value that is longer than the size can say; `LeftOver`, `UnexpectedEnd`, or the
        /// value's own.
        pub fn $name<T: Archived + ?Sized, A: Archive + ?Sized>(
            value: &mut T,
            ar: &mut A,
        ) -> Result<()> {
            if ar.leaves_out_derived() {
                return value.serialize(ar);
            }
            let (at, mut size) = (ar.position(), 0);
            in_field("size", ar, |ar| ar.[<serialize_ $type>](&mut size))?;
            ar.role(Role::Size);
            if !ar.is_saving() {
                return load(value, size.into(), ar);
            }
            let start = ar.position();
            load(value, 0, ar)?;
            let length = ar.position() - start;
            let size = $type::try_from(length).map_err(|_| {
                let bits = $type::BITS;
                ar.error_at(at, ErrorKind::OutOfRange { value: length.into(), bits }).in_field("size")
            })?;
            let big = ar.versions().byte_order.is_big();
            let bytes = if big { size.to_be_bytes() } else { size.to_le_bytes() };
            ar.patch(at, Patch::Bytes(&bytes))
        }
    )* } };
}
sizes! {
    sized_u8 u8 "one byte";
    sized_u16 u16 "two bytes";
    sized_u32 u32 "four bytes";
    sized_u64 u64 "eight bytes";
}

/// A value behind its size in bytes as a [`varint`](super::varint); saving works the size out. Positions that the
/// value stores would be off by the width of the size.
///
/// The value must use up its bytes; one that does not know all of them ends in a field with [`rest`](super::rest).
///
/// # Errors
/// `LeftOver`, `UnexpectedEnd`, or the value's own.
pub fn sized_varint<T: Archived + ?Sized, A: Archive + ?Sized>(
    value: &mut T,
    ar: &mut A,
) -> Result<()> {
    if ar.leaves_out_derived() {
        return value.serialize(ar);
    }
    let size_of = |mut size: u64, ar: &mut A| {
        in_field("size", ar, |ar| number::varint(&mut size, ar))?;
        ar.role(Role::Size);
        Ok(size)
    };
    if !ar.is_saving() {
        let size = size_of(0, ar)?;
        return load(value, size, ar);
    }
    ar.prefixed(|ar, size| size_of(size, ar).map(drop), |ar| load(value, 0, ar))
}
