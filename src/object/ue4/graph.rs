//! Graphs of blueprints: nodes and pins.

pub mod node;
pub mod pin;
pub mod pin_type;
