//! UnrealScript to bytecode: text, tokens, the syntax tree, symbols, code.
//!
//! Spec: ue1-3/15, 16.

mod diagnostic;
mod parser;
mod source;
pub mod syntax;
mod token;

pub use self::diagnostic::{Diagnostic, DiagnosticKind, Severity};
pub use self::parser::{ParsedClass, parse};
pub use self::source::{Place, SourceText};
pub use self::token::{Directive, Token, TokenKind, Tokens};
