//! Parts of a BSP tree; up to file version 61 objects of their own.

use crate::Archived;
use crate::object::VengeanceHeader;
use crate::object::game::{swat, ut};
use crate::object::geometry::{IndexPair, Plane, Sphere, Vector};
use crate::primitive::{Index, PackageIndex, TransArray};
use crate::version::threshold::UE2_FIRST;

/// First version of UT2004 files whose nodes have one sphere; the true one lies in 122 to 126.
const SECOND_SPHERE_REMOVED: u32 = 126;

/// A plane of the tree; indices are -1 for none.
///
/// Spec: ue1-3/06 §6.2, 10 §10.3, §10.6. C++: `FBspNode`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct BspNode {
    /// Version 2, 2.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
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
    /// Sphere around it.
    #[since(UE2_FIRST)]
    pub sphere: Sphere,
    /// A second sphere, 0.
    #[since(UE2_FIRST)]
    #[archive(when = !ut(ar, SECOND_SPHERE_REMOVED))]
    pub second_sphere: Sphere,
    /// Zones behind and before the plane. C++: `iZone`.
    pub zones: [Index; 2],
    /// Vertices of the polygon.
    pub vertex_count: u8,
    /// Leaves behind and before the plane. C++: `iLeaf`.
    pub leaves: [i32; 2],
    /// Section.
    #[since(UE2_FIRST)]
    pub section: i32,
    /// First vertex in the section.
    #[since(UE2_FIRST)]
    pub first_vertex: i32,
    /// Light map.
    #[since(UE2_FIRST)]
    pub light_map: i32,
    /// 0 in every known file.
    #[archive(when = swat(ar))]
    pub unknown: u8,
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
    /// When it was drawn last.
    #[since(UE2_FIRST)]
    pub last_render_time: f32,
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
