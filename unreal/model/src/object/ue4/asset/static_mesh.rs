//! Static meshes.

use super::mesh_buffer::{UvChannels, has_slots};
use super::static_mesh_lod::{Absent, RenderData};
use crate::object::Facts;
use crate::object::geometry::Vector;
use crate::object::optional::ready;
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::{custom as custom_version, from_release, has_editor_data};
use crate::object::ue4::prepared::Flagged;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{FString, Guid, Map, Name, PackageIndex, StoredName};
use crate::version::{UE4, UE5, custom};
use crate::{Archive, Archived};

/// A static mesh.
///
/// Spec: ue4-5/09 §4. C++: `UStaticMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMesh {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether it was cooked.
    pub cooked: bool,
    /// The body setup of its collision.
    pub body_setup: PackageIndex,
    /// How it blocks ways.
    pub nav_collision: PackageIndex,
    /// The mesh that it was made from.
    #[until(custom = custom::RENDERING, custom::rendering::DEPRECATED_HIGH_RES_SOURCE_MESH)]
    #[archive(when = self.strip.has_editor_data())]
    pub high_res_source_mesh_name: FString,
    /// CRC of it.
    #[until(custom = custom::RENDERING, custom::rendering::DEPRECATED_HIGH_RES_SOURCE_MESH)]
    #[archive(when = self.strip.has_editor_data())]
    pub high_res_source_mesh_crc: u32,
    /// Name of what was baked.
    pub lighting_guid: Guid,
    /// Places that other objects can be fixed to.
    pub sockets: Vec<PackageIndex>,
    /// Levels of detail as they were imported: as many as the property `SourceModels` has.
    #[until(ue5 = 1)]
    #[archive(when = self.strip.has_editor_data(), with = ready)]
    pub source_models: Vec<SourceModel>,
    /// Looks of the sections.
    #[until(custom = custom::EDITOR, custom::editor::UPROPERTRY_FOR_MESH_SECTION)]
    #[archive(when = self.strip.has_editor_data())]
    pub section_info: Map<u32, SectionInfo>,
    /// The render data.
    #[archive(when = self.cooked)]
    pub render_data: RenderData,
    /// The occluder.
    #[archive(when = self.cooked && has_occluder(ar))]
    pub occluder: Flagged<Occluder>,
    /// Movement in the wind: only its absence is known.
    #[since(ue4 = 235)]
    pub speed_tree_wind: Flagged<Absent>,
    /// Slots of materials.
    #[archive(when = has_slots(ar))]
    pub materials: Vec<StaticMaterial>,
}

fn has_occluder<A: Archive + ?Sized>(ar: &A) -> bool {
    from_release(ar, 4, 20) && !from_release(ar, 5, 0)
}

impl StaticMesh {
    /// An empty mesh with as many source models as its properties say.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        let source_models = vec![SourceModel::default(); facts.length("SourceModels")];
        Self { source_models, ..Self::default() }
    }
}

/// A level of detail as it was imported; from the editor version 28 only if it is valid.
///
/// Spec: ue4-5/09 §4. C++: `FStaticMeshSourceModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SourceModel {
    /// Whether there is one.
    #[since(custom = custom::EDITOR, custom::editor::STATIC_MESH_DEPRECATED_RAW_MESH)]
    pub valid: bool,
    /// The mesh.
    #[archive(when = self.valid || is_raw(ar))]
    pub bulk: BulkData,
    /// Its name.
    #[archive(when = self.valid || is_raw(ar))]
    pub guid: Guid,
    /// Whether the name is a hash of it.
    #[archive(when = is_raw(ar) || self.valid && custom_version(ar, custom::ENTERPRISE) >= 8)]
    pub guid_is_hash: bool,
}

fn is_raw<A: Archive + ?Sized>(ar: &A) -> bool {
    custom_version(ar, custom::EDITOR) < custom::editor::STATIC_MESH_DEPRECATED_RAW_MESH
}

/// The look of a section. Spec: ue4-5/09 §4. C++: `FMeshSectionInfo`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct SectionInfo {
    /// Its material.
    pub material_index: i32,
    /// Whether it collides.
    pub enable_collision: bool,
    /// Whether it casts shadows.
    pub cast_shadow: bool,
}

/// The occluder of a mesh. Spec: ue4-5/09 §4. C++: `FStaticMeshOccluderData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Occluder {
    /// Corners.
    pub vertices: Vec<Vector>,
    /// Corners of triangles.
    pub indices: Vec<u16>,
}

/// A slot of a material. Spec: ue4-5/09 §4. C++: `FStaticMaterial`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMaterial {
    /// The material.
    pub material: PackageIndex,
    /// Name of the slot.
    pub slot_name: Name,
    /// Its name in the file that it was imported from.
    #[archive(when = has_editor_data(ar))]
    pub imported_slot_name: StoredName,
    /// How wide texture coordinates are spread.
    #[since(custom = custom::RENDERING, custom::rendering::TEXTURE_STREAMING_MESH_UV_CHANNEL_DATA)]
    pub uv_channels: UvChannels,
    /// The material above it.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::MESH_MATERIAL_SLOT_OVERLAY_MATERIAL_ADDED)]
    pub overlay_material: PackageIndex,
}
