//! Worlds.

use crate::Archived;
use crate::object::game::{is_first_game, is_mass_effect_3};
use crate::object::geometry::{Rotator, Vector};
use crate::primitive::PackageIndex;

/// A world: what a map's package is about.
///
/// Spec: ue1-3/11 §11.5. C++: `UWorld`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct World {
    /// The level that is always there.
    pub persistent_level: PackageIndex,
    /// Face animations; Mass Effect 3.
    #[archive(when = is_mass_effect_3(ar))]
    pub face_animations: PackageIndex,
    /// Views of the editor.
    pub editor_views: [EditorView; 4],
    /// Of unknown meaning; files bracket 530..684.
    #[since(684)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub unknown: f32,
    /// Summary of saved games.
    pub save_game_summary: PackageIndex,
    /// Decals; Mass Effect 1.
    #[archive(when = is_first_game(ar))]
    pub decal_manager: PackageIndex,
    /// Objects that shall stay; files bracket 391..491.
    #[since(392)]
    pub extra_objects: Vec<PackageIndex>,
}

/// A view of the editor. Spec: ue1-3/11 §11.5. C++: `FLevelViewportInfo`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct EditorView {
    /// Where the camera is.
    pub position: Vector,
    /// Where it looks.
    pub rotation: Rotator,
    /// Zoom of flat views.
    pub zoom: f32,
}
