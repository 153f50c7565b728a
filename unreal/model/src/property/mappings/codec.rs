//! How the block of a `.usmap` file is compressed.

use std::borrow::Cow;

use crate::Archived;
use crate::error::{ErrorKind, Result};
#[cfg(feature = "usmap-codecs")]
use crate::guard;

/// No real block is longer, and what one claims beyond a thousand times its size is a lie.
const LONGEST: usize = 256 << 20;

/// How a block is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Archived)]
#[repr(u8)]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// Oodle.
    Oodle,
    /// Brotli.
    Brotli,
    /// Zstandard.
    Zstandard,
}

/// The block as it was before it was compressed.
pub(super) fn decompress(method: Compression, stored: &[u8], size: usize) -> Result<Cow<'_, [u8]>> {
    if size > LONGEST || size / 1024 > stored.len() {
        let reason = format!("{} bytes can't hold mappings of {size} bytes", stored.len());
        return Err(ErrorKind::Invalid { reason }.into());
    }
    let block = match method {
        // Some say more than there is ([`super::Usmap::from_bytes`]).
        Compression::None if stored.len() < size => return Ok(Cow::Borrowed(stored)),
        Compression::None => return checked(Cow::Borrowed(stored), size),
        other => open(other, stored, size)?,
    };
    checked(Cow::Owned(block), size)
}

fn checked(block: Cow<'_, [u8]>, size: usize) -> Result<Cow<'_, [u8]>> {
    match block.len() {
        length if length == size => Ok(block),
        length => {
            let reason = format!("the mappings have {length} bytes instead of {size}");
            Err(ErrorKind::Invalid { reason }.into())
        }
    }
}

#[cfg(not(feature = "usmap-codecs"))]
fn open(method: Compression, _: &[u8], _: usize) -> Result<Vec<u8>> {
    let reason =
        format!("mappings compressed with {method:?}: build with the feature usmap-codecs");
    Err(crate::error::UnrealError::unsupported(reason).into())
}

#[cfg(feature = "usmap-codecs")]
fn open(method: Compression, stored: &[u8], size: usize) -> Result<Vec<u8>> {
    if method == Compression::Oodle
        && let Some(refusal) = guard::oodle_refusal(guard::PANICS_ABORT)
    {
        return Err(refusal.into());
    }
    let block = guard::guarded(|| decode(method, stored, size));
    block.unwrap_or_else(|| Err("the decoder gave up".to_owned())).map_err(|why| {
        let reason = format!("the mappings can't be decompressed: {why}");
        ErrorKind::Invalid { reason }.into()
    })
}

#[cfg(feature = "usmap-codecs")]
fn decode(method: Compression, stored: &[u8], size: usize) -> Result<Vec<u8>, String> {
    use std::io::Read;
    let mut block = Vec::new();
    // One byte more than there should be shows a block that is too long.
    let limit = size as u64 + 1;
    match method {
        Compression::None => block.extend_from_slice(stored),
        Compression::Brotli => {
            let decoder = brotli_decompressor::Decompressor::new(stored, 4096);
            decoder.take(limit).read_to_end(&mut block).map_err(|why| why.to_string())?;
        }
        Compression::Zstandard => {
            let decoder =
                ruzstd::decoding::StreamingDecoder::new(stored).map_err(|why| why.to_string())?;
            decoder.take(limit).read_to_end(&mut block).map_err(|why| why.to_string())?;
        }
        // Refused above, and not needed in a build that has to be small.
        #[cfg(not(any(panic = "unwind", feature = "oodle-may-abort")))]
        Compression::Oodle => return Err("Oodle can't be read by this build".to_owned()),
        #[cfg(any(panic = "unwind", feature = "oodle-may-abort"))]
        Compression::Oodle => {
            block.resize(size, 0);
            let read = oozextract::Extractor::new()
                .read_from_slice(stored, &mut block)
                .map_err(|why| why.to_string())?;
            block.truncate(read);
        }
    }
    Ok(block)
}
