//! How packages find each other: ini files, search order, imports, cache, doctor, classes.

#[path = "../common/mod.rs"]
mod common;

mod classes;
mod cpp_header;
mod doctor;
mod ini;
mod knowledge;
#[path = "../hostile/memory.rs"]
mod memory;
mod native;
mod net;
mod resolve;
#[cfg(feature = "serde")]
mod rust;
mod search;
mod ue4;

use common::game;
