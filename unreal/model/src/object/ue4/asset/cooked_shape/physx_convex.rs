//! Convex hulls of PhysX, in its own format.

use super::part::{Constant, ShapeBounds};
use crate::archive::layout::Layout;
use crate::archive::{ArchiveExt, Role, in_field};
use crate::error::Result;
use crate::object::geometry::{Plane, Vector};
use crate::object::ue4::condition::{fixed, when};
use crate::{Archive, Archived, Described};

/// The number that stands for "none".
const NONE: f32 = -1.0;
const NO_GAUSS_MAP: u32 = NONE.to_bits();

/// A convex hull, version 13. C++: `physx::Gu::ConvexMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"NXS\x01CVXM")]
pub struct PhysxConvex {
    /// Version of the format.
    pub version: u32,
    /// How it is stored: none are known.
    pub flags: u32,
    /// The hull.
    pub hull: PhysxHullData,
    /// Tolerance.
    pub epsilon: f32,
    /// Its box.
    pub bounds: ShapeBounds,
    /// Mass, or -1.
    pub mass: f32,
    /// Inertia.
    #[archive(when = self.mass != NONE)]
    pub inertia: [f32; 9],
    /// Centre of mass.
    #[archive(when = self.mass != NONE)]
    pub center_of_mass: Vector,
    /// -1: what large hulls have beside their corners is not decoded.
    pub gauss_map: Constant<{ NO_GAUSS_MAP }>,
    /// Radius of the sphere inside.
    pub internal_radius: f32,
    /// Half the size of the box inside.
    pub internal_extents: Vector,
}

/// A hull behind its outer header. C++: `convexHullLoad`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"ICE\x01CLHL")]
pub struct PhysxHullData {
    /// Version of the outer header.
    pub version: u32,
    /// The hull.
    pub hull: PhysxHull,
}

/// Whether edges list their corners, in the number of edges.
const HAS_EDGE_CORNERS: u32 = 0x8000;

/// Corners, edges and faces of a hull, versions 7 and 8. C++: `Gu::ConvexHullData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct PhysxHull {
    /// Version of the format.
    pub version: u32,
    /// Edges; with bit 0x8000 their corners are listed.
    pub edge_count: u32,
    /// Corners.
    pub vertices: Vec<Vector>,
    /// Whether normals are exact, up to version 6.
    pub unquantized_normals: u16,
    /// Faces.
    pub polygons: Vec<PhysxPolygon>,
    /// Corners of faces.
    pub vertex_data: Vec<u8>,
    /// The two faces of each edge.
    pub faces_by_edges: Vec<[u8; 2]>,
    /// Three faces of each corner, from version 6 on.
    pub faces_by_vertices: Vec<[u8; 3]>,
    /// The corners of each edge, from version 8 on, where the number of edges says so.
    pub edges: Vec<[u16; 2]>,
}

/// A face of a hull. C++: `Gu::HullPolygonData`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct PhysxPolygon {
    /// Its plane.
    pub plane: Plane,
    /// The first of its corners.
    pub first_vertex: u16,
    /// Corners.
    pub vertex_count: u8,
    /// The corner that is farthest from the plane.
    pub min_index: u8,
}

/// Stands before the hull.
const MAGIC: &[u8; 8] = b"ICE\x01CVHL";

impl Archived for PhysxHull {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        crate::archive::private::magic(MAGIC, ar)?;
        in_field("version", ar, |ar| ar.serialize_u32(&mut self.version))?;
        let vertices = count("vertex_count", self.vertices.len(), ar)?;
        in_field("edge_count", ar, |ar| ar.serialize_u32(&mut self.edge_count))?;
        let polygons = count("polygon_count", self.polygons.len(), ar)?;
        let indices = count("index_count", self.vertex_data.len(), ar)?;
        in_field("vertices", ar, |ar| fixed(&mut self.vertices, vertices, ar))?;
        when(self.version <= 6, &mut self.unquantized_normals, "unquantized_normals", ar)?;
        in_field("polygons", ar, |ar| fixed(&mut self.polygons, polygons, ar))?;
        in_field("vertex_data", ar, |ar| fixed(&mut self.vertex_data, indices, ar))?;
        let edges = (self.edge_count & (HAS_EDGE_CORNERS - 1)) as usize;
        in_field("faces_by_edges", ar, |ar| fixed(&mut self.faces_by_edges, edges, ar))?;
        let faces = if self.version >= 6 { vertices } else { 0 };
        in_field("faces_by_vertices", ar, |ar| fixed(&mut self.faces_by_vertices, faces, ar))?;
        let has_corners = self.version >= 8 && self.edge_count & HAS_EDGE_CORNERS != 0;
        let edges = if has_corners { edges } else { 0 };
        in_field("edges", ar, |ar| fixed(&mut self.edges, edges, ar))
    }
}

/// The number of elements that stand apart from it.
pub(super) fn count<A: Archive + ?Sized>(
    name: &'static str,
    length: usize,
    ar: &mut A,
) -> Result<usize> {
    let mut count = crate::primitive::array::u32_count(length, ar)?;
    in_field(name, ar, |ar| ar.serialize_u32(&mut count))?;
    ar.role(Role::Count);
    crate::primitive::array::mark_empty(count as usize, ar);
    Ok(count as usize)
}
