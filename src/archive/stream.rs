//! Archives over `Read`, `Write` and `Seek`.
//!
//! A slice is the fastest source and a `Vec` the fastest target. These are for what does not fit into memory, or comes
//! and goes piece by piece: they hold the largest value at most, not the file.

mod chunk;
mod read;
mod source;
mod values;
mod write;

pub use read::ReadLoader;
pub use values::StreamValues;
pub use write::WriteSaver;
