//! Edges of the height maps of landscapes.

use crate::Archived;
use crate::object::geometry::Color;
use crate::primitive::{Guid, PackageIndex};

/// The edge of a height map as it was when its neighbours were mended; without properties.
///
/// C++: `ULandscapeHeightmapTextureEdgeFixup`, `FHeightmapTextureEdgeSnapshot`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HeightmapTextureEdgeFixup {
    /// Texels of an edge.
    pub edge_length: i32,
    /// The texels of all edges.
    pub edges: Vec<Color>,
    /// Hashes of edges and corners, by turns.
    pub edge_hashes: [u32; 8],
    /// GUID of the texture that they were taken from.
    pub texture_source: Guid,
    /// The hashes before the edges were changed.
    pub initial_edge_hashes: [u32; 8],
}

/// What mends the edges of a height map while it is streamed.
///
/// C++: `ULandscapeTextureMipEdgeOverrideFactory`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct TextureMipEdgeOverrideFactory {
    /// The height map.
    pub texture: PackageIndex,
}
