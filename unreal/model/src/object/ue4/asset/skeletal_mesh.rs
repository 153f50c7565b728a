//! Skeletal meshes.

use super::mesh_buffer::{UvChannels, has_slots};
use super::reference_skeleton::ReferenceSkeleton;
use super::skeletal_lod::LodList;
use super::skeletal_render::DrawnSkeletalMesh;
use crate::object::Facts;
use crate::object::optional::ready;
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::{custom as custom_version, has_editor_data};
use crate::object::ue4::geometry::Bounds;
use crate::object::ue4::prepared::{Flagged, Prepared};
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{Guid, Map, Name, PackageIndex, Payload, StoredName};
use crate::version::{UE4, custom};
use crate::{Archive, Archived};

/// A skeletal mesh.
///
/// Spec: ue4-5/09 §3. C++: `USkeletalMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalMesh {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Box and sphere around it.
    pub imported_bounds: Bounds,
    /// Slots of materials.
    pub materials: Vec<SkeletalMaterial>,
    /// Its bones.
    pub reference: ReferenceSkeleton,
    /// Flags of the parts that were left out of the levels of detail.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::ALLOW_SKELETAL_MESH_TO_REDUCE_THE_BASE_LOD)]
    #[archive(when = self.has_models(ar))]
    pub model_strip: StripFlags,
    /// Levels of detail.
    #[archive(when = self.has_models(ar))]
    pub lods: LodList,
    /// Their name.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    #[archive(when = self.has_models(ar))]
    pub model_guid: Guid,
    /// Whether the name is a hash of them.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    #[archive(when = self.has_models(ar))]
    pub guid_is_hash: bool,
    /// Levels of detail as they were before they were reduced.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::ALLOW_SKELETAL_MESH_TO_REDUCE_THE_BASE_LOD)]
    #[until(custom = custom::UE5_MAIN, custom::ue5_main::CONVERT_REDUCTION_TO_INLINE_CACHE_DATA)]
    #[archive(when = self.has_models(ar) && self.model_strip.has_editor_data())]
    pub reduction_sources: Vec<BulkData>,
    /// Vertices and triangles of each level of detail before it was reduced.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::CONVERT_REDUCTION_TO_INLINE_CACHE_DATA)]
    #[archive(when = self.has_models(ar) && self.model_strip.has_editor_data())]
    pub reduction_caches: Vec<[u32; 2]>,
    /// What is drawn, where it was cooked.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    pub cooked: DrawnSkeletalMesh,
    /// Which bone has which name.
    #[until(ue4 = 310)]
    pub name_index_map: Map<Name, i32>,
    /// Of unknown meaning, empty in every known file.
    pub unknown: Vec<PackageIndex>,
    /// Spread of texture coordinates.
    #[until(custom = custom::RENDERING, custom::rendering::TEXTURE_STREAMING_MESH_UV_CHANNEL_DATA)]
    pub streaming_texture_factors: Vec<f32>,
    /// Cloth: one for each element of the property `ClothingAssets`.
    #[since(ue4 = 254)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::NEW_CLOTHING_SYSTEM_ADDED)]
    #[archive(with = ready)]
    pub clothing_assets: Vec<Payload<1>>,
    /// Whether the source follows.
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::REMOVE_SOURCE_DATA)]
    #[archive(when = has_editor_data(ar))]
    pub source_data: Flagged<super::static_mesh_lod::Absent>,
    /// The collision of its bones.
    pub body_setup: Prepared<PackageIndex>,
}

impl SkeletalMesh {
    /// An empty mesh for these properties.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        let colors = facts.flag("bHasVertexColors");
        Self {
            lods: LodList { colors, lods: Vec::new() },
            cooked: DrawnSkeletalMesh { colors, data: None },
            clothing_assets: vec![Payload::default(); facts.length("ClothingAssets")],
            body_setup: Prepared::when(facts.flag("bEnablePerPolyCollision")),
            ..Self::default()
        }
    }

    fn has_models<A: Archive + ?Sized>(&self, ar: &A) -> bool {
        custom_version(ar, custom::SKELETAL_MESH)
            < custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA
            || self.strip.has_editor_data()
    }
}

/// A slot of a material. Spec: ue4-5/09 §3. C++: `FSkeletalMaterial`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalMaterial {
    /// The material.
    pub material: PackageIndex,
    /// Name of the slot.
    #[archive(when = has_slots(ar))]
    pub slot_name: StoredName,
    /// Its name in the file that it was imported from, which cooked packages leave out.
    #[archive(when = has_slots(ar) && is_late(ar))]
    pub imported_slot_name_flagged: Flagged<Name>,
    /// The same in earlier versions.
    #[archive(when = has_slots(ar) && has_editor_data(ar) && !is_late(ar))]
    pub imported_slot_name: StoredName,
    /// Whether it casts shadows.
    #[since(ue4 = 302)]
    #[archive(when = !has_slots(ar))]
    pub shadow_casting: bool,
    /// Whether tangents are computed anew.
    #[since(custom = custom::RECOMPUTE_TANGENT, 1)]
    #[archive(when = !has_slots(ar))]
    pub recompute_tangent: bool,
    /// How wide texture coordinates are spread.
    #[since(custom = custom::RENDERING, custom::rendering::TEXTURE_STREAMING_MESH_UV_CHANNEL_DATA)]
    pub uv_channels: UvChannels,
    /// The material above it.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::MESH_MATERIAL_SLOT_OVERLAY_MATERIAL_ADDED)]
    pub overlay_material: PackageIndex,
}

fn is_late<A: Archive + ?Sized>(ar: &A) -> bool {
    custom_version(ar, custom::CORE) >= custom::core::SKELETAL_MATERIAL_EDITOR_DATA_STRIPPING
}
