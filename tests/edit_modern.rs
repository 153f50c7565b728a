//! Editing values in packages of UE4 and UE5.

mod common;

#[path = "edit_modern/build.rs"]
mod build;
