//! Packages, assets and content made from nothing.

#[path = "../common/mod.rs"]
mod common;

mod blueprints;
mod classic;
#[cfg(feature = "content")]
mod content;
#[cfg(feature = "content")]
mod content_ue4;
#[cfg(feature = "content")]
mod decoded_sounds;
#[cfg(feature = "make")]
mod make;
#[cfg(feature = "make")]
mod set_code;
#[cfg(feature = "content")]
mod tables;
mod ue4;
#[cfg(feature = "xlsx")]
mod workbooks;
