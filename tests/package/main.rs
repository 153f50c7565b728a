//! Packages as files: versions, headers, mappings, compression, JSON.

#[path = "../common/mod.rs"]
mod common;

mod codecs;
#[cfg(feature = "compression")]
mod compression;
mod detection;
mod explain;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod leaves;
#[cfg(feature = "compression")]
mod limits;
mod lineage;
mod mappings;
mod missing_rows;
mod one_model;
mod other;
mod paths;
mod pieces;
mod registry;
mod related;
mod releases;
mod saving;
mod tables;
#[cfg(feature = "json")]
mod uassetapi;
mod ue4;
mod unknown_types;
mod versions;
mod zen;
