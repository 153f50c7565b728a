//! Containers: made, looked into, damaged.
#![cfg(feature = "container")]

#[path = "../hostile/memory.rs"]
mod memory;

mod counted;
mod iostore;
mod keys;
mod large;
mod overlap;
mod pak;
mod pak_hostile;
mod text;
