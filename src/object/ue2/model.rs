//! Models: the geometry of levels and brushes.

use super::family::{swat, ut};
use super::{Atlas, Cluster, LightMap, LightMapTexture, Section, Zeros};
use crate::Archived;
use crate::object::VengeanceHeader;
use crate::object::geometry::{BoundingBox, IndexPair, Plane, Primitive, Sphere, Vector};
use crate::primitive::{Index, PackageIndex, array};

/// The geometry of a level or brush, cut into convex parts by a tree of planes.
///
/// Spec: ue1-3/10 §10.3, §10.6. C++: `UModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// Bounds.
    pub primitive: Primitive,
    /// Version 0, 5.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Directions that surfaces refer to.
    pub vectors: Vec<Vector>,
    /// Places that surfaces and vertices refer to.
    pub points: Vec<Vector>,
    /// The tree.
    pub nodes: Vec<Node>,
    /// The surfaces.
    pub surfaces: Vec<Surface>,
    /// Corners of nodes: point and side.
    pub vertices: Vec<IndexPair>,
    /// Number of sides that nodes share.
    pub shared_side_count: i32,
    /// The zones.
    #[archive(with = array::counted_i32)]
    pub zones: Vec<Zone>,
    /// The polygons that the tree was made of.
    pub polys: PackageIndex,
    /// Bounds that nodes refer to.
    pub bounds: Vec<BoundingBox>,
    /// Hulls of leaves.
    pub leaf_hulls: Vec<i32>,
    /// Leaves.
    pub leaves: Vec<Leaf>,
    /// Lights that leaves refer to.
    pub lights: Vec<PackageIndex>,
    /// Whether everything outside the brushes is empty.
    pub root_outside: i32,
    /// Whether polygons are linked.
    pub linked: i32,
    /// Surfaces that are drawn at once.
    pub sections: Vec<Section>,
    /// Light on surfaces.
    pub light_maps: Vec<LightMap>,
    /// Textures with light maps.
    pub light_map_textures: Vec<LightMapTexture>,
    /// An empty array.
    #[archive(when = swat(ar))]
    pub empty: Zeros<1>,
    /// 0 in brushes, 3 and 8 in lit levels.
    #[archive(when = swat(ar))]
    pub unknown: i32,
    /// Textures with light maps.
    #[archive(when = swat(ar))]
    pub atlases: Vec<Atlas>,
    /// Surfaces that lie together.
    #[archive(when = swat(ar))]
    pub clusters: Vec<Cluster>,
}

/// A node of a model's tree. C++: `FBspNode`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Node {
    /// Version 2, 2.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Its plane.
    pub plane: Plane,
    /// Zones that are reached through it.
    pub zone_mask: u64,
    /// Flags.
    pub flags: u8,
    /// First vertex.
    pub vertex_pool: Index,
    /// Surface.
    pub surface: Index,
    /// Node behind, -1 for none.
    pub back: Index,
    /// Node in front, -1 for none.
    pub front: Index,
    /// Next node in the same plane, -1 for none.
    pub coplanar: Index,
    /// Bounds for collisions, -1 for none.
    pub collision_bound: Index,
    /// Bounds for drawing, -1 for none.
    pub render_bound: Index,
    /// Sphere around it.
    pub sphere: Sphere,
    /// A second sphere, 0; absent in UT2004 files from version 127.
    #[archive(when = !ut(ar, SECOND_SPHERE_REMOVED))]
    pub second_sphere: Sphere,
    /// Zone behind and in front.
    pub zones: [Index; 2],
    /// Number of vertices.
    pub vertex_count: u8,
    /// Leaf behind and in front, -1 for none.
    pub leaves: [i32; 2],
    /// Section, -1 for none.
    pub section: i32,
    /// First vertex in the section.
    pub first_vertex: i32,
    /// Light map, -1 for none.
    pub light_map: i32,
    /// 0 in every known file.
    #[archive(when = swat(ar))]
    pub unknown: u8,
}

/// First version of UT2004 files whose nodes have one sphere; the true one lies in 122 to 128.
const SECOND_SPHERE_REMOVED: u32 = 127;

/// A surface of a model. C++: `FBspSurf`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Version 1, 1.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Material.
    pub material: PackageIndex,
    /// Flags.
    pub flags: u32,
    /// Point of the texture's origin.
    pub base: Index,
    /// Vector: normal.
    pub normal: Index,
    /// Vector: horizontal direction of the texture.
    pub texture_u: Index,
    /// Vector: vertical direction of the texture.
    pub texture_v: Index,
    /// Polygon of the brush, -1 for none.
    pub brush_poly: Index,
    /// The brush.
    pub actor: PackageIndex,
    /// Its plane.
    pub plane: Plane,
    /// Size of a texel of its light map.
    pub light_map_scale: f32,
}

/// A zone of a model. C++: `FZoneProperties`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Zone {
    /// Its actor.
    pub actor: PackageIndex,
    /// Zones that it touches.
    pub connectivity: u64,
    /// Zones that are seen from it.
    pub visibility: u64,
    /// When it was drawn last.
    pub last_render_time: f32,
}

/// A leaf of a model's tree. C++: `FLeaf`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Leaf {
    /// Zone.
    pub zone: Index,
    /// First of the lights that reach it, -1 for none.
    pub permeating: Index,
    /// First of the lights whose volume it is in, -1 for none.
    pub volumetric: Index,
    /// Zones that are seen from it.
    pub visible_zones: u64,
}
