//! Terrain.

use crate::Archived;
use crate::object::geometry::{BoundingBox, Coords};
use crate::primitive::{PackageIndex, Payload};

/// The class's own data of a terrain actor.
///
/// Spec: ue1-3/10 §10.3. C++: `ATerrainInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TerrainInfo {
    /// Its sectors.
    pub sectors: Vec<PackageIndex>,
    /// Vertices: three floats each.
    pub vertices: Payload<12>,
    /// Sectors in each direction.
    pub sector_counts: [i32; 2],
    /// Two normals for each quad.
    pub face_normals: Payload<24>,
    /// From the height map to the world.
    pub to_world: Coords,
    /// From the world to the height map.
    pub to_height_map: Coords,
    /// Width and height of the height map.
    pub height_map_size: [i32; 2],
    /// Colours of vertices.
    pub vertex_colors: Payload<4>,
}

/// A part of a terrain.
///
/// Spec: ue1-3/10 §10.3. C++: `UTerrainSector`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TerrainSector {
    /// The terrain.
    pub info: PackageIndex,
    /// Quads in each direction.
    pub quad_counts: [i32; 2],
    /// First quad in each direction.
    pub offset: [i32; 2],
    /// The box around it.
    pub bounding_box: BoundingBox,
    /// The vertices that each light reaches.
    pub shadows: Vec<TerrainShadow>,
}

/// The vertices of a [`TerrainSector`] that a light reaches.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TerrainShadow {
    /// The light.
    pub light: PackageIndex,
    /// One bit a vertex.
    pub bits: Payload<1>,
}
