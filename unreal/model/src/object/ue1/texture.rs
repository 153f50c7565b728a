//! Textures, and those that are computed.

use crate::Archived;
use crate::object::Facts;
use crate::object::optional::present;
use crate::primitive::LazyPayload;
use crate::version::{Engine, UnrealVersions};

/// A picture in several sizes.
///
/// Procedural textures have the same body; so have textures of UE2, but for SWAT 4.
///
/// Spec: ue1-3/06 §6.2. C++: `UTexture`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Texture {
    /// The sizes, the largest first.
    pub mips: Vec<Mip>,
    /// The same once more, compressed.
    #[archive(with = present)]
    pub compressed: Option<Vec<Mip>>,
}

impl Texture {
    /// An empty texture, to be loaded; with compressed mips or not.
    pub fn blank(has_compressed: bool) -> Self {
        Self { compressed: has_compressed.then(Vec::new), ..Self::default() }
    }

    /// An empty texture: a property says whether it has compressed mips too, in UE1 only.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        Self::blank(facts.versions.engine() == Engine::Ue1 && facts.flag("bHasComp"))
    }
}

/// One size of a texture.
///
/// Spec: ue1-3/06 §6.2. C++: `FMipmap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Mip {
    /// The texels.
    pub data: LazyPayload<1>,
    /// Width. C++: `USize`.
    pub width: u32,
    /// Height. C++: `VSize`.
    pub height: u32,
    /// Logarithm of the width. C++: `UBits`.
    pub width_bits: u8,
    /// Logarithm of the height. C++: `VBits`.
    pub height_bits: u8,
}

/// A texture that burns.
///
/// Spec: ue1-3/06 §6.2. C++: `UFireTexture`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct FireTexture {
    /// The part that all textures have.
    pub texture: Texture,
    /// The sparks.
    pub sparks: Vec<Spark>,
}

impl FireTexture {
    /// An empty texture with the mips of any other.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        Self { texture: Texture::prepared(facts), ..Self::default() }
    }
}

/// Where fire comes from.
///
/// Spec: ue1-3/06 §6.2. C++: `FSpark`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spark {
    /// Kind of spark.
    pub kind: u8,
    /// Heat.
    pub heat: u8,
    /// Horizontal place.
    pub x: u8,
    /// Vertical place.
    pub y: u8,
    /// Meaning depends on the kind. C++: `ByteA`.
    pub byte_a: u8,
    /// Meaning depends on the kind. C++: `ByteB`.
    pub byte_b: u8,
    /// Meaning depends on the kind. C++: `ByteC`.
    pub byte_c: u8,
    /// Meaning depends on the kind. C++: `ByteD`.
    pub byte_d: u8,
}
