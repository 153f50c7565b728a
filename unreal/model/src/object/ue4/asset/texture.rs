//! Textures.

use super::platform_data::CookedPlatforms;
use crate::error::Result;
use crate::object::ue4::bulk::{BulkData, EditorBulkData};
use crate::object::ue4::condition::from_release;
use crate::object::ue4::strip::StripFlags;
use crate::version::custom;
use crate::{Archive, Archived};

/// The part that all textures have; textures that are drawn into add nothing.
///
/// Spec: ue4-5/05 §7, 09 §10. C++: `UTexture`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Texture {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// The image as it was imported.
    #[until(custom = custom::UE5_MAIN, custom::ue5_main::TEXTURE_SOURCE_VIRTUALIZATION)]
    #[archive(when = self.strip.has_editor_data())]
    pub source: BulkData,
    /// The same, kept elsewhere.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::TEXTURE_SOURCE_VIRTUALIZATION)]
    #[archive(when = self.strip.has_editor_data())]
    pub editor_source: EditorBulkData,
}

/// Flat textures, colour curves, light profiles.
///
/// Spec: ue4-5/05 §7, 09 §10. C++: `UTexture2D`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ImageTexture {
    /// The part that all textures have.
    pub base: Texture,
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether it was cooked.
    pub cooked: bool,
    /// Whether texels are stored.
    #[archive(when = self.cooked && has_mip_flag(ar))]
    pub serialize_mip_data: bool,
    /// Texels for platforms.
    #[archive(when = self.cooked, with = platforms(self.serialize_mip_data))]
    pub platforms: CookedPlatforms,
}

/// Without texels where another object provides them: that of a landscape's height map.
fn platforms<A: Archive + ?Sized>(
    platforms: &mut CookedPlatforms,
    serialize_mip_data: bool,
    ar: &mut A,
) -> Result<()> {
    let has_texels = serialize_mip_data || !has_mip_flag(ar);
    platforms.serialize_with(has_texels, ar)
}

fn has_mip_flag<A: Archive + ?Sized>(ar: &A) -> bool {
    from_release(ar, 5, 3)
}

/// Cube and volume textures, arrays of pictures: they have no flag before their texels.
///
/// Spec: ue4-5/05 §7. C++: `UTextureCube`, `UTextureCubeArray`, `UTexture2DArray`, `UVolumeTexture`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LayeredTexture {
    /// The part that all textures have.
    pub base: Texture,
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether it was cooked.
    pub cooked: bool,
    /// Texels for platforms.
    #[archive(when = self.cooked)]
    pub platforms: CookedPlatforms,
}

/// A texture of baked light. Spec: ue4-5/09 §10. C++: `ULightMapTexture2D`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightMapTexture2D {
    /// The image.
    pub base: ImageTexture,
    /// Flags.
    pub flags: u32,
}
