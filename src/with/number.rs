//! Numbers and truth values in other widths.

use crate::archive::{Archive, ArchiveExt};
use crate::error::{ErrorKind, Result};
use crate::primitive::boolean;
use crate::primitive::string::as_number;

/// An integer of any width.
pub trait Integer: Copy + TryFrom<i128> + TryInto<i128> {}

impl<T: Copy + TryFrom<i128> + TryInto<i128>> Integer for T {}

/// A number that is stored in so many bits.
#[cold]
fn too_wide<A: Archive + ?Sized>(value: i128, bits: u32, ar: &A) -> crate::Error {
    ar.error(ErrorKind::OutOfRange { value, bits })
}

fn wide<T: Integer>(value: T) -> i128 {
    // Only an `u128` beyond it has none, and no stored form has room for that.
    value.try_into().unwrap_or(i128::MAX)
}

/// The number that was loaded in place of `value`, which starts at `start`.
fn put<T: Integer, A: Archive + ?Sized>(
    value: &mut T,
    number: i128,
    start: u64,
    ar: &A,
) -> Result<()> {
    let bits = size_of::<T>() as u32 * 8;
    *value = T::try_from(number)
        .map_err(|_| ar.error_at(start, ErrorKind::OutOfRange { value: number, bits }))?;
    Ok(())
}

macro_rules! narrow {
    ($($name:ident $type:ident $words:literal;)*) => { paste::paste! { $(
        #[doc = concat!("A whole number of any type as ", $words, ".")]
        ///
        /// # Errors
        /// `OutOfRange` for one that does not fit, saving or loading.
        #[inline]
        pub fn $name<T: Integer, A: Archive + ?Sized>(value: &mut T, ar: &mut A) -> Result<()> {
            let (start, number) = (ar.position(), wide(*value));
            let stored = $type::try_from(number);
            if ar.is_saving() && stored.is_err() {
                return Err(too_wide(number, $type::BITS, ar));
            }
            let mut stored = stored.unwrap_or_default();
            ar.[<serialize_ $type>](&mut stored)?;
            if ar.is_loading() { put(value, stored.into(), start, ar) } else { Ok(()) }
        }
    )* } };
}
narrow! {
    as_u8 u8 "one unsigned byte";
    as_i8 i8 "one signed byte";
    as_u16 u16 "two bytes, unsigned";
    as_i16 i16 "two bytes, signed";
    as_u32 u32 "four bytes, unsigned";
    as_i32 i32 "four bytes, signed";
    as_u64 u64 "eight bytes, unsigned";
    as_i64 i64 "eight bytes, signed";
}

/// A number in three bytes, unsigned, in the byte order of the versions.
///
/// # Errors
/// `OutOfRange` above 16,777,215, or for a field that is too narrow.
pub fn u24<T: Integer, A: Archive + ?Sized>(value: &mut T, ar: &mut A) -> Result<()> {
    three_bytes(value, 0..1 << 24, ar)
}

/// A number in three bytes, signed (two's complement), in the byte order of the versions.
///
/// # Errors
/// `OutOfRange` outside of -8,388,608 to 8,388,607, or for a field that is too narrow.
pub fn i24<T: Integer, A: Archive + ?Sized>(value: &mut T, ar: &mut A) -> Result<()> {
    three_bytes(value, -(1 << 23)..1 << 23, ar)
}

fn three_bytes<T: Integer, A: Archive + ?Sized>(
    value: &mut T,
    range: std::ops::Range<i128>,
    ar: &mut A,
) -> Result<()> {
    let (start, mut number) = (ar.position(), wide(*value));
    if let Some(read) = readable(number, |_| 3, ar) {
        number = read;
    } else if ar.is_saving() && !range.contains(&number) {
        return Err(too_wide(number, 24, ar));
    } else {
        let big = ar.versions().byte_order.is_big();
        let low = (number & 0xff_ffff) as u32;
        let mut bytes = [0; 3];
        for (byte, shift) in bytes.iter_mut().zip(if big { [16, 8, 0] } else { [0, 8, 16] }) {
            *byte = (low >> shift) as u8;
        }
        ar.serialize_bytes(&mut bytes)?;
        let push = |number: i128, byte: &u8| number << 8 | i128::from(*byte);
        number = if big { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) };
        if number >= range.end {
            number -= 1 << 24;
        }
        ar.note(&number);
    }
    if !ar.is_loading() {
        return Ok(());
    }
    if !range.contains(&number) {
        return Err(ar.error_at(start, ErrorKind::OutOfRange { value: number, bits: 24 }));
    }
    put(value, number, start, ar)
}

/// The number that a document says in place of bytes, or has taken; `length` says how many they would be.
fn readable<A: Archive + ?Sized>(
    mut number: i128,
    length: impl FnOnce(i128) -> u64,
    ar: &mut A,
) -> Option<i128> {
    // Every number can be an `i128`: nothing can fail.
    as_number(&mut number, ar, length).ok()?.then_some(number)
}

/// Bytes that a number takes of which each has seven bits.
fn varint_length(mut number: u64) -> u64 {
    let mut length = 1;
    while number > 0x7f {
        number >>= 7;
        length += 1;
    }
    length
}

/// Bytes that a number of 64 bits takes at most.
const LONGEST: u32 = 10;

/// Seven bits a byte, the lowest first; the highest bit of a byte says that another one follows.
fn seven_bits<A: Archive + ?Sized>(number: &mut u64, ar: &mut A) -> Result<()> {
    let start = ar.position();
    if !ar.is_loading() {
        let mut left = *number;
        loop {
            let more = left > 0x7f;
            let mut byte = left as u8 & 0x7f | if more { 0x80 } else { 0 };
            ar.serialize_u8(&mut byte)?;
            left >>= 7;
            if !more {
                return Ok(());
            }
        }
    }
    *number = 0;
    for at in 0..LONGEST {
        let mut byte = 0;
        ar.serialize_u8(&mut byte)?;
        let bits = u64::from(byte & 0x7f);
        if at == LONGEST - 1 && byte > 1 {
            let form = "a varint of more than 64 bits";
            return Err(ar.error_at(start, ErrorKind::NonCanonical { form }));
        }
        *number |= bits << (7 * at);
        if byte < 0x80 {
            // Saving would leave the last byte out.
            if byte == 0 && at > 0 {
                let form = "a varint that is longer than it needs to be";
                return Err(ar.error_at(start, ErrorKind::NonCanonical { form }));
            }
            return Ok(());
        }
    }
    Ok(())
}

/// A number that is not below zero in one to ten bytes: seven bits in each, the lowest first, and in the highest bit
/// whether another byte follows (unsigned LEB128: DWARF 5, section 7.6; the varint of Protocol Buffers).
///
/// # Errors
/// `OutOfRange` for one below zero, or for a field that is too narrow; `NonCanonical` when loading more bytes than
/// needed.
pub fn varint<T: Integer, A: Archive + ?Sized>(value: &mut T, ar: &mut A) -> Result<()> {
    let (start, number) = (ar.position(), wide(*value));
    let mut stored = match u64::try_from(number) {
        Ok(stored) => stored,
        Err(_) if ar.is_saving() => return Err(too_wide(number, 64, ar)),
        Err(_) => 0,
    };
    match readable(stored.into(), |it| varint_length(it as u64), ar) {
        Some(read) if ar.is_loading() => return put(value, read, start, ar),
        Some(_) => return Ok(()),
        None => {}
    }
    grouped(&mut stored, ar)?;
    if ar.is_loading() { put(value, stored.into(), start, ar) } else { Ok(()) }
}

/// A number in one to ten bytes where those near zero are short: 0, -1, 1, -2… as 0, 1, 2, 3… and these as
/// [`varint`] (the `sint64` of Protocol Buffers).
///
/// # Errors
/// As [`varint`].
pub fn zigzag<T: Integer, A: Archive + ?Sized>(value: &mut T, ar: &mut A) -> Result<()> {
    let (start, number) = (ar.position(), wide(*value));
    let signed = match i64::try_from(number) {
        Ok(signed) => signed,
        Err(_) if ar.is_saving() => return Err(too_wide(number, 64, ar)),
        Err(_) => 0,
    };
    let folded = |signed: i64| (signed << 1 ^ signed >> 63).cast_unsigned();
    match readable(signed.into(), |it| varint_length(folded(it as i64)), ar) {
        Some(read) if ar.is_loading() => return put(value, read, start, ar),
        Some(_) => return Ok(()),
        None => {}
    }
    let mut stored = folded(signed);
    grouped(&mut stored, ar)?;
    let signed = (stored >> 1).cast_signed() ^ -((stored & 1).cast_signed());
    ar.note(&signed);
    if ar.is_loading() { put(value, signed.into(), start, ar) } else { Ok(()) }
}

/// The bytes of one number.
fn grouped<A: Archive + ?Sized>(number: &mut u64, ar: &mut A) -> Result<()> {
    seven_bits(number, ar)?;
    ar.note(number);
    Ok(())
}

/// A truth value in one byte, 0 or 1.
///
/// # Errors
/// `NonCanonical` when loading another number.
#[inline]
pub fn bool_u8<A: Archive + ?Sized>(flag: &mut bool, ar: &mut A) -> Result<()> {
    boolean::byte(flag, ar)
}

/// A truth value in two bytes, 0 or 1.
///
/// # Errors
/// `NonCanonical` when loading another number.
#[inline]
pub fn bool_u16<A: Archive + ?Sized>(flag: &mut bool, ar: &mut A) -> Result<()> {
    boolean::two_bytes(flag, ar)
}

/// A truth value in four bytes, 0 or 1 (the `BOOL` of Windows).
///
/// # Errors
/// `NonCanonical` when loading another number.
#[inline]
pub fn bool_u32<A: Archive + ?Sized>(flag: &mut bool, ar: &mut A) -> Result<()> {
    boolean::four_bytes(flag, ar)
}
