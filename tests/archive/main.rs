//! The archive: what the derive writes, the laws of every type, lists of properties.

#[path = "../common/mod.rs"]
mod common;

mod axes;
mod derive;
mod errors;
mod laws;
mod layouts;
mod own;
mod properties;
mod rooms;
mod tenth;
