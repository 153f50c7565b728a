//! UnrealScript to bytecode: text, tokens, the syntax tree, symbols, code.
//!
//! Spec: ue1-3/15, 16.

mod declarations;
mod diagnostic;
mod dialect;
mod from_package;
mod generator;
mod link;
mod parser;
mod source;
mod symbols;
pub mod syntax;
mod token;
mod types;

pub use self::declarations::{
    ArrayLength, Declarations, EnumSymbol, FunctionSymbol, Owner, StateSymbol, StructSymbol,
    TypeName, VariableSymbol, WrittenValue,
};
pub use self::diagnostic::{Diagnostic, DiagnosticKind, Severity};
pub use self::dialect::CompilerDialect;
pub use self::generator::{CodeItem, CompiledCode, Compiler, Reference};
pub use self::link::{CodeTables, MissingRows, ObjectPath};
pub use self::parser::{ParsedClass, parse};
pub use self::source::{Place, SourceText};
pub use self::symbols::{ClassId, SymbolId, Symbols};
pub use self::token::{Directive, Token, TokenKind, Tokens};
pub use self::types::Type;
