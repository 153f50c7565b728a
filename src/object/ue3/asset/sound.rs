//! Sounds.

use crate::Archived;
use crate::primitive::{BulkData, Map, Name, PackageIndex};

/// A recorded sound, as imported and as cooked for platforms.
///
/// Spec: ue1-3/06 §6.3, 11 §11.1. C++: `USoundNodeWave`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SoundNodeWave {
    /// Format of the file.
    #[until(380)]
    pub file_type: Name,
    /// The imported file.
    pub raw_data: BulkData,
    /// For PC.
    #[since(380)]
    pub pc_data: BulkData,
    /// For Xbox 360.
    #[since(327)]
    pub xbox_360_data: BulkData,
    /// For PlayStation 3.
    #[since(376)]
    pub ps3_data: BulkData,
    /// For Wii U.
    #[since(845)]
    pub wii_u_data: BulkData,
    /// For iPhone.
    #[since(851)]
    pub iphone_data: BulkData,
    /// For Flash.
    #[since(854)]
    pub flash_data: BulkData,
}

/// Where the editor shows the nodes: sound cues and sound classes.
///
/// Spec: ue1-3/11 §11.1. C++: `USoundCue`, `USoundClass`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct EditorPositions {
    /// X and Y of each node.
    pub positions: Map<PackageIndex, (i32, i32)>,
}
