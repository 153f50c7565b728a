//! Morph targets: what moves the vertices of a mesh.

use crate::Archived;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::FString;
use crate::version::{UE4, custom, threshold};

/// A shape that a mesh can be moved to.
///
/// C++: `UMorphTarget`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether it was cooked.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::MORPH_TARGET_COOKED_CPU_DATA_COMPRESSED)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub cooked: bool,
    /// Levels of detail.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub levels: Vec<MorphTargetLevel>,
    /// Whether the processor has its vertices packed.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::MORPH_TARGET_COOKED_CPU_DATA_COMPRESSED)]
    #[archive(when = self.cooked)]
    pub has_packed: bool,
    /// The same levels, packed.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::MORPH_TARGET_COOKED_CPU_DATA_COMPRESSED)]
    #[archive(when = self.has_packed)]
    pub packed: Vec<PackedMorphLevel>,
}

/// A level of detail.
///
/// C++: `FMorphTargetLODModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MorphTargetLevel {
    /// Whether its vertices were left out.
    #[since(custom = custom::UE5_SPECIAL_PROJECT, custom::ue5_special_project::STRIP_MORPH_TARGET_SOURCE_DATA_FOR_COOKED_BUILDS)]
    pub stripped: bool,
    /// Number of the vertices that were left out.
    #[archive(when = self.stripped)]
    pub vertex_count: i32,
    /// The vertices that move.
    #[archive(when = !self.stripped)]
    pub vertices: Vec<MorphTargetDelta>,
    /// Number of vertices of the mesh.
    pub base_vertex_count: i32,
    /// Sections of the mesh that move.
    #[since(custom = custom::EDITOR, custom::editor::ADDED_MORPH_TARGET_SECTION_INDICES)]
    pub sections: Vec<i32>,
    /// Whether the engine made it from another level.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::SAVE_GENERATED_MORPH_TARGET_BY_ENGINE)]
    pub generated: bool,
    /// The file that it was imported from, where that is not the mesh's.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::MORPH_TARGET_CUSTOM_IMPORT)]
    pub source_file: FString,
}

/// A vertex that moves.
///
/// C++: `FMorphTargetDelta`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct MorphTargetDelta {
    /// How far.
    pub position: [f32; 3],
    /// How its normal changes, in four bytes.
    #[until(ue4 = threshold::ue4::MORPHTARGET_CPU_TANGENTZDELTA_FORMATCHANGE)]
    pub packed_normal: u32,
    /// How its normal changes.
    #[since(ue4 = threshold::ue4::MORPHTARGET_CPU_TANGENTZDELTA_FORMATCHANGE)]
    pub normal: [f32; 3],
    /// The vertex.
    pub vertex: u32,
}

/// A level of detail, packed.
///
/// C++: `FMorphTargetCompressedLODModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PackedMorphLevel {
    /// Groups of vertices.
    pub batches: Vec<DeltaBatch>,
    /// Their bits.
    pub data: Vec<u32>,
    /// Units of a step of positions.
    pub position_precision: f32,
    /// Units of a step of normals.
    pub normal_precision: f32,
}

/// Vertices that are packed alike.
///
/// C++: `FDeltaBatchHeader`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct DeltaBatch {
    /// Where its bits start, words.
    pub data_offset: u32,
    /// Number of vertices.
    pub element_count: u32,
    /// Whether normals change.
    pub has_normals: bool,
    /// Bits of an index.
    pub index_bits: i8,
    /// Bits of a position.
    pub position_bits: [i8; 3],
    /// Bits of a normal.
    pub normal_bits: [i8; 3],
    /// The least index.
    pub index_min: u32,
    /// The least position, steps.
    pub position_min: [i32; 3],
    /// The least normal, steps.
    pub normal_min: [i32; 3],
}
