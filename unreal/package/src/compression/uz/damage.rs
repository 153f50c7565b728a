//! What every stage says of bytes that no packer has written.

use crate::error::{Error, UnrealError};

/// An error of damaged data.
#[cold]
pub(super) fn damaged(reason: impl Into<String>) -> Error {
    UnrealError::Compression { reason: reason.into() }.into()
}
