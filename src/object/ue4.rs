//! Classes of UE4 and UE5: what stands behind the properties of an object (spec: ue4-5/05, 09).

pub mod asset;
pub mod bulk;
pub mod class_defaults;
mod classes;
pub mod component;
mod condition;
pub mod field;
pub mod geometry;
pub mod graph;
pub mod prepared;
pub mod remainder;
pub mod strip;
pub mod structure;
pub mod table;
pub mod value;
pub mod world;

pub(super) use classes::CLASSES;
pub use classes::{PARENTS, maker_for};
