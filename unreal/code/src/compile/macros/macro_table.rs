//! What macros there are.

use std::collections::HashMap;
use std::sync::Arc;

/// A macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Macro {
    pub parameters: Vec<String>,
    pub body: String,
}

/// Reads a file that a text includes, by the path that stands there.
pub(super) type ReadFile = dyn Fn(&str) -> Option<String> + Send + Sync;

/// Macros by their names in small letters, and the files that may bring others.
#[derive(Clone)]
pub(super) struct MacroTable {
    pub by_name: HashMap<String, Arc<Macro>>,
    pub read: Arc<ReadFile>,
}
