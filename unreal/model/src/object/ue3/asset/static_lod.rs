//! Levels of detail of static meshes.

use crate::error::{ErrorKind, Result};
use crate::object::game::{is_mass_effect_1, is_mass_effect_3, is_xcom_2};
use crate::primitive::{BulkArray, BulkData, PackageIndex, Payload};
use crate::{Archive, ArchiveExt, Archived};

/// First file version without shadow volumes.
pub(super) const SHADOW_VOLUMES_REMOVED: u32 = 686;
/// First file version with a stream of colours.
const MESH_PAINT: u32 = 615;

/// A level of detail.
///
/// Spec: ue1-3/11 §11.6. C++: `FStaticMeshRenderData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticLod {
    /// Triangles as imported; empty when cooked.
    pub raw_triangles: BulkData,
    /// Parts with a material each.
    pub elements: Vec<Element>,
    /// Positions.
    pub positions: PositionStream,
    /// Tangents and texture coordinates.
    pub vertices: VertexStream,
    /// Colours.
    #[since(MESH_PAINT)]
    pub colors: ColorStream,
    /// Vertices of the shadow volume.
    #[until(SHADOW_VOLUMES_REMOVED)]
    pub shadow: ShadowStream,
    /// Number of vertices.
    pub vertex_count: i32,
    /// Indices of triangles.
    pub indices: BulkArray<2>,
    /// Indices of lines.
    pub wireframe_indices: BulkArray<2>,
    /// Edges of the shadow volume.
    #[until(SHADOW_VOLUMES_REMOVED)]
    pub edges: BulkArray<16>,
    /// Whether both sides of a triangle cast shadows.
    #[until(SHADOW_VOLUMES_REMOVED)]
    pub double_sided: Payload<1>,
    /// Indices for tessellation.
    #[since(841)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub adjacency_indices: BulkArray<2>,
    /// Unknown.
    #[archive(when = is_mass_effect_1(ar))]
    pub unknown: i32,
    /// Unknown.
    #[archive(when = is_mass_effect_1(ar))]
    pub unknown_data: BulkData,
}

/// A part of a mesh with one material.
///
/// C++: `FStaticMeshElement`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Element {
    /// The material.
    pub material: PackageIndex,
    /// Whether it stops things.
    pub enable_collision: u32,
    /// Whether it did before.
    pub old_enable_collision: u32,
    /// Whether it casts shadows.
    pub enable_shadow_casting: u32,
    /// Place in the indices.
    pub first_index: u32,
    /// Number of triangles.
    pub triangle_count: u32,
    /// Lowest vertex.
    pub min_vertex: u32,
    /// Highest vertex.
    pub max_vertex: u32,
    /// Number of the material.
    pub material_index: i32,
    /// Pieces: place in the indices, number of triangles.
    #[since(514)]
    pub fragments: Vec<(i32, i32)>,
    /// Whether data of PlayStation 3 follows, which is not known.
    #[since(618)]
    #[archive(with = no_platform_data)]
    pub platform_data: u8,
    /// Unknown number of XCOM 2.
    #[archive(when = is_xcom_2(ar))]
    pub xcom: i32,
}

fn no_platform_data<A: Archive + ?Sized>(flag: &mut u8, ar: &mut A) -> Result<()> {
    ar.serialize_u8(flag)?;
    match *flag {
        0 => Ok(()),
        value => {
            let type_name = "platform data";
            Err(ar.error(ErrorKind::UnknownVariant { value: value.into(), type_name }))
        }
    }
}

/// Positions of vertices.
///
/// C++: `FPositionVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PositionStream {
    /// Bytes of a vertex.
    pub stride: i32,
    /// Number of vertices.
    pub count: i32,
    /// Unknown number of Mass Effect 3.
    #[archive(when = is_mass_effect_3(ar))]
    pub mass_effect: i32,
    /// Each a vector.
    pub data: BulkArray<12>,
}

/// Tangents and texture coordinates: packed X, packed Z, below version 615 a colour, then each pair of
/// coordinates in 4 bytes, or 8 at full precision.
///
/// C++: `FStaticMeshVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VertexStream {
    /// Pairs of texture coordinates.
    pub tex_coords: i32,
    /// Bytes of a vertex.
    pub stride: i32,
    /// Number of vertices.
    pub count: i32,
    /// Whether coordinates are 32 bits wide.
    pub full_precision: u32,
    /// Unknown number of Mass Effect 3.
    #[archive(when = is_mass_effect_3(ar))]
    pub mass_effect: i32,
    /// The vertices.
    pub data: BulkArray<16>,
}

/// Colours of vertices.
///
/// C++: `FColorVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ColorStream {
    /// Bytes of a colour.
    pub stride: i32,
    /// Number of colours.
    pub count: i32,
    /// The colours.
    #[archive(when = self.count > 0)]
    pub data: BulkArray<4>,
}

/// Vertices of the shadow volume.
///
/// C++: `FShadowVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShadowStream {
    /// Bytes of a vertex.
    pub stride: i32,
    /// Number of vertices.
    pub count: i32,
    /// How far each is extruded.
    pub data: BulkArray<4>,
}
