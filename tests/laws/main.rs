//! The laws of serialising for primitives and tables, and their edges. Nothing here needs a package, and some
//! of it the framework alone.

#[cfg(feature = "unreal")]
#[path = "../common/versions.rs"]
mod common;

#[cfg(feature = "unreal")]
mod check;
mod compact;
#[cfg(feature = "unreal")]
mod edges;
#[cfg(feature = "unreal")]
mod flags;
mod framework;
mod nesting;
#[cfg(feature = "unreal")]
mod payloads;
#[cfg(feature = "unreal")]
mod references;
#[cfg(feature = "unreal")]
mod sample;
mod stored;
#[cfg(feature = "unreal")]
mod strings;
#[cfg(feature = "unreal")]
mod tables;
#[cfg(feature = "unreal")]
mod ue4;
#[cfg(feature = "unreal")]
mod values;
