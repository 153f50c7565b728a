//! What layouts ask of every archive, made of what archives do.

use std::cell::Cell;
use std::fmt;

use super::{Archive, Direction, Keyed, Patch, Role, Step};
use crate::error::{Error, ErrorKind, Result};
use crate::version::ByteOrder;

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

    /// A value of `size` bytes: what [`Archive::open`] and [`Archive::close`] do around `inner`.
    ///
    /// # Errors
    /// `LeftOver`, `UnexpectedEnd`, `TooDeep`, or the value's own.
    fn part(
        &mut self,
        size: u64,
        inner: &mut dyn FnMut(&mut dyn Archive) -> Result<()>,
    ) -> Result<()> {
        let window = self.open(Some(size))?;
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
        let window = self.open(None)?;
        let result = inner(self);
        self.close(window, Ok(()))?;
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
        let start = self.position();
        value(self)?;
        let from = self.position();
        prefix(self, from - start)?;
        self.patch(start, Patch::MoveFrom(from))
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
