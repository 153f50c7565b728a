//! The two traits at the heart: [`Archive`] decides what serialising means, [`Archived`] is the
//! value's one function; and the six archives.

mod annotate;
mod archived;
mod context;
mod counter;
#[cfg(feature = "json")]
mod json;
pub mod layout;
mod loader;
mod object;
#[doc(hidden)]
pub mod private;
mod references;
mod remap;
mod saver;
mod span;
mod step;
mod visit;

use std::fmt;
use std::sync::Arc;

pub use annotate::{Annotate, Record, Value};
pub use archived::{Archived, Threshold};
pub use context::Context;
pub use counter::Counter;
#[cfg(feature = "json")]
pub use json::{JsonLoader, JsonSaver, JsonTexts};
pub use layout::Layout;
pub use loader::Loader;
pub use object::Object;
pub use references::References;
pub use remap::Remap;
pub use saver::Saver;
pub use span::{Kind, Span};
pub use step::Step;
pub(crate) use step::in_field;
pub(crate) use visit::{Visit, Visitor, way_text};

use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{CompactIndex, Name, PackageIndex, SoftObjectPath};
use crate::version::{ByteOrder, Versions};

/// What an archive does with the values that are handed to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Values are overwritten with what the bytes say.
    Loading,
    /// Values are turned into bytes, or into their number.
    Saving,
    /// Neither: names, object references and spans are collected or replaced.
    Visiting,
}

/// A value of declared size that is being serialised: what an archive goes back to where that fails.
#[derive(Debug, Default)]
#[must_use = "close the window"]
pub struct Window {
    /// Where it starts, as the archive counts.
    start: u64,
    /// Where the bytes around it end.
    end: u64,
    opaque: u64,
    payload: u64,
    records: usize,
    steps: usize,
}

/// What comes next in an archive that has no bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ahead {
    /// Bytes that stay as they are, and how many.
    Span(Kind, u64),
    /// Values, and how many with those beside.
    Values(usize),
    /// Nothing.
    Nothing,
}

/// How wide an object reference or count is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// Compact below file version 178, 4 bytes from there on (spec: ue1-3/01 §1.1).
    Versioned,
    /// 4 bytes in every version, as the outer of imports and exports.
    Fixed,
}

/// Declares the provided number methods: each reads or writes one number in the archive's byte order.
macro_rules! numbers {
    ($($(#[$doc:meta])* $type:ty),* $(,)?) => { paste::paste! { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// `UnexpectedEnd` when loading from too few bytes.
        #[inline]
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            let big = self.versions().byte_order.is_big();
            let mut bytes = if big { value.to_be_bytes() } else { value.to_le_bytes() };
            self.serialize_bytes(&mut bytes)?;
            if self.is_loading() {
                *value = if big { $type::from_be_bytes(bytes) } else { $type::from_le_bytes(bytes) };
            }
            Ok(())
        }
    )* } };
}

/// What serialising means: mirrors Unreal's `FArchive`.
///
/// A value hands its fields to the archive one after the other; the archive decides whether they are
/// read ([`Loader`]), written ([`Saver`]), measured ([`Counter`]), collected ([`References`]),
/// renumbered ([`Remap`]) or explained ([`Annotate`]). Object-safe: `A: Archive + ?Sized` is fast for
/// tables, `&mut dyn Archive` serves classes that are chosen at run time.
pub trait Archive {
    /// Whether values are read, written or visited.
    fn direction(&self) -> Direction;

    /// The versions, byte order and game that decide every layout.
    fn versions(&self) -> &Versions;

    /// Tells the archive what a header has just revealed.
    fn set_versions(&mut self, versions: Versions);

    /// Knowledge about the package around the value: texts of names, the source bytes.
    fn context(&self) -> &Arc<Context>;

    /// Bytes from the start of the file, also inside an object's body.
    fn position(&self) -> u64;

    /// Reads or writes bytes that are a value (not bulk data: see [`Archive::serialize_span`]).
    ///
    /// # Errors
    /// `UnexpectedEnd` when loading from too few bytes.
    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()>;

    /// Reads or writes `length` bytes as a range of the source, without copying them on load.
    /// The only way in which bytes become text, payload or opaque. When not loading, the span's own
    /// length counts.
    ///
    /// # Errors
    /// `UnexpectedEnd` when loading; `OutsideSource` when saving a range the source does not have.
    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()>;

    /// Reads, writes, collects or renumbers a reference into the name table.
    ///
    /// # Errors
    /// As the archive: `UnexpectedEnd`, `NotMapped`.
    fn serialize_name(&mut self, name: &mut Name) -> Result<()>;

    /// Reads, writes, collects or renumbers a reference to an import or export.
    ///
    /// # Errors
    /// As the archive: `UnexpectedEnd`, `NotMapped`.
    fn serialize_object(&mut self, index: &mut PackageIndex, width: Width) -> Result<()>;

    /// Opens a window of `size` bytes for a value of declared size; [`Archive::close`] follows. Only
    /// loading looks at the size.
    ///
    /// # Errors
    /// `UnexpectedEnd`, `TooDeep`; then there is no window to close.
    fn open(&mut self, size: u64) -> Result<Window>;

    /// Closes a window over what the value in it came to. Loading, the value must have used it up exactly.
    /// Where it failed, everything is as it was before [`Archive::open`], so that the caller can keep the
    /// bytes as an opaque span.
    ///
    /// # Errors
    /// `result`'s own, or `LeftOver`.
    fn close(&mut self, window: Window, result: Result<()>) -> Result<()>;

    /// A value of declared size: what [`Archive::open`] and [`Archive::close`] do around `inner`.
    ///
    /// # Errors
    /// `LeftOver`, `UnexpectedEnd`, `TooDeep`, or the value's own.
    fn part(
        &mut self,
        size: u64,
        inner: &mut dyn FnMut(&mut dyn Archive) -> Result<()>,
    ) -> Result<()> {
        let window = self.open(size)?;
        let result = inner(self.as_dyn());
        self.close(window, result)
    }

    /// A value with a prefix before it that depends on the value's size in bytes: the prefix may itself be
    /// of varying width. Loading does not come here: the prefix is read first and says the size.
    ///
    /// # Errors
    /// The prefix's or the value's own.
    fn prefixed(
        &mut self,
        prefix: &mut dyn FnMut(&mut dyn Archive, u64) -> Result<()>,
        value: &mut dyn FnMut(&mut dyn Archive) -> Result<()>,
    ) -> Result<()> {
        prefix(self.as_dyn(), 0)?;
        value(self.as_dyn())
    }

    /// Asks, before anything is allocated, for `count` elements of `element` bytes of memory each.
    ///
    /// # Errors
    /// `TooLong` when fewer bytes than elements remain, `Budget` when the memory is not granted.
    fn claim(&mut self, count: u64, element: usize) -> Result<()>;

    /// Overwrites bytes that were written earlier, at `at` bytes from the start of the file: sizes that
    /// stand before their data. Only a saver does anything.
    ///
    /// # Errors
    /// `OutsideSource` when `at` was not written by this saver.
    fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<()>;

    /// The same archive behind a pointer, for values that are chosen at run time.
    fn as_dyn(&mut self) -> &mut dyn Archive;

    /// The next values belong to this field or element, until [`Archive::leave`].
    #[inline(always)]
    fn enter(&mut self, step: Step) {
        let _ = step;
    }

    /// One level deeper into values that nest without a declared size; [`Archive::ascend`] follows.
    ///
    /// # Errors
    /// `TooDeep` when loading.
    #[inline]
    fn descend(&mut self) -> Result<()> {
        Ok(())
    }

    /// Ends what [`Archive::descend`] began.
    #[inline]
    fn ascend(&mut self) {}

    /// Up to `length` of the bytes that come next, without taking them; empty when not loading. Values ask
    /// [`Archive::peek_number`], which also archives without bytes can answer.
    #[inline]
    fn peek(&self, length: usize) -> &[u8] {
        let _ = length;
        &[]
    }

    /// The number of `width` bytes that comes next, or behind numbers of the widths `before`, without
    /// taking it; `None` when not loading or when fewer bytes are left.
    fn peek_number(&self, before: &[usize], width: usize) -> Option<u64> {
        let skip: usize = before.iter().sum();
        let bytes = self.peek(skip + width).get(skip..skip + width).filter(|_| width <= 8)?;
        Some(number_of(bytes, self.versions().byte_order))
    }

    /// The place that a position written at `at` refers to is reached: writes it as `bytes`. Archives that
    /// have no bytes may keep that it is true instead of the number.
    ///
    /// # Errors
    /// As [`Archive::patch`].
    #[inline]
    fn settle(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        self.patch(at, bytes)
    }

    /// Whether this archive has no bytes but says what loading finds out from them and from sizes: then
    /// [`Archive::choose`] and [`Archive::ahead`] answer, and sizes are not looked at.
    #[inline]
    fn states(&self) -> bool {
        false
    }

    /// A decision between forms that no byte of its own says: saved and loaded by archives that
    /// [state](Archive::states) it, left alone by the others. 0 is what is usual.
    ///
    /// # Errors
    /// `Invalid` when it is no small number.
    #[inline]
    fn choose(&mut self, choice: &mut u8) -> Result<()> {
        let _ = choice;
        Ok(())
    }

    /// What comes next, where the archive [states](Archive::states) it.
    #[inline]
    fn ahead(&self) -> Option<Ahead> {
        None
    }

    /// The span of bytes that were taken one by one from `start` on: a range of the source, where there is
    /// one.
    #[inline]
    fn taken(&self, start: u64, bytes: &[u8]) -> Span {
        Span::source(start, bytes.len() as u64)
    }

    /// Whether the position that was read at `at` was told to be the true one instead of a number.
    #[inline]
    fn is_settled(&self, at: u64) -> bool {
        let _ = at;
        false
    }

    /// Ends what [`Archive::enter`] began.
    #[inline(always)]
    fn leave(&mut self) {}

    /// Explains the value that was serialised last: names of flags, the text of a name.
    #[inline]
    fn note(&mut self, meaning: &dyn fmt::Display) {
        let _ = meaning;
    }

    /// Whether [`Archive::note`] is listened to: costly explanations are made only then.
    #[inline(always)]
    fn explains(&self) -> bool {
        false
    }

    /// Whether values are being overwritten.
    #[inline(always)]
    fn is_loading(&self) -> bool {
        self.direction() == Direction::Loading
    }

    /// Whether values are being turned into bytes, or measured.
    #[inline(always)]
    fn is_saving(&self) -> bool {
        self.direction() == Direction::Saving
    }

    /// An error of `kind` here.
    #[cold]
    #[inline(never)]
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.position(), self.versions())
    }

    numbers! {
        /// One unsigned byte.
        u8,
        /// One signed byte.
        i8,
        /// Two bytes, unsigned.
        u16,
        /// Two bytes, signed.
        i16,
        /// Four bytes, unsigned.
        u32,
        /// Four bytes, signed.
        i32,
        /// Eight bytes, unsigned.
        u64,
        /// Eight bytes, signed.
        i64,
        /// Four bytes, floating point; the bits are kept.
        f32,
        /// Eight bytes, floating point; the bits are kept.
        f64,
    }

    /// One to five bytes: Unreal's compact index, its form kept (spec: ue1-3/01 §1.1).
    ///
    /// # Errors
    /// `UnexpectedEnd` when loading from too few bytes.
    #[inline]
    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        index.serialize_bytewise(self)
    }

    /// The path of an object, in full: its names and strings, or the path as a whole for those who visit.
    ///
    /// # Errors
    /// As the fields of the path.
    #[inline]
    fn serialize_soft_path(&mut self, path: &mut SoftObjectPath) -> Result<()> {
        path.serialize_layout(self)
    }

    /// A row of the package's list of soft object paths: four bytes.
    ///
    /// # Errors
    /// As [`Archive::serialize_i32`].
    #[inline]
    fn serialize_soft_row(&mut self, row: &mut i32) -> Result<()> {
        self.serialize_i32(row)
    }

    /// Characters up to and including a zero byte; the span holds them without it.
    ///
    /// # Errors
    /// `UnexpectedEnd` when no zero byte follows.
    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()>;
}

/// The whole number that up to eight bytes are.
fn number_of(bytes: &[u8], order: ByteOrder) -> u64 {
    let push = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    match order {
        ByteOrder::Big => bytes.iter().fold(0, push),
        ByteOrder::Little => bytes.iter().rev().fold(0, push),
    }
}
