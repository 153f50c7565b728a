//! How the texels of a texture are stored.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, noun};
use crate::version::{Engine, UnrealVersions, Versions};

/// A texel format that is known here, whatever the engine calls it.
///
/// Spec: ue1-3/06 §6.2, 10 §10.3. C++: `ETextureFormat` (UE1, UE2), `EPixelFormat` (UE3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextureFormat {
    /// One byte: an index into the texture's palette.
    P8,
    /// Four bytes: blue, green, red, alpha.
    Rgba8,
    /// Blocks of 4 by 4 texels in 8 bytes; a texel is opaque or transparent.
    Dxt1,
    /// Blocks of 4 by 4 texels in 16 bytes with 4-bit alpha.
    Dxt3,
    /// Blocks of 4 by 4 texels in 16 bytes with interpolated alpha.
    Dxt5,
    /// One byte of brightness.
    G8,
    /// Two bytes of brightness, as in height maps.
    G16,
    /// Two signed bytes, the X and Y of a normal; UE3.
    V8U8,
}

/// Format, name on the command line, number in UE1 and UE2, name and number in UE3.
type Row = (TextureFormat, &'static str, Option<u8>, Option<(&'static str, Option<u8>)>);

const ROWS: &[Row] = &[
    (TextureFormat::P8, "p8", Some(0), None),
    (TextureFormat::Rgba8, "rgba8", Some(5), Some(("PF_A8R8G8B8", Some(2)))),
    (TextureFormat::Dxt1, "dxt1", Some(3), Some(("PF_DXT1", Some(5)))),
    (TextureFormat::Dxt3, "dxt3", Some(7), Some(("PF_DXT3", Some(6)))),
    (TextureFormat::Dxt5, "dxt5", Some(8), Some(("PF_DXT5", Some(7)))),
    (TextureFormat::G8, "g8", Some(9), Some(("PF_G8", Some(3)))),
    (TextureFormat::G16, "g16", Some(10), Some(("PF_G16", Some(4)))),
    (TextureFormat::V8U8, "v8u8", None, Some(("PF_V8U8", None))),
];

impl TextureFormat {
    /// Every format.
    pub const ALL: &'static [Self] = &[
        Self::P8,
        Self::Rgba8,
        Self::Dxt1,
        Self::Dxt3,
        Self::Dxt5,
        Self::G8,
        Self::G16,
        Self::V8U8,
    ];

    fn row(self) -> &'static Row {
        // Every variant has its row.
        ROWS.iter().find(|row| row.0 == self).unwrap_or(&ROWS[0])
    }

    /// The short name that the command line takes.
    pub fn slug(self) -> &'static str {
        self.row().1
    }

    /// The number that the property `Format` holds in UE1 and UE2.
    pub fn number(self) -> Option<u8> {
        self.row().2
    }

    /// The name that the property `Format` holds in UE3.
    pub fn pixel_format(self) -> Option<&'static str> {
        self.row().3.map(|(name, _)| name)
    }

    /// The format of this number in packages of these versions.
    pub fn of_number(number: u8, versions: &Versions) -> Option<Self> {
        let ue3 = versions.engine() == Engine::Ue3;
        let is = |row: &&Row| match ue3 {
            true => row.3.is_some_and(|(_, known)| known == Some(number)),
            false => row.2 == Some(number),
        };
        ROWS.iter().find(is).map(|row| row.0)
    }

    /// The format that UE3 calls so.
    pub fn of_pixel_format(name: &str) -> Option<Self> {
        let is = |row: &&Row| row.3.is_some_and(|(known, _)| known.eq_ignore_ascii_case(name));
        ROWS.iter().find(is).map(|row| row.0)
    }

    /// Bytes of a block of 4 by 4 texels, for the formats that have blocks.
    pub fn block_size(self) -> Option<u64> {
        match self {
            Self::Dxt1 => Some(8),
            Self::Dxt3 | Self::Dxt5 => Some(16),
            _ => None,
        }
    }

    /// Bytes that a picture of this size takes.
    pub fn data_size(self, width: u32, height: u32) -> u64 {
        let (width, height) = (u64::from(width), u64::from(height));
        match self {
            Self::P8 | Self::G8 => width * height,
            Self::G16 | Self::V8U8 => width * height * 2,
            Self::Rgba8 => width.saturating_mul(height).saturating_mul(4),
            Self::Dxt1 | Self::Dxt3 | Self::Dxt5 => {
                let blocks = width.div_ceil(4) * height.div_ceil(4);
                blocks.saturating_mul(self.block_size().unwrap_or(1))
            }
        }
    }
}

impl fmt::Display for TextureFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.slug())
    }
}

impl FromStr for TextureFormat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Self::ALL.iter().copied().find(|one| one.slug().eq_ignore_ascii_case(text));
        found.ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|one| one.slug()).collect();
            let hint = format!("; known are {}", known.join(", "));
            ErrorKind::NotFound { what: noun::TEXTURE_FORMAT, name: text.to_owned(), hint }.into()
        })
    }
}
