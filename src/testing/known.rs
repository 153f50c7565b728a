//! Facts that the laws know, and their results.

use std::sync::Arc;

use crate::archive::{Context, Object, Space};

/// A law that holds, or how it is broken.
pub type LawResult<T = ()> = Result<T, String>;

/// Whether two values of a type that is chosen at run time are equal.
pub type IsSame = fn(&dyn Object, &dyn Object) -> bool;

/// Facts of a format that the laws need.
#[derive(Debug, Clone)]
pub struct LawContext {
    /// The context of archives.
    pub context: Arc<Context>,
    /// The spaces that references point into.
    pub spaces: Vec<&'static Space>,
    /// Whether bytes may stand between values, which no value has.
    pub has_gaps: bool,
    /// Whether two values are equal: without it they must print as the same, which hash maps hardly ever do.
    pub is_same: Option<IsSame>,
}

impl Default for LawContext {
    fn default() -> Self {
        Self { context: Context::nothing(), spaces: Vec::new(), has_gaps: false, is_same: None }
    }
}

impl LawContext {
    /// The context over these bytes.
    pub(super) fn over(&self, bytes: &[u8]) -> Arc<Context> {
        Arc::new(Context::clone(&self.context).with_source(bytes.to_vec()))
    }
}
