//! Tokens to the syntax tree.

mod core;
mod declaration;
mod expression;
mod function;
mod statement;
mod words;

use self::core::{Parsed, Parser, Stop};
pub use self::core::{ParsedClass, parse, parse_source};
