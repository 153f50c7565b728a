//! Classes of UE3.

pub mod asset;
pub mod world;
