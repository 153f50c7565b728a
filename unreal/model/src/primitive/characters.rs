//! Characters that take one byte or two.

use std::borrow::Cow;

use crate::version::ByteOrder;

/// Characters of the bytes 0x80 to 0x9f in Windows-1252; bytes without one are controls, so that each byte comes back.
#[rustfmt::skip]
const MIDDLE: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];
const MIDDLE_START: u8 = 0x80;

/// 8-bit text as Windows-1252; borrowed when it is ASCII.
pub fn ansi_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => bytes.iter().map(|byte| ansi_character(*byte)).collect(),
    }
}

fn ansi_character(byte: u8) -> char {
    let middle = byte.checked_sub(MIDDLE_START).and_then(|at| MIDDLE.get(usize::from(at)));
    middle.copied().unwrap_or(char::from(byte))
}

/// A text in Windows-1252, or `None` when a character is not in that set.
#[doc(hidden)]
pub fn ansi_bytes(text: &str) -> Option<Vec<u8>> {
    text.chars().map(ansi_byte).collect()
}

/// A character of Windows-1252.
#[doc(hidden)]
pub fn ansi_byte(c: char) -> Option<u8> {
    let byte = u8::try_from(c).ok().filter(|byte| ansi_character(*byte) == c);
    byte.or_else(|| {
        let at = MIDDLE.iter().position(|known| *known == c)?;
        Some(MIDDLE_START + u8::try_from(at).ok()?)
    })
}

/// UTF-16; what is no character is U+FFFD.
#[doc(hidden)]
pub fn utf16_text(bytes: &[u8], order: ByteOrder) -> String {
    let (units, rest) = bytes.as_chunks();
    let units = units.iter().map(|unit| match order {
        ByteOrder::Little => u16::from_le_bytes(*unit),
        ByteOrder::Big => u16::from_be_bytes(*unit),
    });
    let characters = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    characters.chain(rest.first().map(|_| char::REPLACEMENT_CHARACTER)).collect()
}
