//! BSP.

use super::polys::{LIGHTING_CHANNELS_ADDED, LightmassSettings};
use crate::object::geometry::{Bounds, Plane};
use crate::primitive::{BulkArray, Guid, PackageIndex};
use crate::{Archive, Archived, Result};

/// The BSP of a level or brush.
///
/// Nodes, vertices and leaves hold neither
/// names nor references.
///
/// Spec: ue1-3/11 §11.4. C++: `UModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// Its size.
    pub bounds: Bounds,
    /// Directions.
    pub vectors: BulkArray<12>,
    /// Points.
    pub points: BulkArray<12>,
    /// Nodes: plane; i32 vertex pool, surface, vertex index; u16 component, u16 node in it; i32 element;
    /// i32 back, front, plane, collision bound; u8 zones (2), vertices, flags; i32 leaves (2). Where their size
    /// is not stored they have 68 bytes, seen at 391.
    #[archive(with = old_nodes)]
    pub nodes: BulkArray<64>,
    /// The object itself.
    pub owner: PackageIndex,
    /// Surfaces.
    pub surfaces: Vec<Surface>,
    /// Vertices: i32 point, i32 side, two floats on the shadow map, and but for Mass Effect 3 two floats
    /// for the back.
    pub vertices: BulkArray<24>,
    /// Sides that two nodes share.
    pub shared_side_count: i32,
    /// Zones.
    pub zones: Vec<Zone>,
    /// The polygons it was built from.
    pub polys: PackageIndex,
    /// Collision hulls of leaves, i32 each.
    pub leaf_hulls: BulkArray<4>,
    /// Leaves: i32 zone each.
    pub leaves: BulkArray<4>,
    /// Whether the world is empty or solid.
    pub root_outside: bool,
    /// Whether polygons are linked.
    pub linked: bool,
    /// Nodes of portals, i32 each.
    pub portal_nodes: BulkArray<4>,
    /// Edges for shadow volumes.
    #[until(686)]
    pub shadow_edges: BulkArray<16>,
    /// Number of vertices to draw.
    pub vertex_count: u32,
    /// Vertices to draw: 40 bytes each where their size is not stored, seen at 391.
    #[archive(with = drawn_vertices)]
    pub vertex_buffer: BulkArray<36>,
    /// Which baked light fits.
    #[since(600)]
    pub lighting_guid: Guid,
    /// How surfaces take part in the baking of light.
    #[since(600)]
    pub lightmass: Vec<LightmassSettings>,
}

fn old_nodes<A: Archive + ?Sized>(nodes: &mut BulkArray<64>, ar: &mut A) -> Result<()> {
    nodes.serialize_as(68, ar)
}

fn drawn_vertices<A: Archive + ?Sized>(buffer: &mut BulkArray<36>, ar: &mut A) -> Result<()> {
    buffer.serialize_as(40, ar)
}

/// A surface of a [`Model`]. Spec: ue1-3/11 §11.4. C++: `FBspSurf`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Surface {
    /// The material.
    pub material: PackageIndex,
    /// Flags of the surface.
    pub poly_flags: u32,
    /// Number of its base point.
    pub base: i32,
    /// Number of its normal.
    pub normal: i32,
    /// Number of a texture axis.
    pub texture_u: i32,
    /// Number of a texture axis.
    pub texture_v: i32,
    /// Number of the polygon in its brush.
    pub brush_poly: i32,
    /// The brush.
    pub actor: PackageIndex,
    /// The plane it lies in.
    pub plane: Plane,
    /// Texels of a shadow map for a unit.
    pub shadow_map_scale: f32,
    /// Which lights light it; files bracket 391..491.
    #[since(LIGHTING_CHANNELS_ADDED)]
    pub lighting_channels: u32,
    /// Number in the list of lightmass settings.
    #[since(600)]
    pub lightmass_index: i32,
}

/// A zone of a [`Model`]. Spec: ue1-3/11 §11.4. C++: `FZoneProperties`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Zone {
    /// Its actor.
    pub actor: PackageIndex,
    /// When it was drawn last.
    pub last_render_time: f32,
    /// Zones beside it, a bit each.
    pub connectivity: u64,
    /// Zones that can be seen from it, a bit each.
    pub visibility: u64,
}
