//! What came of objects as text.

/// Objects as the editor's text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditorText {
    /// The text.
    pub text: String,
    /// What of the objects it has not got, with the reason.
    pub left_out: Vec<String>,
}
