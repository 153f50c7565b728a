//! Sounds.

use crate::primitive::{BulkData, Map, PackageIndex, StoredName};
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Game};

/// A recorded sound, as imported and as cooked for platforms.
///
/// Spec: ue1-3/06 §6.3, 11 §11.1. C++: `USoundNodeWave`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SoundNodeWave {
    /// Format of the file.
    #[until(380)]
    pub file_type: StoredName,
    /// Where the file of each channel starts.
    #[archive(when = has_channels(ar))]
    pub channel_offsets: Vec<i32>,
    /// How long the file of each channel is.
    #[archive(when = has_channels(ar))]
    pub channel_sizes: Vec<i32>,
    /// The imported file.
    pub raw_data: BulkData,
    /// Number of channels.
    #[archive(when = has_channels(ar) && ar.versions().file() >= 390)]
    pub channel_count: i32,
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

/// From 385 to 419, and in Mass Effect 1 on PlayStation 3.
fn has_channels<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    let first_on_ps3 =
        versions.game() == Game::MassEffect3 && versions.mass_effect_port() == Some(1);
    (385..420).contains(&versions.file()) || first_on_ps3
}

/// Where the editor shows the nodes: sound cues and sound classes.
///
/// Spec: ue1-3/11 §11.1. C++: `USoundCue`, `USoundClass`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct EditorPositions {
    /// X and Y of each node.
    pub positions: Map<PackageIndex, (i32, i32)>,
}
