//! Tiles of navigation meshes.

use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::fixed;
use crate::object::ue4::prepared::Prepared;
use crate::primitive::Real;
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived};

/// From this version of tiles on a tile has a resolution.
const RESOLUTIONS: u32 = 23;
/// From this version on vertices count from the tile's corner.
const LOCAL_VERTICES: u32 = 28;

/// A tile of a navigation mesh of UE5.
///
/// C++: `dtMeshTile`, `FRecastTileData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct NavMeshTile {
    /// Its number and salt.
    pub reference: u64,
    /// Bytes that it takes in memory; 0 for none.
    pub size: u32,
    /// Numbers of what follows.
    #[archive(when = self.size != 0)]
    pub counts: NavMeshTileCounts,
    /// Where it lies.
    #[archive(when = self.size != 0)]
    pub header: NavMeshTileHeader,
    /// Corners of polygons.
    #[archive(when = self.size != 0, with = vertices(self.counts.vertices))]
    pub vertices: NavMeshVertices,
    /// Polygons.
    #[archive(when = self.size != 0, with = fixed(usize::from(self.counts.polygons)))]
    pub polygons: Vec<NavMeshPolygon>,
    /// Where the heights of each polygon stand.
    #[archive(when = self.size != 0, with = fixed(usize::from(self.counts.detail_meshes)))]
    pub detail_meshes: Vec<NavMeshDetail>,
    /// Vertices that give polygons their height.
    #[archive(when = self.size != 0, with = vertices(self.counts.detail_vertices))]
    pub detail_vertices: NavMeshVertices,
    /// Triangles of these: three vertices and flags of edges.
    #[archive(when = self.size != 0, with = fixed(usize::from(self.counts.detail_triangles)))]
    pub detail_triangles: Vec<[u8; 4]>,
    /// Boxes around polygons.
    #[archive(when = self.size != 0, with = fixed(usize::from(self.counts.boxes)))]
    pub boxes: Vec<NavMeshBox>,
    /// Links between points.
    #[archive(when = self.size != 0, with = fixed(usize::from(self.counts.links)))]
    pub links: Vec<NavMeshLink>,
    /// Heights of these links.
    #[archive(when = self.size != 0, with = fixed(usize::from(self.counts.links)))]
    pub link_heights: Vec<Real>,
    /// Links between edges.
    #[archive(when = self.size != 0, with = fixed(usize::from(self.counts.segments)))]
    pub segments: Vec<NavMeshSegment>,
    /// Centers of groups of polygons.
    #[archive(when = self.size != 0, with = fixed(usize::from(self.counts.clusters)))]
    pub clusters: Vec<[Real; 3]>,
    /// The group of each polygon.
    #[archive(when = self.size != 0, with = fixed(usize::from(self.counts.detail_meshes)))]
    pub polygon_clusters: Vec<u16>,
    /// Bytes of the layer that it is built anew from: 0 or -1, no layer.
    #[archive(when = self.size != 0, with = no_layer)]
    pub layer_size: i32,
}

/// Numbers of what a tile holds. C++: `FDetourTileSizeInfo`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct NavMeshTileCounts {
    /// Corners of polygons.
    pub vertices: u16,
    /// Polygons.
    pub polygons: u16,
    /// Links that there can be.
    pub max_links: u16,
    /// Polygons with heights.
    pub detail_meshes: u16,
    /// Vertices of heights.
    pub detail_vertices: u16,
    /// Triangles of heights.
    pub detail_triangles: u16,
    /// Boxes.
    pub boxes: u16,
    /// Links between points.
    pub links: u16,
    /// Links between edges.
    pub segments: u16,
    /// Groups of polygons.
    pub clusters: u16,
}

/// Where a tile lies. C++: `dtMeshHeader`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct NavMeshTileHeader {
    /// Version of Detour.
    pub version: u16,
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Layer above others.
    pub layer: u16,
    /// The numbers of what the tile holds once more: polygons, vertices, links that there can be, polygons with
    /// heights, vertices and triangles of these, boxes, links between points, the first polygon of a link.
    pub counts: [u16; 9],
    /// 0 low, 1 default, 2 high; from version 23 of tiles on.
    pub resolution: Prepared<u8>,
    /// Its corners.
    pub bounds: [[Real; 3]; 2],
    /// Groups, links between edges, the first polygon and the first vertex of such a link.
    pub segment_counts: [u16; 4],
}

/// Vertices of a tile.
#[derive(Debug, Clone, PartialEq)]
pub enum NavMeshVertices {
    /// Where they are in the world.
    World(Vec<[Real; 3]>),
    /// Where they are in the tile, from version 28 of tiles on.
    Local(Vec<[f32; 3]>),
}

impl Default for NavMeshVertices {
    fn default() -> Self {
        Self::World(Vec::new())
    }
}

impl NavMeshTile {
    /// An empty tile of this version, to be loaded.
    pub(super) fn blank(version: u32) -> Self {
        let vertices = || match version {
            LOCAL_VERTICES.. => NavMeshVertices::Local(Vec::new()),
            _ => NavMeshVertices::default(),
        };
        let mut tile =
            Self { vertices: vertices(), detail_vertices: vertices(), ..Self::default() };
        tile.header.resolution = Prepared::when(version >= RESOLUTIONS);
        tile
    }

    /// Whether it has the form of tiles of this version.
    pub(super) fn is_of(&self, version: u32) -> bool {
        let is_local = |it: &NavMeshVertices| matches!(it, NavMeshVertices::Local(_));
        let has_local = version >= LOCAL_VERTICES;
        self.size == 0
            || is_local(&self.vertices) == has_local
                && is_local(&self.detail_vertices) == has_local
                && self.header.resolution.0.is_some() == (version >= RESOLUTIONS)
    }
}

/// A polygon of a tile. C++: `dtPoly`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct NavMeshPolygon {
    /// Its first link, in memory.
    pub first_link: u32,
    /// Its corners.
    pub vertices: [u16; 6],
    /// What lies behind its edges.
    pub neighbors: [u16; 6],
    /// Flags.
    pub flags: u16,
    /// Number of its corners.
    pub vertex_count: u8,
    /// Six bits of its area, two of its type.
    pub area_and_type: u8,
}

/// Where the heights of a polygon stand. C++: `dtPolyDetail`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct NavMeshDetail {
    /// Its first vertex.
    pub vertex_base: u16,
    /// Its first triangle.
    pub triangle_base: u16,
    /// Number of its vertices.
    pub vertex_count: u8,
    /// Number of its triangles.
    pub triangle_count: u8,
}

/// A box around polygons. C++: `dtBVNode`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct NavMeshBox {
    /// Its corners.
    pub bounds: [[u16; 3]; 2],
    /// The polygon, or how many boxes to pass over, negative.
    pub index: i32,
}

/// A link between points. C++: `dtOffMeshConnection`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct NavMeshLink {
    /// Its ends.
    pub ends: [[Real; 3]; 2],
    /// Radius of its ends.
    pub radius: Real,
    /// Its polygon.
    pub polygon: u16,
    /// Flags.
    pub flags: u8,
    /// Side of the tile where it ends.
    pub side: u8,
    /// Its name.
    #[until(custom = custom::FORTNITE_MAIN, custom::fortnite_main::NAVIGATION_LINK_ID32_TO64)]
    pub short_id: u32,
    /// Its name.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::NAVIGATION_LINK_ID32_TO64)]
    pub id: u64,
}

/// A link between edges. C++: `dtOffMeshSegmentConnection`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct NavMeshSegment {
    /// The ends of both edges.
    pub ends: [[Real; 3]; 4],
    /// Radius.
    pub radius: Real,
    /// Its first polygon.
    pub first_polygon: u16,
    /// Number of its polygons.
    pub polygon_count: u8,
    /// Flags.
    pub flags: u8,
    /// Its name.
    pub id: u32,
}

fn vertices<A: Archive + ?Sized>(
    vertices: &mut NavMeshVertices,
    count: u16,
    ar: &mut A,
) -> Result<()> {
    match vertices {
        NavMeshVertices::World(vertices) => fixed(vertices, count.into(), ar),
        NavMeshVertices::Local(vertices) => fixed(vertices, count.into(), ar),
    }
}

/// What a tile is built anew from is not known.
fn no_layer<A: Archive + ?Sized>(size: &mut i32, ar: &mut A) -> Result<()> {
    ar.serialize_i32(size)?;
    match *size {
        ..=0 => Ok(()),
        _ => {
            Err(ar
                .error(ErrorKind::NonCanonical { form: "a tile with the layer it was built from" }))
        }
    }
}
