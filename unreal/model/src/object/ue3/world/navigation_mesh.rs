//! Navigation meshes.

use crate::archive::layout::Layout;
use crate::archive::{Kind, Span};
use crate::error::{ErrorKind, Result};
use crate::object::geometry::{BoundingBox, Matrix, Vector};
use crate::primitive::{Guid, Name, NameContext, PackageIndex};
use crate::{Archive, ArchiveExt, Archived, Described};

/// First version of a mesh that lists the edges of its border; files bracket 15..39.
const BORDER_ADDED: i32 = 39;

/// Where pawns can walk.
///
/// The inner layout of edges is not known.
///
/// Spec: ue1-3/11 §11.10. C++: `UNavigationMeshBase`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct NavigationMeshBase {
    /// All but the edges.
    pub head: MeshHead,
    /// Edges, one for each row of their table, as they are.
    pub edges: Vec<Span>,
}

/// A [`NavigationMeshBase`] without its edges.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshHead {
    /// Version of the mesh, not of the package.
    pub mesh_version: i32,
    /// Version it was built with.
    pub built_version: i32,
    /// Vertices and the polygons at them.
    pub vertices: Vec<(Vector, Vec<u16>)>,
    /// Table of edges.
    pub edge_table: Vec<EdgeRow>,
    /// Polygons.
    pub polygons: Vec<MeshPolygon>,
    /// From the mesh to the world.
    pub local_to_world: Matrix,
    /// From the world to the mesh.
    pub world_to_local: Matrix,
    /// The border.
    #[archive(when = self.mesh_version >= BORDER_ADDED)]
    pub border: Vec<[u16; 3]>,
    /// Bounds.
    pub bounds: BoundingBox,
}

/// A row of the table of edges. Spec: ue1-3/11 §11.10. C++: `FEdgeStorageDatum`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct EdgeRow {
    /// Place of the edge in memory.
    pub data_offset: i32,
    /// Size of the edge in memory.
    pub data_size: u16,
    /// Class of the edge.
    pub class: Name,
}

/// A polygon of a [`NavigationMeshBase`]. Spec: ue1-3/11 §11.10. C++: `FNavMeshPolyBase`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshPolygon {
    /// Vertices.
    pub vertices: Vec<u16>,
    /// Edges.
    pub edges: Vec<u16>,
    /// Centre.
    pub centre: Vector,
    /// Normal.
    pub normal: Vector,
    /// Bounds.
    pub bounds: BoundingBox,
    /// Cover near it.
    pub cover: Vec<CoverReference>,
    /// Height.
    pub height: f32,
}

/// A slot of cover. Spec: ue1-3/11 §11.10. Script: `CoverReference`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct CoverReference {
    /// The actor, if it is in this level.
    pub actor: PackageIndex,
    /// The actor's GUID, if it is in another one.
    pub guid: Guid,
    /// Number of the slot.
    pub slot: i32,
}

/// Where pawns walk, two meshes: for walking and around obstacles. Spec: ue1-3/11 §11.10.
/// C++: `APylon`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Pylon {
    /// The mesh.
    pub mesh: PackageIndex,
    /// The mesh of obstacles.
    pub obstacle_mesh: PackageIndex,
}

/// Bytes of an edge of this class in this version of the mesh.
fn edge_size(class: &str, mesh_version: i32) -> Option<u64> {
    const SIZES: &[(&str, i32, u64)] = &[
        ("FNavMeshEdgeBase", 15, 33),
        ("FNavMeshEdgeBase", 43, 38),
        ("FNavMeshCrossPylonEdge", 15, 85),
        ("FNavMeshCrossPylonEdge", 39, 80),
        ("FNavMeshCrossPylonEdge", 43, 92),
    ];
    let is = |row: &&(&str, i32, u64)| row.0.eq_ignore_ascii_case(class) && row.1 == mesh_version;
    SIZES.iter().find(is).map(|row| row.2)
}

impl Archived for NavigationMeshBase {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.head.serialize(ar)?;
        let context = ar.context().clone();
        if !ar.is_loading() {
            let (edges, rows) = (self.edges.len(), self.head.edge_table.len());
            if edges != rows {
                return Err(ar.error(ErrorKind::OutOfRange { value: edges as i128, bits: 31 }));
            }
            for edge in &mut self.edges {
                let length = edge.len();
                ar.serialize_span(edge, length, Kind::Opaque)?;
            }
            return Ok(());
        }
        self.edges.clear();
        for row in &self.head.edge_table {
            let class = context.name_text(&row.class);
            let size = class.and_then(|class| edge_size(&class, self.head.mesh_version));
            let Some(size) = size else {
                return Err(ar.error(ErrorKind::NonCanonical { form: "an edge of unknown class" }));
            };
            ar.claim(1, size_of::<Span>())?;
            let mut edge = Span::default();
            ar.serialize_span(&mut edge, size, Kind::Opaque)?;
            self.edges.push(edge);
        }
        Ok(())
    }
}
