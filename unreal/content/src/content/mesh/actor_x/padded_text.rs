//! Text of a fixed number of bytes.

use farchive::Archived;

/// Text in bytes of which those behind the first zero mean nothing, and stay.
#[derive(Archived, Debug, Clone, Copy, PartialEq)]
pub struct PaddedText<const N: usize>([u8; N]);

impl<const N: usize> Default for PaddedText<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> PaddedText<N> {
    /// The text as UTF-8, and whether it is all here: a zero stands behind it.
    pub fn of(text: &str) -> (Self, bool) {
        let kept = text.split('\0').next().unwrap_or_default();
        let end = (0..N).rev().find(|end| kept.is_char_boundary(*end)).unwrap_or(0);
        let kept = &kept[..end.min(kept.len())];
        let mut made = Self::default();
        made.0[..kept.len()].copy_from_slice(kept.as_bytes());
        (made, kept.len() == text.len())
    }

    /// The text; bytes that are no UTF-8 as characters of Latin-1.
    pub fn text(&self) -> String {
        let bytes = self.0.split(|byte| *byte == 0).next().unwrap_or_default();
        match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        }
    }
}
