//! Packages made from UnrealScript: what stands above the compiler of code.
//!
//! | file | holds |
//! |---|---|
//! | `order` | the order of names, imports and exports that the engine's own compiler leaves |
//!
//! Spec: ue1-3/16.

mod code;
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
mod text;

pub use maker::{Made, Maker};
pub use text::{ClassSource, CutBlock, text_crc, with_line_ends};
