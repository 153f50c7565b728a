//! Bytes that stay where they are: ranges of the source.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::error::{ErrorKind, Result};

/// The kind of bytes in a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Kind {
    /// Characters of a name or string; they count as typed.
    Text,
    /// Bulk data whose meaning is known: texels, samples, compressed blocks.
    Payload,
    /// Bytes that are not decoded.
    Opaque,
    /// Bytes that no section claims.
    Gap,
}

/// How many bytes of a file are of which kind. The four add up to the size of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Coverage {
    /// A named field.
    pub typed: u64,
    /// Bulk data whose meaning is known.
    pub payload: u64,
    /// Bodies that are not decoded.
    pub opaque: u64,
    /// Claimed by no section.
    pub gap: u64,
}

/// Bytes of a file that are not decoded further: a range of the source, or owned bytes.
///
/// A range costs nothing to load and is copied from the source on save; edited values own their bytes.
#[derive(Clone)]
pub struct Span(Repr);

#[derive(Clone)]
enum Repr {
    Source { start: u64, length: u32 },
    Owned(Arc<[u8]>),
    // A range of 4 GiB and more, too rare to make every name wider.
    Long(Box<Range<u64>>),
}

impl Span {
    /// No bytes, which is `Default`.
    pub const EMPTY: Self = Self(Repr::Source { start: 0, length: 0 });

    /// The range of `length` bytes at `start` bytes from the start of the source.
    #[inline]
    pub fn source(start: u64, length: u64) -> Self {
        match u32::try_from(length) {
            Ok(length) => Self(Repr::Source { start, length }),
            Err(_) => Self(Repr::Long(Box::new(start..start.saturating_add(length)))),
        }
    }

    /// Bytes that belong to the span itself.
    pub fn owned(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self(Repr::Owned(bytes.into()))
    }

    /// How many bytes.
    #[inline]
    pub fn len(&self) -> u64 {
        match &self.0 {
            Repr::Source { length, .. } => u64::from(*length),
            Repr::Owned(bytes) => bytes.len() as u64,
            Repr::Long(range) => range.end - range.start,
        }
    }

    /// Whether there are no bytes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The range of the source, unless the bytes are owned.
    #[inline]
    pub fn range(&self) -> Option<Range<u64>> {
        match &self.0 {
            Repr::Source { start, length } => Some(*start..start + u64::from(*length)),
            Repr::Owned(_) => None,
            Repr::Long(range) => Some((**range).clone()),
        }
    }

    /// The bytes, if the span owns them.
    #[inline]
    pub fn as_owned(&self) -> Option<&[u8]> {
        match &self.0 {
            Repr::Owned(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The bytes, taken from `source` where they are a range of it.
    ///
    /// # Errors
    /// `OutsideSource` when `source` is not the one that the span was loaded from.
    #[inline]
    pub fn bytes<'a>(&'a self, source: &'a [u8]) -> Result<&'a [u8]> {
        let range = match &self.0 {
            Repr::Owned(bytes) => return Ok(bytes),
            Repr::Source { start, length } => *start..start + u64::from(*length),
            Repr::Long(range) => (**range).clone(),
        };
        usize::try_from(range.start)
            .ok()
            .zip(usize::try_from(range.end).ok())
            .and_then(|(start, end)| source.get(start..end))
            .ok_or_else(|| outside(range, source))
    }

    /// Makes the span independent of its source.
    ///
    /// # Errors
    /// `OutsideSource` when `source` is not the one that the span was loaded from.
    #[inline]
    pub fn materialize(&mut self, source: &[u8]) -> Result<()> {
        if self.as_owned().is_none() {
            *self = Self::owned(self.bytes(source)?);
        }
        Ok(())
    }
}

#[cold]
fn outside(range: Range<u64>, source: &[u8]) -> crate::error::Error {
    let length = source.len() as u64;
    ErrorKind::OutsideSource { start: range.start, end: range.end, length }.into()
}

impl Default for Span {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Equal ranges are equal, equal owned bytes are equal, and all empty spans are equal. A range never
/// equals owned bytes: without the source they can't be compared.
impl PartialEq for Span {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Source { start, length }, Repr::Source { start: other, length: same }) => {
                length == same && (*length == 0 || start == other)
            }
            _ => self.equals(other),
        }
    }
}

impl Span {
    /// The same where not both are short ranges.
    #[inline(never)]
    fn equals(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Owned(a), Repr::Owned(b)) => a == b,
            _ if self.is_empty() && other.is_empty() => true,
            (Repr::Owned(_), _) | (_, Repr::Owned(_)) => false,
            _ => self.range() == other.range(),
        }
    }
}

impl Eq for Span {}

impl Hash for Span {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            _ if self.is_empty() => {}
            Repr::Owned(bytes) => bytes.hash(state),
            _ => self.range().hash(state),
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.range() {
            Some(range) => write!(f, "Span({:#x}..{:#x})", range.start, range.end),
            None => write!(f, "Span({} owned bytes)", self.len()),
        }
    }
}
