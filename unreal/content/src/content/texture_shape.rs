//! How the pictures of a texture belong together.

use std::fmt;

use crate::error::{Error, Result};

/// Faces of a cube.
const FACES: u32 = 6;

/// How many pictures a texture has at its largest size, and how they belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextureShape {
    Flat,
    /// Pictures that have nothing to do with each other; one alone is [`TextureShape::Flat`].
    Array(u32),
    /// Cubes of six faces: +X, -X, +Y, -Y, +Z, -Z, in engines as in DDS files.
    Cubes(u32),
    /// Slices of a body, which become fewer as its sides become shorter.
    Volume(u32),
}

impl TextureShape {
    /// The shape of so many pictures in a texture of this class.
    ///
    /// # Errors
    /// `Invalid` for cubes that lack faces.
    pub fn of_class(class: &str, slices: u32) -> Result<Self> {
        match class {
            "VolumeTexture" => Ok(Self::Volume(slices)),
            "TextureCube" | "TextureCubeArray" if slices > 0 && slices.is_multiple_of(FACES) => {
                Ok(Self::Cubes(slices / FACES))
            }
            "TextureCube" | "TextureCubeArray" => {
                Err(Error::invalid(format!("{slices} pictures are no faces of cubes")))
            }
            _ => Ok(Self::array(slices)),
        }
    }

    /// So many pictures that have nothing to do with each other.
    pub fn array(slices: u32) -> Self {
        if slices <= 1 { Self::Flat } else { Self::Array(slices) }
    }

    /// Pictures of the largest size.
    pub fn slices(self) -> u32 {
        self.slices_at(0)
    }

    /// Pictures of a size.
    pub fn slices_at(self, level: usize) -> u32 {
        match self {
            Self::Flat => 1,
            Self::Array(slices) => slices,
            Self::Cubes(cubes) => cubes.saturating_mul(FACES),
            Self::Volume(slices) => {
                let level = u32::try_from(level).unwrap_or(u32::MAX);
                slices.checked_shr(level).unwrap_or(0).max(1)
            }
        }
    }

    /// Whether the slices of a size are made of two of the one above.
    pub fn is_volume(self) -> bool {
        matches!(self, Self::Volume(_))
    }
}

impl fmt::Display for TextureShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat => f.write_str("one flat picture"),
            Self::Array(slices) => write!(f, "an array of {slices} pictures"),
            Self::Cubes(1) => f.write_str("a cube"),
            Self::Cubes(cubes) => write!(f, "an array of {cubes} cubes"),
            Self::Volume(slices) => write!(f, "a volume of {slices} slices"),
        }
    }
}
