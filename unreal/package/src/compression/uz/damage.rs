//! What every stage says of bytes that no packer has written.

use crate::error::{Error, ErrorKind};

/// An error of damaged data.
#[cold]
pub(super) fn damaged(reason: impl Into<String>) -> Error {
    ErrorKind::Compression { reason: reason.into() }.into()
}
