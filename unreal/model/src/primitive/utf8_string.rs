//! Strings in UTF-8.

use std::borrow::Cow;
use std::fmt;

use crate::archive::layout::{Field, Layout};
use crate::archive::{Context, Kind, Role, Span, Step, in_field};
use crate::error::{ErrorKind, Result};
use crate::{Archive, ArchiveExt, Archived};

/// `FUtf8String` of UE5: an i32 length in bytes, then the bytes, without a terminator
/// (spec: ue4-5/01 §2).
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Utf8String(Span);

impl Utf8String {
    /// A new string.
    #[inline]
    pub fn new(text: &str) -> Self {
        if text.is_empty() { Self::default() } else { Self(Span::owned(text.as_bytes())) }
    }

    /// The stored bytes.
    #[inline]
    pub fn span(&self) -> &Span {
        &self.0
    }

    /// Whether there are no characters.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text, characters that are none replaced by U+FFFD; `source` is what it was loaded from.
    ///
    /// # Errors
    /// `OutsideSource` when `source` is another one.
    pub fn text<'a>(&'a self, source: &'a [u8]) -> Result<Cow<'a, str>> {
        Ok(String::from_utf8_lossy(self.0.bytes(source)?))
    }
}

impl Archived for Utf8String {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("A string of UTF-8 without a terminating zero.")
        .with_parts(&[
            Field::plain("length", "i32", "Bytes."),
            Field::plain("characters", "text", "The characters."),
        ]);

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let bytes = self.0.len();
        let mut length = i32::try_from(bytes)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: bytes.into(), bits: 31 }))?;
        in_field("length", ar, |ar| ar.serialize_i32(&mut length))?;
        ar.role(Role::Length);
        let length = u64::try_from(length)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: length.into() }))?;
        in_field("characters", ar, |ar| {
            ar.serialize_span(&mut self.0, length, Kind::Text)?;
            let text = |context: &Context| self.text(context.source()).map(Cow::into_owned);
            ar.step(Step::Note(&|context, _| text(context).unwrap_or_default()));
            Ok(())
        })
    }
}

impl fmt::Debug for Utf8String {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_owned() {
            Some(_) => write!(f, "{:?}", self.text(&[]).unwrap_or_default()),
            None => write!(f, "Utf8String({:?})", self.0),
        }
    }
}
