//! Archives over `Read`, `Write` and `Seek`.
//!
//! A slice is the fastest source and a `Vec` the fastest target. These are for what does not fit into memory, or comes
//! and goes piece by piece: they hold the largest value at most, not the file.

mod read;
mod source;
mod values;
mod write;

pub use read::ReadLoader;
pub use values::Values;
pub use write::WriteSaver;

use crate::error::{Error, ErrorKind};

/// Bytes that are read or written in one go.
const CHUNK: usize = 64 << 10;

/// The system's error.
#[cold]
fn failed(source: std::io::Error) -> Error {
    ErrorKind::Io { path: "the stream".to_owned(), source }.into()
}
