//! Statements and expressions to typed code (spec: ue1-3/15).

mod array;
mod call;
mod cast;
mod constant;
mod conversion;
mod core;
mod entry;
mod enumeration;
mod literal;
mod member;
mod operand;
mod operator;
mod statement;
mod tail;
mod value;
mod variable;
mod word_call;

use self::core::{
    DEEPEST, Failed, Generated, Generator, LARGEST, MOST_ERRORS, MarkAt, Nest, NestKind,
};
pub use self::entry::{CompiledCode, Compiler};
pub use self::value::{CodeItem, CodeReference};
