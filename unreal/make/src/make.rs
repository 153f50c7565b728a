//! Packages made from UnrealScript: what stands above the compiler of code.
//!
//! | file | holds |
//! |---|---|
//! | `order` | the order of names, imports and exports that the engine's own compiler leaves |
//!
//! Spec: ue1-3/16.

mod code;
mod compilers;
mod declare;
mod defaults;
mod draft;
mod facts;
mod finish;
mod former;
mod like;
mod maker;
mod named;
pub mod order;
mod source_bytes;
mod text;

pub use compilers::GameCompiler;
pub use maker::{MadePackage, Maker};
pub use source_bytes::source_text;
pub use text::{ClassSource, CutBlock, text_crc, with_line_ends};
