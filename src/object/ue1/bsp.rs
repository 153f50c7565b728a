//! Parts of a BSP tree; up to file version 61 objects of their own.

use crate::Archived;
use crate::object::geometry::{IndexPair, Plane, Vector};
use crate::primitive::{Index, PackageIndex, TransArray};

/// A plane of the tree.
///
/// Spec: ue1-3/06 §6.2. C++: `FBspNode`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct BspNode {
    /// The plane.
    pub plane: Plane,
    /// Zones at or under the node.
    pub zone_mask: u64,
    /// Flags. C++: `NodeFlags`.
    pub flags: u8,
    /// First vertex. C++: `iVertPool`.
    pub vertex_pool: Index,
    /// Surface. C++: `iSurf`.
    pub surface: Index,
    /// Node behind the plane. C++: `iBack`.
    pub back: Index,
    /// Node before the plane. C++: `iFront`.
    pub front: Index,
    /// Next node in the plane. C++: `iPlane`.
    pub coplanar: Index,
    /// Bounds for collision. C++: `iCollisionBound`.
    pub collision_bound: Index,
    /// Bounds for drawing. C++: `iRenderBound`.
    pub render_bound: Index,
    /// Zones behind and before the plane. C++: `iZone`.
    pub zones: [Index; 2],
    /// Vertices of the polygon.
    pub vertex_count: u8,
    /// Leaves behind and before the plane. C++: `iLeaf`.
    pub leaves: [i32; 2],
}

/// A surface of the tree, which several nodes share.
///
/// Spec: ue1-3/06 §6.2. C++: `FBspSurf`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct BspSurf {
    /// The texture.
    pub texture: PackageIndex,
    /// Flags of the polygon. C++: `PolyFlags`.
    pub poly_flags: u32,
    /// Base point. C++: `pBase`.
    pub base: Index,
    /// Normal. C++: `vNormal`.
    pub normal: Index,
    /// Horizontal axis of the texture. C++: `vTextureU`.
    pub texture_u: Index,
    /// Vertical axis of the texture. C++: `vTextureV`.
    pub texture_v: Index,
    /// Light map. C++: `iLightMap`.
    pub light_map: Index,
    /// Polygon of the brush. C++: `iBrushPoly`.
    pub brush_poly: Index,
    /// Horizontal offset of the texture.
    pub pan_u: i16,
    /// Vertical offset of the texture.
    pub pan_v: i16,
    /// The brush.
    pub actor: PackageIndex,
}

/// A zone of a level.
///
/// Spec: ue1-3/06 §6.2. C++: `FZoneProperties`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Zone {
    /// The actor that describes it, or none.
    pub actor: PackageIndex,
    /// Zones it touches.
    pub connectivity: u64,
    /// Zones that may be seen from it.
    pub visibility: u64,
}

/// Normals and axes of a model, up to file version 61.
///
/// Spec: ue1-3/06 §6.2. C++: `UVectors`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Vectors {
    /// The vectors.
    pub vectors: TransArray<Vector>,
}

/// Points of a model, up to file version 61.
///
/// Spec: ue1-3/06 §6.2. C++: `UVectors`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Points {
    /// The points.
    pub points: TransArray<Vector>,
}

/// Vertices of a model, up to file version 61.
///
/// Spec: ue1-3/06 §6.2. C++: `UVerts`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Verts {
    /// Point and side of each.
    pub verts: TransArray<IndexPair>,
    /// Sides that two polygons share. C++: `NumSharedSides`.
    pub shared_sides: Index,
}

/// Nodes and zones of a model, up to file version 61.
///
/// Spec: ue1-3/06 §6.2. C++: `UBspNodes`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BspNodes {
    /// The nodes.
    pub nodes: TransArray<BspNode>,
    /// The zones.
    pub zones: Vec<Zone>,
}

/// Surfaces of a model, up to file version 61.
///
/// Spec: ue1-3/06 §6.2. C++: `UBspSurfs`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BspSurfs {
    /// The surfaces.
    pub surfs: TransArray<BspSurf>,
}
