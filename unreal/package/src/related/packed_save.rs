//! The wrapper that some games put around a save game: a header, and a zlib or Oodle stream.

#[cfg(feature = "compression")]
use std::io::{Read, Write};

#[cfg(feature = "compression")]
use bytes::Bytes;
#[cfg(feature = "compression")]
use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};

#[cfg(feature = "compression")]
use crate::archive::Context;
use crate::archive::layout::Layout;
use crate::archive::{Kind, in_field, private};
#[cfg(feature = "compression")]
use crate::compression::{Codec, Method};
use crate::error::Result;
#[cfg(feature = "compression")]
use crate::error::{ErrorKind, UnrealError};
#[cfg(feature = "compression")]
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Described, Span};
#[cfg(feature = "compression")]
use crate::{Loader, Saver, Versions};

/// What stands behind the two sizes, before the letter of the codec.
const MAGIC: &[u8; 2] = b"Pl";
/// Where it stands.
const MAGIC_AT: usize = 8;
/// Letters of the codecs.
const ZLIB: u8 = b'Z';
const OODLE: u8 = b'M';
/// What a block of Oodle holds, and the headers of blocks that are stored as they are: the first one starts the decoder.
#[cfg(feature = "compression")]
const OODLE_BLOCK: usize = 0x4_0000;
#[cfg(feature = "compression")]
const OODLE_STORED: [[u8; 2]; 2] = [[0xcc, 0x0a], [0x4c, 0x0a]];

/// Bytes that some games put before a save game or its wrapper: the magic, where it stands, all their bytes.
#[cfg(feature = "compression")]
const PREFIXES: [(&[u8], usize, usize); 2] = [(b"CMTA", 0, 4), (b"CNK", 8, 12)];

/// How many bytes stand before what is known: a magic alone (`CMTA`), two numbers with a magic and a digit (`CNK`).
///
/// `CMTA` was seen; `CNK` is known from public tools alone (spec: ue4-5/14 §14.1).
#[cfg(feature = "compression")]
pub(super) fn prefix(file: &[u8]) -> usize {
    let is_there = |(magic, at, length): &(&[u8], usize, usize)| {
        let rest = file.get(*length..).unwrap_or_default();
        let is_plain = *at == 0 && rest.starts_with(b"GVAS");
        file.get(*at..).is_some_and(|file| file.starts_with(magic))
            && (is_plain || PackedSave::recognise(rest))
    };
    PREFIXES.iter().find(|prefix| is_there(prefix)).map_or(0, |(_, _, length)| *length)
}
/// Any save game may become this large, or this many times its file.
#[cfg(feature = "compression")]
const LARGEST: u64 = 256 << 20;
#[cfg(feature = "compression")]
const MOST: u64 = 64;

/// A save game in the wrapper of Palworld.
///
/// Spec: ue4-5/14 §14.1.
#[derive(Described, Debug, Clone, PartialEq)]
pub struct PackedSave {
    /// Bytes of the save game.
    pub unpacked: u32,
    /// Bytes after the first pass.
    pub packed: u32,
    /// How the stream is packed: `'Z'` by zlib, `'M'` by Oodle.
    pub codec: u8,
    /// `'0'` as it is, `'1'` one stream, `'2'` a zlib stream within a stream.
    pub method: u8,
    /// What follows to the end of the file.
    pub data: Span,
}

impl Default for PackedSave {
    fn default() -> Self {
        Self { unpacked: 0, packed: 0, codec: ZLIB, method: 0, data: Span::default() }
    }
}

impl Archived for PackedSave {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("unpacked", ar, |ar| ar.serialize_u32(&mut self.unpacked))?;
        in_field("packed", ar, |ar| ar.serialize_u32(&mut self.packed))?;
        private::magic(MAGIC, ar)?;
        in_field("codec", ar, |ar| ar.serialize_u8(&mut self.codec))?;
        in_field("method", ar, |ar| ar.serialize_u8(&mut self.method))?;
        let length = ar.peek(usize::MAX).len() as u64;
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, length, Kind::Payload))
    }
}

impl PackedSave {
    /// Whether a file is one.
    pub fn recognise(file: &[u8]) -> bool {
        let rest = file.get(MAGIC_AT..).and_then(|rest| rest.strip_prefix(MAGIC));
        matches!(rest, Some([ZLIB | OODLE, ..]))
    }
}

#[cfg(feature = "compression")]
impl PackedSave {
    /// Reads the wrapper, and what is in it.
    ///
    /// # Errors
    /// `BadMagic` for another file, `UnknownVariant` for another method, `Compression` for a damaged stream or one
    /// of another size than the header says, `TooLarge` for one beyond 256 MiB and 64 times the file.
    pub fn read(file: &Bytes) -> Result<(Self, Bytes)> {
        let mut loader = Loader::new(file, Versions::ue4_and_5(0, 0));
        let mut wrapper = Self::default();
        wrapper.serialize(&mut loader)?;
        let most = LARGEST.max((file.len() as u64).saturating_mul(MOST));
        let mut data = Bytes::copy_from_slice(wrapper.data.bytes(file)?);
        for _ in 0..wrapper.passes()? {
            data = match wrapper.codec {
                OODLE => wrapper.unpack_oodle(&data, most)?,
                _ => inflate(&data, most)?,
            };
        }
        if data.len() as u64 != u64::from(wrapper.unpacked) {
            let reason =
                format!("{} bytes instead of the {} of the header", data.len(), wrapper.unpacked);
            return Err(UnrealError::Compression { reason }.into());
        }
        Ok((wrapper, data))
    }

    /// The file as it was read.
    ///
    /// # Errors
    /// `OutsideSource` for another file.
    pub fn unchanged(&self, file: &Bytes) -> Result<Vec<u8>> {
        let context = std::sync::Arc::new(Context::of(file.clone()));
        let mut saver = Saver::new(Versions::ue4_and_5(0, 0)).with_context(context);
        self.clone().serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }

    /// The file with another save game in it, packed in the same way; with Oodle, for which there is no open
    /// compressor, in blocks that Oodle stores as they are.
    ///
    /// # Errors
    /// `OutOfRange` for more than 4 GiB.
    pub fn pack(&self, save: &[u8]) -> Result<Vec<u8>> {
        let size = |bytes: &[u8]| {
            u32::try_from(bytes.len())
                .map_err(|_| ErrorKind::OutOfRange { value: bytes.len() as i128, bits: 32 })
        };
        let (mut data, mut packed) = (save.to_vec(), size(save)?);
        for pass in 0..self.passes()? {
            data = match self.codec {
                OODLE => store_oodle(&data),
                _ => deflate(&data)?,
            };
            if pass == 0 {
                packed = size(&data)?;
            }
        }
        let mut wrapper =
            Self { unpacked: size(save)?, packed, data: Span::owned(data), ..self.clone() };
        let mut saver = Saver::new(Versions::ue4_and_5(0, 0));
        wrapper.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }

    /// The header says the size: Oodle's streams do not.
    fn unpack_oodle(&self, data: &[u8], most: u64) -> Result<Bytes> {
        let size = u64::from(self.unpacked);
        if size > most.min(Method::Oodle.most_from(data.len() as u64)) {
            let reason = format!("{size} bytes can't come out of {} with Oodle", data.len());
            return Err(UnrealError::Compression { reason }.into());
        }
        let mut bytes = vec![0; usize::try_from(size).unwrap_or_default()];
        Codec::default().decompress(Method::Oodle, data, &mut bytes)?;
        Ok(bytes.into())
    }

    fn passes(&self) -> Result<u8> {
        match (self.codec, self.method) {
            (ZLIB, method @ b'0'..=b'2') | (OODLE, method @ b'0'..=b'1') => Ok(method - b'0'),
            (_, method) => {
                let (value, type_name) = (method.into(), "PackedSave");
                Err(ErrorKind::UnknownVariant { value, type_name }.into())
            }
        }
    }
}

#[cfg(feature = "compression")]
fn inflate(data: &[u8], most: u64) -> Result<Bytes> {
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(data).take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| UnrealError::Compression { reason: error.to_string() })?;
    if bytes.len() as u64 > most {
        let reason = format!("it becomes larger than {most} bytes");
        return Err(UnrealError::Compression { reason }.into());
    }
    Ok(bytes.into())
}

/// Blocks of Oodle that hold bytes as they are.
#[cfg(feature = "compression")]
fn store_oodle(data: &[u8]) -> Vec<u8> {
    let [first, further] = OODLE_STORED;
    let headers = std::iter::once(first).chain(std::iter::repeat(further));
    let blocks = data.chunks(OODLE_BLOCK).zip(headers);
    blocks.flat_map(|(block, header)| [header.as_slice(), block].concat()).collect()
}

#[cfg(feature = "compression")]
fn deflate(data: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(data).and_then(|()| encoder.finish());
    Ok(written.map_err(|error| UnrealError::Compression { reason: error.to_string() })?)
}
