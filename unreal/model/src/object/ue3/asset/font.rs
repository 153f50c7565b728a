//! Fonts.

use crate::Archived;
use crate::primitive::Map;

/// A font; its characters and textures are properties.
///
/// Spec: ue1-3/11 §11.1. C++: `UFont`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Font {
    /// The number of each character.
    #[since(511)]
    pub remap: Map<u16, u16>,
}
