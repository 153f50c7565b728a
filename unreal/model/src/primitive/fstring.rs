//! Unreal's string: bytes, encoding and length form kept.

use std::borrow::Cow;
use std::fmt;

use super::Index;
use super::characters::{ansi_bytes, ansi_text, utf16_text};
use crate::archive::layout::{Field, Layout};
use crate::archive::{Archive, ArchiveExt, Archived, Context, Kind, Role, Span, Step};
use crate::error::{ErrorKind, Result};
use crate::version::{ByteOrder, Game, UnrealVersions};

/// How the characters of a string are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Encoding {
    /// One byte a character, read as Windows-1252.
    #[default]
    Ansi,
    /// UTF-16, least significant byte first.
    Utf16Le,
    /// UTF-16, most significant byte first.
    Utf16Be,
}

impl Encoding {
    /// Bytes of one code unit.
    #[inline]
    fn unit(self) -> u64 {
        if self == Self::Ansi { 1 } else { 2 }
    }
}

/// `FString`: a length, characters, a terminating zero (spec: ue1-3/01 §1.2).
///
/// | length L | what follows |
/// |---|---|
/// | 0 | nothing |
/// | n > 0 | n bytes, the last one 0 |
/// | n < 0 | -n UTF-16 code units, the last one 0 |
///
/// L is an [`Index`]. Bytes, encoding, a missing terminator and a non-canonical length are kept; the
/// text is a view. Nothing is allocated when it is loaded: the characters stay in the source.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct FString {
    text: Span,
    /// As stored; counts code units with the terminator and is negative for UTF-16.
    length: Index,
    encoding: Encoding,
    terminated: bool,
}

impl FString {
    /// No characters and no terminator, which is `Default`.
    pub const EMPTY: Self = Self {
        text: Span::EMPTY,
        length: Index::new(0),
        encoding: Encoding::Ansi,
        terminated: false,
    };

    /// A new string for a little-endian file: 8-bit when it is pure ASCII, else UTF-16; empty when empty.
    #[inline]
    pub fn new(text: &str) -> Self {
        Self::new_in(text, ByteOrder::Little, Game::Mainline)
    }

    /// The same for a file of this byte order and game.
    pub fn new_in(text: &str, order: ByteOrder, game: Game) -> Self {
        let wide = wide_encoding(order, game);
        if text.is_empty() {
            Self::default()
        } else if text.is_ascii() {
            Self::from_bytes(text.as_bytes(), Encoding::Ansi)
        } else {
            let units = text.encode_utf16();
            let bytes: Vec<u8> = match wide {
                Encoding::Utf16Be => units.flat_map(u16::to_be_bytes).collect(),
                _ => units.flat_map(u16::to_le_bytes).collect(),
            };
            Self::from_bytes(bytes, wide)
        }
    }

    /// A new 8-bit string in Windows-1252, or `None` when a character is not in that set.
    #[inline]
    pub fn ansi(text: &str) -> Option<Self> {
        Some(Self::from_bytes(ansi_bytes(text)?, Encoding::Ansi))
    }

    /// A terminated string of these stored characters.
    pub fn from_bytes(bytes: impl Into<std::sync::Arc<[u8]>>, encoding: Encoding) -> Self {
        let mut string =
            Self { text: Span::owned(bytes), length: Index::default(), encoding, terminated: true };
        string.length = string.natural_length();
        string
    }

    /// The stored characters without their terminator.
    #[inline]
    pub fn span(&self) -> &Span {
        &self.text
    }

    /// Makes the characters independent of their source.
    ///
    /// # Errors
    /// `OutsideSource` when `source` is not the one that the string was loaded from.
    #[inline]
    pub fn materialize(&mut self, source: &[u8]) -> Result<()> {
        self.text.materialize(source)
    }

    /// As stored: code units with the terminator, negative for UTF-16.
    #[cfg(feature = "json")]
    pub(crate) fn stored_length(&self) -> Index {
        self.length
    }

    /// How they are stored.
    #[inline]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether there are no characters.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether a zero ends it, as it does all but the empty text and damaged ones.
    #[doc(hidden)]
    #[inline]
    pub fn is_terminated(&self) -> bool {
        self.terminated
    }

    /// The text, characters that are none replaced by U+FFFD; `source` is what it was loaded from.
    ///
    /// # Errors
    /// `OutsideSource` when `source` is another one.
    pub fn text<'a>(&'a self, source: &'a [u8]) -> Result<Cow<'a, str>> {
        let bytes = self.text.bytes(source)?;
        Ok(match self.encoding {
            Encoding::Ansi => ansi_text(bytes),
            Encoding::Utf16Le => utf16_text(bytes, ByteOrder::Little).into(),
            Encoding::Utf16Be => utf16_text(bytes, ByteOrder::Big).into(),
        })
    }

    /// The characters to compare with ASCII words: 8-bit ones as stored, wide ones as UTF-8.
    #[doc(hidden)]
    pub fn comparable<'a>(&'a self, source: &'a [u8]) -> Result<Cow<'a, [u8]>> {
        if self.encoding == Encoding::Ansi {
            return self.text.bytes(source).map(Cow::Borrowed);
        }
        Ok(Cow::Owned(self.text(source)?.into_owned().into_bytes()))
    }

    /// Characters that end at a zero byte, without a length: names below file version 64 (for `with`).
    ///
    /// # Errors
    /// `UnexpectedEnd` without a zero byte; `BadText` when saving UTF-16 or a zero byte within.
    #[inline]
    pub fn terminated<A: Archive + ?Sized>(string: &mut Self, ar: &mut A) -> Result<()> {
        if !ar.is_loading() && string.encoding != Encoding::Ansi {
            return Err(
                ar.error(ErrorKind::BadText { reason: "this version stores 8-bit text only" })
            );
        }
        ar.serialize_terminated(&mut string.text)?;
        if ar.is_loading() {
            (string.encoding, string.terminated) = (Encoding::Ansi, true);
            string.length = string.natural_length();
        }
        Ok(())
    }

    /// The length that the engine would store.
    #[inline]
    fn natural_length(&self) -> Index {
        let units = self.text.len() / self.encoding.unit() + u64::from(self.terminated);
        let units = i32::try_from(units).unwrap_or(i32::MAX);
        Index::new(if self.encoding == Encoding::Ansi { units } else { -units })
    }

    /// The characters; their text only when annotating.
    #[inline]
    fn characters<A: Archive + ?Sized>(&mut self, length: u64, ar: &mut A) -> Result<()> {
        ar.enter(Step::Field("characters"));
        let result = ar.serialize_span(&mut self.text, length, Kind::Text);
        ar.leave();
        if !self.text.is_empty() {
            let text = |context: &Context| self.text(context.source()).map(Cow::into_owned);
            ar.step(Step::Note(&|context, _| text(context).unwrap_or_default()));
        }
        result
    }

    /// The terminating zero, or what stands in its place; says whether it was one.
    #[inline]
    fn terminator<A: Archive + ?Sized>(
        encoding: Encoding,
        unit: &mut [u8; 2],
        ar: &mut A,
    ) -> Result<bool> {
        ar.enter(Step::Field("terminator"));
        let result = match encoding {
            Encoding::Ansi => ar.serialize_u8(&mut unit[0]),
            Encoding::Utf16Le | Encoding::Utf16Be => ar.serialize_bytes(unit),
        };
        ar.leave();
        ar.role(Role::Terminator);
        result.map_err(|error| error.in_field("terminator"))?;
        Ok(*unit == [0; 2])
    }

    /// Saves a string without a terminator as it is loaded: its last character stands in the terminator's
    /// place.
    #[cold]
    fn save_unterminated<A: Archive + ?Sized>(&self, ar: &mut A) -> Result<()> {
        let context = ar.context().clone();
        let bytes = self.text.bytes(context.source())?;
        let (head, last) = bytes.split_at(bytes.len() - self.encoding.unit() as usize);
        let text = match self.text.range() {
            Some(range) => Span::source(range.start, head.len() as u64),
            None => Span::owned(head),
        };
        Self { text, ..self.clone() }.characters(0, ar)?;
        let mut unit = [last[0], last.get(1).copied().unwrap_or(0)];
        Self::terminator(self.encoding, &mut unit, ar).map(drop)
    }

    /// Whether UTF-16 text can be written.
    #[inline(never)]
    fn check_wide<A: Archive + ?Sized>(&self, ar: &A) -> Result<()> {
        let versions = ar.versions();
        let order = wide_encoding(versions.byte_order, versions.game());
        let reason = match self.text.len().is_multiple_of(2) {
            false => "UTF-16 text of an odd number of bytes",
            true if ar.is_saving() && self.encoding != order => {
                "UTF-16 text of the other byte order"
            }
            true => return Ok(()),
        };
        Err(ar.error(ErrorKind::BadText { reason }))
    }

    #[inline]
    fn load<A: Archive + ?Sized>(&mut self, length: Index, ar: &mut A) -> Result<()> {
        self.length = length;
        self.encoding = match length.value() {
            0.. => Encoding::Ansi,
            _ => wide_encoding(ar.versions().byte_order, ar.versions().game()),
        };
        let units = u64::from(length.value().unsigned_abs());
        if units == 0 {
            (self.text, self.terminated) = (Span::default(), false);
            return Ok(());
        }
        let bytes = (units - 1) * self.encoding.unit();
        self.characters(bytes, ar)?;
        let mut last = [0; 2];
        self.terminated = Self::terminator(self.encoding, &mut last, ar)?;
        if !self.terminated {
            // What stands in the terminator's place is a character.
            let unit = self.encoding.unit();
            self.text = match (self.text.range(), self.text.as_owned()) {
                (_, Some(owned)) => Span::owned([owned, &last[..unit as usize]].concat()),
                (range, None) => Span::source(range.unwrap_or_default().start, bytes + unit),
            };
        }
        Ok(())
    }
}

/// The order of UTF-16 code units: the file's, but for Mass Effect 3 on consoles, which swaps
/// everything else (spec: ue1-3/01 §1.2).
fn wide_encoding(order: ByteOrder, game: Game) -> Encoding {
    if order.is_big() && game != Game::MassEffect3 { Encoding::Utf16Be } else { Encoding::Utf16Le }
}

impl Archived for FString {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("A string with its terminating zero: characters of one byte where the length is positive, UTF-16 where it is negative.")
        .with_parts(&[
        Field::plain("length", "Index", "Characters with the zero, negative for UTF-16."),
        Field::plain("characters", "text", "The characters."),
    ]);

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut length = self.length;
        ar.enter(Step::Field("length"));
        let read = length.serialize(ar);
        ar.leave();
        ar.role(Role::Length);
        read.map_err(|error| error.in_field("length"))?;
        if ar.is_loading() {
            self.load(length, ar)
        } else {
            if self.encoding != Encoding::Ansi {
                self.check_wide(ar)?;
            }
            if !self.terminated && !self.text.is_empty() && ar.is_saving() {
                return self.save_unterminated(ar);
            }
            self.characters(0, ar)?;
            if self.terminated {
                Self::terminator(self.encoding, &mut [0; 2], ar)?;
            }
            Ok(())
        }
    }
}

impl fmt::Debug for FString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text.as_owned() {
            Some(_) => write!(f, "{:?}", self.text(&[]).unwrap_or_default()),
            None => write!(f, "FString({:?} {:?})", self.encoding, self.text),
        }
    }
}

impl From<&str> for FString {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}
