//! The result of putting a text in.

use crate::compile::Diagnostic;

/// A function, state or class whose text was put in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetObject {
    /// Its path.
    pub object: String,
    /// Whether it is another one now.
    pub is_changed: bool,
    /// Bytes of its code in memory before and now; the number of values, of default values.
    pub sizes: [u64; 2],
    /// Local variables that it has now and did not have.
    pub added: Vec<String>,
    /// Local variables that it had and does not have now.
    pub removed: Vec<String>,
}

/// The result of putting a text in.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SetCode {
    /// The objects that were replaced: of a state its functions, too. Empty where the text has errors.
    pub objects: Vec<SetObject>,
    /// Errors and warnings. With errors nothing has changed.
    pub diagnostics: Vec<Diagnostic>,
}

impl SetCode {
    /// Whether the text has errors.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
