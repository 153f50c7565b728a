//! Writing packages of compressed chunks: what is kept as it was stored, and what is compressed anew.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::chunks::{Chunk, ChunkData, Chunks, damaged, load_summary};
use super::{BLOCK_SIZE, Block, Framing, Method, Rewrap, blocks, plan};
use crate::archive::{Archived, Context, Counter, Saver, Span};
use crate::error::{Error, ErrorKind, Result, UnrealErrors, Unsupported};
use crate::primitive::PackageFlags;
use crate::property::PackageContext;
use crate::table::CompressedChunk;
use crate::version::{Game, UnrealVersions, Versions, threshold};

impl Chunks {
    /// The file around a changed image: blocks whose content is what it was are the bytes they were,
    /// others are compressed anew.
    ///
    /// # Errors
    /// `Unsupported` when a block has changed whose method can't be written; `Refused` when bytes between
    /// chunks have no place any more.
    pub fn rewrap(&self, file: &Bytes, old: &[u8], new: &Rewrap<'_>) -> Result<Vec<u8>> {
        let start = summary_end(new)?;
        let end = new.image.len() as u64;
        let same = end == old.len() as u64 && self.cuts().first() == Some(&start);
        let cuts = match same && new.moves.iter().all(|(from, to)| from == to) {
            true => Some(self.cuts()),
            false => plan::moved(&self.cuts(), start, end, &new.moves),
        };
        let (cuts, chunks) = match cuts {
            Some(cuts) => (cuts, Some(&self.list)),
            None if self.list.iter().skip(1).all(|chunk| chunk.lead.is_empty()) => {
                (plan::cuts(start, end, &new.bodies), None)
            }
            None => {
                let reason =
                    "bytes between the chunks belong to nothing, and the chunks are cut anew";
                let (reason, objects) = (reason.to_owned(), Vec::new());
                return Err(Error::refused(reason, objects));
            }
        };
        let mut made = Vec::with_capacity(cuts.len());
        for (row, range) in cuts.windows(2).enumerate() {
            let before = chunks.and_then(|chunks| chunks.get(row));
            let block_size = before.or(self.list.first()).map_or(BLOCK_SIZE, Chunk::block_size);
            let order = before.or(self.list.first()).and_then(Chunk::framing);
            let order = order.map_or(self.versions.byte_order, |framing| framing.byte_order);
            let mut made_chunk = DraftChunk::new(range[0]..range[1], block_size);
            made_chunk.framing.byte_order = order;
            if let Some(before) = before {
                made_chunk.keep(before, old, new.image, self.versions.file())?;
            }
            made.push(made_chunk);
        }
        let leads: Vec<Span> = match chunks {
            Some(list) => list.iter().map(|chunk| chunk.lead.clone()).collect(),
            None => self.list.first().map(|chunk| chunk.lead.clone()).into_iter().collect(),
        };
        let (flags, marked) = (self.summary.compression_flags, self.summary.package_flags.0);
        let header = ChunkHeader {
            flags,
            mark: marked & PackageFlags::STORE_COMPRESSED.0,
            method: self.method,
            versions: &self.versions,
        };
        write(&header, made, &leads, &self.tail, file, new)
    }

    /// A file of chunks around an image that was stored otherwise.
    ///
    /// # Errors
    /// `NotInVersion` below file version 334; `Unsupported` for Oodle.
    pub fn wrap(method: Method, block_size: u32, new: &Rewrap<'_>) -> Result<Vec<u8>> {
        if new.versions.file() < threshold::COMPRESSION_ADDED || new.versions.ue4() > 0 {
            return Err(Error::from(ErrorKind::NotInVersion).in_field("compressed_chunks"));
        }
        if new.versions.game() == Game::RocketLeague {
            let reason = "Rocket League stores its chunk table encrypted";
            return Err(Error::unsupported_by(Unsupported::Encrypted, reason));
        }
        let start = summary_end(new)?;
        let cuts = plan::cuts(start, new.image.len() as u64, &new.bodies);
        let made = cuts.windows(2).map(|range| {
            let mut made = DraftChunk::new(range[0]..range[1], block_size);
            made.framing.byte_order = new.versions.byte_order;
            made
        });
        let header = ChunkHeader {
            flags: method.flag(),
            mark: PackageFlags::STORE_COMPRESSED.0,
            method,
            versions: new.versions,
        };
        let (made, tail) = (made.collect(), Span::default());
        write(&header, made, &[], &tail, &Bytes::new(), new)
    }
}

fn summary_end(new: &Rewrap<'_>) -> Result<u64> {
    match load_summary(new.image, new.versions.clone()) {
        Some((_, end, _)) => Ok(end),
        None => damaged("the saved image has no summary".to_owned()),
    }
}

/// A chunk in the making.
struct DraftChunk {
    range: Range<u64>,
    framing: Framing,
    /// Which blocks are compressed anew: their places in the image.
    fresh: Vec<(usize, Range<usize>)>,
    raw: bool,
    slack: Span,
    /// The compressed size as it was stored, if every block stays.
    stored_size: Option<u32>,
}

impl DraftChunk {
    /// A chunk whose blocks are all compressed anew.
    fn new(range: Range<u64>, block_size: u32) -> Self {
        let mut made = Self {
            framing: Framing { block_size, ..Framing::default() },
            range,
            fresh: Vec::new(),
            raw: false,
            slack: Span::default(),
            stored_size: None,
        };
        made.cut(u64::from(made.framing.block_bytes(u32::MAX)));
        made
    }

    /// Cuts the chunk into blocks of `bytes`.
    fn cut(&mut self, bytes: u64) {
        let sizes = self.range.clone().step_by(bytes.max(1) as usize);
        let sizes: Vec<_> = sizes.map(|at| (self.range.end - at).min(bytes) as u32).collect();
        self.set_sizes(&sizes);
    }

    fn set_sizes(&mut self, sizes: &[u32]) {
        let mut at = self.range.start as usize;
        self.fresh.clear();
        self.framing.blocks.clear();
        for (row, &size) in sizes.iter().enumerate() {
            self.framing.blocks.push(Block { uncompressed_size: size, ..Block::default() });
            self.fresh.push((row, at..at + size as usize));
            at += size as usize;
        }
    }

    /// Keeps the blocks of the chunk as it was whose content has not changed.
    fn keep(&mut self, before: &Chunk, old: &[u8], new: &[u8], file_version: u32) -> Result<()> {
        self.slack = before.slack.clone();
        let ChunkData::Framed(framing) = &before.data else {
            self.raw = true;
            return Ok(());
        };
        if self.range.end - self.range.start == before.uncompressed_size {
            let sizes: Vec<_> =
                framing.blocks.iter().map(|block| block.uncompressed_size).collect();
            self.set_sizes(&sizes);
        } else {
            self.cut(u64::from(framing.block_bytes(file_version)));
        }
        let shift =
            |at: usize| at - self.range.start as usize + before.uncompressed_offset as usize;
        let fresh = std::mem::take(&mut self.fresh);
        for (row, range) in fresh {
            let was = framing.blocks.get(row).filter(|was| {
                let old = old.get(shift(range.start)..shift(range.end));
                was.uncompressed_size as usize == range.len()
                    && old.is_some()
                    && old == new.get(range.clone())
            });
            match was {
                Some(was) => self.framing.blocks[row] = was.clone(),
                None => self.fresh.push((row, range)),
            }
        }
        if self.fresh.is_empty() && self.framing.blocks.len() == framing.blocks.len() {
            self.stored_size = Some(framing.compressed_size);
        }
        Ok(())
    }
}

/// The compression as the stored summary says it.
struct ChunkHeader<'a> {
    flags: u32,
    mark: u32,
    method: Method,
    versions: &'a Versions,
}

/// Compresses what is fresh and writes summary, chunks and what stands between them.
fn write(
    header: &ChunkHeader<'_>,
    mut made: Vec<DraftChunk>,
    leads: &[Span],
    tail: &Span,
    file: &Bytes,
    new: &Rewrap<'_>,
) -> Result<Vec<u8>> {
    let places: Vec<(usize, usize)> = made
        .iter()
        .enumerate()
        .filter(|(_, chunk)| !chunk.raw)
        .flat_map(|(at, chunk)| chunk.fresh.iter().map(move |(row, _)| (at, *row)))
        .collect();
    let ranges = made.iter().filter(|chunk| !chunk.raw).flat_map(|chunk| &chunk.fresh);
    let pieces: Vec<&[u8]> =
        ranges.map(|(_, range)| new.image.get(range.clone()).unwrap_or_default()).collect();
    let bytes = pieces.iter().map(|piece| piece.len()).sum();
    let packed = blocks::compress_pieces(&pieces, header.method, blocks::threads_for(bytes, None))?;
    for ((at, row), packed) in places.into_iter().zip(packed) {
        let block = &mut made[at].framing.blocks[row];
        block.compressed_size = blocks::size_u32(packed.len() as u64)?;
        block.data = Span::owned(packed);
    }
    // The summary as the image has it, and the table in it. Its length is known before the offsets are.
    let Some((mut summary, size, _)) = load_summary(new.image, header.versions.clone()) else {
        return damaged("the saved image has no summary".to_owned());
    };
    summary.compression_flags = header.flags;
    summary.package_flags.0 |= header.mark;
    summary.compressed_chunks = vec![CompressedChunk::default(); made.len()];
    let mut counter = Counter::new(header.versions.clone());
    summary.serialize(&mut counter)?;
    let mut at = counter.length();
    let number = |value: u64| {
        let kind = ErrorKind::OutOfRange { value: value.into(), bits: 31 };
        i32::try_from(value).map_err(|_| Error::from(kind))
    };
    for (row, (chunk, entry)) in made.iter_mut().zip(&mut summary.compressed_chunks).enumerate() {
        at += leads.get(row).map_or(0, Span::len);
        let stored: u64 = chunk.framing.blocks.iter().map(|b| u64::from(b.compressed_size)).sum();
        let size = chunk.range.end - chunk.range.start;
        chunk.framing.compressed_size = match chunk.stored_size {
            Some(size) => size,
            None => blocks::size_u32(stored)?,
        };
        chunk.framing.uncompressed_size = blocks::size_u32(size)?;
        let framed = match chunk.raw {
            true => size,
            false => chunk.framing.table_size() + stored,
        } + chunk.slack.len();
        *entry = CompressedChunk {
            uncompressed_offset: number(chunk.range.start)?,
            uncompressed_size: number(size)?,
            compressed_offset: number(at)?,
            compressed_size: number(framed)?,
        };
        at += framed;
    }
    let source = Bytes::copy_from_slice(new.image.get(..size as usize).unwrap_or_default());
    let mut saver = Saver::new(header.versions.clone())
        .with_capacity(at as usize)
        .with_context(Arc::new(Context::new(source, Vec::new())));
    summary.serialize(&mut saver)?;
    let mut out = saver.into_bytes();
    let context = Arc::new(Context::new(file.clone(), Vec::new()));
    for (row, chunk) in made.iter_mut().enumerate() {
        if let Some(lead) = leads.get(row) {
            out.extend_from_slice(lead.bytes(file)?);
        }
        if chunk.raw {
            let range = chunk.range.start as usize..chunk.range.end as usize;
            out.extend_from_slice(new.image.get(range).unwrap_or_default());
        } else {
            let mut saver = Saver::new(header.versions.clone())
                .at(out.len() as u64)
                .with_context(context.clone());
            chunk.framing.serialize(&mut saver)?;
            out.extend_from_slice(saver.bytes());
        }
        out.extend_from_slice(chunk.slack.bytes(file)?);
    }
    out.extend_from_slice(tail.bytes(file)?);
    Ok(out)
}
