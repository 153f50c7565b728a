//! The bytes of a stream that are at hand.

use std::io::{self, ErrorKind as IoKind, Read, Seek, SeekFrom};

use super::chunk::CHUNK;

/// Bytes that are read at first.
const SMALL: u64 = 4 << 10;

/// A reader with the bytes of it that were read and are not dropped yet.
pub(super) struct StreamSource<R> {
    pub(super) reader: R,
    /// Goes to a position of the reader's own.
    seek: Option<fn(&mut R, u64) -> io::Result<()>>,
    /// Where the reader stood at first.
    base: u64,
    buffer: Vec<u8>,
    /// How many bytes of the buffer were read: the rest of it is room.
    filled: usize,
    /// The next byte's place in the buffer.
    next: usize,
    /// Where those end in the buffer that may be read.
    stop: usize,
    /// Where those end that are taken without reading more.
    ready: usize,
    /// Position of the buffer's first byte.
    from: u64,
    /// The end of the window, or of the file where that is known.
    limit: u64,
    length: Option<u64>,
    /// How often bytes are to be kept, and from where on.
    holds: u32,
    held: u64,
    /// Whether the reader has nothing more.
    is_at_end: bool,
    /// Why the reader failed, until somebody wants the bytes.
    fault: Option<io::Error>,
    /// Bytes that stand ready behind those that are taken.
    ahead: usize,
}

impl<R: Read> StreamSource<R> {
    pub(super) fn new(reader: R, ahead: usize) -> Self {
        Self {
            reader,
            seek: None,
            base: 0,
            buffer: Vec::new(),
            filled: 0,
            next: 0,
            stop: 0,
            ready: 0,
            from: 0,
            limit: u64::MAX,
            length: None,
            holds: 0,
            held: 0,
            is_at_end: false,
            fault: None,
            ahead,
        }
    }

    pub(super) fn seekable(mut reader: R, ahead: usize) -> io::Result<Self>
    where
        R: Seek,
    {
        let base = reader.stream_position()?;
        let end = reader.seek(SeekFrom::End(0))?;
        reader.seek(SeekFrom::Start(base))?;
        let mut source = Self::new(reader, ahead);
        source.base = base;
        source.seek = Some(|reader, to| reader.seek(SeekFrom::Start(to)).map(drop));
        source.set_length(end.saturating_sub(base));
        Ok(source)
    }

    /// Says how many bytes there are from the start on.
    pub(super) fn set_length(&mut self, length: u64) {
        (self.length, self.limit) = (Some(length), length);
        self.set_stop();
    }

    pub(super) fn set_ahead(&mut self, bytes: usize) {
        self.ahead = bytes;
        self.set_stop();
    }

    #[inline(always)]
    pub(super) fn position(&self) -> u64 {
        self.from + self.next as u64
    }

    pub(super) fn length(&self) -> Option<u64> {
        self.length
    }

    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
        self.set_stop();
    }

    /// Bytes from the start of the file on that are known to be there.
    pub(super) fn seen(&self) -> u64 {
        self.from + self.filled as u64
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    pub(super) fn take_fault(&mut self) -> Option<io::Error> {
        self.fault.take()
    }

    /// Whether bytes that were passed on can be had again.
    pub(super) fn seeks(&self) -> bool {
        self.seek.is_some()
    }

    /// The bytes that are there and may be read.
    #[inline(always)]
    pub(super) fn rest(&self) -> &[u8] {
        self.buffer.get(self.next..self.stop).unwrap_or_default()
    }

    /// Whether `count` bytes more may be read, which are there then.
    #[inline(always)]
    pub(super) fn has(&mut self, count: usize) -> bool {
        self.stop - self.next >= count || self.fill(count)
    }

    /// Reads until `count` bytes are there and those that stand ready; says whether `count` may be read.
    #[cold]
    #[inline(never)]
    pub(super) fn fill(&mut self, count: usize) -> bool {
        let wanted = count.max(self.ahead);
        if !self.is_at_end && self.filled - self.next < wanted {
            self.drop_passed();
        }
        while self.filled - self.next < wanted && !self.is_at_end {
            // Room is made, and filled with zeros, once for many reads: little for what is short.
            let room = self.seen().clamp(SMALL, CHUNK as u64) as usize;
            if self.buffer.len() < self.filled + room / 2 {
                self.buffer.resize(self.filled + room, 0);
            }
            let read = loop {
                match self.reader.read(self.buffer.get_mut(self.filled..).unwrap_or_default()) {
                    Err(error) if error.kind() == IoKind::Interrupted => {}
                    read => break read,
                }
            };
            self.filled +=
                read.as_ref().map_or(0, |read| *read).min(self.buffer.len() - self.filled);
            self.is_at_end = !matches!(read, Ok(1..));
            self.fault = read.err();
        }
        self.set_stop();
        self.stop - self.next >= count
    }

    /// Reads until `count` bytes are there, whatever the window; says how many are.
    pub(super) fn fill_beyond(&mut self, count: u64) -> u64 {
        let limit = std::mem::replace(&mut self.limit, u64::MAX);
        self.fill(usize::try_from(count).unwrap_or(usize::MAX));
        self.set_limit(limit);
        (self.filled - self.next) as u64
    }

    /// Drops what was read, but for what is held.
    fn drop_passed(&mut self) {
        let passed = match self.holds {
            0 => self.next,
            _ => usize::try_from(self.held.saturating_sub(self.from)).unwrap_or(0).min(self.next),
        };
        self.buffer.copy_within(passed..self.filled, 0);
        self.filled -= passed;
        (self.from, self.next) = (self.from + passed as u64, self.next - passed);
        self.set_stop();
        // A large value has come and gone.
        if self.buffer.len() > 4 * CHUNK && self.filled < CHUNK {
            self.buffer.truncate(CHUNK);
            self.buffer.shrink_to_fit();
        }
    }

    /// Where the bytes end that may be read.
    fn set_stop(&mut self) {
        let limit = usize::try_from(self.limit.saturating_sub(self.from)).unwrap_or(usize::MAX);
        self.stop = self.filled.min(limit).max(self.next);
        self.ready = match self.is_at_end {
            true => self.stop,
            false => self.stop.min(self.filled.saturating_sub(self.ahead)),
        };
    }

    /// Takes bytes where others stand ready behind them: most of the time they do.
    #[inline(always)]
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let end = self.next + N;
        if end > self.ready {
            return None;
        }
        let bytes = self.buffer.get(self.next..end)?.first_chunk().copied();
        self.next = end;
        bytes
    }

    /// How many bytes are there and may be read.
    #[inline(always)]
    pub(super) fn there(&self) -> u64 {
        (self.stop - self.next) as u64
    }

    /// Takes bytes that are there; others stand ready behind them.
    #[inline(always)]
    pub(super) fn pass(&mut self, count: usize) {
        self.next += count;
        if self.filled - self.next < self.ahead && !self.is_at_end {
            self.fill(0);
        }
    }

    /// Copies bytes to `to`, as many as go there; says whether there were so many.
    pub(super) fn read_to(&mut self, to: &mut [u8]) -> bool {
        let mut done = 0;
        while let Some(to) = to.get_mut(done..).filter(|to| !to.is_empty()) {
            if !self.has(1) {
                return false;
            }
            let rest = self.rest();
            let count = to.len().min(rest.len());
            if let Some((to, rest)) = to.get_mut(..count).zip(rest.get(..count)) {
                to.copy_from_slice(rest);
            }
            self.next += count;
            done += count;
        }
        self.pass(0);
        true
    }

    /// Goes to a position: in the buffer, by seeking, or by reading on; says whether it is there. Where it is not,
    /// nothing has happened.
    pub(super) fn go(&mut self, to: u64) -> io::Result<bool> {
        if (self.from..=self.seen()).contains(&to) {
            self.next = (to - self.from) as usize;
            self.set_stop();
        } else if let Some(seek) = self.seek {
            seek(&mut self.reader, self.base.saturating_add(to))?;
            self.filled = 0;
            (self.from, self.next, self.is_at_end, self.fault) = (to, 0, false, None);
            self.set_stop();
        } else if to > self.position() {
            let distance = to - self.position();
            if self.holds == 0 {
                return self.pass_over(distance);
            }
            if self.fill_beyond(distance) < distance {
                return Ok(false);
            }
            self.next += distance as usize;
        } else {
            return Ok(false);
        }
        self.fill(0);
        Ok(true)
    }

    /// Reads on and keeps nothing.
    fn pass_over(&mut self, mut distance: u64) -> io::Result<bool> {
        while distance > 0 {
            let step = distance.min(CHUNK as u64);
            if self.fill_beyond(step) < step {
                return self.fault.take().map_or(Ok(false), Err);
            }
            self.next += step as usize;
            distance -= step;
        }
        self.fill(0);
        Ok(true)
    }

    /// From here on nothing that was read is dropped. What seeks can go back without.
    pub(super) fn hold(&mut self) {
        if self.seeks() {
            return;
        }
        if self.holds == 0 {
            self.held = self.position();
        }
        self.holds += 1;
    }

    pub(super) fn release(&mut self) {
        self.holds = self.holds.saturating_sub(1);
    }

    /// Shows bytes that were read: those that are still there, or of a reader that seeks any.
    pub(super) fn show(&mut self, start: u64, end: u64, take: &dyn Fn(&[u8])) -> io::Result<()> {
        let first = start.checked_sub(self.from).and_then(|first| usize::try_from(first).ok());
        let length = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        let range = first.and_then(|first| Some(first..first.checked_add(length)?));
        let read = self.buffer.get(..self.filled).unwrap_or_default();
        if let Some(bytes) = range.and_then(|range| read.get(range)) {
            take(bytes);
            return Ok(());
        }
        if !self.seeks() {
            return Ok(());
        }
        let (here, limit) = (self.position(), std::mem::replace(&mut self.limit, end));
        let mut left = end.saturating_sub(start);
        if self.go(start)? {
            while left > 0 && self.has(1) {
                let count = self.rest().len().min(usize::try_from(left).unwrap_or(usize::MAX));
                take(self.rest().get(..count).unwrap_or_default());
                self.pass(count);
                left -= count as u64;
            }
        }
        self.limit = limit;
        self.go(here).map(drop)
    }
}
