//! Classes of UE4 and UE5: what stands behind the properties of an object (spec: ue4-5/05, 09).

pub mod asset;
pub mod bulk;
pub mod component;
mod condition;
pub mod geometry;
pub mod graph;
pub mod prepared;
pub mod strip;
pub mod structure;
pub mod value;
pub mod world;

mod classes;
pub mod default_object;
pub mod remainder;
pub mod table;

pub use classes::{maker_for, parent_of};
