//! Light that is baked for the whole space of a level.

use crate::Archived;
use crate::object::geometry::{BoundingBox, Color, Vector, Vector2D};
use crate::primitive::Payload;

/// Baked light in the air.
///
/// Spec: ue1-3/11 §11.5. C++: `FPrecomputedLightVolume`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LightVolume {
    /// Whether there is any.
    pub is_initialised: bool,
    /// The box around its samples, in world units.
    #[archive(when = self.is_initialised)]
    pub bounds: BoundingBox,
    /// Distance of samples.
    #[archive(when = self.is_initialised)]
    pub sample_spacing: f32,
    /// Samples.
    #[archive(when = self.is_initialised)]
    pub samples: Vec<LightSample>,
}

/// A sample of a [`LightVolume`]: 55 bytes in 684, 33 from there on; files bracket 684..813.
///
/// Spec: ue1-3/11 §11.5. C++: `FVolumeLightingSample`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct LightSample {
    /// Its place in the world.
    pub position: Vector,
    /// How far it reaches.
    pub radius: f32,
    /// Coefficients of three colours: two half floats and nine bytes each.
    #[until(813)]
    pub coefficients: [([u16; 2], [u8; 9]); 3],
    /// Directions of indirect and direct light, two angles each.
    #[since(813)]
    pub directions: [u8; 4],
    /// Light from around, indirect, direct.
    #[since(813)]
    pub colors: [Color; 3],
    /// Whether direct light is shadowed.
    #[since(813)]
    pub flag: u8,
}

/// Precomputed visibility; its inner layout is from reference only.
///
/// Spec: ue1-3/11 §11.5. C++: `FPrecomputedVisibilityHandler`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Visibility {
    /// Presence of the first cell.
    pub origin: Vector2D,
    /// Width of a cell.
    pub cell_size_xy: f32,
    /// Height of a cell.
    pub cell_size_z: f32,
    /// Cells of a bucket along a side.
    pub bucket_size: i32,
    /// Buckets along a side.
    pub bucket_count: i32,
    /// Buckets.
    pub buckets: Vec<VisibilityBucket>,
}

/// Cells that are near each other. Spec: ue1-3/11 §11.5. C++: `FPrecomputedVisibilityBucket`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VisibilityBucket {
    /// Bytes of a cell.
    pub cell_data_size: i32,
    /// Cells.
    pub cells: Vec<VisibilityCell>,
    /// Their data.
    pub chunks: Vec<VisibilityChunk>,
}

/// A cell. Spec: ue1-3/11 §11.5. C++: `FPrecomputedVisibilityCell`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct VisibilityCell {
    /// Lowest corner.
    pub min: Vector,
    /// Number of the chunk.
    pub chunk: u16,
    /// Offset in the chunk.
    pub offset: u16,
}

/// Data of cells: a bit for every component. Spec: ue1-3/11 §11.5, ue4-5/09 §8.
/// C++: `FCompressedVisibilityChunk`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VisibilityChunk {
    /// Whether it is compressed.
    pub is_compressed: bool,
    /// Bytes when it is not.
    pub uncompressed_size: i32,
    /// The data.
    pub data: Payload<1>,
}

/// Distance to the next surface; its inner layout is from reference only.
///
/// Spec: ue1-3/11 §11.5. C++: `FPrecomputedVolumeDistanceField`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DistanceField {
    /// Distance that stands for "far".
    pub max_distance: f32,
    /// The box that it covers, in world units.
    pub bounds: BoundingBox,
    /// Samples along the sides.
    pub size: [i32; 3],
    /// Colours, 4 bytes each.
    pub data: Payload<4>,
}
