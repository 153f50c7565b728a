//! The second stage: the Burrows-Wheeler transform, block by block.
//!
//! All suffixes of a block are sorted, its end above every byte; of each the byte before it is stored.

use super::damage::damaged;
use crate::archive::{Archive, ArchiveExt, Kind, Loader, Saver, Span};
use crate::error::{Result, UnrealError};
use crate::version::{UnrealVersions, Versions};

/// Bytes of a block as the engine's packer makes them; only the last one is shorter. Older games crash
/// where blocks are longer.
const BLOCK: usize = 0x4_0000;
/// Most bytes of a block that is read: packers of others let their users choose a size. Bounds memory.
const LONGEST: i32 = 64 << 20;

/// One sorted block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SortedBlock {
    /// Bytes of text in the block.
    pub length: i32,
    /// The row of the suffix that starts at the second byte.
    pub first: i32,
    /// The row of the suffix that is the whole block; what stands there is no byte of the text.
    pub last: i32,
    /// The byte before each suffix, one more than the text has.
    pub data: Span,
}

impl SortedBlock {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize_i32(&mut self.length)?;
        ar.serialize_i32(&mut self.first)?;
        ar.serialize_i32(&mut self.last)?;
        let (rows, length) = (0..=self.length, self.length);
        if length > LONGEST || !rows.contains(&self.first) || !rows.contains(&self.last) {
            let reason =
                format!("a block of {length} bytes with the rows {} and {}", self.first, self.last);
            return Err(ar.error(UnrealError::Compression { reason }));
        }
        ar.serialize_span(&mut self.data, u64::from(length.unsigned_abs()) + 1, Kind::Payload)
    }
}

/// Sorts the blocks of a text.
///
/// # Errors
/// None of its own.
pub(super) fn pack(text: &[u8]) -> Result<Vec<u8>> {
    let mut saver = Saver::new(Versions::unreal()).with_capacity(text.len() + text.len() / 64);
    for block in text.chunks(BLOCK) {
        let (mut first, mut last) = (0, 0);
        let sorted = suffixes(block);
        let mut before = Vec::with_capacity(sorted.len());
        for (row, &suffix) in (0..).zip(&sorted) {
            match suffix {
                0 => last = row,
                1 => first = row,
                _ => {}
            }
            before.push(block[(suffix as usize).saturating_sub(1)]);
        }
        let (length, data) = (block.len() as i32, Span::owned(before));
        SortedBlock { length, first, last, data }.serialize(&mut saver)?;
    }
    Ok(saver.into_bytes())
}

/// The starts of all suffixes of a block, the empty one included, in their order.
///
/// Ranks by ever longer beginnings, each twice as long as the one before: some `n log n` steps whatever the
/// text is.
fn suffixes(text: &[u8]) -> Vec<u32> {
    let count = text.len() + 1;
    // The end is above every byte.
    let mut ranks: Vec<u32> = text.iter().map(|&byte| u32::from(byte)).collect();
    ranks.push(256);
    let mut by_second: Vec<u32> = (0..count as u32).collect();
    let mut sorted = vec![0; count];
    let mut starts = vec![0u32; count.max(257) + 1];
    let mut classes = 257;
    let mut length = 0;
    loop {
        // Counting sort by rank; what has the same rank keeps the order of `by_second`.
        starts[..=classes].fill(0);
        for &rank in &ranks {
            starts[rank as usize + 1] += 1;
        }
        for class in 0..classes {
            starts[class + 1] += starts[class];
        }
        for &suffix in &by_second {
            let start = &mut starts[ranks[suffix as usize] as usize];
            sorted[*start as usize] = suffix;
            *start += 1;
        }
        // New ranks by both halves. A suffix without a second half is alone in its rank, since it holds the
        // end.
        let pair = |suffix: u32| {
            let second = ranks.get(suffix as usize + length).filter(|_| length > 0);
            (ranks[suffix as usize], second)
        };
        let mut next = vec![0; count];
        let mut rank = 0;
        for pair_of in sorted.windows(2) {
            rank += u32::from(pair(pair_of[0]) != pair(pair_of[1]));
            next[pair_of[1] as usize] = rank;
        }
        ranks = next;
        classes = rank as usize + 1;
        if classes == count {
            return sorted;
        }
        // In the order of their second halves: those without one may stand anywhere.
        length = (length * 2).max(1);
        by_second.clear();
        by_second.extend(count.saturating_sub(length) as u32..count as u32);
        let step = length as u32;
        by_second
            .extend(sorted.iter().filter(|&&suffix| suffix >= step).map(|suffix| suffix - step));
    }
}

/// The text of sorted blocks.
///
/// # Errors
/// `Compression` when a block's numbers do not fit; `UnexpectedEnd`.
pub(super) fn unpack(blocks: &[u8]) -> Result<Vec<u8>> {
    let mut loader = Loader::new(blocks, Versions::unreal());
    let mut text = Vec::with_capacity(blocks.len());
    let mut next = Vec::new();
    while loader.remaining() > 0 {
        let mut block = SortedBlock::default();
        block.serialize(&mut loader)?;
        append(&block, block.data.bytes(blocks)?, &mut next, &mut text)?;
    }
    Ok(text)
}

/// Appends the text of one block. `next` is room for the row that follows each row.
fn append(
    block: &SortedBlock,
    before: &[u8],
    next: &mut Vec<u32>,
    text: &mut Vec<u8>,
) -> Result<()> {
    let last = block.last as usize;
    let symbol = |row: usize, byte: u8| if row == last { 256 } else { usize::from(byte) };
    let mut starts = [0u32; 258];
    for (row, &byte) in before.iter().enumerate() {
        starts[symbol(row, byte) + 1] += 1;
    }
    for symbol in 0..257 {
        starts[symbol + 1] += starts[symbol];
    }
    next.clear();
    next.resize(before.len(), 0);
    for (row, &byte) in before.iter().enumerate() {
        let start = &mut starts[symbol(row, byte)];
        next[*start as usize] = row as u32;
        *start += 1;
    }
    let mut row = block.first as usize;
    for _ in 0..block.length {
        let byte = before.get(row).filter(|_| row != last);
        text.push(*byte.ok_or_else(|| damaged("the rows of a block do not lead through it"))?);
        row = next[row] as usize;
    }
    Ok(())
}
