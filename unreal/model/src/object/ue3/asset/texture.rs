//! Textures.

use super::counted_span;
use crate::object::game::{
    is_mass_effect, is_mass_effect_1, is_mass_effect_2, is_mass_effect_3, is_ported_to_ps3,
    is_xcom_2,
};
use crate::primitive::{BulkData, Guid, array};
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Kind, Result, Span};

/// The part that all textures have: the picture that it was imported from.
///
/// Spec: ue1-3/11 §11.1. C++: `UTexture`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Texture {
    /// The imported picture; empty in cooked packages, absent in Mass Effect 3.
    #[archive(when = !is_mass_effect_3(ar) || is_ported_to_ps3(ar))]
    pub source_art: BulkData,
}

/// A texture at one size.
///
/// Spec: ue1-3/11 §11.1. C++: `FTexture2DMipMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Mip {
    /// The texels.
    pub data: BulkData,
    /// Width in texels.
    pub size_x: i32,
    /// Height in texels.
    pub size_y: i32,
}

/// A texture of two dimensions.
///
/// Spec: ue1-3/11 §11.1. C++: `UTexture2D`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Texture2D {
    /// The part that all textures have.
    pub base: Texture,
    /// From the largest to the smallest.
    pub mips: Vec<Mip>,
    /// Unknown number of Mass Effect.
    #[archive(when = is_mass_effect(ar))]
    pub mass_effect: i32,
    /// Tells the versions of a texture in cache files apart.
    #[archive(when = has_cache_guid(ar))]
    pub texture_file_cache: Guid,
    /// For devices of Apple.
    #[since(674)]
    pub pvrtc_mips: Vec<Mip>,
    /// XCOM 2: none or one array of bytes of unknown meaning.
    #[archive(when = is_xcom_2(ar), with = opaque_arrays)]
    pub xcom: Vec<Span>,
    /// Largest size for Flash.
    #[since(857)]
    pub flash_max_resolution: i32,
    /// For devices of Qualcomm.
    #[since(857)]
    pub atitc_mips: Vec<Mip>,
    /// For Flash.
    #[since(857)]
    pub flash_data: BulkData,
    /// For Android.
    #[since(864)]
    pub etc_mips: Vec<Mip>,
}

fn has_cache_guid<A: Archive + ?Sized>(ar: &A) -> bool {
    (ar.versions().file() >= 567 || is_mass_effect_2(ar)) && !is_mass_effect_1(ar)
}

fn opaque_arrays<A: Archive + ?Sized>(arrays: &mut Vec<Span>, ar: &mut A) -> Result<()> {
    array::counted_i32_by(arrays, ar, |bytes, ar| counted_span(bytes, 1, Kind::Opaque, ar))
}

/// A light map.
///
/// Spec: ue1-3/11 §11.1. C++: `ULightMapTexture2D`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightMapTexture2D {
    /// The image.
    pub base: Texture2D,
    /// Flags; below version 654 whether the map is a simple one.
    #[since(616)]
    pub flags: u32,
}

/// A film.
///
/// Spec: ue1-3/11 §11.1. C++: `UTextureMovie`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TextureMovie {
    /// The part that all textures have.
    pub base: Texture,
    /// The film.
    pub data: BulkData,
}
