//! The compact index: a signed number in one to five bytes.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Archive, ArchiveExt, Archived, Width};
use crate::archive::layout::Layout;
use crate::error::Result;

/// The longest form, in bytes.
const LONGEST: usize = 5;
/// Bytes of the word in which an index is taken apart and put together.
const WORD: usize = 8;

/// A compact index, sign and magnitude in one to five bytes; the form in which it was stored is kept.
///
/// | byte | bit 7 | bit 6 | payload |
/// |---|---|---|---|
/// | 0 | sign | continue | 6 bits |
/// | 1 to 3 | continue | payload | 7 bits |
/// | 4 | payload | payload | 5 bits count, 3 are dirt |
///
/// Writers choose the shortest form. Longer forms, "minus zero" and dirt in the fifth byte are read,
/// kept and written back; a new value is always canonical. Two indices are equal when their values are:
/// the form is no part of the number. Packed, since every row of a table holds several.
#[derive(Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "i32", into = "i32"))]
#[repr(Rust, packed)]
pub struct CompactIndex {
    value: i32,
    form: CompactForm,
}

/// How a value is stored, where that is not the canonical way; zero is canonical.
///
/// Bits 0 to 2: length in bytes; bit 3: the sign bit is not the value's; bits 4 to 6: dirt of the fifth
/// byte.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct CompactForm(u8);

impl CompactForm {
    const CANONICAL: Self = Self(0);
    const MINUS: u8 = 8;
}

impl CompactIndex {
    /// An index in canonical form.
    #[inline]
    pub const fn new(value: i32) -> Self {
        Self { value, form: CompactForm::CANONICAL }
    }

    /// An index that is stored as [`CompactIndex::form`] says.
    #[inline]
    #[doc(hidden)]
    pub const fn with_form(value: i32, form: u8) -> Self {
        Self { value, form: CompactForm(form) }
    }

    /// How the number is stored; 0 for the canonical form.
    #[inline]
    #[doc(hidden)]
    pub const fn form(self) -> u8 {
        self.form.0
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
        self.form == CompactForm::CANONICAL
    }

    /// Decodes the index at the start of `bytes`; also says how many bytes it took.
    ///
    /// One and two bytes, the most frequent lengths, are found by branches: a foreseen branch lets the
    /// processor go on with what follows before the length is known.
    #[inline(always)]
    pub(crate) fn decode(bytes: &[u8]) -> Option<(Self, usize)> {
        let Some(chunk) = bytes.first_chunk() else { return Self::decode_last(bytes) };
        let word = u64::from_le_bytes(*chunk);
        if word & 0x40 == 0 {
            // But for minus zero.
            if word as u8 != 0x80 {
                return Some((Self::new(signed(word as u32 & 0x3f, word)), 1));
            }
        } else if ((word >> 8) as u8).wrapping_sub(1) < 0x7f {
            let magnitude = word as u32 & 0x3f | word as u32 >> 2 & 0x1fc0;
            return Some((Self::new(signed(magnitude, word)), 2));
        }
        Some(match decode_long(word) {
            (_, 0) => Self::decode_form(word),
            (value, length) => (Self::new(value), length),
        })
    }

    /// Near the end of the bytes, where no whole word is left: where each body ends.
    #[inline(never)]
    fn decode_last(bytes: &[u8]) -> Option<(Self, usize)> {
        let first = *bytes.first()?;
        if first & 0x40 == 0 && first != 0x80 {
            return Some((Self::new(signed(u32::from(first & 0x3f), first.into())), 1));
        }
        let mut word = [0; WORD];
        word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        let (index, length) = Self::decode_form(u64::from_le_bytes(word));
        (length <= bytes.len()).then_some((index, length))
    }

    /// Any length and form.
    #[cold]
    #[inline(never)]
    fn decode_form(word: u64) -> (Self, usize) {
        let (magnitude, length) = gather(word);
        let mut index = Self::new(signed(magnitude, word));
        // Two readings share a value where the sign bit says nothing (zero, 0x8000_0000), and where the
        // magnitude does not fit the value's 31 bits.
        let odd_sign = (word & 0x80 != 0) != (index.value < 0);
        // A fifth byte may hold dirt.
        let dirt = if length == LONGEST { (word >> 37 & 7) as u8 } else { 0 };
        if length != canonical_length(magnitude) || odd_sign || dirt != 0 {
            let sign = if odd_sign { CompactForm::MINUS } else { 0 };
            index.form = CompactForm(length as u8 | sign | dirt << 4);
        }
        (index, length)
    }

    /// The stored bytes and how many of them count.
    #[inline(always)]
    pub(crate) fn encode(self) -> ([u8; WORD], usize) {
        if !self.is_canonical() {
            return self.encode_form();
        }
        let magnitude = self.value.unsigned_abs();
        let length = canonical_length(magnitude);
        (spread(magnitude, self.value < 0, length).to_le_bytes(), length)
    }

    #[cold]
    #[inline(never)]
    fn encode_form(self) -> ([u8; WORD], usize) {
        let form = self.form.0;
        let length = usize::from(form & 7).clamp(1, LONGEST);
        let minus = (self.value < 0) != (form & CompactForm::MINUS != 0);
        let magnitude = if minus { self.value.wrapping_neg() } else { self.value } as u32;
        let mut bytes = spread(magnitude, minus, length).to_le_bytes();
        bytes[LONGEST - 1] |= form >> 4 << 5;
        (bytes, length)
    }

    /// The number in either width; four bytes keep no form.
    ///
    /// # Errors
    /// `UnexpectedEnd` when loading from too few bytes.
    #[inline(always)]
    pub fn serialize_as<A: Archive + ?Sized>(&mut self, width: Width, ar: &mut A) -> Result<()> {
        match width {
            Width::Compact => ar.serialize_compact(self),
            Width::Fixed | Width::FromZero => {
                let less = i32::from(width == Width::FromZero);
                // Around the ends, so that each number comes out as it went in.
                let mut value = self.value.wrapping_sub(less);
                ar.serialize_i32(&mut value)?;
                if ar.is_loading() {
                    self.set(value.wrapping_add(less));
                }
                Ok(())
            }
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

/// Bytes of the shortest form: 6 bits of the magnitude in the first, 7 in each other one.
#[inline(always)]
fn canonical_length(magnitude: u32) -> usize {
    // By the number of the highest bit.
    const LENGTHS: [u8; 32] = [
        1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5,
        5, 5,
    ];
    // The last step changes nothing; it spares every user a check.
    usize::from(LENGTHS[(magnitude | 1).ilog2() as usize % LENGTHS.len()]) % WORD
}

/// The magnitude with the sign that stands in the first byte of `word`.
#[inline(always)]
fn signed(magnitude: u32, word: u64) -> i32 {
    if word & 0x80 != 0 { magnitude.wrapping_neg() as i32 } else { magnitude as i32 }
}

/// The bytes of an index, the first one lowest: five groups of the magnitude's bits, and a continuation
/// bit in each byte but the last. Without a branch on the length, which processors can't foresee.
#[inline(always)]
fn spread(magnitude: u32, minus: bool, length: usize) -> u64 {
    // The continuation bits of all bytes but the last one of so many.
    const CONTINUED: [u32; WORD] = [0, 0, 0x40, 0x8040, 0x80_8040, 0x8080_8040, 0, 0];
    let low = magnitude & 0x3f
        | magnitude << 2 & 0x7f00
        | magnitude << 3 & 0x7f_0000
        | magnitude << 4 & 0x7f00_0000
        | CONTINUED[length % WORD]
        | u32::from(minus) << 7;
    u64::from(low) | u64::from(magnitude >> 27) << 32
}

/// The other way, for the bytes at the start of `word`: magnitude and length.
#[inline(always)]
fn gather(word: u64) -> (u32, usize) {
    // The fifth byte has no continuation bit and always ends the index.
    let ends = !word & 0x8080_8040 | 1 << 39;
    let length = ends.trailing_zeros() as usize / 8 + 1;
    let word = word & (u64::MAX >> (64 - 8 * length));
    let magnitude = word & 0x3f
        | word >> 2 & 0x1fc0
        | word >> 3 & 0xf_e000
        | word >> 4 & 0x7f0_0000
        | word >> 5 & 0xf800_0000;
    (magnitude as u32, length)
}

/// Value and length of a canonical index: its last byte holds bits of the number, and the number fits 31
/// bits. Of others the length is 0.
#[inline(never)]
fn decode_long(word: u64) -> (i32, usize) {
    let (magnitude, length) = gather(word);
    let last = (word >> (8 * (length - 1))) as u8;
    let most = if length < LONGEST { 0x7f } else { 0x0f };
    let is_canonical = last.wrapping_sub(1) < most;
    (signed(magnitude, word), if is_canonical { length } else { 0 })
}

impl Archived for CompactIndex {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("A number in one to five bytes: sign and six bits in the first, seven bits in each further one, eight in the last.");

    #[inline(always)]
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
        self.value().hash(state);
    }
}

impl fmt::Debug for CompactIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_canonical() {
            write!(f, "{}", self.value())
        } else {
            let (bytes, length) = self.encode();
            write!(f, "{} as {:02x?}", self.value(), &bytes[..length])
        }
    }
}
