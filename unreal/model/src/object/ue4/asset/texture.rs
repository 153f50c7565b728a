//! Textures.

use super::platform_data::CookedPlatforms;
use crate::error::{ErrorKind, Result};
use crate::object::ue4::bulk::{BulkData, EditorBulkData};
use crate::object::ue4::condition::from_release;
use crate::object::ue4::strip::StripFlags;
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived};

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
#[derive(Archived, Debug, Clone, PartialEq)]
pub struct ImageTexture {
    /// The part that all textures have.
    pub base: Texture,
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether it was cooked.
    pub cooked: bool,
    /// Whether texels are stored: so they are where nothing says it, before 5.3 and where it was not cooked.
    #[archive(with = mip_flag(self.cooked))]
    pub serialize_mip_data: bool,
    /// Texels for platforms.
    #[archive(when = self.cooked, with = platforms(self.serialize_mip_data))]
    pub platforms: CookedPlatforms,
}

impl Default for ImageTexture {
    fn default() -> Self {
        let (base, strip, platforms) = Default::default();
        Self { base, strip, cooked: false, serialize_mip_data: true, platforms }
    }
}

/// A texture of an earlier release keeps its texels when it is written for a later one.
fn mip_flag<A: Archive + ?Sized>(is_stored: &mut bool, cooked: bool, ar: &mut A) -> Result<()> {
    if cooked && has_mip_flag(ar) {
        return is_stored.serialize(ar);
    }
    if ar.is_loading() {
        *is_stored = true;
    } else if ar.is_saving() && !*is_stored {
        return Err(ar.error(ErrorKind::NotInVersion));
    }
    Ok(())
}

/// Without texels where another object provides them: that of a landscape's height map.
fn platforms<A: Archive + ?Sized>(
    platforms: &mut CookedPlatforms,
    serialize_mip_data: bool,
    ar: &mut A,
) -> Result<()> {
    platforms.serialize_with(serialize_mip_data, ar)
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
