//! What the code of `#[derive(Archived)]` does.

#[path = "derive/behaviour.rs"]
mod behaviour;
