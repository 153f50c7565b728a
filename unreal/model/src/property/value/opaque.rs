//! Bytes of values that could not be decoded.

use std::sync::Arc;

use crate::archive::Span;
use crate::error::Error;

/// Bytes of a value that could not be decoded.
#[derive(Debug, Clone, Default)]
pub struct Opaque {
    /// The bytes.
    pub span: Span,
    /// Why they could not be decoded.
    pub error: Option<Arc<Error>>,
}

/// The reason is no part of the value.
impl PartialEq for Opaque {
    fn eq(&self, other: &Self) -> bool {
        self.span == other.span
    }
}
