//! Models: the geometry of levels and brushes.

use super::{Atlas, Cluster, LightMap, LightMapTexture, Section, Zeros};
use crate::Archived;
use crate::object::VengeanceHeader;
use crate::object::game::swat;
use crate::object::geometry::{BoundingBox, IndexPair, Plane, Primitive, Vector};
use crate::object::ue1::{BspNode, Leaf, Zone};
use crate::primitive::{Index, PackageIndex, array};

/// The geometry of a level or brush, cut into convex parts by a tree of planes.
///
/// Spec: ue1-3/10 §10.3, §10.6. C++: `UModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// Bounds as the engine last computed them.
    pub primitive: Primitive,
    /// Version 0, 5.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Directions that surfaces refer to.
    pub vectors: Vec<Vector>,
    /// Places that surfaces and vertices refer to.
    pub points: Vec<Vector>,
    /// The tree.
    pub nodes: Vec<BspNode>,
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
