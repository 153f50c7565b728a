//! Flags of the parts that were left out of an object.

use crate::Archived;

/// Which parts of an object were left out when it was saved.
///
/// Spec: ue4-5/09. C++: `FStripDataFlags`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StripFlags {
    /// 1: what only the editor needs, 2: what is only seen or heard. C++: `GlobalStripFlags`.
    pub global: u8,
    /// Parts that the class decides about. C++: `ClassStripFlags`.
    pub class: u8,
}

impl StripFlags {
    /// Whether what only the editor needs is there.
    pub fn has_editor_data(self) -> bool {
        self.global & 1 == 0
    }

    /// Whether what is only seen or heard is there.
    pub fn has_audio_visual_data(self) -> bool {
        self.global & 2 == 0
    }

    /// Whether the part with this bit of the class's own flags is there.
    pub fn has(self, class_bit: u8) -> bool {
        self.class & class_bit == 0
    }
}
