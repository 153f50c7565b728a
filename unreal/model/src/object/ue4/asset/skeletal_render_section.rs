//! Parts of cooked skeletal meshes with one material.

use crate::object::ue4::condition::from_release;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{Guid, Payload};
use crate::version::custom;
use crate::{Archive, Archived};

/// A part with one material as it is drawn, in 4.19 and later. C++: `FSkelMeshRenderSection`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalRenderSection {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Its material.
    pub material_index: i16,
    /// Its first index.
    pub base_index: i32,
    /// Its triangles.
    pub triangle_count: i32,
    /// Whether tangents are computed anew.
    pub recompute_tangent: bool,
    /// The channel of colours that masks it.
    #[since(custom = custom::RECOMPUTE_TANGENT, 2)]
    pub recompute_tangent_mask: u8,
    /// Whether it casts shadows.
    #[since(custom = custom::EDITOR, custom::editor::REFACTOR_MESH_EDITOR_MATERIALS)]
    pub cast_shadow: bool,
    /// Whether rays see it.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::SKEL_MESH_SECTION_VISIBLE_IN_RAY_TRACING_FLAG_ADDED)]
    pub visible_in_ray_tracing: bool,
    /// Its first vertex.
    pub base_vertex: u32,
    /// How vertices follow cloth: 64 bytes each.
    #[until(custom = custom::UE5_RELEASE, custom::ue5_release::ADD_CLOTH_MAPPING_LOD_BIAS)]
    pub cloth_mapping: Payload<64>,
    /// The same for each level of detail.
    #[since(custom = custom::UE5_RELEASE, custom::ue5_release::ADD_CLOTH_MAPPING_LOD_BIAS)]
    pub cloth_mapping_lods: Vec<Payload<64>>,
    /// Bones in use.
    pub bone_map: Vec<u16>,
    /// Vertices.
    pub vertex_count: i32,
    /// Bones that move a vertex at most; from UE5 main version 123 the highest bit is set where sections share a map of
    /// bones.
    pub max_bone_influences: u32,
    /// The cloth.
    pub cloth_asset_index: i16,
    /// Name of the cloth and level of detail.
    pub clothing: (Guid, i32),
    /// Vertices at the same place, one after the other.
    #[archive(when = self.has_duplicates(ar))]
    pub duplicated_vertices: Vec<u32>,
    /// How many of them each vertex has, and where they start.
    #[archive(when = self.has_duplicates(ar))]
    pub duplicated_ranges: Vec<[u32; 2]>,
    /// Whether it is not drawn.
    pub disabled: bool,
}

impl SkeletalRenderSection {
    /// Whether vertices follow cloth: the engine looks at the first level of detail alone. C++: `HasClothingData`.
    pub fn has_cloth(&self) -> bool {
        let first = self.cloth_mapping_lods.first();
        !self.cloth_mapping.0.is_empty() || first.is_some_and(|lod| !lod.0.is_empty())
    }

    fn has_duplicates<A: Archive + ?Sized>(&self, ar: &A) -> bool {
        !from_release(ar, 4, 23) || self.strip.has(1)
    }
}
