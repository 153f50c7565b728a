//! Models: BSP trees of brushes and levels in UE1.

use super::bsp::{BspNode, BspSurf, Zone};
use crate::Archived;
use crate::object::geometry::{BoundingBox, IndexPair, Primitive, Vector};
use crate::primitive::{Index, PackageIndex, Payload, array};

/// First file version whose models hold their geometry themselves (spec: ue1-3/06 §6.2).
pub(super) const MERGED: u32 = 62;

/// The geometry of a brush or level in UE1.
///
/// Spec: ue1-3/06 §6.2. C++: `UModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// Bounds as the engine last computed them.
    pub primitive: Primitive,
    /// Object with the normals and axes.
    #[until(MERGED)]
    pub vectors_object: PackageIndex,
    /// Object with the points.
    #[until(MERGED)]
    pub points_object: PackageIndex,
    /// Object with the nodes.
    #[until(MERGED)]
    pub nodes_object: PackageIndex,
    /// Object with the surfaces.
    #[until(MERGED)]
    pub surfs_object: PackageIndex,
    /// Object with the vertices.
    #[until(MERGED)]
    pub verts_object: PackageIndex,
    /// Normals and axes.
    #[since(MERGED)]
    pub vectors: Vec<Vector>,
    /// Points.
    #[since(MERGED)]
    pub points: Vec<Vector>,
    /// Nodes.
    #[since(MERGED)]
    pub nodes: Vec<BspNode>,
    /// Surfaces.
    #[since(MERGED)]
    pub surfs: Vec<BspSurf>,
    /// Vertices: point and side of each.
    #[since(MERGED)]
    pub verts: Vec<IndexPair>,
    /// Sides that two polygons share. C++: `NumSharedSides`.
    #[since(MERGED)]
    pub shared_sides: i32,
    /// Zones.
    #[since(MERGED)]
    #[archive(with = array::counted_i32)]
    pub zones: Vec<Zone>,
    /// The polygons that the tree was built from.
    pub polys: PackageIndex,
    /// Light maps.
    pub light_maps: Vec<LightMap>,
    /// Bits of the light maps: lit or in shadow.
    pub light_bits: Payload<1>,
    /// Bounds of nodes.
    pub bounds: Vec<BoundingBox>,
    /// Hulls of leaves, for collision.
    pub leaf_hulls: Vec<i32>,
    /// Leaves.
    pub leaves: Vec<Leaf>,
    /// Lights, in lists that end in none.
    pub lights: Vec<PackageIndex>,
    /// Not known; up to version 61.
    #[until(MERGED)]
    pub unknown: [PackageIndex; 2],
    /// Whether what is beyond the tree is empty.
    pub root_outside: i32,
    /// Whether vertices of neighbours were linked.
    pub linked: i32,
}

/// A light map of a surface.
///
/// Spec: ue1-3/06 §6.2. C++: `FLightMapIndex`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct LightMap {
    /// Where its bits start. C++: `DataOffset`.
    pub data_offset: i32,
    /// Offset on the surface.
    pub pan: Vector,
    /// Width. C++: `UClamp`.
    pub u_clamp: Index,
    /// Height. C++: `VClamp`.
    pub v_clamp: Index,
    /// Horizontal scale.
    pub u_scale: f32,
    /// Vertical scale.
    pub v_scale: f32,
    /// Where its lights start. C++: `iLightActors`.
    pub light_actors: i32,
}

/// A convex piece of space.
///
/// Spec: ue1-3/06 §6.2. C++: `FLeaf`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Leaf {
    /// Its zone. C++: `iZone`.
    pub zone: Index,
    /// Lights that reach it. C++: `iPermeating`.
    pub permeating: Index,
    /// Volumetric lights. C++: `iVolumetric`.
    pub volumetric: Index,
    /// Zones seen from it.
    pub visible_zones: u64,
}
