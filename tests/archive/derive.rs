//! What the code of `#[derive(Archived)]` does.

mod behaviour;
mod layout;
