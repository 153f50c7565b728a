//! Worlds.

use crate::Archived;
use crate::object::geometry::Vector;
use crate::primitive::PackageIndex;
use crate::version::UE4;

/// A world.
///
/// Spec: ue4-5/05 §6. C++: `UWorld`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct World {
    /// The level that is always there.
    pub persistent_level: PackageIndex,
    /// The views of the editor.
    #[until(ue4 = 448)]
    pub editor_views: [EditorView; 4],
    /// The summary that was shown of a saved game.
    #[until(ue4 = 409)]
    pub save_game_summary: PackageIndex,
    /// Objects that must stay.
    pub extra_referenced_objects: Vec<PackageIndex>,
    /// Levels that come and go.
    pub streaming_levels: Vec<PackageIndex>,
}

/// A view of the editor. Spec: ue4-5/05 §6. C++: `FLevelViewportInfo`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct EditorView {
    /// Place of the camera.
    pub position: Vector,
    /// Its angles.
    pub rotation: Vector,
    /// Zoom of a view from above or aside.
    pub ortho_zoom: f32,
}
