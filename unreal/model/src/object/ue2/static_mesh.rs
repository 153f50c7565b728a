//! Static meshes.

use super::{Collision, Stream, Zeros};
use crate::Archived;
use crate::object::VengeanceHeader;
use crate::object::game::{swat, ut};
use crate::object::geometry::{BoundingBox, Color, Primitive, Vector, Vector2D};
use crate::primitive::{LazyArray, PackageIndex, Payload, array};

/// The last layout of a static mesh without a key.
const NO_KEY: i32 = 8;

/// A mesh that does not move.
///
/// Spec: ue1-3/10 §10.2, §10.6. C++: `UStaticMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMesh {
    /// Bounds as the engine last computed them.
    pub primitive: Primitive,
    /// Version 2, 1.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Parts with one material each.
    pub sections: Vec<StaticSection>,
    /// The box again.
    pub bounding_box: BoundingBox,
    /// Vertices.
    pub vertices: StaticVertices,
    /// Colours of vertices.
    pub colors: Stream<4>,
    /// Alphas of vertices.
    pub alphas: Stream<4>,
    /// Texture coordinates.
    pub uv_streams: Vec<UvStream>,
    /// Indices of triangles.
    pub indices: Stream<2>,
    /// Indices of lines.
    pub wireframe_indices: Stream<2>,
    /// Model for collisions.
    pub collision_model: PackageIndex,
    /// Collision tree.
    pub collision: Collision,
    /// Meaning not known.
    #[until(114)]
    pub unknown: [i32; 3],
    /// Triangles as imported.
    pub source_triangles: LazyArray<SourceTriangle>,
    /// Version of the layout within the class: 8 in files of version 115, 9, 11 in the UT2004 line.
    pub internal_version: i32,
    /// Meaning not known.
    #[archive(when = ut(ar, 0))]
    pub unknown_floats: Vec<f32>,
    /// Physics.
    pub karma_props: PackageIndex,
    /// Key of the tool that made it; not in layout 8.
    #[archive(when = self.internal_version > NO_KEY)]
    pub authentication_key: i32,
    /// Havok shapes.
    #[archive(when = swat(ar))]
    pub havok_proxy: PackageIndex,
    /// Havok collision types.
    #[archive(when = swat(ar))]
    pub havok_types: [u8; 2],
    /// Nothing.
    #[archive(when = swat(ar))]
    pub zeros: Zeros<70>,
}

/// A part with one material. C++: `FStaticMeshSection`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StaticSection {
    /// Whether it is drawn as one strip, 0.
    pub is_strip: i32,
    /// First index.
    pub first_index: u16,
    /// First vertex.
    pub min_vertex: u16,
    /// Last vertex.
    pub max_vertex: u16,
    /// Meaning not known; the number of triangles again in many files.
    pub unknown: u16,
    /// Number of triangles.
    pub face_count: u16,
}

/// Vertices of a static mesh. C++: `FStaticMeshVertexStream`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticVertices {
    /// Version 0, 1.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Position and normal.
    pub stream: Stream<24>,
    /// Tangents.
    #[archive(when = swat(ar))]
    pub tangents: Payload<24>,
}

/// Texture coordinates of a static mesh. C++: `FStaticMeshUVStream`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UvStream {
    /// Two floats for each vertex.
    pub data: Payload<8>,
    /// How they are used.
    pub coordinate_index: i32,
    /// Counts changes.
    pub revision: i32,
}

/// A triangle as it was imported. C++: `FStaticMeshTriangle`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SourceTriangle {
    /// Corners.
    pub vertices: [Vector; 3],
    /// Texture coordinates of the corners.
    #[archive(with = array::counted_i32)]
    pub uvs: Vec<[Vector2D; 3]>,
    /// Colours of the corners.
    pub colors: [Color; 3],
    /// Index of the material.
    pub material: i32,
    /// Which triangles are shaded together.
    pub smoothing_mask: u32,
}
