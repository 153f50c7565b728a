//! The building blocks of layouts: numbers, arrays, maps, texts, GUIDs.

pub mod array;
mod bool32;
pub mod boolean;
mod counted;
mod foreign;
mod guid;
mod map;
mod number;
mod option;
mod pointer;
pub(crate) mod rest;
mod shared;
mod standard;
pub(crate) mod string;
mod tree;

pub use bool32::Bool32;
pub use map::Map;
pub use shared::Shared;

pub use crate::archive::CompactIndex;
pub use crate::version::Guid;
