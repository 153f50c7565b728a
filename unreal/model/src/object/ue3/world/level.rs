//! Levels.

use super::light_volume::{DistanceField, LightVolume, Visibility};
use super::physics::ConvexData;
use crate::Archived;
use crate::object::Zeros;
use crate::object::game::{is_first_game, is_mass_effect_3, is_third_game, is_xcom_2};
use crate::object::geometry::{Plane, Vector};
use crate::object::url::Url;
use crate::primitive::{BulkArray, Guid, Map, PackageIndex, Payload};
use crate::version::UnrealVersions;

/// First licensee version of XCOM 2 whose levels list actors by class.
const ACTORS_BY_CLASS: u32 = 108;

/// A level: its actors, and what was built and cooked for it.
///
/// Versions that say "files bracket" were
/// seen without at the lower and with at the upper version.
///
/// Spec: ue1-3/11 §11.5. C++: `ULevel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Level {
    /// The world.
    pub owner: PackageIndex,
    /// Actors; the place of a removed one is null.
    pub actors: Vec<PackageIndex>,
    /// Where the level came from.
    pub url: Url,
    /// Of unknown meaning; XCOM 2.
    #[archive(when = is_xcom_2(ar))]
    pub unknown: Zeros<24>,
    /// Actors by class, removed ones as null; XCOM 2, from licensee version 108.
    #[archive(when = is_xcom_2(ar) && ar.versions().licensee() >= ACTORS_BY_CLASS)]
    pub actors_by_class: Map<PackageIndex, Vec<PackageIndex>>,
    /// The BSP.
    pub model: PackageIndex,
    /// Parts of the BSP that are drawn.
    pub model_components: Vec<PackageIndex>,
    /// Sequences of Kismet.
    pub game_sequences: Vec<PackageIndex>,
    /// Where textures are seen.
    pub texture_instances: Map<PackageIndex, Vec<TextureInstance>>,
    /// Components whose light changes; files bracket 684..813.
    #[since(813)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub dynamic_components: Map<PackageIndex, i32>,
    /// A stream of the APEX physics; files bracket 513..684.
    #[since(684)]
    pub apex: Payload<1>,
    /// Cooked collision of the BSP.
    pub bsp_physics: BulkArray<1>,
    /// Which scaled mesh has which convex bodies.
    pub convex_map: Map<PackageIndex, CachedScale>,
    /// Convex bodies of scaled meshes.
    pub convex_data: Vec<ConvexData>,
    /// Which scaled mesh has which triangles.
    pub triangle_map: Map<PackageIndex, CachedScale>,
    /// Cooked triangles of scaled meshes.
    pub triangle_data: Vec<BulkArray<1>>,
    /// Version of the cooked collision of the BSP.
    pub bsp_physics_version: i32,
    /// Version of the cooked collision of meshes.
    pub mesh_physics_version: i32,
    /// Textures that are always loaded whole.
    pub force_stream_textures: Map<PackageIndex, bool>,
    /// Convex collision of the BSP; files bracket 684..813.
    #[since(813)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub bsp_convex_data: ConvexData,
    /// Its version.
    #[since(813)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub bsp_convex_version: i32,
    /// First and last navigation point.
    pub navigation_points: [PackageIndex; 2],
    /// First and last cover.
    pub covers: [PackageIndex; 2],
    /// First and last pylon; files bracket 513..684.
    #[since(684)]
    pub pylons: [PackageIndex; 2],
    /// Cover of other levels; files bracket 684..813, in Mass Effect 3 at 684.
    #[archive(when = ar.versions().file() >= 813 || is_third_game(ar))]
    pub cross_level_cover: CrossLevelCover,
    /// A second such list; Mass Effect 3.
    #[archive(when = is_third_game(ar))]
    pub cross_level_other: CrossLevelOther,
    /// Actors that refer to other levels.
    pub cross_level_actors: Vec<PackageIndex>,
    /// Mass Effect 1.
    #[archive(when = is_first_game(ar))]
    pub mass_effect_1: [PackageIndex; 2],
    /// Baked light in the air; files bracket 530..684.
    #[since(600)]
    pub light_volume: LightVolume,
    /// Precomputed visibility; files bracket 684..813.
    #[since(813)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub visibility: Visibility,
    /// Distance to the next surface; files bracket 684..813.
    #[since(813)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub distance_field: DistanceField,
}

/// A place where a texture is seen. Spec: ue1-3/11 §11.5. C++: `FStreamableTextureInstance`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct TextureInstance {
    /// Centre and radius.
    pub sphere: Plane,
    /// Units for a texel.
    pub texel_factor: f32,
}

/// Cooked collision of a mesh at a scale. Spec: ue1-3/11 §11.5. C++: `FCachedPhysSMData`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct CachedScale {
    /// The scale.
    pub scale: Vector,
    /// Number in the list of cooked collision.
    pub index: i32,
}

/// Cover of other levels that this level refers to. Spec: ue1-3/11 §11.5.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CrossLevelCover {
    /// GUIDs with numbers.
    pub guids: Vec<(Guid, i32)>,
    /// Cover.
    pub covers: Vec<PackageIndex>,
    /// Numbers in the lists above.
    pub pairs: Vec<(i32, u8)>,
}

/// The second list of [`Level::cross_level_other`]. Spec: ue1-3/11 §11.5.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CrossLevelOther {
    /// GUIDs with numbers.
    pub guids: Vec<(Guid, i32)>,
    /// Objects.
    pub objects: Vec<PackageIndex>,
    /// Numbers.
    pub numbers: Vec<i32>,
}
