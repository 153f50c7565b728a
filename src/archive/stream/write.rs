//! The archive that writes to a stream.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::Arc;

use super::chunk::{CHUNK, failed};
use crate::archive::{
    Archive, ArchiveExt, Archived, CompactIndex, Context, Direction, Extent, Kind, Lend, Patch,
    Saver, Span, Step, Window,
};
use crate::error::{ErrorKind, Result};
use crate::version::Versions;

/// Writes values to a stream: the bytes that a [`Saver`] writes into memory.
///
/// A writer that does not seek gets the bytes of a value when it is complete ([`WriteSaver::put`]), since sizes before
/// it may have to be patched; a value that fails leaves no byte. One that seeks ([`WriteSaver::seekable`]) gets them as
/// they come, but for values of declared size, and is patched where it stands; a value that fails has been written in
/// part. [`WriteSaver::finish`] writes the rest: without it the last bytes are lost.
///
/// ```
/// use farchive::{Versions, archive::WriteSaver};
///
/// let mut saver = WriteSaver::new(Vec::new(), Versions::own(1));
/// for number in 1..=3_u16 {
///     saver.put(&number)?;
/// }
/// let (bytes, length) = saver.finish()?;
/// assert_eq!((bytes, length), (vec![1, 0, 2, 0, 3, 0], 6));
/// # Ok::<(), farchive::Error>(())
/// ```
#[must_use = "finish it, or the last bytes are lost"]
pub struct WriteSaver<W> {
    writer: W,
    /// Goes to a position, counted from where the writer stood at first.
    seek: Option<fn(&mut W, u64) -> io::Result<()>>,
    /// Where the writer stood at first.
    base: u64,
    /// Where it stands, from there on.
    at: u64,
    /// Bytes that are not written yet.
    pending: Saver,
    /// Ranges that were written: ends by starts.
    written: BTreeMap<u64, u64>,
    /// How often bytes are to be kept.
    holds: u32,
}

impl<W: Write> WriteSaver<W> {
    /// Writes from where `writer` stands, which is the start of the file.
    pub fn new(writer: W, versions: Versions) -> Self {
        let pending = Saver::new(versions);
        Self { writer, seek: None, base: 0, at: 0, pending, written: BTreeMap::new(), holds: 0 }
    }

    /// The same over a writer that seeks.
    ///
    /// # Errors
    /// `Io` when it does not say where it stands.
    pub fn seekable(mut writer: W, versions: Versions) -> Result<Self>
    where
        W: Seek,
    {
        let base = writer.stream_position().map_err(failed)?;
        let mut saver = Self::new(writer, versions);
        saver.base = base;
        saver.pending.allow_before();
        saver.seek = Some(|writer, to| writer.seek(SeekFrom::Start(to)).map(drop));
        Ok(saver)
    }

    /// The same with what is known about the file.
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.pending = self.pending.with_context(context);
        self
    }

    /// The same with so many bytes of memory that loading the values again may claim: see [`Saver::with_budget`].
    pub fn with_budget(mut self, bytes: u64) -> Self {
        self.pending = self.pending.with_budget(bytes);
        self
    }

    /// The same with so many levels that values may nest, in place of 96.
    pub fn with_depth(mut self, levels: u32) -> Self {
        self.pending = self.pending.with_depth(levels);
        self
    }

    /// Writes a value.
    ///
    /// # Errors
    /// The value's own; `Io` when writing fails.
    pub fn put(&mut self, value: impl Lend) -> Result<()> {
        let start = self.pending.pending();
        let result = value.lend(|value| value.serialize(self));
        match result {
            // Values at places of their own may lie before what comes next: they wait for the end.
            Ok(()) if self.pending.has_others() && self.seek.is_none() => Ok(()),
            Ok(()) => self.hand_on(),
            Err(error) => {
                if self.seek.is_none() {
                    self.pending.take_back(start);
                }
                Err(error)
            }
        }
    }

    /// Writes the rest, and gives the writer back, which stands behind the last byte, with the number of bytes.
    ///
    /// # Errors
    /// `Io` when writing fails; `Invalid` where two values stand at the same bytes and differ.
    pub fn finish(mut self) -> Result<(W, u64)> {
        if self.seek.is_some() || !self.pending.has_others() {
            self.hand_on()?;
        } else {
            let versions = self.pending.versions().clone();
            let pending = std::mem::replace(&mut self.pending, Saver::new(versions));
            let bytes = pending.finish()?;
            self.write(self.at, &bytes)?;
        }
        let end = self.written.values().copied().max().unwrap_or_default();
        self.go(end)?;
        self.writer.flush().map_err(failed)?;
        Ok((self.writer, end))
    }

    /// Writes what is pending.
    #[cold]
    #[inline(never)]
    fn hand_on(&mut self) -> Result<()> {
        let versions = self.pending.versions().clone();
        let mut pending = std::mem::replace(&mut self.pending, Saver::new(versions));
        let result = pending.hand_on(&mut |at, bytes| self.write(at, bytes));
        self.pending = pending;
        result
    }

    /// Writes bytes at a position where none were written before.
    fn write(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        let end = at + bytes.len() as u64;
        let before = self.written.range(..end).next_back().map(|(start, end)| (*start, *end));
        if before.is_some_and(|(_, end)| end > at) {
            let reason = "two values stand at the same bytes of a stream, which can't be compared: \
                          save to memory (to_bytes)";
            return Err(self.error(ErrorKind::Invalid { reason: reason.to_owned() }));
        }
        self.go(at)?;
        self.writer.write_all(bytes).map_err(failed)?;
        self.at = end;
        // Neighbours are one range: a file without gaps has one in all.
        let start = before.filter(|(_, end)| *end == at).map_or(at, |(start, _)| start);
        let end = self.written.remove(&end).unwrap_or(end);
        self.written.insert(start, end);
        Ok(())
    }

    /// Goes to a position of the writer.
    fn go(&mut self, to: u64) -> Result<()> {
        if self.at == to {
            return Ok(());
        }
        let Some(seek) = self.seek else {
            // Bytes that no value writes.
            let gap = io::repeat(0);
            let length = to.saturating_sub(self.at);
            io::copy(&mut io::Read::take(gap, length), &mut self.writer).map_err(failed)?;
            self.at = to;
            return Ok(());
        };
        seek(&mut self.writer, self.base.saturating_add(to)).map_err(failed)?;
        self.at = to;
        Ok(())
    }

    /// Writes what has come together, where the writer can be patched later on.
    #[inline(always)]
    fn spill(&mut self) -> Result<()> {
        if self.pending.pending() >= CHUNK && self.holds == 0 && self.seek.is_some() {
            return self.spill_now();
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn spill_now(&mut self) -> Result<()> {
        if self.pending.is_elsewhere() { Ok(()) } else { self.hand_on() }
    }

    /// Overwrites bytes that were written.
    fn overwrite(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        let back = self.at;
        self.go(at)?;
        self.writer.write_all(bytes).map_err(failed)?;
        self.at = at + bytes.len() as u64;
        self.go(back)
    }
}

impl<W> fmt::Debug for WriteSaver<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteSaver").field("pending", &self.pending).finish_non_exhaustive()
    }
}

macro_rules! write_numbers {
    ($($type:ty),*) => { paste::paste! { $(
        #[inline]
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            self.pending.[<serialize_ $type>](value)?;
            self.spill()
        }
    )* } };
}

impl<W: Write> Archive for WriteSaver<W> {
    #[inline(always)]
    fn direction(&self) -> Direction {
        Direction::Saving
    }

    #[inline(always)]
    fn versions(&self) -> &Versions {
        self.pending.versions()
    }

    fn set_versions(&mut self, versions: Versions) {
        self.pending.set_versions(versions);
    }

    fn context(&self) -> &Arc<Context> {
        self.pending.context()
    }

    #[inline(always)]
    fn position(&self) -> u64 {
        self.pending.position()
    }

    #[inline]
    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        for chunk in bytes.chunks_mut(CHUNK) {
            self.pending.serialize_bytes(chunk)?;
            self.spill()?;
        }
        Ok(())
    }

    fn save_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        for chunk in bytes.chunks(CHUNK) {
            self.pending.save_bytes(chunk)?;
            self.spill()?;
        }
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()> {
        self.pending.serialize_span(span, length, kind)?;
        self.spill()
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        self.pending.serialize_terminated(span)?;
        self.spill()
    }

    #[inline]
    fn open(&mut self, extent: Extent) -> Result<Window> {
        let window = self.pending.open(extent)?;
        if extent != Extent::Level {
            self.holds += 1;
        }
        Ok(window)
    }

    #[inline]
    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        if window.is_sized() || window.is_elsewhere() {
            self.holds = self.holds.saturating_sub(1);
        }
        self.pending.close(window, result)?;
        self.spill()
    }

    #[inline]
    fn reserve(&mut self, bytes: u64, memory: u64) -> Result<()> {
        self.pending.reserve(bytes, memory)
    }

    fn patch(&mut self, at: u64, patch: Patch<'_>) -> Result<()> {
        match patch {
            Patch::Bytes(bytes) if at < self.pending.first() && self.seek.is_some() => {
                let end = at + bytes.len() as u64;
                let before = self.written.range(..=at).next_back();
                match before.is_some_and(|(_, behind)| *behind >= end) {
                    true => self.overwrite(at, bytes),
                    false => self.pending.patch(at, patch),
                }
            }
            patch => self.pending.patch(at, patch),
        }
    }

    #[inline(always)]
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Hold => self.holds += 1,
            Step::Release => self.holds = self.holds.saturating_sub(1),
            step => self.pending.step(step),
        }
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    write_numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

    #[inline]
    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        self.pending.serialize_compact(index)?;
        self.spill()
    }
}
