//! Files that are one framing from start to end: "fully compressed" packages of consoles.

use std::sync::Arc;

use bytes::Bytes;

use super::codec::Codec;
use super::{BLOCK_SIZE, Framing, Method, Rewrap, blocks, limit};
use crate::archive::{Archive, Archived, Context, Loader, Saver, Span};
use crate::error::{Error, Result, UnrealError, UnrealErrors, Unsupported};
use crate::property::PackageContext;
use crate::table::PACKAGE_TAG;
use crate::version::{UnrealVersions, Versions};

/// Block sizes that can't be a file version (spec: ue1-3/04 §4.3).
const BLOCK_SIZES: [u32; 4] = [PACKAGE_TAG, 0x8000, 0x1_0000, 0x2_0000];

/// A whole file in one framing; which method it is compressed with is stored nowhere.
#[derive(Debug, Clone)]
pub(super) struct Stream {
    pub method: Method,
    pub framing: Framing,
    /// Bytes behind the framing.
    pub tail: Span,
}

/// Whether a file starts as a framing does, and not as a package.
pub(super) fn is_stream(file: &[u8]) -> bool {
    let word = |at: usize| file.get(at..at + 4).and_then(|word| word.try_into().ok());
    let (Some(tag), Some(size)) = (word(0), word(4)) else { return false };
    let little = u32::from_le_bytes(tag) == PACKAGE_TAG;
    let big = u32::from_be_bytes(tag) == PACKAGE_TAG;
    let size = if big { u32::from_be_bytes(size) } else { u32::from_le_bytes(size) };
    (little || big) && BLOCK_SIZES.contains(&size)
}

impl Stream {
    /// Reads the framing and finds out the method from its first block.
    ///
    /// # Errors
    /// `Compression` when sizes do not fit together; `TooLarge` for more than `most` bytes; `Unsupported`
    /// when no method fits.
    pub fn load(file: &[u8], most: Option<u64>) -> Result<Self> {
        let mut loader = Loader::new(file, Versions::unreal());
        let mut framing = Framing::default();
        framing.serialize(&mut loader).map_err(|error| error.in_field("stream"))?;
        let tail = Span::source(loader.position(), loader.remaining());
        // A first block that no method could make says more than the size of the whole, and costs nothing.
        let can_be = |block: &super::Block| {
            let size = u64::from(block.uncompressed_size);
            Method::ALL.iter().any(|known| size <= known.most_from(block.compressed_size.into()))
        };
        if framing.blocks.first().is_some_and(can_be) {
            limit::check(framing.uncompressed_size.into(), file.len() as u64, most)?;
        }
        let method = guess(&framing, file)?;
        framing.check(method).map_err(|error| error.in_field("stream"))?;
        Ok(Self { method, framing, tail })
    }

    /// All blocks decompressed.
    ///
    /// # Errors
    /// `Compression` for a damaged block.
    pub fn image(&self, file: &[u8], threads: Option<usize>) -> Result<Vec<u8>> {
        let size = self.framing.uncompressed_size as usize;
        let mut image = vec![0; size];
        let mut jobs = Vec::with_capacity(self.framing.blocks.len());
        blocks::jobs(&self.framing, file, self.method, None, &mut image, &mut jobs)?;
        blocks::decompress_all(jobs, blocks::threads_for(size, threads))?;
        Ok(image)
    }

    /// The file around a changed image; blocks with the same content stay the bytes they were.
    ///
    /// # Errors
    /// `Unsupported` when a block has changed whose method can't be written.
    pub fn rewrap(&self, file: &Bytes, old: &[u8], new: &Rewrap<'_>) -> Result<Vec<u8>> {
        let mut framing = self.framing.clone();
        let mut kept = Vec::new();
        if old.len() == new.image.len() {
            let mut at = 0;
            for block in &framing.blocks {
                let range = at..at + block.uncompressed_size as usize;
                at = range.end;
                kept.push((old.get(range.clone()) == new.image.get(range.clone()), range));
            }
        } else {
            let bytes = framing.block_bytes(new.versions.file()) as usize;
            let whole = 0..new.image.len();
            for at in whole.clone().step_by(bytes.max(1)) {
                let range = at..(at + bytes).min(whole.end);
                let size = range.len() as u32;
                let was = framing.blocks.get(kept.len());
                let same = was.is_some_and(|was| was.uncompressed_size == size)
                    && old.get(range.clone()) == new.image.get(range.clone());
                kept.push((same, range));
            }
            framing.blocks.resize(kept.len(), super::Block::default());
        }
        let fresh = kept.iter().filter(|(same, _)| !same);
        let pieces: Vec<&[u8]> =
            fresh.map(|(_, range)| new.image.get(range.clone()).unwrap_or_default()).collect();
        let bytes = pieces.iter().map(|piece| piece.len()).sum();
        let packed =
            blocks::compress_pieces(&pieces, self.method, blocks::threads_for(bytes, None))?;
        let unchanged = packed.is_empty() && old.len() == new.image.len();
        let mut packed = packed.into_iter();
        for (block, (same, range)) in framing.blocks.iter_mut().zip(&kept) {
            if *same {
                continue;
            }
            let data = packed.next().unwrap_or_default();
            block.compressed_size = blocks::size_u32(data.len() as u64)?;
            block.uncompressed_size = range.len() as u32;
            block.data = Span::owned(data);
        }
        if !unchanged {
            let sizes = framing.blocks.iter().map(|block| u64::from(block.compressed_size));
            framing.compressed_size = blocks::size_u32(sizes.sum())?;
            framing.uncompressed_size = blocks::size_u32(new.image.len() as u64)?;
        }
        let mut out = write(&mut framing, file)?;
        out.extend_from_slice(self.tail.bytes(file)?);
        Ok(out)
    }

    /// One framing around an image that was stored otherwise.
    ///
    /// # Errors
    /// `Unsupported` for Oodle.
    pub fn wrap(method: Method, new: &Rewrap<'_>) -> Result<Vec<u8>> {
        let mut framing = blocks::compress(new.image, method, BLOCK_SIZE)?;
        framing.byte_order = new.versions.byte_order;
        write(&mut framing, &Bytes::new())
    }
}

fn write(framing: &mut Framing, file: &Bytes) -> Result<Vec<u8>> {
    let context = Arc::new(Context::new(file.clone(), Vec::new()));
    let mut saver = Saver::new(Versions::unreal()).with_context(context);
    framing.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

/// The method under which the first block becomes the start of a package.
///
/// Only zlib has a mark and a checksum of its own: a first block that fits both is zlib whatever comes out,
/// and one that has the mark alone is damaged zlib unless another method makes a package of it.
fn guess(framing: &Framing, file: &[u8]) -> Result<Method> {
    let Some(block) = framing.blocks.first() else {
        let reason = "the stream holds nothing".to_owned();
        return Err(UnrealError::Compression { reason }.into());
    };
    let data = block.data.bytes(file)?;
    let size = u64::from(block.uncompressed_size);
    let likely = |method: &Method| match (method, data) {
        (Method::Lzma, [0x5d, ..]) => true,
        (Method::Zlib, [first, second, ..]) => {
            first & 15 == 8 && u16::from_be_bytes([*first, *second]).is_multiple_of(31)
        }
        (Method::Oodle, [first, ..]) => first & 0x3f == 0x0c,
        (Method::Lzma | Method::Zlib | Method::Oodle, _) => false,
        (Method::Lzo | Method::Lzx, _) => true,
    };
    let order = [Method::Lzma, Method::Zlib, Method::Lzx, Method::Lzo, Method::Oodle];
    let mut codec = Codec::default();
    let (mut refused, mut marked) = (None, None);
    for method in order.into_iter().filter(likely) {
        if size > method.most_from(data.len() as u64) {
            refused = refused.or(framing.check(method).err());
            continue;
        }
        let mut first = vec![0; size as usize];
        match codec.decompress(method, data, &mut first) {
            Ok(()) if starts_package(&first) => return Ok(method),
            // Without the codecs there is nothing to try.
            Err(error) if matches!(error.unreal(), Some(UnrealError::Unsupported { .. })) => {
                return Err(error);
            }
            done if method == Method::Zlib => marked = Some(done.map(|()| method)),
            _ => {}
        }
    }
    if let Some(done) = marked {
        return done.map_err(|error| error.at_index(0).in_field("blocks").in_field("stream"));
    }
    if let Some(error) = refused {
        return Err(error.in_field("stream"));
    }
    let reason = "compressed as a whole (one stream), with a method that is not known";
    Err(Error::unsupported_by(Unsupported::Compressed, reason))
}

fn starts_package(bytes: &[u8]) -> bool {
    let tag = bytes.first_chunk().map(|tag| u32::from_le_bytes(*tag));
    tag.is_some_and(|tag| tag == PACKAGE_TAG || tag == PACKAGE_TAG.swap_bytes())
}
