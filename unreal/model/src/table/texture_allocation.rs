//! Texture allocations of cooked packages.

use crate::Archived;
use crate::archive::Archive;
use crate::error::Result;
use crate::primitive::{PackageIndex, array};

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
    /// The textures, as rows of the export table counted from 0, behind their number as an `i32`.
    #[archive(with = rows_from_zero)]
    pub export_indices: Vec<PackageIndex>,
}

fn rows_from_zero<A: Archive + ?Sized>(rows: &mut Vec<PackageIndex>, ar: &mut A) -> Result<()> {
    array::counted_i32_by(rows, ar, PackageIndex::from_zero)
}
