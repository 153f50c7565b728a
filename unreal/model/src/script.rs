//! Bytecode, of UnrealScript and of Kismet, the code of blueprints: a flat sequence of items that a grammar
//! gives its structure.

mod alignment;
#[doc(hidden)]
pub mod assembly;
#[doc(hidden)]
pub mod check;
mod code;
mod expression;
mod flow;
mod grammar;
mod item;
mod kismet_flow;
mod kismet_graph;
mod places;
mod string;
mod tree;
mod walk;

pub use check::CodeFault;
pub use code::Script;
pub use flow::{Statement, StatementKind, SwitchCase, structured};
#[doc(hidden)]
pub use grammar::KeptGrammar;
pub use grammar::token_name;
pub use item::{PropertyReference, ScriptItem};
pub use kismet_flow::{FlowKind, FlowStatement, KismetFlow};
pub use places::{CodePlaces, MovedPlaces};
pub use string::ScriptString;
pub use tree::{ScriptExpression, ScriptOperand, statements};
pub use walk::{Line, disassemble};
