//! Versions: what decides every layout, and the named thresholds where layouts change.

pub mod custom;
mod facts;
mod game;
mod guid;
mod release;
pub mod threshold;
mod versions;

pub use game::Game;
pub use guid::Guid;
pub use release::EngineRelease;
pub use versions::{Axis, ByteOrder, Engine, Versions};
