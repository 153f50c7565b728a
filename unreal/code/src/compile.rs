//! UnrealScript to bytecode: text, tokens, the syntax tree, symbols, code.
//!
//! Spec: ue1-3/15, 16.

mod declarations;
mod diagnostic;
mod dialect;
mod from_package;
mod from_syntax;
mod generator;
mod link;
mod macros;
mod meaning;
mod parser;
mod source;
mod symbols;
pub mod syntax;
mod token;
mod types;

pub use self::declarations::{
    ArrayLength, ClassDeclarations, EnumSymbol, FunctionSymbol, Owner, StateSymbol, StructSymbol,
    TypeName, VariableSymbol, WrittenValue,
};
pub use self::diagnostic::{Diagnostic, DiagnosticKind, DiagnosticSeverity};
pub use self::dialect::CompilerDialect;
pub use self::generator::{CodeItem, CodeReference, CompiledCode, Compiler};
pub use self::link::{CodeObjectPath, CodeTables, MissingRows};
pub use self::macros::Macros;
pub use self::meaning::{SourceMeaning, SourceOrigin};
pub use self::parser::{ParsedClass, parse, parse_source};
pub use self::source::{SourcePiece, SourceText, TextPlace};
pub use self::symbols::{ClassId, SymbolId, Symbols};
pub use self::token::{Directive, Token, TokenKind, Tokens};
pub use self::types::ValueType;
