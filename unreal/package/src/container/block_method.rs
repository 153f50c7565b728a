//! How containers compress blocks.

use std::fmt;
use std::io::{Read, Write};

use crate::Archived;
use crate::compression::{Codec, Method};
use crate::error::{Error, Result, UnrealError, UnrealErrors, Unsupported};
use crate::guard::guarded;

/// How a block of a container is compressed.
///
/// Spec: ue4-5/10 §8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockMethod {
    /// A stream of zlib.
    Zlib,
    /// A member of gzip.
    Gzip,
    /// A raw block of Oodle; can be read, not written.
    Oodle,
    /// A frame of Zstandard.
    Zstd,
    /// A raw block of LZ4.
    Lz4,
}

impl BlockMethod {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Zlib, Self::Gzip, Self::Oodle, Self::Zstd, Self::Lz4];

    /// Its name in containers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zlib => "Zlib",
            Self::Gzip => "Gzip",
            Self::Oodle => "Oodle",
            Self::Zstd => "Zstd",
            Self::Lz4 => "LZ4",
        }
    }

    /// The method of this name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name().eq_ignore_ascii_case(name))
    }

    /// Most bytes that a block of `stored` bytes can hold: what claims more is refused before anything is
    /// allocated.
    fn most_from(self, stored: u64) -> u64 {
        match self {
            Self::Zlib | Self::Gzip => Method::Zlib.most_from(stored),
            Self::Oodle => Method::Oodle.most_from(stored),
            // A run of up to 128 KiB in four bytes.
            Self::Zstd => stored.saturating_mul(0x8000),
            Self::Lz4 => stored.saturating_mul(256),
        }
    }

    /// Appends a block of `size` bytes that `from` holds.
    ///
    /// # Errors
    /// `Compression` when the block is damaged or has another size; `Unsupported` for Oodle in a build in which
    /// a panic ends the program, without the feature `oodle-may-abort`.
    pub(super) fn decompress(self, from: &[u8], size: u64, to: &mut Vec<u8>) -> Result<()> {
        let damaged = |reason: String| -> Error {
            UnrealError::Compression { reason: format!("{self}: {reason}") }.into()
        };
        if size > self.most_from(from.len() as u64) {
            return Err(damaged(format!("{} bytes can't hold {size}", from.len())));
        }
        let start = to.len();
        to.resize(start + size as usize, 0);
        let target = to.get_mut(start..).unwrap_or_default();
        let method = match self {
            Self::Zlib => Method::Zlib,
            Self::Oodle => Method::Oodle,
            _ => {
                let filled = guarded(|| self.fill(from, target));
                let filled = filled.unwrap_or_else(|| Err("the decoder gave up".to_owned()));
                return filled.map_err(damaged);
            }
        };
        Codec::default().decompress(method, from, target)
    }

    fn fill(self, from: &[u8], to: &mut [u8]) -> Result<(), String> {
        let words = |error: &dyn fmt::Display| error.to_string();
        match self {
            Self::Gzip => {
                let mut decoder = flate2::read::GzDecoder::new(from);
                read_all(&mut decoder, to)
            }
            Self::Zstd => {
                let decoder = ruzstd::decoding::StreamingDecoder::new(from);
                read_all(&mut decoder.map_err(|error| words(&error))?, to)
            }
            _ => match lz4_flex::block::decompress_into(from, to).map_err(|error| words(&error))? {
                filled if filled == to.len() => Ok(()),
                filled => Err(format!("{filled} bytes instead of {}", to.len())),
            },
        }
    }

    /// Compresses a block.
    ///
    /// # Errors
    /// `Unsupported` for Oodle: there is no open compressor for it.
    pub(super) fn compress(self, bytes: &[u8]) -> Result<Vec<u8>> {
        let failed = |error: std::io::Error| {
            Error::from(UnrealError::Compression { reason: format!("{self}: {error}") })
        };
        match self {
            Self::Zlib => Codec::default().compress(Method::Zlib, bytes),
            Self::Gzip => {
                let level = flate2::Compression::default();
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
                encoder.write_all(bytes).map_err(failed)?;
                encoder.finish().map_err(failed)
            }
            Self::Zstd => {
                let level = ruzstd::encoding::CompressionLevel::Fastest;
                Ok(ruzstd::encoding::compress_to_vec(bytes, level))
            }
            Self::Lz4 => Ok(lz4_flex::block::compress(bytes)),
            Self::Oodle => {
                let reason =
                    "Oodle can't be written: there is no open compressor for it; choose zlib";
                Err(Error::unsupported_by(Unsupported::NoCompressor, reason))
            }
        }
    }
}

fn read_all(decoder: &mut dyn Read, to: &mut [u8]) -> Result<(), String> {
    decoder.read_exact(to).map_err(|error| error.to_string())?;
    match decoder.read(&mut [0]) {
        Ok(0) => Ok(()),
        Ok(_) => Err(format!("more than {} bytes come out", to.len())),
        Err(error) => Err(error.to_string()),
    }
}

impl fmt::Display for BlockMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of a method, filled up with zeros.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MethodName(pub [u8; 32]);

impl MethodName {
    /// The name of a method.
    pub fn new(method: BlockMethod) -> Self {
        let mut name = [0; 32];
        let text = method.name().as_bytes();
        name[..text.len()].copy_from_slice(text);
        Self(name)
    }

    /// The characters before the first zero.
    pub fn text(&self) -> String {
        let end = self.0.iter().position(|byte| *byte == 0).unwrap_or(self.0.len());
        String::from_utf8_lossy(&self.0[..end]).into_owned()
    }
}
