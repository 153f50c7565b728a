//! A parser of UnrealScript source text (UE1 to UE3), to judge decompiled functions by.
//!
//! [`parse`] takes the whole text of a class and refuses what is not well-formed. [`normal`] and [`skeleton`] make
//! texts of a function's body that are equal where the functions are, in three grades: the names in order, the
//! lenient tree and the strict one.

pub mod checks;
mod declaration;
mod expression;
mod function;
mod lexer;
mod names;
mod normal;
mod operator;
mod parser;
mod skeleton;
mod skipped;
mod statement;
mod value;
mod variable;

pub use declaration::{State, Text, parse};
pub use function::Function;
pub use names::Names;
pub use normal::{normal, normal_state};
pub use skeleton::skeleton_without;
pub use statement::Statement;
pub use value::normal_expression;
