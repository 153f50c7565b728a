//! The wrapper that some games put around a save game: a header and a zlib stream, once or twice.

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
use crate::error::Result;
#[cfg(feature = "compression")]
use crate::error::{ErrorKind, UnrealError};
#[cfg(feature = "compression")]
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Described, Span};
#[cfg(feature = "compression")]
use crate::{Loader, Saver, Versions};

/// What stands behind the two sizes.
const MAGIC: &[u8; 3] = b"PlZ";
/// Where it stands.
const MAGIC_AT: usize = 8;
/// Any save game may become this large, or this many times its file.
#[cfg(feature = "compression")]
const LARGEST: u64 = 256 << 20;
#[cfg(feature = "compression")]
const MOST: u64 = 64;

/// A save game in the wrapper of Palworld.
///
/// Spec: ue4-5/14 §14.1.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct PackedSave {
    /// Bytes of the save game.
    pub unpacked: u32,
    /// Bytes after the first pass.
    pub packed: u32,
    /// `'0'` as it is, `'1'` one zlib stream, `'2'` a stream within a stream.
    pub method: u8,
    /// What follows to the end of the file.
    pub data: Span,
}

impl Archived for PackedSave {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("unpacked", ar, |ar| ar.serialize_u32(&mut self.unpacked))?;
        in_field("packed", ar, |ar| ar.serialize_u32(&mut self.packed))?;
        private::magic(MAGIC, ar)?;
        in_field("method", ar, |ar| ar.serialize_u8(&mut self.method))?;
        let length = ar.peek(usize::MAX).len() as u64;
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, length, Kind::Payload))
    }
}

impl PackedSave {
    /// Whether a file is one.
    pub fn recognise(file: &[u8]) -> bool {
        file.get(MAGIC_AT..).is_some_and(|rest| rest.starts_with(MAGIC))
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
            data = inflate(&data, most)?;
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

    /// The file with another save game in it, packed in the same way.
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
            data = deflate(&data)?;
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

    fn passes(&self) -> Result<u8> {
        match self.method {
            method @ b'0'..=b'2' => Ok(method - b'0'),
            method => {
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

#[cfg(feature = "compression")]
fn deflate(data: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(data).and_then(|()| encoder.finish());
    Ok(written.map_err(|error| UnrealError::Compression { reason: error.to_string() })?)
}
