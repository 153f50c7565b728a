//! Bytes of any kind against the laws of `farchive`: what the programs of `fuzz_targets/` and the project's own
//! test program `fuzz` run.

// The project's tests include the same files as modules of theirs.
#[path = "../../tests/common/mod.rs"]
mod common;
#[cfg(feature = "json")]
#[path = "../../tests/hostile/damage.rs"]
mod damage;
#[path = "../../tests/hostile/exercise.rs"]
mod exercise;
#[cfg(feature = "json")]
#[path = "../../tests/archive/laws/keys.rs"]
mod keys;
#[path = "../../tests/hostile/memory.rs"]
mod memory;

pub mod targets;
