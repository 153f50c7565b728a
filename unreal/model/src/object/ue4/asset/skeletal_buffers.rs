//! Buffers of skeletal meshes that were cooked.

use super::mesh_buffer::{ColorBuffer, IndexContainer, PositionBuffer, VertexBuffer};
use crate::Archived;
use crate::archive::Loader;
use crate::error::Result;
use crate::object::ue4::bulk::BulkArray;
use crate::object::ue4::strip::StripFlags;
use crate::version::Versions;

/// The buffers of a level of detail as its bulk data begins; spans are of the bulk data.
///
/// Inferred from files of 5.8 and 6.0. C++: `FSkeletalMeshLODRenderData::SerializeStreamedData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalBuffers {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Indices.
    pub indices: IndexContainer,
    /// Positions.
    pub positions: PositionBuffer,
    /// Tangents and texture coordinates.
    pub vertices: VertexBuffer,
    /// Influences of bones.
    pub skin_weights: DrawnSkinWeights,
    /// Where the influences of each vertex begin.
    pub lookup: SkinWeightLookup,
}

/// Influences of bones as they are drawn. C++: `FSkinWeightDataVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DrawnSkinWeights {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether some vertices have more of them than others.
    pub is_variable: bool,
    /// Bones of a vertex at most.
    pub most_bones: u32,
    /// Influences of all vertices.
    pub count: u32,
    /// Vertices.
    pub vertex_count: u32,
    /// Whether numbers of bones have 16 bits.
    pub wide_bones: bool,
    /// Whether weights have 16 bits.
    pub wide_weights: bool,
    /// The numbers of a vertex's bones, then their weights.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub data: BulkArray,
}

/// Where the influences of each vertex begin, where their number varies. C++: `FSkinWeightLookupVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkinWeightLookup {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Vertices.
    pub vertex_count: u32,
    /// A number for each.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub data: BulkArray,
}

impl SkeletalBuffers {
    /// Reads the buffers, and the colours where the level of detail has some.
    ///
    /// # Errors
    /// As any [`Archived`] reports them.
    pub fn read(
        bytes: &[u8],
        has_colors: bool,
        versions: &Versions,
    ) -> Result<(Self, ColorBuffer)> {
        let (mut buffers, mut colors) = (Self::default(), ColorBuffer::default());
        let mut loader = Loader::new(bytes, versions.clone());
        buffers.serialize(&mut loader)?;
        if has_colors {
            colors.serialize(&mut loader)?;
        }
        Ok((buffers, colors))
    }
}
