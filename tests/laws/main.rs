//! The laws of serialising for primitives and tables, and their edges. Nothing here needs a package, and some
//! of it the framework alone.

#[path = "../common/versions.rs"]
mod common;

mod check;
mod compact;
mod edges;
mod flags;
mod framework;
mod nesting;
mod payloads;
mod references;
mod sample;
mod stored;
mod strings;
mod tables;
mod ue4;
mod values;
