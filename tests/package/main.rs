//! Packages as files: versions, headers, mappings, compression, JSON.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "compression")]
mod compression;
mod explain;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "compression")]
mod limits;
mod mappings;
mod one_model;
mod paths;
mod ue4;
mod versions;
