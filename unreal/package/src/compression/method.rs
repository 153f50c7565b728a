//! The codecs of compressed packages: their flags, names and limits.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, Result, noun};

/// Flags that say how a compressor weighed memory against speed; they change no layout.
const BIAS: u32 = 0x30;

/// A codec of compressed blocks.
///
/// | flag | method | stream of a block |
/// |---|---|---|
/// | 1 | zlib | RFC 1950 |
/// | 2 | LZO | LZO1X |
/// | 4 | LZX | frames of 32 KiB: u16 size (big-endian) and LZX with a window of 128 KiB |
/// | 8 | LZMA | properties (5 bytes), LZMA without an end mark |
/// | 0x400 | Oodle | Kraken and its kin |
///
/// Spec: ue1-3/04 §4.2. C++: `ECompressionFlags`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Method {
    /// Deflate with a header.
    Zlib,
    /// LZO1X.
    Lzo,
    /// LZX, on Xbox 360.
    Lzx,
    /// LZMA, on PS3 and Wii U.
    Lzma,
    /// Oodle; can be read, not written.
    Oodle,
}

impl Method {
    /// Every method.
    pub const ALL: &'static [Self] = &[Self::Zlib, Self::Lzo, Self::Lzx, Self::Lzma, Self::Oodle];

    /// The method that these compression flags name, if one does.
    pub fn from_flags(flags: u32) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| method.flag() == flags & !BIAS)
    }

    /// The compression flag.
    pub fn flag(self) -> u32 {
        match self {
            Self::Zlib => 1,
            Self::Lzo => 2,
            Self::Lzx => 4,
            Self::Lzma => 8,
            Self::Oodle => 0x400,
        }
    }

    /// The short name that the command line takes.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Lzo => "lzo",
            Self::Lzx => "lzx",
            Self::Lzma => "lzma",
            Self::Oodle => "oodle",
        }
    }

    /// Whether blocks can be compressed anew: no open compressor of Oodle exists.
    pub fn can_compress(self) -> bool {
        self != Self::Oodle
    }

    /// Most bytes that a block of `compressed` bytes can hold: what claims more is refused before
    /// anything is allocated.
    ///
    /// zlib: 258 bytes a match of 2 bits. LZO: 255 a byte of length. LZX: 257 a match of 1 bit. LZMA: 273
    /// a match of some 14 decisions, each at least 0.022 bits. Oodle: 256 KiB of one
    /// byte take 6 bytes, and no block of that size less than its two headers of 2 bytes each.
    pub fn most_from(self, compressed: u64) -> u64 {
        let ratio = match self {
            Self::Zlib => 1_040,
            Self::Lzo => 256,
            Self::Lzx => 2_060,
            Self::Lzma => 8_192,
            Self::Oodle => 0x1_0000,
        };
        compressed.saturating_mul(ratio)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Zlib => "zlib",
            Self::Lzo => "LZO",
            Self::Lzx => "LZX",
            Self::Lzma => "LZMA",
            Self::Oodle => "Oodle",
        })
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = Self::ALL.iter().copied();
        known.clone().find(|method| method.slug().eq_ignore_ascii_case(text)).ok_or_else(|| {
            let slugs: Vec<_> = known.map(Self::slug).collect();
            ErrorKind::NotFound {
                what: noun::COMPRESSION_METHOD,
                name: text.to_owned(),
                hint: format!("; known are {}", slugs.join(", ")),
            }
            .into()
        })
    }
}
