//! Versions of Unreal's packages: their axes, games, releases, the named thresholds where layouts change; those of the
//! framework as well.

mod axes;
pub mod custom;
mod engine;
mod facts;
mod game;
mod release;
pub mod threshold;
mod versions;

pub use axes::{FILE, GAME, LICENSEE, PACKAGES, RELEASE, STORED, UE4, UE5};
pub use engine::Engine;
pub use facts::EngineFacts;
pub use farchive::version::*;
pub use game::Game;
pub use release::EngineRelease;
pub use versions::UnrealVersions;
