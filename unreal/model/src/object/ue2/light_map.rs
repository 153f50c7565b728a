//! How the light on a level's surfaces is stored.

use super::Stream;
use crate::Archived;
use crate::object::VengeanceHeader;
use crate::object::game::swat;
use crate::object::geometry::{BoundingBox, Matrix, Vector};
use crate::primitive::{Index, LazyPayload, PackageIndex, Payload};

/// Surfaces that are drawn at once. C++: `FBspSection`.
///
/// Spec: ue1-3/10 §10.3.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// Version 0, 2.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Vertices: position, two texture coordinates, normal.
    pub vertices: Stream<40>,
    /// Material.
    pub material: PackageIndex,
    /// Number of nodes.
    pub node_count: i32,
    /// Flags of the surfaces.
    pub poly_flags: u32,
    /// Index of the light map's texture, -1 for none.
    pub light_map_texture: i32,
    /// The part that SWAT 4 adds.
    #[archive(when = swat(ar))]
    pub swat: SwatSection,
}

/// The part that SWAT 4 adds to a [`Section`].
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SwatSection {
    /// Version 0, 1.
    pub header: VengeanceHeader,
    /// The model.
    pub model: PackageIndex,
    /// Number of vertices.
    pub vertex_count: i32,
    /// Index of the section.
    pub index: i32,
    /// Version 0, 1.
    pub tangents_header: VengeanceHeader,
    /// Packed tangents.
    pub tangents: Stream<8>,
}

/// The light on one surface. C++: `FLightMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightMap {
    /// Index of the texture.
    pub texture: Index,
    /// Index of the surface.
    pub surface: Index,
    /// Index of the zone.
    pub zone: Index,
    /// Left side in the texture.
    pub x: Index,
    /// Upper side in the texture.
    pub y: Index,
    /// Width in texels.
    pub width: Index,
    /// Height in texels.
    pub height: Index,
    /// From the world to the light map.
    pub world_to_light_map: Matrix,
    /// Place of the first texel.
    pub origin: Vector,
    /// From a texel to its right neighbour.
    pub x_step: Vector,
    /// From a texel to its lower neighbour.
    pub y_step: Vector,
    /// Which texels each light reaches.
    pub light_bits: Vec<LightBits>,
    /// The level.
    pub level: PackageIndex,
    /// Counts changes.
    pub revision: i32,
}

/// Which texels a light reaches. C++: `FLightBitmap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightBits {
    /// The light.
    pub light: PackageIndex,
    /// One bit a texel.
    pub bits: Payload<1>,
    /// Width in texels.
    pub width: i32,
    /// Height in texels.
    pub height: i32,
    /// Bytes of a row.
    pub stride: i32,
    /// Left side of what is reached.
    pub min_x: i32,
    /// Upper side of what is reached.
    pub min_y: i32,
    /// Right side of what is reached.
    pub max_x: i32,
    /// Lower side of what is reached.
    pub max_y: i32,
}

/// A texture that holds many light maps. C++: `FLightMapTexture`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightMapTexture {
    /// The level.
    pub level: PackageIndex,
    /// Indices of the light maps in it.
    pub light_maps: Vec<i32>,
    /// Known by this number in the cache.
    pub cache_id: u64,
    /// Counts changes.
    pub cache_revision: i32,
    /// Texels at full size.
    pub mip_0: LazyPayload<1>,
    /// Texels at half the size.
    pub mip_1: LazyPayload<1>,
    /// As the property `Format` of textures; may never have been set.
    pub format: u8,
    /// Width; may never have been set.
    pub width: i32,
    /// Height; may never have been set.
    pub height: i32,
    /// Counts changes.
    pub revision: i32,
}

/// Two textures of SWAT 4 that hold many light maps.
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Atlas {
    /// Version 0, 1.
    pub header: VengeanceHeader,
    /// The textures.
    pub textures: [AtlasTexture; 2],
}

/// One texture of an [`Atlas`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AtlasTexture {
    /// Version 0, 1.
    pub header: VengeanceHeader,
    /// The level.
    pub level: PackageIndex,
    /// Texels at full size.
    pub mip_0: LazyPayload<1>,
    /// Texels at half the size.
    pub mip_1: LazyPayload<1>,
    /// As the property `Format` of textures; may never have been set.
    pub format: u8,
    /// Sizes among them; may never have been set.
    pub unknown: [i32; 4],
    /// Known by this number in the cache.
    pub cache_id: u64,
    /// 1 in every known file.
    pub revision: i32,
    /// Counts up.
    pub number: i32,
}

/// Surfaces of SWAT 4 that lie together.
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Cluster {
    /// Indices of the surfaces.
    pub surfaces: Vec<i32>,
    /// The box around them.
    pub bounding_box: BoundingBox,
}
