//! Functions that layouts ask of every archive, made of those of the trait.

use std::cell::Cell;
use std::fmt;

use super::{Archive, Direction, Extent, Keyed, Patch, Role, Step};
use crate::error::{Error, ErrorKind, Result};
use crate::version::ByteOrder;

/// Memory that going to another place counts as: time is bounded by the budget as well.
const VISIT: u64 = 64;

/// Conveniences for those who write layouts. Every [`Archive`] has them, none can replace them.
pub trait ArchiveExt: Archive {
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
    fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        Error::new(kind, self.position(), self.versions())
    }

    /// An error of `kind` about a value that starts at `at` bytes from the start of the file.
    #[cold]
    #[inline(never)]
    fn error_at(&self, at: u64, kind: ErrorKind) -> Error {
        Error::new(kind, at, self.versions())
    }

    /// The next values belong to this field or element, until [`ArchiveExt::leave`].
    #[inline(always)]
    fn enter(&mut self, step: Step<'_>) {
        self.step(step);
    }

    /// Ends what [`ArchiveExt::enter`] began.
    #[inline(always)]
    fn leave(&mut self) {
        self.step(Step::Leave);
    }

    /// Says what the value means that was serialised last: names of flags, the text of a string. Nothing is
    /// formatted unless the archive explains values.
    #[inline(always)]
    fn note(&mut self, meaning: &dyn fmt::Display) {
        self.step(Step::Note(&|_, _| meaning.to_string()));
    }

    /// Says what the value is for that was serialised last.
    #[inline(always)]
    fn role(&mut self, role: Role) {
        self.step(Step::Role(role));
    }

    /// Which of several forms a value has where no byte says it: a number, 0 the usual one, that the value
    /// stores. Loading, `known` does not count: an archive without bytes says it, and for `None` the bytes
    /// that follow decide. It can't be the first step of a group that is repeated without [`Step::Index`].
    #[inline]
    fn form(
        &mut self,
        name: &'static str,
        words: &'static [&'static str],
        known: i64,
    ) -> Option<i64> {
        let number = Cell::new((!self.is_loading()).then_some(known));
        self.step(Step::Form { name, words, number: &number });
        number.get()
    }

    /// The keys that say which fields a value has: see [`Keyed::Keys`].
    #[inline]
    fn keys(&mut self) -> Option<Vec<(String, bool)>> {
        let keys = Cell::new(None);
        self.step(Step::Keyed(Keyed::Keys(&keys)));
        keys.take()
    }

    /// The value as people read it, for archives that have keys: saving, whether the archive has written `text` in
    /// place of its bytes; loading, the text that stands in their place. Only where this is `None` do the bytes
    /// follow; where it is not, [`Keyed::Follows`] says how many they would have been.
    #[inline(always)]
    fn readable_text(&mut self, text: &dyn fmt::Display) -> Option<String> {
        let answer = Cell::new(None);
        self.step(Step::Keyed(Keyed::Text(text, &answer)));
        answer.take()
    }

    /// The same of a whole number.
    #[inline(always)]
    fn readable_number(&mut self, number: i128) -> Option<i128> {
        let (number, answered) = (Cell::new(number), Cell::new(false));
        self.step(Step::Keyed(Keyed::Number(&number, &answered)));
        answered.get().then(|| number.get())
    }

    /// Whether a number that follows from the values around it is left out, since keys say those.
    #[inline(always)]
    fn leaves_out_derived(&mut self) -> bool {
        let answer = Cell::new(false);
        self.step(Step::Keyed(Keyed::Derived(&answer)));
        answer.get()
    }

    /// How many elements, or bytes, a document has where no number says it.
    #[inline(always)]
    fn elements_ahead(&mut self) -> Option<usize> {
        let answer = Cell::new(None);
        self.step(Step::Keyed(Keyed::Elements(&answer)));
        answer.get()
    }

    /// A value of `size` bytes: what [`Archive::open`] and [`Archive::close`] do around `inner`.
    ///
    /// # Errors
    /// `LeftOver`, `UnexpectedEnd`, `TooDeep`, or the value's own.
    fn part(
        &mut self,
        size: u64,
        inner: &mut dyn FnMut(&mut dyn Archive) -> Result<()>,
    ) -> Result<()> {
        let window = self.open(Extent::Size(size))?;
        let result = inner(self.as_dyn());
        self.close(window, result)
    }

    /// Asks, before anything is allocated, for `count` elements of `element` bytes of memory each, every one of
    /// which takes at least one byte of the file.
    ///
    /// # Errors
    /// `TooLong` when fewer bytes than elements remain, `Budget` when the memory is not granted.
    #[inline]
    fn claim(&mut self, count: u64, element: usize) -> Result<()> {
        self.reserve(count, count.saturating_mul(element as u64))
    }

    /// Values that nest without a declared size, one level deeper.
    ///
    /// # Errors
    /// `TooDeep` when loading or saving, or the values' own.
    #[inline]
    fn nested<R>(&mut self, inner: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let window = self.open(Extent::Level)?;
        let result = inner(self);
        self.close(window, Ok(()))?;
        result
    }

    /// A value that stands at `offset` bytes from the start of the file: goes there, and back to where the archive
    /// was. So tables of offsets are followed, in any order, by every archive, and errors and explanations have
    /// the true places.
    ///
    /// Saving, the value is written there; bytes in between that no value writes are zero. Two values may share
    /// bytes that are the same for both; [`Saver::finish`](super::Saver::finish) refuses others. An offset that
    /// follows from what is saved is [patched](ArchiveExt::patch_u32).
    ///
    /// # Errors
    /// `BadOffset` for an offset outside of the file, `TooDeep`, `Budget` (each visit takes some, so that offsets
    /// in a circle come to an end), or the value's own.
    #[inline]
    fn at_offset<R>(
        &mut self,
        offset: u64,
        inner: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<R> {
        self.reserve(0, VISIT)?;
        let window = self.open(Extent::At(offset))?;
        let (value, result) = match inner(self) {
            Ok(value) => (Some(value), Ok(())),
            Err(error) => (None, Err(error)),
        };
        let closed = self.close(window, result);
        // An archive that takes an error back has nothing to give for it.
        match (closed, value) {
            (Ok(()), Some(value)) => Ok(value),
            (Err(error), _) => Err(error),
            (Ok(()), None) => Err(self.error(ErrorKind::NotInVersion)),
        }
    }

    /// Counts so many bytes, whatever the values are that they would be: whether the archive only counts, and has done
    /// so. Otherwise the values follow.
    #[doc(hidden)]
    #[inline(always)]
    fn count_bytes(&mut self, bytes: u64) -> bool {
        let is_counted = Cell::new(false);
        self.step(Step::Fixed { bytes, is_counted: &is_counted });
        is_counted.get()
    }

    /// The bytes from `start` to `end` bytes from the start of the file, which were read or written before, are
    /// shown to `take`, in one piece or in several. Says whether the archive has bytes at all: one that only counts
    /// or visits has none.
    ///
    /// # Errors
    /// `Invalid` for bytes that are not there, or that a stream has passed on: see [`ArchiveExt::holding`].
    fn with_bytes(&mut self, start: u64, end: u64, take: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let (taken, has_bytes) = (Cell::new(0_u64), Cell::new(false));
        let take = std::cell::RefCell::new(take);
        self.step(Step::Bytes {
            start,
            end,
            take: &|bytes| {
                taken.set(taken.get() + bytes.len() as u64);
                (take.borrow_mut())(bytes);
            },
            has_bytes: &has_bytes,
        });
        if has_bytes.get() && taken.get() != end.saturating_sub(start) {
            let reason = format!(
                "the bytes {start:#x} to {end:#x} are not at hand: a stream must seek, or keep them \
                 (ArchiveExt::holding)"
            );
            return Err(self.error(ErrorKind::Invalid { reason }));
        }
        Ok(has_bytes.get())
    }

    /// Runs `inner` while the archive keeps at hand what passes, so that it can be patched, or looked at by
    /// [`ArchiveExt::with_bytes`]. Only streams do anything.
    ///
    /// # Errors
    /// The errors of `inner`.
    #[inline]
    fn holding<R>(&mut self, inner: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.step(Step::Hold);
        let result = inner(self);
        self.step(Step::Release);
        result
    }

    /// A value with a prefix before it that depends on the value's size in bytes and may itself be of varying
    /// width. Loading does not come here: the prefix is read first and says the size.
    ///
    /// # Errors
    /// The prefix's or the value's own.
    #[inline]
    fn prefixed(
        &mut self,
        prefix: impl FnOnce(&mut Self, u64) -> Result<()>,
        value: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if !self.is_saving() {
            prefix(self, 0)?;
            return value(self);
        }
        // The value comes first, since it says how wide the prefix is; then they change places.
        self.holding(|ar| {
            let start = ar.position();
            value(ar)?;
            let from = ar.position();
            prefix(ar, from - start)?;
            ar.patch(start, Patch::MoveFrom(from))
        })
    }

    /// Overwrites a number of four bytes that was written at `at` bytes from the start of the file.
    ///
    /// # Errors
    /// As [`Archive::patch`].
    fn patch_u32(&mut self, at: u64, number: u32) -> Result<()> {
        let big = self.versions().byte_order.is_big();
        self.patch(at, Patch::Bytes(&if big { number.to_be_bytes() } else { number.to_le_bytes() }))
    }

    /// Overwrites a number of eight bytes that was written at `at` bytes from the start of the file.
    ///
    /// # Errors
    /// As [`Archive::patch`].
    fn patch_i64(&mut self, at: u64, number: i64) -> Result<()> {
        let big = self.versions().byte_order.is_big();
        self.patch(at, Patch::Bytes(&if big { number.to_be_bytes() } else { number.to_le_bytes() }))
    }

    /// The number of `width` bytes that comes next behind `skip` bytes, without taking it; `None` when not
    /// loading or when fewer bytes are left.
    fn peek_number(&self, skip: usize, width: usize) -> Option<u64> {
        let end = skip.checked_add(width)?;
        let bytes = self.peek(end).get(skip..end).filter(|_| width <= 8)?;
        Some(number_of(bytes, self.versions().byte_order))
    }
}

impl<A: Archive + ?Sized> ArchiveExt for A {}

/// The whole number that up to eight bytes are.
pub(super) fn number_of(bytes: &[u8], order: ByteOrder) -> u64 {
    let push = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    match order {
        ByteOrder::Big => bytes.iter().fold(0, push),
        ByteOrder::Little => bytes.iter().rev().fold(0, push),
    }
}
