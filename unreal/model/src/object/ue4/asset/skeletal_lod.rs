//! Levels of detail of skeletal meshes.

use super::mesh_buffer::{ColorBuffer, IndexContainer, STRIPPED_BUFFERS};
use super::static_mesh_lod::{Absent, SizedPayload};
use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::Result;
use crate::object::optional::present;
use crate::object::ue4::bulk::{BulkArray, BulkData};
use crate::object::ue4::condition::{custom as custom_version, has_editor_data, ue4, when};
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{FString, Guid, Map, Name, Payload, array};
use crate::version::{UE4, custom};
use crate::{Archive, ArchiveExt, Archived, Described};

/// A level of detail, before UE4.19 also what is drawn.
///
/// Spec: ue4-5/09 §3. C++: `FSkeletalMeshLODModel`,
/// `FStaticLODModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkeletalLod {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Parts with the same material.
    pub sections: Vec<Section>,
    /// Settings of sections that users made, by number in the source.
    #[since(custom = custom::EDITOR, custom::editor::SKELETAL_MESH_BUILD_REFACTOR)]
    #[archive(when = self.has_source())]
    pub user_sections: Map<i32, UserSection>,
    /// Indices.
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    pub index_container: IndexContainer,
    /// Indices.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    #[archive(when = self.has_source())]
    pub indices: Vec<u32>,
    /// Bones in use.
    pub active_bones: Vec<u16>,
    /// The meshes that it was imported from.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::SKELETAL_MESH_LOD_MODEL_MESH_INFO)]
    #[archive(when = self.has_source())]
    pub imported_meshes: Vec<ImportedMesh>,
    /// Parts for the graphics card.
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    pub chunks: Vec<Chunk>,
    /// Bytes in memory.
    pub size: i32,
    /// Vertices.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub vertex_count: i32,
    /// Bones that are needed.
    pub required_bones: Vec<u16>,
    /// Points as they were imported.
    #[until(custom = custom::UE5_RELEASE, custom::ue5_release::REMOVE_SKELETAL_MESH_LOD_MODEL_BULK_DATAS)]
    #[archive(when = self.strip.has_editor_data())]
    pub raw_point_indices: BulkData,
    /// The same in later versions.
    #[since(custom = custom::UE5_RELEASE, custom::ue5_release::REMOVE_SKELETAL_MESH_LOD_MODEL_BULK_DATAS)]
    #[archive(when = self.strip.has_editor_data())]
    pub raw_points: Vec<u32>,
    /// The source, where it is not an object of its own yet.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::NEW_SKELETAL_MESH_IMPORTER_WORKFLOW)]
    #[until(custom = custom::EDITOR, custom::editor::SKELETAL_MESH_MOVE_EDITOR_SOURCE_DATA_TO_PRIVATE_ASSET)]
    #[archive(when = self.strip.has_editor_data())]
    pub raw_mesh: RawSkeletalMesh,
    /// Name of the source.
    #[since(custom = custom::EDITOR, custom::editor::SKELETAL_MESH_MOVE_EDITOR_SOURCE_DATA_TO_PRIVATE_ASSET)]
    #[archive(when = self.strip.has_editor_data())]
    pub raw_mesh_id: FString,
    /// Whether it can be built from the source.
    #[since(custom = custom::EDITOR, custom::editor::SKELETAL_MESH_MOVE_EDITOR_SOURCE_DATA_TO_PRIVATE_ASSET)]
    #[archive(when = self.strip.has_editor_data())]
    pub build_data_available: bool,
    /// Whether the source is empty.
    #[since(custom = custom::EDITOR, custom::editor::SKELETAL_MESH_MOVE_EDITOR_SOURCE_DATA_TO_PRIVATE_ASSET)]
    #[archive(when = self.strip.has_editor_data())]
    pub raw_mesh_is_empty: bool,
    /// Which imported vertex became which. C++: `MeshToImportVertexMap`.
    pub vertex_map: Vec<i32>,
    /// The last imported vertex.
    pub max_import_vertex: i32,
    /// Texture coordinates of a vertex.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub tex_coords: i32,
    /// Vertices.
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub vertices: VertexBuffer,
    /// Influences of bones.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::USE_SEPARATE_SKIN_WEIGHT_BUFFER)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub skin_weights: SkinWeights,
    /// Colours: the mesh says whether there are any.
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    #[archive(when = self.has_colors(), with = present)]
    pub colors: Option<Box<Colors>>,
    /// Indices for tessellation.
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    #[archive(when = self.strip.has_audio_visual_data() && self.strip.has(1))]
    pub adjacency: IndexContainer,
    /// Vertices of cloth: only their absence is known.
    #[since(ue4 = 254)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    #[archive(when = self.has_cloth())]
    pub cloth_vertices: Absent,
    /// Other influences of bones by name: only their absence is known.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SKIN_WEIGHT_PROFILES)]
    pub skin_weight_profiles: Map<Name, Absent>,
}

/// Settings of a section that users made. C++: `FSkelMeshSourceSectionUserData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UserSection {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// The rest, unless it was left out.
    #[archive(when = self.strip.has_editor_data())]
    pub settings: UserSectionSettings,
}

/// The settings of a [`UserSection`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UserSectionSettings {
    /// Whether tangents are computed anew.
    pub recompute_tangent: bool,
    /// The channel of colours that masks it.
    #[since(custom = custom::RECOMPUTE_TANGENT, 2)]
    pub recompute_tangent_mask: u8,
    /// Whether it casts shadows.
    pub cast_shadow: bool,
    /// Whether rays see it.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::SKEL_MESH_SECTION_VISIBLE_IN_RAY_TRACING_FLAG_ADDED)]
    pub visible_in_ray_tracing: bool,
    /// Whether it is not drawn.
    pub disabled: bool,
    /// From which level of detail on it is drawn.
    pub generate_up_to_lod: i32,
    /// The cloth.
    pub cloth_asset_index: i16,
    /// Name of the cloth and level of detail.
    pub clothing: (Guid, i32),
}

/// A mesh that a level of detail was imported from. C++: `FSkelMeshImportedMeshInfo`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ImportedMesh {
    /// Its name.
    pub name: Name,
    /// Its vertices.
    pub vertex_count: i32,
    /// The first of them.
    pub first_vertex: i32,
}

/// The source of a level of detail, from Fortnite main version 14 to editor version 37.
///
/// C++: `FRawSkeletalMeshBulkData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RawSkeletalMesh {
    /// Versions of the importer: of geometry, of influences.
    #[since(custom = custom::EDITOR, custom::editor::SKELETAL_MESH_BUILD_REFACTOR)]
    pub import_versions: [u8; 2],
    /// The mesh.
    pub bulk: BulkData,
    /// Its name.
    pub guid: Guid,
    /// Whether the name is a hash of it.
    pub guid_is_hash: bool,
}

impl SkeletalLod {
    fn has_colors(&self) -> bool {
        self.strip.has_audio_visual_data() && self.colors.is_some()
    }

    /// Whether the source's parts are there: left out with those for the editor, unless nothing is drawn anyway.
    fn has_source(&self) -> bool {
        self.strip.has_editor_data() || !self.strip.has_audio_visual_data()
    }

    fn has_cloth(&self) -> bool {
        let mut sections = self.sections.iter();
        self.strip.has_audio_visual_data() && sections.any(|it| !it.cloth_mapping.0.is_empty())
    }
}

/// Colours of vertices: before the skeletal mesh version 6 without their number.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Colors {
    /// Flags of the parts that were left out, in the old form.
    pub strip: StripFlags,
    /// The colours, in the old form.
    pub data: BulkArray,
    /// The colours.
    pub buffer: ColorBuffer,
}

impl Archived for Colors {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if custom_version(ar, custom::SKELETAL_MESH)
            >= custom::skeletal_mesh::USE_SHARED_COLOR_BUFFER_FORMAT
        {
            private::absent(&mut self.strip, ar, "strip")?;
            private::absent(&mut self.data, ar, "data")?;
            return self.buffer.serialize(ar);
        }
        private::absent(&mut self.buffer, ar, "buffer")?;
        when(ue4(ar) >= STRIPPED_BUFFERS, &mut self.strip, "strip", ar)?;
        in_field("data", ar, |ar| self.data.serialize(ar))
    }
}

/// The levels of detail of a mesh. Spec: ue4-5/09 §3.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct LodList {
    /// Whether vertices have colours: the property `bHasVertexColors`, known before loading.
    pub colors: bool,
    /// The levels.
    pub lods: Vec<SkeletalLod>,
}

impl Archived for LodList {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let Self { colors, lods } = self;
        array::counted_i32_by(lods, ar, |lod, ar| {
            if ar.is_loading() {
                lod.colors = colors.then(Box::default);
            }
            lod.serialize(ar)
        })
    }
}

/// A part with one material.
///
/// Spec: ue4-5/09 §3. C++: `FSkelMeshSection`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Its material.
    pub material_index: i16,
    /// Its chunk.
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    pub chunk_index: u16,
    /// Its first index.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub base_index: i32,
    /// Its triangles.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub triangle_count: i32,
    /// How triangles are sorted.
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::REMOVE_TRIANGLE_SORTING)]
    pub triangle_sorting: u8,
    /// Whether it is not drawn.
    #[since(ue4 = 254)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::DEPRECATE_SECTION_DISABLED_FLAG)]
    pub disabled: bool,
    /// The section that stands for it with cloth.
    #[since(ue4 = 254)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::REMOVE_DUPLICATED_CLOTHING_SECTIONS)]
    pub cloth_section: i16,
    /// From which level of detail on cloth is simulated.
    #[since(ue4 = 280)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::REMOVE_ENABLE_CLOTH_LOD)]
    pub enable_cloth_lod: u8,
    /// Whether tangents are computed anew.
    #[since(ue4 = 254)]
    #[since(custom = custom::RECOMPUTE_TANGENT, 1)]
    pub recompute_tangent: bool,
    /// The channel of colours that masks it.
    #[since(ue4 = 254)]
    #[since(custom = custom::RECOMPUTE_TANGENT, 2)]
    pub recompute_tangent_mask: u8,
    /// Whether it casts shadows.
    #[since(ue4 = 254)]
    #[since(custom = custom::EDITOR, custom::editor::REFACTOR_MESH_EDITOR_MATERIALS)]
    pub cast_shadow: bool,
    /// Whether rays see it.
    #[since(ue4 = 254)]
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::SKEL_MESH_SECTION_VISIBLE_IN_RAY_TRACING_FLAG_ADDED)]
    pub visible_in_ray_tracing: bool,
    /// Its first vertex.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub base_vertex: u32,
    /// Vertices of one bone, below the skeletal mesh version 2.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SOFT_AND_RIGID_VERTS)]
    #[archive(when = self.strip.has_editor_data() && has_editor_data(ar), with = rigid)]
    pub rigid_vertices: SizedPayload,
    /// Vertices.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[archive(when = self.strip.has_editor_data() && has_editor_data(ar), with = soft)]
    pub soft_vertices: SizedPayload,
    /// Whether bones have 16 bits.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[since(custom = custom::ANIM, custom::anim::INCREASE_BONE_INDEX_LIMIT_PER_CHUNK)]
    pub use_16_bit_bone_index: bool,
    /// Bones in use.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    pub bone_map: Vec<u16>,
    /// Vertices.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SAVE_NUM_VERTICES)]
    pub vertex_count: i32,
    /// Vertices of one bone and of several.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SOFT_AND_RIGID_VERTS)]
    pub rigid_and_soft_counts: [i32; 2],
    /// Bones that move a vertex at most.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    pub max_bone_influences: i32,
    /// How vertices follow cloth: 64 bytes each.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[until(custom = custom::UE5_RELEASE, custom::ue5_release::ADD_CLOTH_MAPPING_LOD_BIAS)]
    pub cloth_mapping: Payload<64>,
    /// The same for every level of detail.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[since(custom = custom::UE5_RELEASE, custom::ue5_release::ADD_CLOTH_MAPPING_LOD_BIAS)]
    pub cloth_mapping_lods: Vec<Payload<64>>,
    /// Points and normals of cloth.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::REMOVE_DUPLICATED_CLOTHING_SECTIONS)]
    pub physical_mesh: [Payload<12>; 2],
    /// The cloth.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    pub cloth_asset_index: i16,
    /// Its part of the cloth.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::NEW_CLOTHING_SYSTEM_ADDED)]
    pub cloth_submesh_index: i16,
    /// Name of the cloth and level of detail.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::NEW_CLOTHING_SYSTEM_ADDED)]
    pub clothing: (Guid, i32),
    /// Vertices at the same place.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[since(custom = custom::OVERLAPPING_VERTICES, 1)]
    pub overlapping_vertices: Map<i32, Vec<i32>>,
    /// Whether it is not drawn.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[since(custom = custom::RELEASE, custom::release::ADD_SKELETAL_MESH_SECTION_DISABLE)]
    pub disabled_late: bool,
    /// From which level of detail on it is drawn.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SECTION_IGNORE_BY_REDUCE_ADDED)]
    pub generate_up_to_lod: i32,
    /// Its place in the source, and its parent.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::COMBINE_SECTION_WITH_CHUNK)]
    #[since(custom = custom::EDITOR, custom::editor::SKELETAL_MESH_BUILD_REFACTOR)]
    pub original_section: [i32; 2],
}

/// Vertices of sections and chunks: their size depends on the version (spec: ue4-5/09 §3).
fn vertices<A: Archive + ?Sized>(
    rigid: bool,
    vertices: &mut SizedPayload,
    ar: &mut A,
) -> Result<()> {
    let tangents =
        if custom_version(ar, custom::RENDERING) < custom::rendering::INCREASE_NORMAL_PRECISION {
            12
        } else {
            40
        };
    let wide = custom_version(ar, custom::ANIM);
    let influences = match () {
        () if rigid => 1,
        () if wide >= 5 => {
            let weight = if custom_version(ar, custom::UE5_MAIN)
                >= custom::ue5_main::INCREASED_SKIN_WEIGHT_PRECISION
            {
                2
            } else {
                1
            };
            12 * (2 + weight)
        }
        () if wide >= 4 => 8 * 3,
        () if ue4(ar) >= 332 => 16,
        () => 8,
    };
    vertices.serialize_in(12 + tangents + 32 + 4 + influences, ar)
}

fn rigid<A: Archive + ?Sized>(list: &mut SizedPayload, ar: &mut A) -> Result<()> {
    vertices(true, list, ar)
}

fn soft<A: Archive + ?Sized>(list: &mut SizedPayload, ar: &mut A) -> Result<()> {
    vertices(false, list, ar)
}

/// A part for the graphics card, below the skeletal mesh version 1.
///
/// Spec: ue4-5/09 §3. C++: `FSkelMeshChunk`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Chunk {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Its first vertex.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub base_vertex: i32,
    /// Vertices of one bone.
    #[archive(when = self.strip.has_editor_data(), with = rigid)]
    pub rigid_vertices: SizedPayload,
    /// Vertices of several.
    #[archive(when = self.strip.has_editor_data(), with = soft)]
    pub soft_vertices: SizedPayload,
    /// Bones in use.
    pub bone_map: Vec<u16>,
    /// Vertices of one bone.
    pub rigid_count: i32,
    /// Vertices of several.
    pub soft_count: i32,
    /// Bones that move a vertex at most.
    pub max_bone_influences: i32,
    /// How vertices follow cloth.
    #[since(ue4 = 254)]
    pub cloth_mapping: Payload<64>,
    /// Points and normals of cloth.
    #[since(ue4 = 254)]
    pub physical_mesh: [Payload<12>; 2],
    /// The cloth and its part.
    #[since(ue4 = 254)]
    pub cloth_asset: [i16; 2],
}

/// Vertices of a level of detail. Spec: ue4-5/09 §3. C++: `FSkeletalMeshVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VertexBuffer {
    /// Flags of the parts that were left out.
    #[since(ue4 = STRIPPED_BUFFERS)]
    pub strip: StripFlags,
    /// Texture coordinates of a vertex.
    pub tex_coords: i32,
    /// Whether texture coordinates are f32.
    pub full_precision_uvs: bool,
    /// Whether eight bones move a vertex.
    #[since(ue4 = 334)]
    #[until(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::USE_SEPARATE_SKIN_WEIGHT_BUFFER)]
    pub extra_bone_influences: bool,
    /// Size of the mesh, then its origin.
    pub extension_and_origin: [[f32; 3]; 2],
    /// The vertices.
    pub data: BulkArray,
}

/// Influences of bones. Spec: ue4-5/09 §3. C++: `FSkinWeightVertexBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SkinWeights {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether eight bones move a vertex.
    pub extra_bone_influences: bool,
    /// Bytes a vertex.
    #[since(custom = custom::SKELETAL_MESH, custom::skeletal_mesh::SPLIT_MODEL_AND_RENDER_DATA)]
    pub stride: u32,
    /// Vertices.
    pub count: u32,
    /// The influences.
    pub data: BulkArray,
}
