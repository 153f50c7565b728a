//! What `#[derive(Archived)]` accepts, each in a module of its own.

mod axes;
mod conditions;
mod counts;
mod enums;
mod generics;
mod hygiene;
mod structs;
