//! Files that game servers hand out for download: `.uz` (UE1), `.uz2` (UE2) and `.uz3` (UE3). Any file can be
//! in one.
//!
//! Spec: ue1-3/08 §8.7, ue1-3/14.

use super::uz::{Uz, UzForm};
use super::{Block, Framing, Method, blocks};
use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Kind, Loader, Saver, Span};
use crate::error::{Result, UnrealError};
use crate::version::{UnrealVersions, Versions};

/// Bytes of an uncompressed block of `.uz2`; only the last one is shorter.
const UZ2_BLOCK: u32 = 0x8000;
/// Most bytes of a compressed block of `.uz2`.
const UZ2_COMPRESSED: u32 = 33_096;
/// The tag of a `.uz3` file.
const UZ3_TAG: u32 = 5678;

/// The kinds of redirect files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirect {
    /// Sorted blocks and Huffman codes, with the name of the file inside.
    Uz(UzForm),
    /// Blocks of 32 KiB, zlib.
    Uz2,
    /// One stream, zlib.
    Uz3,
}

/// One block of a `.uz2` file, behind its compressed size.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct Uz2Block {
    /// Bytes when decompressed, 32768 but for the last block.
    pub uncompressed_size: u32,
    /// The zlib stream.
    pub data: Span,
}

impl Archived for Uz2Block {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let length = self.data.len();
        let mut size = u32::try_from(length).unwrap_or(u32::MAX);
        ar.serialize_u32(&mut size)?;
        ar.serialize_u32(&mut self.uncompressed_size)?;
        let unpacked = self.uncompressed_size;
        if size > UZ2_COMPRESSED || unpacked > UZ2_BLOCK || size == 0 || unpacked == 0 {
            let reason = format!("a .uz2 block of {size} bytes for {unpacked}");
            return Err(ar.error(UnrealError::Compression { reason }));
        }
        ar.serialize_span(&mut self.data, size.into(), Kind::Payload)
    }
}

/// A `.uz3` file, behind its tag; the stream goes on to the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uz3 {
    /// Bytes when decompressed.
    pub uncompressed_size: u32,
    /// The stream.
    pub data: Span,
}

impl Uz3 {
    fn serialize<A: Archive + ?Sized>(&mut self, length: u64, ar: &mut A) -> Result<()> {
        let mut tag = UZ3_TAG;
        ar.serialize_u32(&mut tag)?;
        if tag != UZ3_TAG {
            let reason = format!("a .uz3 file starts with {UZ3_TAG}, not {tag}");
            return Err(ar.error(UnrealError::Compression { reason }));
        }
        ar.serialize_u32(&mut self.uncompressed_size)?;
        ar.serialize_span(&mut self.data, length, Kind::Payload)
    }
}

impl Redirect {
    /// The usual end of the file name, without its dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Uz(_) => "uz",
            Self::Uz2 => "uz2",
            Self::Uz3 => "uz3",
        }
    }

    /// The format of a file by its content: `.uz3` has a tag, which one form of `.uz` shares, but not what follows;
    /// `.uz2` is recognised by the sizes of its first block.
    pub fn recognise(file: &[u8]) -> Option<Self> {
        if file.first_chunk() == Some(&UZ3_TAG.to_le_bytes()) && is_zlib(file.get(8..)) {
            return Some(Self::Uz3);
        }
        if let Some(form) = Uz::recognise(file) {
            return Some(Self::Uz(form));
        }
        let mut loader = Loader::new(file, Versions::unreal());
        let mut block = Uz2Block::default();
        let fits = block.serialize(&mut loader).is_ok()
            && (block.uncompressed_size == UZ2_BLOCK || loader.remaining() == 0)
            && is_zlib(block.data.bytes(file).ok());
        fits.then_some(Self::Uz2)
    }

    /// The name of the file inside, as the packer has noted it; only `.uz` files have one.
    ///
    /// # Errors
    /// As [`Uz::read`].
    pub fn name(self, file: &[u8]) -> Result<Option<String>> {
        let Self::Uz(_) = self else { return Ok(None) };
        Ok(Some(Uz::read(file)?.name.text(file)?.into_owned()))
    }

    /// The file inside.
    ///
    /// # Errors
    /// `Compression` when sizes or streams are damaged; `TooLarge` for more than 256 MiB that are also more
    /// than 64 times the file; `Unsupported` without the feature `compression`, which `.uz` does not need.
    pub fn unpack(self, file: &[u8]) -> Result<Vec<u8>> {
        self.unpack_within(file, None)
    }

    /// As [`Redirect::unpack`]: `most` bytes may come out, if that is given.
    ///
    /// # Errors
    /// As [`Redirect::unpack`].
    pub fn unpack_within(self, file: &[u8], most: Option<u64>) -> Result<Vec<u8>> {
        let mut loader = Loader::new(file, Versions::unreal());
        let mut list = Vec::new();
        match self {
            Self::Uz(_) => return Uz::read(file)?.unpack(file, most),
            Self::Uz3 => {
                let mut whole = Uz3::default();
                whole.serialize(loader.remaining().saturating_sub(8), &mut loader)?;
                list.push(Uz2Block {
                    uncompressed_size: whole.uncompressed_size,
                    data: whole.data,
                });
            }
            Self::Uz2 => {
                while loader.remaining() > 0 {
                    let mut block = Uz2Block::default();
                    loader.claim(1, size_of::<Uz2Block>())?;
                    let read = block.serialize(&mut loader);
                    read.map_err(|error| error.at_index(list.len()).in_field("blocks"))?;
                    list.push(block);
                }
            }
        }
        let block = |Uz2Block { uncompressed_size, data }| {
            let compressed_size = blocks::size_u32(data.len())?;
            Ok(Block { compressed_size, uncompressed_size, data })
        };
        let blocks = list.into_iter().map(block).collect::<Result<_>>()?;
        let framing = Framing { blocks, ..Framing::default() };
        blocks::decompress_within(&framing, file, Method::Zlib, (file.len() as u64, most))
    }

    /// A file that holds these bytes.
    ///
    /// # Errors
    /// As [`Redirect::pack_named`].
    pub fn pack(self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.pack_named("", bytes)
    }

    /// The same under the name that a `.uz` file notes: the file's own, without folders.
    ///
    /// # Errors
    /// `OutOfRange` for a `.uz3` file of 4 GiB and more, a `.uz` file of 2 GiB; `Unsupported` without the
    /// feature `compression`, which `.uz` does not need.
    pub fn pack_named(self, name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
        let pieces: Vec<&[u8]> = match self {
            Self::Uz(form) => return Uz::pack(form, name, bytes),
            Self::Uz2 => bytes.chunks(UZ2_BLOCK as usize).collect(),
            Self::Uz3 => vec![bytes],
        };
        let threads = blocks::threads_for(bytes.len(), None);
        let packed = blocks::compress_pieces(&pieces, Method::Zlib, threads)?;
        let mut saver = Saver::new(Versions::unreal());
        for (piece, data) in pieces.into_iter().zip(packed) {
            let uncompressed_size = blocks::size_u32(piece.len() as u64)?;
            let (length, data) = (data.len() as u64, Span::owned(data));
            match self {
                Self::Uz3 => Uz3 { uncompressed_size, data }.serialize(length, &mut saver)?,
                _ => Uz2Block { uncompressed_size, data }.serialize(&mut saver)?,
            }
        }
        Ok(saver.into_bytes())
    }
}

fn is_zlib(stream: Option<&[u8]>) -> bool {
    matches!(stream, Some([first, second, ..])
        if first & 15 == 8 && u16::from_be_bytes([*first, *second]).is_multiple_of(31))
}
