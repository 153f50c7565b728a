//! Sounds and music.

use crate::Archived;
use crate::primitive::{LazyPayload, Name, array};
use crate::version::{Game, UnrealVersions, Versions};

/// First file version whose sounds have envelopes, in the main line of UE2 (spec: ue1-3/10 §10.4).
const ENVELOPES_ADDED: u32 = 128;

/// A sound: the bytes of its file.
///
/// Spec: ue1-3/06 §6.2, 10 §10.4. C++: `USound`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Sound {
    /// Extension of the file, `wav`. C++: `FileType`.
    pub format: Name,
    /// How often it is chosen among others.
    #[archive(when = ar.versions().game() == Game::Ut2004)]
    pub likelihood: f32,
    /// The file.
    pub data: LazyPayload<1>,
    /// Loudness over time; normally none.
    #[archive(when = has_envelopes(ar.versions()), with = array::counted_i32)]
    pub envelopes: Vec<SoundEnvelope>,
}

fn has_envelopes(versions: &Versions) -> bool {
    versions.file() >= ENVELOPES_ADDED && versions.licensee() == 0 && versions.game() != Game::Swat4
}

/// Loudness over time of a [`Sound`].
///
/// Spec: ue1-3/10 §10.4.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct SoundEnvelope {
    /// The values.
    pub volume: Vec<u8>,
    /// -1 in every known file.
    pub unknown: i32,
}

/// A piece of music: the bytes of its file.
///
/// Spec: ue1-3/06 §6.2. C++: `UMusic`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Music {
    /// Extension of the file. C++: `FileType`.
    pub format: Name,
    /// The file.
    pub data: LazyPayload<1>,
}
