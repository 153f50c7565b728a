//! Texts of Deus Ex.

use crate::Archived;
use crate::primitive::FString;

/// A text that is shown in the game.
///
/// Spec: ue1-3/10 §10.5. C++: `UExtString`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ExtString {
    /// The text.
    pub text: FString,
}
