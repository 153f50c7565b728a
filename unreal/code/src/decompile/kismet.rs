//! Blueprints as pseudo-code, from what the compiler has left: declarations and Kismet, their bytecode.
//!
//! The engine has no text form of them; this one reads like C++: `event` stands before functions whose code is in
//! the event graph, `sequence { … }` around code that `leave` ends early, `resume { … }` around what is done when the
//! latent action before it has ended.
//!
//! Spec: ue4-5/13.

mod class;
mod code;
mod expression;
mod fold;
mod function;
mod names;
mod operators;
mod variable;
mod writer;

pub(super) use class::{function_text, text};
pub(super) use variable::{KismetVariables, OUT, PARAMETER, REFERENCE, RESULT};
