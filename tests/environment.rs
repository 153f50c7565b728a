//! How packages find each other: ini files, search order, imports, cache, doctor, classes.

mod common;

#[path = "environment/classes.rs"]
mod classes;
#[path = "environment/doctor.rs"]
mod doctor;
#[path = "environment/game.rs"]
mod game;
#[path = "environment/ini.rs"]
mod ini;
#[path = "environment/knowledge.rs"]
mod knowledge;
#[path = "environment/modern.rs"]
mod modern;
#[path = "environment/net.rs"]
mod net;
#[path = "environment/resolve.rs"]
mod resolve;
#[cfg(feature = "serde")]
#[path = "environment/rust.rs"]
mod rust;
#[path = "environment/search.rs"]
mod search;
