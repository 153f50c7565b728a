//! How globally unique identifiers are stored and written.

use std::str::FromStr;

use crate::archive::layout::{Field, Layout};
use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::{Error, ErrorKind, Result};
use crate::version::Guid;

impl Archived for Guid {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("Four numbers that no two objects share.")
        .with_parts(&[
            Field::plain("a", "u32", "First part."),
            Field::plain("b", "u32", "Second part."),
            Field::plain("c", "u32", "Third part."),
            Field::plain("d", "u32", "Fourth part."),
        ])
        .with_size(|_| Some(16));

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        // One value of 16 bytes, not four: so that an explanation shows one GUID.
        let big = ar.versions().byte_order.is_big();
        let mut bytes = [0; 16];
        for (chunk, part) in bytes.chunks_exact_mut(4).zip([self.a, self.b, self.c, self.d]) {
            chunk.copy_from_slice(&if big { part.to_be_bytes() } else { part.to_le_bytes() });
        }
        ar.serialize_bytes(&mut bytes)?;
        // Whatever the direction: a visiting archive may give references another identity.
        let (parts, _) = bytes.as_chunks::<4>();
        let number = |at: usize| {
            let bytes: [u8; 4] = parts[at];
            if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
        };
        *self = Self::new(number(0), number(1), number(2), number(3));
        ar.note(self);
        Ok(())
    }
}

/// Takes 32 hexadecimal digits; dashes and braces are passed over.
impl FromStr for Guid {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let digits: String =
            text.chars().filter(|digit| !matches!(digit, '-' | '{' | '}')).collect();
        let number = |at: usize| {
            digits.get(at * 8..at * 8 + 8).and_then(|part| {
                let hex = part.bytes().all(|byte| byte.is_ascii_hexdigit());
                hex.then(|| u32::from_str_radix(part, 16).ok()).flatten()
            })
        };
        match (number(0), number(1), number(2), number(3)) {
            (Some(a), Some(b), Some(c), Some(d)) if digits.len() == 32 => Ok(Self::new(a, b, c, d)),
            _ => Err(ErrorKind::Invalid {
                reason: format!("'{text}' is no GUID: 32 hexadecimal digits are needed"),
            }
            .into()),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Guid {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Guid {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
