//! The packages of the corpus that `UPK_CORPUS` names, or `../shared/corpus`; without one the tests say
//! that they are skipped.

#[path = "../common/mod.rs"]
mod common;
#[path = "../reader/modern.rs"]
mod reader;

mod bodies;
#[cfg(feature = "content")]
mod content;
mod edits;
mod modern;
#[cfg(feature = "usmap-codecs")]
mod objects;
mod packages;
#[cfg(feature = "usmap-codecs")]
mod properties;
