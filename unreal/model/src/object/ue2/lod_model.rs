//! One level of detail of a skeletal mesh.

use super::Stream;
use crate::Archived;
use crate::object::VengeanceHeader;
use crate::object::game::swat;
use crate::primitive::{LazyPayload, Payload};

/// One level of detail of a skeletal mesh.
///
/// Spec: ue1-3/10 §10.2, §10.6. C++: `FStaticLODModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LodModel {
    /// Version 1, 1.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Skinning: u32.
    pub skinning_data: Payload<4>,
    /// Position and packed normal.
    pub skin_points: Payload<16>,
    /// Wedges that several bones move.
    pub soft_wedge_count: i32,
    /// Sections whose vertices several bones move.
    pub soft_sections: Vec<SkeletalSection>,
    /// Sections whose vertices one bone moves.
    pub rigid_sections: Vec<SkeletalSection>,
    /// Indices of soft sections.
    pub soft_indices: Stream<2>,
    /// Indices of rigid sections.
    pub rigid_indices: Stream<2>,
    /// Vertices.
    pub vertices: SkinVertices,
    /// Weights of bones.
    pub influences: LazyPayload<8>,
    /// Wedges.
    pub wedges: LazyPayload<10>,
    /// Faces: three wedges and a material.
    pub faces: LazyPayload<8>,
    /// Points: three floats each.
    pub points: LazyPayload<12>,
    /// From which distance it is drawn.
    pub distance_factor: f32,
    /// How late levels change.
    pub hysteresis: f32,
    /// Vertices that are shared.
    pub shared_vertex_count: i32,
    /// Most bones that move a vertex.
    pub max_influences: i32,
    /// Meaning not known.
    pub unknown: [i32; 2],
    /// Tangents.
    #[archive(when = swat(ar) && self.header.subversion >= 1)]
    pub lazy_tangents: LazyPayload<24>,
    /// Tangents.
    #[archive(when = swat(ar) && self.header.subversion >= 1)]
    pub tangents: Payload<24>,
}

/// A part of a level of detail with one material. C++: `FSkelMeshSection`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkeletalSection {
    /// Index of the material.
    pub material: u16,
    /// First index.
    pub min_stream_index: u16,
    /// First wedge.
    pub min_wedge: u16,
    /// Last wedge.
    pub max_wedge: u16,
    /// Number of indices.
    pub index_count: u16,
    /// The bone of a rigid section.
    pub bone: u16,
    /// Meaning not known.
    pub unknown: u16,
    /// First face.
    pub first_face: u16,
    /// Number of faces.
    pub face_count: u16,
}

/// Vertices of a level of detail. C++: `FSkinVertexStream`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkinVertices {
    /// Version 0, 1.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Counts changes, among others.
    pub numbers: [i32; 3],
    /// Position, normal, texture coordinates.
    pub data: Payload<32>,
    /// Counts changes of the tangents.
    #[archive(when = swat(ar))]
    pub tangents_revision: i32,
    /// Tangents.
    #[archive(when = swat(ar))]
    pub tangents: Payload<24>,
}
