//! Levels of detail of skeletal meshes.

use super::counted_span;
use super::static_lod::SHADOW_VOLUMES_REMOVED;
use crate::archive::{Kind, Span, private};
use crate::error::{ErrorKind, Result};
use crate::object::game::is_mass_effect_3;
use crate::object::geometry::Vector;
use crate::object::optional::present;
use crate::primitive::{BulkArray, BulkData, Payload};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived};

/// First file version with several texture coordinates.
const MULTIPLE_UVS: u32 = 709;
/// First file version with colours of vertices.
const VERTEX_COLORS: u32 = 710;
/// First file version whose indices may be 32 bits wide.
const WIDE_INDICES: u32 = 806;
/// First file version with half-precision texture coordinates.
const HALF_UVS: u32 = 493;

/// A level of detail.
///
/// Spec: ue1-3/11 §11.7. C++: `FStaticLODModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalLod {
    /// Sections, chunks, vertices.
    pub head: SkeletalLodHead,
    /// Colours of vertices; the mesh says whether there are any.
    #[since(VERTEX_COLORS)]
    #[archive(with = present)]
    pub colors: Option<BulkArray<4>>,
    /// Influences, adjacency.
    pub tail: SkeletalLodTail,
}

/// The greater part of a [`SkeletalLod`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalLodHead {
    /// Parts with a material each.
    pub sections: Vec<Section>,
    /// Indices of triangles.
    pub indices: IndexBuffer,
    /// Indices of the shadow volume.
    #[until(SHADOW_VOLUMES_REMOVED)]
    pub shadow_indices: Payload<2>,
    /// Bones that move vertices.
    pub active_bones: Vec<u16>,
    /// Whether both sides of a triangle cast shadows.
    #[until(SHADOW_VOLUMES_REMOVED)]
    pub double_sided: Payload<1>,
    /// Parts with few bones each.
    pub chunks: Vec<Chunk>,
    /// Bytes in memory.
    pub size: i32,
    /// Number of vertices.
    pub vertex_count: i32,
    /// Edges of the shadow volume.
    #[until(SHADOW_VOLUMES_REMOVED)]
    pub edges: Payload<16>,
    /// Bones that are needed.
    pub required_bones: Payload<1>,
    /// The imported number of each vertex.
    pub raw_point_indices: BulkData,
    /// Pairs of texture coordinates.
    #[since(MULTIPLE_UVS)]
    pub tex_coords: i32,
    /// Vertices.
    pub vertices: SkinStream,
}

/// The end of a [`SkeletalLod`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalLodTail {
    /// Other influences of bones; those that are there are not known.
    #[since(534)]
    #[archive(with = no_influences)]
    pub extra_influences: i32,
    /// Indices for tessellation.
    #[since(841)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub adjacency: IndexBuffer,
}

fn no_influences<A: Archive + ?Sized>(count: &mut i32, ar: &mut A) -> Result<()> {
    ar.serialize_i32(count)?;
    match *count {
        0 => Ok(()),
        value => {
            let type_name = "extra influences";
            Err(ar.error(ErrorKind::UnknownVariant { value: value.into(), type_name }))
        }
    }
}

/// A part of a mesh with one material.
///
/// C++: `FSkelMeshSection`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// Number of the material.
    pub material_index: u16,
    /// Number of the chunk.
    pub chunk_index: u16,
    /// Place in the indices.
    pub base_index: u32,
    /// Number of triangles; 16 bits below version 806.
    #[archive(with = triangle_count)]
    pub triangle_count: u32,
    /// Meaning not known: 0 in all files. Those of consoles show that it is no part of the number before it.
    #[archive(when = is_mass_effect_3(ar))]
    pub unknown: u16,
    /// How triangles are sorted.
    #[since(599)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub sorting: u8,
}

fn triangle_count<A: Archive + ?Sized>(count: &mut u32, ar: &mut A) -> Result<()> {
    if ar.versions().file() >= WIDE_INDICES {
        return ar.serialize_u32(count);
    }
    private::narrow(count, ar, A::serialize_u16)
}

/// Indices, 16 bits wide below version 806.
///
/// C++: `FMultiSizeIndexContainer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct IndexBuffer {
    /// Whether the processor needs them.
    #[since(WIDE_INDICES)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub needs_cpu_access: u32,
    /// Bytes of an index.
    #[since(WIDE_INDICES)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub index_size: u8,
    /// The indices.
    pub data: BulkArray<2>,
}

/// Vertices that share a few bones.
///
/// C++: `FSkelMeshChunk`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Chunk {
    /// First vertex.
    pub base_vertex_index: i32,
    /// Vertices of one bone: vector, three times 4 bytes, 8 bytes of texture coordinates (32 from 709), a
    /// colour from 710, `u8` bone.
    #[archive(with = rigid_vertices)]
    pub rigid_vertices: Span,
    /// Vertices of up to four bones: the fields of those of one bone, with four `u8` bones and four `u8`
    /// weights.
    #[archive(with = soft_vertices)]
    pub soft_vertices: Span,
    /// Which bones of the mesh the numbers mean.
    pub bone_map: Vec<u16>,
    /// Number of vertices of one bone.
    pub rigid_vertex_count: i32,
    /// Number of vertices of several bones.
    pub soft_vertex_count: i32,
    /// Most bones of a vertex.
    pub max_bone_influences: i32,
}

/// Bytes of a vertex without its bones.
fn bare_vertex(file: u32) -> u64 {
    let coordinates = if file >= MULTIPLE_UVS { 32 } else { 8 };
    let color = if file >= VERTEX_COLORS { 4 } else { 0 };
    24 + coordinates + color
}

fn rigid_vertices<A: Archive + ?Sized>(vertices: &mut Span, ar: &mut A) -> Result<()> {
    let stride = bare_vertex(ar.versions().file()) + 1;
    counted_span(vertices, stride, Kind::Payload, ar)
}

fn soft_vertices<A: Archive + ?Sized>(vertices: &mut Span, ar: &mut A) -> Result<()> {
    let stride = bare_vertex(ar.versions().file()) + 8;
    counted_span(vertices, stride, Kind::Payload, ar)
}

/// Vertices as the graphics card takes them.
///
/// C++: `FSkeletalMeshVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkinStream {
    /// Pairs of texture coordinates.
    #[since(MULTIPLE_UVS)]
    pub tex_coords: i32,
    /// Whether coordinates are 32 bits wide.
    #[since(HALF_UVS)]
    pub full_precision: u32,
    /// Whether consoles pack positions; PC files do not.
    #[since(592)]
    pub packed_position: u32,
    /// Half the size of the box that packed positions lie in.
    #[since(592)]
    pub mesh_extension: Vector,
    /// Its centre.
    #[since(592)]
    pub mesh_origin: Vector,
    /// The vertices.
    pub data: BulkArray<32>,
}
