//! Levels.

use super::light_volume::LightVolume;
use crate::Archived;
use crate::object::geometry::Color;
use crate::object::ue3::world::light_volume::VisibilityChunk;
use crate::object::ue4::condition::has_editor_data;
use crate::object::ue4::geometry::{BoundingBox, Vector};
use crate::object::url::Url;
use crate::primitive::{Map, PackageIndex, Real};
use crate::version::custom;

/// A level: its actors, its BSP, what was computed for it.
///
/// Spec: ue4-5/09 §8. C++: `ULevel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Level {
    /// The object that the list of actors belongs to.
    #[until(custom = custom::RELEASE, custom::release::LEVEL_TRANS_ARRAY_CONVERTED_TO_TARRAY)]
    pub actors_owner: PackageIndex,
    /// The actors, with holes.
    pub actors: Vec<PackageIndex>,
    /// Where the level comes from.
    pub url: Url,
    /// The BSP.
    pub model: PackageIndex,
    /// The components that draw its model.
    pub model_components: Vec<PackageIndex>,
    /// The blueprint.
    #[archive(when = has_editor_data(ar))]
    pub level_script_blueprint: PackageIndex,
    /// The actor of the blueprint.
    pub level_script_actor: PackageIndex,
    /// Which instances use which texture.
    #[until(custom = custom::RENDERING, custom::rendering::REMOVED_TEXTURE_STREAMING_LEVEL_DATA)]
    pub texture_to_instances: Map<PackageIndex, Vec<StreamableInstance>>,
    /// The same for components that move.
    #[until(custom = custom::RENDERING, custom::rendering::REMOVED_TEXTURE_STREAMING_LEVEL_DATA)]
    pub dynamic_texture_instances: Map<PackageIndex, Vec<DynamicInstance>>,
    /// Whether the places of instances have been tiled.
    #[until(custom = custom::RENDERING, custom::rendering::REMOVED_TEXTURE_STREAMING_LEVEL_DATA)]
    pub is_texture_streaming_rotation_changed: bool,
    /// Of unknown meaning.
    #[until(custom = custom::RENDERING, custom::rendering::REMOVED_TEXTURE_STREAMING_LEVEL_DATA)]
    pub unknown: Vec<u8>,
    /// Textures that are always streamed in.
    #[until(custom = custom::RENDERING, custom::rendering::REMOVED_TEXTURE_STREAMING_LEVEL_DATA)]
    pub forced_textures: Map<PackageIndex, bool>,
    /// The first navigation point.
    pub nav_list_start: PackageIndex,
    /// The last one.
    pub nav_list_end: PackageIndex,
    /// Light at points.
    #[until(custom = custom::RENDERING, custom::rendering::MAP_BUILD_DATA_SEPARATE_PACKAGE)]
    pub light_volume: LightVolume,
    /// Precomputed visibility.
    pub visibility: Visibility,
    /// Distances to surfaces.
    pub distance_field: VolumeDistanceField,
}

/// A place where a texture is seen.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct StreamableInstance {
    /// Sphere around it, size of texels.
    pub numbers: [f32; 5],
}

/// The same for a component that moves.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct DynamicInstance {
    /// Sphere around it, size of texels.
    pub numbers: [f32; 5],
    /// The texture.
    pub texture: PackageIndex,
}

/// Precomputed visibility. Spec: ue4-5/09 §8. C++: `FPrecomputedVisibilityHandler`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Visibility {
    /// Corner of the first bucket.
    pub bucket_origin: [Real; 2],
    /// Size of a cell.
    pub cell_size: f32,
    /// Height of a cell.
    pub cell_height: f32,
    /// Cells along an edge of a bucket.
    pub bucket_cells: i32,
    /// Buckets.
    pub buckets: i32,
    /// Cells with their data.
    pub cell_buckets: Vec<VisibilityBucket>,
}

/// Cells with their data. Spec: ue4-5/09 §8.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VisibilityBucket {
    /// Bytes of data of a cell.
    pub cell_data_size: i32,
    /// The cells.
    pub cells: Vec<VisibilityCell>,
    /// Their data.
    pub chunks: Vec<VisibilityChunk>,
}

/// A cell. Spec: ue4-5/09 §8. C++: `FPrecomputedVisibilityCell`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VisibilityCell {
    /// Its lowest corner.
    pub min: Vector,
    /// Its chunk.
    pub chunk: u16,
    /// Where its data starts there.
    pub offset: u16,
}

/// Distances to surfaces. Spec: ue4-5/09 §8. C++: `FPrecomputedVolumeDistanceField`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VolumeDistanceField {
    /// The longest distance.
    pub max_distance: f32,
    /// The box.
    pub bounds: BoundingBox,
    /// Samples along its edges.
    pub size: [i32; 3],
    /// The samples.
    pub data: Vec<Color>,
}
