//! Packages whose summary lists compressed chunks.

use std::sync::Arc;

use bytes::Bytes;

use super::blocks::{self, Job};
use super::{BLOCK_SIZE, Framing, Method};
use crate::archive::{Archive, Archived, Context, Counter, Loader, Saver, Span};
use crate::error::{Error, ErrorKind, Result, UnrealError, UnrealErrors, Unsupported};
use crate::primitive::PackageFlags;
use crate::property::PackageContext;
use crate::table::{CompressedChunk, PACKAGE_TAG, Summary};
use crate::version::Versions;

/// A chunk of a package: a range of the image, and how the file stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// First byte in the image.
    pub uncompressed_offset: u64,
    /// Bytes in the image.
    pub uncompressed_size: u64,
    /// First byte in the file.
    pub compressed_offset: u64,
    /// Bytes in the file, framing included.
    pub compressed_size: u64,
    /// The bytes there, compressed or not.
    pub data: ChunkData,
    /// Bytes before it that nothing claims.
    pub(super) lead: Span,
    /// Bytes of the chunk behind its data.
    pub(super) slack: Span,
}

/// How a chunk is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkData {
    /// In compressed blocks.
    Framed(Framing),
    /// As it is: its two sizes are the same.
    Raw(Span),
}

/// The chunks of a package with its stored summary.
#[derive(Debug, Clone)]
pub(super) struct Chunks {
    pub(super) versions: Versions,
    /// As stored: with flags and chunk table.
    pub(super) summary: Summary,
    pub summary_size: u64,
    pub method: Method,
    pub list: Vec<Chunk>,
    /// Bytes behind the last chunk.
    pub tail: Span,
}

/// A summary, its size, and the versions that it tells; `None` where there is none.
pub(super) fn load_summary(bytes: &[u8], versions: Versions) -> Option<(Summary, u64, Versions)> {
    let mut loader = Loader::new(bytes, versions);
    let mut summary = Summary::default();
    summary.serialize(&mut loader).ok()?;
    Some((summary, loader.position(), loader.versions().clone()))
}

/// A summary as it stands in the image: nothing in it speaks of compression (spec: ue1-3/04 §4.2 R5).
fn of_image(summary: &Summary) -> Summary {
    let mut plain = summary.clone();
    plain.compression_flags = 0;
    plain.compressed_chunks.clear();
    plain.package_flags.0 &= !PackageFlags::STORE_COMPRESSED.0;
    plain
}

pub(super) fn damaged<T>(reason: String) -> Result<T> {
    Err(UnrealError::Compression { reason }.into())
}

impl Chunks {
    /// The chunks of a file, `None` if its summary lists none or can't be read.
    ///
    /// # Errors
    /// `Unsupported` for an unknown method; `Compression` when sizes do not fit together.
    pub fn load(file: &[u8], versions: Versions) -> Result<Option<Self>> {
        let Some((summary, summary_size, versions)) = load_summary(file, versions) else {
            return Ok(None);
        };
        if summary.compressed_chunks.is_empty() {
            return Ok(None);
        }
        let flags = summary.compression_flags;
        let Some(method) = Method::from_flags(flags) else {
            let (chunks, version) = (summary.compressed_chunks.len(), &versions);
            let reason = format!(
                "compressed with flags {flags:#x}, an unknown method ({chunks} chunks, \
                 version {version})"
            );
            return Err(Error::unsupported_by(Unsupported::Compressed, reason));
        };
        let mut chunks = Self {
            versions,
            summary,
            summary_size,
            method,
            list: Vec::new(),
            tail: Span::default(),
        };
        chunks.load_list(file)?;
        chunks.check(file)?;
        Ok(Some(chunks))
    }

    fn load_list(&mut self, file: &[u8]) -> Result<()> {
        let mut loader = Loader::new(file, self.versions.clone());
        let mut at = self.summary_size;
        for (row, entry) in self.summary.compressed_chunks.iter().enumerate() {
            let chunk = load_chunk(entry, at, file, &mut loader)
                .map_err(|error| error.at_index(row).in_field("chunks"))?;
            at = chunk.compressed_offset + chunk.compressed_size;
            self.list.push(chunk);
        }
        self.tail = Span::source(at, file.len() as u64 - at);
        Ok(())
    }

    /// Whether the image has no holes, and each block is small enough to come out of its bytes.
    fn check(&self, file: &[u8]) -> Result<()> {
        let mut at = self.image_summary_size()?;
        for (row, chunk) in self.list.iter().enumerate() {
            let located = |error: Error| error.at_index(row).in_field("chunks");
            if chunk.uncompressed_offset != at {
                let stands = chunk.uncompressed_offset;
                let reason = format!("it stands at {stands:#x} of the image instead of {at:#x}");
                return damaged(reason).map_err(located);
            }
            at += chunk.uncompressed_size;
            let ChunkData::Framed(framing) = &chunk.data else { continue };
            if u64::from(framing.uncompressed_size) != chunk.uncompressed_size {
                let (framed, size) = (framing.uncompressed_size, chunk.uncompressed_size);
                return damaged(format!("{framed} bytes are framed instead of {size}"))
                    .map_err(located);
            }
            framing.check(self.method).map_err(located)?;
            self.tell_forks(framing, file)?;
        }
        Ok(())
    }

    /// Flag 8 stands for other codecs in other games (spec: ue1-3/04 §4.2).
    fn tell_forks(&self, framing: &Framing, file: &[u8]) -> Result<()> {
        let first = framing.blocks.first().map(|block| block.data.bytes(file)).transpose()?;
        if self.method == Method::Lzma && first.is_some_and(|first| first.first() != Some(&0x5d)) {
            let reason = "compressed with flags 0x8, but not with LZMA (LZ4 in Arkham Knight, \
                          encrypted LZO in Blade & Soul)";
            return Err(Error::unsupported_by(Unsupported::Compressed, reason));
        }
        Ok(())
    }

    fn image_summary_size(&self) -> Result<u64> {
        let mut counter = Counter::new(self.versions.clone());
        of_image(&self.summary).serialize(&mut counter)?;
        Ok(counter.length())
    }

    /// The image: the summary without its chunk table, and all chunks decompressed.
    ///
    /// # Errors
    /// `Compression` for a damaged block; `Unsupported` without the feature.
    pub fn image(&self, file: &Bytes, threads: Option<usize>) -> Result<Vec<u8>> {
        let context = Arc::new(Context::new(file.clone(), Vec::new()));
        let mut saver = Saver::new(self.versions.clone()).with_context(context);
        of_image(&self.summary).serialize(&mut saver)?;
        let mut image = saver.into_bytes();
        let start = image.len();
        let size = self.image_size();
        let size = usize::try_from(size)
            .map_err(|_| ErrorKind::OutOfRange { value: size.into(), bits: usize::BITS })?;
        // Zeroed by the system, page by page, when a decoder gets there.
        let mut whole = vec![0; start + size];
        whole[..start].copy_from_slice(&image);
        std::mem::swap(&mut image, &mut whole);
        let mut jobs: Vec<Job<'_>> = Vec::new();
        let mut rest = &mut image[start..];
        for (row, chunk) in self.list.iter().enumerate() {
            let (head, tail) = rest.split_at_mut(chunk.uncompressed_size as usize);
            rest = tail;
            match &chunk.data {
                ChunkData::Raw(span) => head.copy_from_slice(span.bytes(file)?),
                ChunkData::Framed(framing) => {
                    blocks::jobs(framing, file, self.method, Some(row), head, &mut jobs)?;
                }
            }
        }
        blocks::decompress_all(jobs, blocks::threads_for(size, threads))?;
        Ok(image)
    }

    /// Bytes of all chunks in the image.
    pub fn image_size(&self) -> u64 {
        self.list.iter().map(|chunk| chunk.uncompressed_size).sum()
    }

    /// Where the image is cut: the start of every chunk, and its end.
    pub(super) fn cuts(&self) -> Vec<u64> {
        let starts = self.list.iter().map(|chunk| chunk.uncompressed_offset);
        let end = self.list.last().map(|chunk| chunk.uncompressed_offset + chunk.uncompressed_size);
        starts.chain(end).collect()
    }
}

impl Chunk {
    /// The framing, unless the chunk is stored as it is.
    pub fn framing(&self) -> Option<&Framing> {
        match &self.data {
            ChunkData::Framed(framing) => Some(framing),
            ChunkData::Raw(_) => None,
        }
    }

    /// The stored size of a block.
    pub(super) fn block_size(&self) -> u32 {
        self.framing().map_or(BLOCK_SIZE, |framing| framing.block_size)
    }
}

/// Reads a chunk that stands behind `at`.
fn load_chunk<'a>(
    entry: &CompressedChunk,
    at: u64,
    file: &'a [u8],
    loader: &mut Loader<'a>,
) -> Result<Chunk> {
    let number = |value: i32, field| match u64::try_from(value) {
        Ok(value) => Ok(value),
        Err(_) => {
            let kind = ErrorKind::NegativeCount { count: value.into() };
            Err(Error::from(kind).in_field(field))
        }
    };
    let uncompressed_offset = number(entry.uncompressed_offset, "uncompressed_offset")?;
    let uncompressed_size = number(entry.uncompressed_size, "uncompressed_size")?;
    let compressed_offset = number(entry.compressed_offset, "compressed_offset")?;
    let compressed_size = number(entry.compressed_size, "compressed_size")?;
    let end = compressed_offset + compressed_size;
    if compressed_offset < at || end > file.len() as u64 {
        let (offset, length) = (compressed_offset as i64, file.len() as u64);
        return Err(
            Error::from(ErrorKind::BadOffset { offset, length }).in_field("compressed_offset")
        );
    }
    loader.seek(file, compressed_offset, end)?;
    let starts_framing = || {
        let word = loader.peek(4).try_into().map(u32::from_le_bytes).unwrap_or_default();
        word == PACKAGE_TAG || word == PACKAGE_TAG.swap_bytes()
    };
    let (data, slack);
    if compressed_size == uncompressed_size && !starts_framing() {
        data = ChunkData::Raw(Span::source(compressed_offset, compressed_size));
        slack = Span::default();
    } else {
        let mut framing = Framing::default();
        framing.serialize(loader)?;
        data = ChunkData::Framed(framing);
        slack = Span::source(loader.position(), loader.remaining());
    }
    Ok(Chunk {
        uncompressed_offset,
        uncompressed_size,
        compressed_offset,
        compressed_size,
        data,
        lead: Span::source(at, compressed_offset - at),
        slack,
    })
}
