//! The trait of archives.

use std::sync::Arc;

use super::{CompactIndex, Context, Direction, Extent, Kind, Patch, Reference, Span, Step, Window};
use crate::error::Result;
use crate::version::Versions;

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
            if self.direction() == Direction::Loading {
                *value = if big { $type::from_be_bytes(bytes) } else { $type::from_le_bytes(bytes) };
            }
            Ok(())
        }
    )* } };
}

/// What serialising means: mirrors FArchive.
///
/// A value hands its fields to the archive one after the other; the archive decides whether they are read
/// ([`Loader`](super::Loader)), written ([`Saver`](super::Saver)), measured ([`Counter`](super::Counter)),
/// collected ([`References`](super::References)), renumbered ([`Remap`](super::Remap)) or explained
/// ([`Annotate`](super::Annotate)). Object-safe: `A: Archive + ?Sized` is fast for tables, `&mut dyn
/// Archive` serves classes that are chosen at run time.
///
/// An archive of one's own answers these functions; the numbers at the end have bodies that go through
/// [`Archive::serialize_bytes`]. Those who write layouts find more in [`ArchiveExt`](super::ArchiveExt).
pub trait Archive {
    /// Whether values are read, written or visited.
    fn direction(&self) -> Direction;

    /// The versions and the byte order that decide every layout.
    fn versions(&self) -> &Versions;

    /// Tells the archive what a header has just revealed.
    fn set_versions(&mut self, versions: Versions);

    /// Knowledge about the file around the value: the source bytes, and whatever its format put there.
    fn context(&self) -> &Arc<Context>;

    /// Bytes from the start of the file, also inside an object's body.
    fn position(&self) -> u64;

    /// Reads or writes bytes that are a value (not bulk data: see [`Archive::serialize_span`]). An archive that saves
    /// leaves them as they are: values take back what they find there, so that one that visits may replace them.
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

    /// Characters up to and including a zero byte; the span holds them without it.
    ///
    /// # Errors
    /// `UnexpectedEnd` when no zero byte follows.
    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()>;

    /// Reads, writes, collects or renumbers a reference: a row of some table, or a whole value that stands
    /// for something elsewhere. Archives that have bytes do as [`Reference::serialize`] does.
    ///
    /// # Errors
    /// As the archive: `UnexpectedEnd`, `NotMapped`.
    #[inline(always)]
    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        reference.serialize(self)
    }

    /// Opens a window for a value of declared size, goes one level deeper into values that nest without one, or
    /// goes to another place of the file; [`Archive::close`] follows. Only loading looks at a size; loading and
    /// saving refuse the same number of levels.
    ///
    /// # Errors
    /// `UnexpectedEnd`, `TooDeep`, `BadOffset`; then there is no window to close.
    fn open(&mut self, extent: Extent) -> Result<Window>;

    /// Closes a window over what the value in it came to. Loading, a value of declared size must have used
    /// it up exactly. Where it failed, everything is as it was before [`Archive::open`], so that the caller
    /// can keep the bytes as an opaque span; without a size nothing is taken back. From another place of the file
    /// it goes back to where the archive was.
    ///
    /// # Errors
    /// `result`'s own, or `LeftOver`.
    fn close(&mut self, window: Window, result: Result<()>) -> Result<()>;

    /// Asks for `memory` bytes of memory for values that take at least `bytes` bytes of the file: loading,
    /// before anything is allocated; saving, when the values are written, so that what can't be loaded again
    /// is not saved. Most ask through [`ArchiveExt::claim`](super::ArchiveExt::claim).
    ///
    /// # Errors
    /// `TooLong` when fewer bytes remain, `Budget` when the memory is not granted.
    fn reserve(&mut self, bytes: u64, memory: u64) -> Result<()>;

    /// Changes what was written earlier, from `at` bytes from the start of the file on: sizes that stand
    /// before their data. Only a saver does anything.
    ///
    /// # Errors
    /// `OutsideSource` when `at` was not written by this saver.
    fn patch(&mut self, at: u64, patch: Patch<'_>) -> Result<()>;

    /// Which field the next values belong to, or what the last one means; for archives that explain.
    #[inline(always)]
    fn step(&mut self, step: Step<'_>) {
        let _ = step;
    }

    /// Up to `length` of the bytes that come next, without taking them; empty when not loading.
    #[inline]
    fn peek(&self, length: usize) -> &[u8] {
        let _ = length;
        &[]
    }

    /// The same archive behind a pointer, for values that are chosen at run time.
    fn as_dyn(&mut self) -> &mut dyn Archive;

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

    /// Bytes that are a value and can't be lent as a buffer: a text. Never asked when loading.
    ///
    /// # Errors
    /// As [`Archive::serialize_bytes`].
    #[inline]
    fn save_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.serialize_bytes(&mut bytes.to_vec())
    }

    /// One to five bytes: a compact index, its form kept.
    ///
    /// # Errors
    /// `UnexpectedEnd` when loading from too few bytes.
    #[inline]
    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        index.serialize_bytewise(self)
    }
}
