//! Many blocks at once: decompressed and compressed on all cores.

use std::num::NonZero;
use std::sync::Mutex;

use super::codec::Codec;
use super::{Block, Framing, Method, limit};
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result, UnrealError};

/// Fewer bytes than this are not worth a second thread.
const WORTH_A_THREAD: usize = 0x4_0000;

/// The threads that decompress this much data: every core, or the calling
/// thread alone.
pub(super) fn threads_for(bytes: usize, wanted: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    wanted.unwrap_or_else(cores).min(bytes / WORTH_A_THREAD).max(1)
}

/// Runs `work` over all jobs on `threads` threads, each with its own codec state; the first job in
/// order that fails gives the error.
pub(super) fn for_each<J: Send>(
    jobs: Vec<J>,
    threads: usize,
    work: impl Fn(&mut Codec, J) -> Result<()> + Sync,
) -> Result<()> {
    if threads <= 1 || jobs.len() <= 1 {
        let mut codec = Codec::default();
        return jobs.into_iter().try_for_each(|job| work(&mut codec, job));
    }
    let threads = threads.min(jobs.len());
    let queue = Mutex::new(jobs.into_iter().enumerate());
    let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let run = || {
        let mut codec = Codec::default();
        // A lock is poisoned only when a thread panics, and then the panic is passed on.
        while let Some((at, job)) = queue.lock().ok().and_then(|mut queue| queue.next()) {
            if let Err(error) = work(&mut codec, job)
                && let Ok(mut failed) = failed.lock()
            {
                if failed.as_ref().is_none_or(|(first, _)| at < *first) {
                    *failed = Some((at, error));
                }
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    match failed.into_inner() {
        Ok(Some((_, error))) => Err(error),
        _ => Ok(()),
    }
}

/// One block to decompress.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub method: Method,
    pub from: &'a [u8],
    pub to: &'a mut [u8],
    /// Chunk and block, for errors.
    pub place: (Option<usize>, usize),
}

/// Decompresses one block after the other, or many at a time.
pub(super) fn decompress_all(jobs: Vec<Job<'_>>, threads: usize) -> Result<()> {
    for_each(jobs, threads, |codec, job| {
        codec.decompress(job.method, job.from, job.to).map_err(|error| {
            let error = error.at_index(job.place.1).in_field("blocks");
            match job.place.0 {
                Some(chunk) => error.at_index(chunk).in_field("chunks"),
                None => error,
            }
        })
    })
}

/// The jobs that fill `to` from the blocks of a framing; `to` has exactly the framing's size.
pub(super) fn jobs<'a>(
    framing: &'a Framing,
    source: &'a [u8],
    method: Method,
    chunk: Option<usize>,
    mut to: &'a mut [u8],
    jobs: &mut Vec<Job<'a>>,
) -> Result<()> {
    for (row, block) in framing.blocks.iter().enumerate() {
        let size = block.uncompressed_size as usize;
        let Some((head, rest)) = to.split_at_mut_checked(size) else {
            let reason = "the blocks hold more than the whole".to_owned();
            return Err(UnrealError::Compression { reason }.into());
        };
        jobs.push(Job { method, from: block.data.bytes(source)?, to: head, place: (chunk, row) });
        to = rest;
    }
    Ok(())
}

/// Decompresses a framing whose blocks are ranges of `source`.
///
/// # Errors
/// `Compression` when a size or block is damaged; `TooLarge` for more than 256 MiB that are also more than
/// 64 times the blocks; `Unsupported` without the feature `compression`.
pub fn decompress(framing: &Framing, source: &[u8], method: Method) -> Result<Vec<u8>> {
    let stored = framing.blocks.iter().map(|block| u64::from(block.compressed_size)).sum();
    decompress_within(framing, source, method, (stored, None))
}

/// Decompresses one block, which no framing is around, into exactly `to`.
///
/// # Errors
/// `Compression` when the block is damaged or has another size; `Unsupported` without the feature `compression`.
pub fn decompress_block(method: Method, from: &[u8], to: &mut [u8]) -> Result<()> {
    Codec::default().decompress(method, from, to)
}

/// The same where the blocks stand in a file of `stored` bytes, out of which `most` may come.
pub(super) fn decompress_within(
    framing: &Framing,
    source: &[u8],
    method: Method,
    (stored, most): (u64, Option<u64>),
) -> Result<Vec<u8>> {
    framing.check(method)?;
    let total: u64 = framing.blocks.iter().map(|block| u64::from(block.uncompressed_size)).sum();
    limit::check(total, stored, most)?;
    let total = usize::try_from(total)
        .map_err(|_| ErrorKind::OutOfRange { value: total.into(), bits: usize::BITS })?;
    let mut bytes = vec![0; total];
    let mut list = Vec::with_capacity(framing.blocks.len());
    jobs(framing, source, method, None, &mut bytes, &mut list)?;
    decompress_all(list, threads_for(total, None))?;
    Ok(bytes)
}

/// Compresses bytes into a framing of blocks of `block_size` bytes, which owns its bytes.
///
/// # Errors
/// `OutOfRange` beyond 4 GiB; `Unsupported` for Oodle and without the feature `compression`.
pub fn compress(bytes: &[u8], method: Method, block_size: u32) -> Result<Framing> {
    let block_bytes = usize::try_from(block_size.max(1)).unwrap_or(usize::MAX);
    let pieces: Vec<&[u8]> = bytes.chunks(block_bytes).collect();
    let packed = compress_pieces(&pieces, method, threads_for(bytes.len(), None))?;
    let blocks: Vec<Block> = pieces
        .iter()
        .zip(packed)
        .map(|(piece, data)| Block {
            compressed_size: data.len() as u32,
            uncompressed_size: piece.len() as u32,
            data: Span::owned(data),
        })
        .collect();
    let compressed: u64 = blocks.iter().map(|block| u64::from(block.compressed_size)).sum();
    Ok(Framing {
        block_size,
        compressed_size: size_u32(compressed)?,
        uncompressed_size: size_u32(bytes.len() as u64)?,
        blocks,
        ..Framing::default()
    })
}

/// Compresses each piece on its own.
pub(super) fn compress_pieces(
    pieces: &[&[u8]],
    method: Method,
    threads: usize,
) -> Result<Vec<Vec<u8>>> {
    let mut packed = vec![Vec::new(); pieces.len()];
    let jobs: Vec<_> = pieces.iter().zip(&mut packed).collect();
    for_each(jobs, threads, |codec, (piece, packed)| {
        *packed = codec.compress(method, piece)?;
        Ok(())
    })?;
    Ok(packed)
}

pub(super) fn size_u32(value: u64) -> Result<u32> {
    u32::try_from(value).map_err(|_| ErrorKind::OutOfRange { value: value.into(), bits: 32 }.into())
}
