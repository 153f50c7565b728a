//! The bodies of objects: the laws of every class, and bodies of generated packages.

#[path = "../common/mod.rs"]
mod common;

mod asset;
mod bodies;
#[cfg(feature = "compression")]
mod payloads;
mod reasons;
mod script;
mod ue1;
mod ue2;
mod ue4;
mod world;
