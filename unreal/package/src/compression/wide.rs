//! Compressed data with wide sizes, as bulk data of UE4 and UE5 has it.

use super::{Framing, Method};
use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Saver, in_field};
use crate::error::{Error, ErrorKind, Result, UnrealError, UnrealErrors};
use crate::table::PACKAGE_TAG;

/// The tag of the form that names its method.
const NAMED: i64 = 0x2222_2222_9e2a_83c1;
/// The number of zlib where the method is stored.
const ZLIB: u8 = 3;

/// Compressed data whose sizes have 64 bits.
///
/// A tag stands before the fields: that of packages, or another one where the method follows.
/// Spec: ue4-5/03 §17. C++: `FArchive::SerializeCompressedNew`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct WideFraming {
    /// The method, where it is stored: 2 Oodle, 3 zlib.
    pub method: Option<u8>,
    /// Size of an uncompressed block, bytes.
    pub block_size: i64,
    /// The blocks, with sums that stand before them.
    pub framing: Framing,
}

impl WideFraming {
    /// The bytes of a content that is compressed in the form of another one; with zlib where no compressor of the
    /// other's method exists.
    ///
    /// # Errors
    /// `OutOfRange` beyond 4 GiB; `Unsupported` without the feature `compression`.
    pub fn compress_like(&self, content: &[u8]) -> Result<Vec<u8>> {
        let block = u32::try_from(self.block_size).ok().filter(|size| *size > 0);
        let block = block.unwrap_or(super::BLOCK_SIZE);
        let framing = super::compress(content, Method::Zlib, block)?;
        let method = self.method.map(|_| ZLIB);
        let mut wide = Self { method, block_size: block.into(), framing };
        let mut saver = Saver::new(Default::default());
        wide.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }

    /// How the blocks are compressed.
    ///
    /// # Errors
    /// `Unsupported` for a method that is not known here.
    pub fn method(&self) -> Result<Method> {
        match self.method {
            None | Some(ZLIB) => Ok(Method::Zlib),
            Some(2) => Ok(Method::Oodle),
            Some(number) => {
                Err(Error::unsupported(format!("bulk data is compressed with method {number}")))
            }
        }
    }
}

/// A size of 64 bits that no real block exceeds 32 bits of.
fn size<A: Archive + ?Sized>(value: &mut u32, ar: &mut A) -> Result<()> {
    let mut wide = i64::from(*value);
    ar.serialize_i64(&mut wide)?;
    if ar.is_loading() {
        *value = u32::try_from(wide)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: wide.into(), bits: 32 }))?;
    }
    Ok(())
}

impl Archived for WideFraming {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let plain = i64::from(PACKAGE_TAG);
        let mut tag = if self.method.is_some() { NAMED } else { plain };
        in_field("tag", ar, |ar| ar.serialize_i64(&mut tag))?;
        if ar.is_loading() {
            self.method = match tag {
                NAMED => Some(0),
                tag if tag == plain => None,
                tag => {
                    let reason = format!("the framing starts with {tag:#018x}");
                    return Err(ar.error(UnrealError::Compression { reason }));
                }
            };
        }
        if let Some(method) = &mut self.method {
            in_field("method", ar, |ar| ar.serialize_u8(method))?;
        }
        in_field("block_size", ar, |ar| ar.serialize_i64(&mut self.block_size))?;
        self.framing.serialize_blocks(size, ar)
    }
}
