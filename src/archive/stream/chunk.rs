//! Chunks, which reading and writing have in common.

use crate::error::{Error, ErrorKind};

/// Bytes that are read or written in one go.
pub(super) const CHUNK: usize = 64 << 10;

/// The system's error.
#[cold]
pub(super) fn failed(source: std::io::Error) -> Error {
    ErrorKind::Io { path: "the stream".to_owned(), source }.into()
}
