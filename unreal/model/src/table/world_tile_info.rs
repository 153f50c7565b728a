//! Where a level lies in a world of tiles.

use crate::Archived;
use crate::primitive::{Bool32, FString};
use crate::version::custom::{FORTNITE_MAIN, fortnite_main};
use crate::version::threshold::{ue4, ue5};
use crate::version::{UE4, UE5};

/// The place of a level in its world, from UE4 object version 224.
///
/// Spec: ue4-5/03 §13. C++: `FWorldTileInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct WorldTileInfo {
    /// Position in the world. C++: `Position`.
    pub position: [i32; 2],
    /// Height in the world. C++: `Position.Z`.
    #[since(custom = FORTNITE_MAIN, fortnite_main::WORLD_COMPOSITION_TILE_3D_OFFSET)]
    pub height: i32,
    /// Bounds before UE5. C++: `Bounds`.
    #[until(ue5 = ue5::LARGE_WORLD_COORDINATES)]
    pub bounds_single: [f32; 6],
    /// Bounds in UE5. C++: `Bounds`.
    #[since(ue5 = ue5::LARGE_WORLD_COORDINATES)]
    pub bounds: [f64; 6],
    /// Whether the bounds are valid. C++: `Bounds.IsValid`.
    pub bounds_valid: u8,
    /// The layer. C++: `Layer`.
    pub layer: WorldTileLayer,
    /// C++: `bHideInTileView`.
    #[since(ue4 = ue4::WORLD_LEVEL_INFO_UPDATED)]
    pub hide_in_tile_view: Bool32,
    /// C++: `ParentTilePackageName`.
    #[since(ue4 = ue4::WORLD_LEVEL_INFO_UPDATED)]
    pub parent_tile_package_name: FString,
    /// C++: `LODList`.
    #[since(ue4 = ue4::WORLD_LEVEL_INFO_LOD_LIST)]
    pub lods: Vec<WorldTileLod>,
    /// C++: `ZOrder`.
    #[since(ue4 = ue4::WORLD_LEVEL_INFO_ZORDER)]
    pub z_order: i32,
}

/// A layer of tiles. Spec: ue4-5/03 §13. C++: `FWorldTileLayer`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct WorldTileLayer {
    /// Its name.
    pub name: FString,
    /// C++: `Reserved0`.
    pub reserved_0: i32,
    /// C++: `Reserved1`.
    pub reserved_1: [i32; 2],
    /// C++: `StreamingDistance`.
    #[since(ue4 = ue4::WORLD_LEVEL_INFO_UPDATED)]
    pub streaming_distance: i32,
    /// C++: `DistanceStreamingEnabled`.
    #[since(ue4 = ue4::WORLD_LAYER_ENABLE_DISTANCE_STREAMING)]
    pub distance_streaming_enabled: Bool32,
}

/// A level of detail of a tile. Spec: ue4-5/03 §13. C++: `FWorldTileLODInfo`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct WorldTileLod {
    /// C++: `RelativeStreamingDistance`.
    pub relative_streaming_distance: i32,
    /// C++: `Reserved0`, `Reserved1`.
    pub reserved_floats: [f32; 2],
    /// C++: `Reserved2`, `Reserved3`.
    pub reserved_numbers: [i32; 2],
}
