//! Textures of SWAT 4.

use crate::Archived;
use crate::object::VengeanceHeader;
use crate::primitive::LazyPayload;

/// A texture of SWAT 4: an array of mips.
///
/// Spec: ue1-3/10 §10.6. C++: `UTexture`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Texture {
    /// From the largest to the smallest.
    pub mips: Vec<Mip>,
}

/// The texels of a texture at one size.
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Mip {
    /// Version 0, 1.
    pub header: VengeanceHeader,
    /// Empty in most files.
    #[archive(when = self.header.subversion >= 1)]
    pub extra: LazyPayload<1>,
    /// The texels, in the texture's format.
    pub data: LazyPayload<1>,
    /// Width in texels.
    pub u_size: i32,
    /// Height in texels.
    pub v_size: i32,
    /// Logarithm of the width.
    pub u_bits: u8,
    /// Logarithm of the height.
    pub v_bits: u8,
}
