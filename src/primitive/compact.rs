//! The compact index: a signed number in one to five bytes.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::archive::{Archive, Archived};
use crate::error::Result;

/// The longest form, in bytes.
const LONGEST: usize = 5;

/// Unreal's compact index, sign and magnitude in one to five bytes; the form in which it was stored is
/// kept (spec: ue1-3/01 §1.1).
///
/// | byte | bit 7 | bit 6 | payload |
/// |---|---|---|---|
/// | 0 | sign | continue | 6 bits |
/// | 1 to 3 | continue | payload | 7 bits |
/// | 4 | payload | payload | 5 bits count, 3 are dirt |
///
/// The engine writes the shortest form. Longer forms, "minus zero" and dirt in the fifth byte are read,
/// kept and written back; a new value is always canonical. Two indices are equal when their values are:
/// the form is no part of the number.
#[derive(Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "i32", into = "i32"))]
pub struct CompactIndex {
    value: i32,
    form: Form,
}

/// How a value is stored, where that is not the canonical way; zero is canonical.
///
/// Bits 0 to 2: length in bytes; bit 3: the sign bit of a zero; bits 4 to 6: dirt of the fifth byte.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Form(u8);

impl Form {
    const CANONICAL: Self = Self(0);
    const MINUS: u8 = 8;
}

impl CompactIndex {
    /// An index in canonical form.
    #[inline]
    pub const fn new(value: i32) -> Self {
        Self { value, form: Form::CANONICAL }
    }

    /// The number.
    #[inline]
    pub const fn value(self) -> i32 {
        self.value
    }

    /// Replaces the number; the form becomes canonical.
    #[inline]
    pub fn set(&mut self, value: i32) {
        *self = Self::new(value);
    }

    /// Whether it is stored as the engine would store it.
    #[inline]
    pub fn is_canonical(self) -> bool {
        self.form == Form::CANONICAL
    }

    /// The only byte of a canonical one-byte form.
    #[inline]
    pub(crate) fn as_single_byte(self) -> Option<u8> {
        let magnitude = self.value.unsigned_abs();
        (magnitude < 0x40 && self.is_canonical())
            .then_some(magnitude as u8 | if self.value < 0 { 0x80 } else { 0 })
    }

    /// Decodes the index at the start of `bytes`; also says how many bytes it took.
    pub(crate) fn decode(bytes: &[u8]) -> Option<(Self, usize)> {
        let first = *bytes.first()?;
        let mut magnitude = u32::from(first & 0x3f);
        let mut length = 1;
        let mut dirt = 0;
        let mut more = first & 0x40 != 0;
        while more {
            let byte = *bytes.get(length)?;
            let shift = 7 * length - 1;
            if length == LONGEST - 1 {
                magnitude |= u32::from(byte & 0x1f) << shift;
                dirt = byte >> 5;
                more = false;
            } else {
                magnitude |= u32::from(byte & 0x7f) << shift;
                more = byte & 0x80 != 0;
            }
            length += 1;
        }
        let minus = first & 0x80 != 0;
        let value = if minus { magnitude.wrapping_neg() } else { magnitude } as i32;
        let mut index = Self::new(value);
        // Two readings share a value only where the sign bit says nothing: zero, and 0x8000_0000.
        let odd_sign = minus != (value < 0);
        if length != Self::canonical_length(magnitude) || odd_sign || dirt != 0 {
            let sign = if odd_sign { Form::MINUS } else { 0 };
            index.form = Form(length as u8 | sign | dirt << 4);
        }
        Some((index, length))
    }

    /// The stored bytes and how many of them count.
    #[inline]
    pub(crate) fn encode(self) -> ([u8; LONGEST], usize) {
        let magnitude = self.value.unsigned_abs();
        let form = self.form.0;
        let (length, minus) = if self.is_canonical() {
            (Self::canonical_length(magnitude), self.value < 0)
        } else {
            (usize::from(form & 7), (self.value < 0) != (form & Form::MINUS != 0))
        };
        let mut bytes = [0; LONGEST];
        bytes[0] = (magnitude & 0x3f) as u8 | u8::from(minus) << 7 | u8::from(length > 1) << 6;
        let mut rest = magnitude >> 6;
        for at in 1..length {
            let more = at + 1 < length && at < LONGEST - 1;
            bytes[at] = (rest & 0x7f) as u8 | u8::from(more) << 7;
            rest >>= 7;
        }
        if length == LONGEST {
            bytes[LONGEST - 1] = bytes[LONGEST - 1] & 0x1f | form >> 4 << 5;
        }
        (bytes, length)
    }

    #[inline]
    fn canonical_length(magnitude: u32) -> usize {
        match magnitude {
            0..=0x3f => 1,
            0x40..=0x1fff => 2,
            0x2000..=0xf_ffff => 3,
            0x10_0000..=0x7ff_ffff => 4,
            _ => 5,
        }
    }

    /// The archive-independent way: byte by byte, for archives without a faster one.
    pub(crate) fn serialize_bytewise<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let (mut bytes, mut length) = self.encode();
        if ar.is_loading() {
            length = 0;
            loop {
                ar.serialize_bytes(&mut bytes[length..=length])?;
                length += 1;
                if let Some((value, _)) = Self::decode(&bytes[..length]) {
                    *self = value;
                    return Ok(());
                }
            }
        }
        ar.serialize_bytes(&mut bytes[..length])
    }
}

impl Archived for CompactIndex {
    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize_compact(self)
    }
}

impl From<i32> for CompactIndex {
    fn from(value: i32) -> Self {
        Self::new(value)
    }
}

impl From<CompactIndex> for i32 {
    fn from(index: CompactIndex) -> Self {
        index.value()
    }
}

impl PartialEq for CompactIndex {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for CompactIndex {}

impl Hash for CompactIndex {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl fmt::Debug for CompactIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_canonical() {
            write!(f, "{}", self.value)
        } else {
            let (bytes, length) = self.encode();
            write!(f, "{} as {:02x?}", self.value, &bytes[..length])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_of_the_specification() {
        let canonical: &[(i32, &[u8])] = &[
            (0, &[0x00]),
            (1, &[0x01]),
            (-1, &[0x81]),
            (63, &[0x3f]),
            (-63, &[0xbf]),
            (64, &[0x40, 0x01]),
            (-64, &[0xc0, 0x01]),
            (8191, &[0x7f, 0x7f]),
            (8192, &[0x40, 0x80, 0x01]),
            (1_048_575, &[0x7f, 0xff, 0x7f]),
            (1_048_576, &[0x40, 0x80, 0x80, 0x01]),
            (134_217_727, &[0x7f, 0xff, 0xff, 0x7f]),
            (134_217_728, &[0x40, 0x80, 0x80, 0x80, 0x01]),
            (i32::MAX, &[0x7f, 0xff, 0xff, 0xff, 0x0f]),
            (-i32::MAX, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
            (i32::MIN, &[0xc0, 0x80, 0x80, 0x80, 0x10]),
        ];
        for (value, bytes) in canonical {
            let (decoded, length) = CompactIndex::decode(bytes).unwrap();
            assert_eq!((decoded.value(), length), (*value, bytes.len()));
            assert!(decoded.is_canonical(), "{value}");
            let (encoded, length) = CompactIndex::new(*value).encode();
            assert_eq!(&encoded[..length], *bytes, "{value}");
        }
    }

    #[test]
    fn odd_forms_are_kept() {
        let odd: &[(i32, &[u8])] = &[
            (0, &[0x80]),
            (0, &[0x40, 0x00]),
            (0, &[0xc0, 0x80, 0x00]),
            (1, &[0x41, 0x80, 0x00]),
            (i32::MIN, &[0x40, 0x80, 0x80, 0x80, 0x10]),
            (i32::MAX, &[0x7f, 0xff, 0xff, 0xff, 0xef]),
            (i32::MIN, &[0xc0, 0x80, 0x80, 0x80, 0xf0]),
            (5, &[0x45, 0x80, 0x80, 0x80, 0x20]),
        ];
        for (value, bytes) in odd {
            let (decoded, length) = CompactIndex::decode(bytes).unwrap();
            assert_eq!((decoded.value(), length), (*value, bytes.len()), "{bytes:02x?}");
            assert!(!decoded.is_canonical(), "{bytes:02x?}");
            let (encoded, length) = decoded.encode();
            assert_eq!(&encoded[..length], *bytes);
        }
    }

    #[test]
    fn no_sixth_byte_is_read_and_a_short_one_is_none() {
        let (_, length) = CompactIndex::decode(&[0xff; 8]).unwrap();
        assert_eq!(length, 5);
        assert!(CompactIndex::decode(&[0x40, 0x80]).is_none());
        assert!(CompactIndex::decode(&[]).is_none());
    }
}
