//! The error of each stage for bytes that no packer writes.

use crate::error::{Error, UnrealError};

/// An error of damaged data.
#[cold]
pub(super) fn damaged(reason: impl Into<String>) -> Error {
    UnrealError::Compression { reason: reason.into() }.into()
}
