//! Texture allocations of cooked packages.

use crate::Archived;
use crate::primitive::array;

/// Textures of one size and format, which the game allocates before it loads them; from file
/// version 767, in the summary.
///
/// Spec: ue1-3/02 §2.1. C++: `FTextureAllocations::FTextureType`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TextureAllocation {
    /// Width, texels.
    pub size_x: i32,
    /// Height, texels.
    pub size_y: i32,
    /// Number of mips.
    pub num_mips: i32,
    /// Pixel format.
    pub format: i32,
    /// Creation flags. C++: `TexCreateFlags`.
    pub tex_create_flags: u32,
    /// The textures, as rows of the export table.
    #[archive(with = array::counted_i32)]
    pub export_indices: Vec<i32>,
}
