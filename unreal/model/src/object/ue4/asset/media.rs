//! Media files.

use crate::Archived;
use crate::object::ue4::condition::has_editor_data;
use crate::primitive::{FString, Map, StoredName};

/// A media file. Spec: ue4-5/09 §11. C++: `UFileMediaSource`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct FileMediaSource {
    /// The player for every platform.
    #[archive(when = has_editor_data(ar))]
    pub platform_players: Map<FString, FString>,
    /// The player.
    #[archive(when = !has_editor_data(ar))]
    pub player: StoredName,
}
