//! Code as text that can be put back: one statement a line.
//!
//! ```text
//!     JumpIfNot(L0019, InstanceVariable(Door.bOpen))
//!     Let(LocalVariable(Door.Use.Text), StringConst("closed"))
//! L0019:
//!     Return(Nothing)
//!     EndOfScript
//! ```
//! Operands of a token stand in parentheses behind its name, in stored order. `docs/assembly.md` says how each operand
//! is written.
//!
//! Sizes and places are not written: they follow from what stands there.

use std::collections::BTreeSet;

mod lexer;
mod read;
mod rows;
mod skipped;
mod token_names;
mod write;

#[doc(hidden)]
pub use self::read::Assembled;
use self::read::Assembling;
#[doc(hidden)]
pub use self::rows::{AssemblyNames, AssemblyRow, AssemblyRows};
#[doc(hidden)]
pub use self::token_names::TokenNames;
use self::write::Writing;
use super::ScriptItem;
use super::expression::expression;
use crate::Versions;
use crate::error::Result;

/// The statements of code, one a line; `source` is what it was loaded from. Labels stand where jumps go and, as far as
/// tokens start there, at `entries`.
///
/// # Errors
/// An item that does not follow the grammar; code that was loaded always does.
#[doc(hidden)]
pub fn assembly(
    items: &[ScriptItem],
    versions: &Versions,
    source: &[u8],
    names: &dyn AssemblyNames,
    entries: &BTreeSet<u64>,
) -> Result<String> {
    let mut writing = Writing::new(items, versions, source, names)?;
    writing.label(entries);
    while !writing.is_done() {
        expression(&mut writing, 0)?;
    }
    Ok(writing.finish())
}

/// The items that a text means.
///
/// # Errors
/// `Invalid` with the line, counted from `line`, for what the versions' grammar does not have there; as
/// [`AssemblyRows`].
#[doc(hidden)]
pub fn assemble(
    text: &str,
    line: usize,
    versions: &Versions,
    rows: &mut dyn AssemblyRows,
) -> Result<Assembled> {
    let mut reading = Assembling::new(text, line, versions, rows);
    while !reading.is_done()? {
        // The grammar's own errors get their line from `Source::fail`.
        expression(&mut reading, 0)?;
    }
    reading.finish()
}
