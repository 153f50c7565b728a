//! The compiler of UnrealScript: what it makes of each form of the language, by engine, and what it says of texts that
//! are wrong.

mod code;
mod errors;
mod hostile;
mod macros;
mod syntax;
mod world;
