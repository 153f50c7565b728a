//! The operands of each token.

use super::ScriptItem;
use super::grammar::{Grammar, text_operands};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Name, PackageIndex};

/// The token that ends parameters.
pub(super) const END: u8 = 0x16;
/// Levels that expressions may nest: more than any compiler's stack took, less than ours holds.
const DEEPEST: u32 = 256;
/// The instrumentation event that has a name (spec: ue4-5/05 §3).
const INLINE_EVENT: u8 = 4;

/// Where tokens and operands come from: an archive, or items that are there already.
pub(super) trait Source {
    fn grammar(&self) -> &Grammar;
    /// Takes the next item; `blank` says of which variant.
    fn take(&mut self, blank: ScriptItem, depth: u32) -> Result<&ScriptItem>;
    /// Takes the next item, which must be a token; says which.
    fn token(&mut self, depth: u32) -> Result<u8>;
    /// Takes an operand of a variant that most operands are of, and that the caller knows.
    fn pass(&mut self, blank: ScriptItem, depth: u32) -> Result<()>;
    /// Whether a name just taken is none.
    fn is_none(&self, name: &Name) -> bool;
    /// Whether this token and a number follow.
    fn follows(&mut self, token: u8, number: u32) -> Result<bool>;
    fn fail(&self, kind: ErrorKind) -> Error;
}

/// One expression: a token and what follows it. Says which token.
pub(super) fn expression<S: Source>(source: &mut S, depth: u32) -> Result<u8> {
    if depth > DEEPEST {
        return Err(source.fail(ErrorKind::TooDeep { limit: DEEPEST }));
    }
    let token = source.token(depth)?;
    match source.grammar().operands(token) {
        Some(operands) => follow(operands, token, source, depth)?,
        None => return Err(unknown(token, "bytecode token", source)),
    }
    Ok(token)
}

/// An operand where a token belongs, or another one.
#[cold]
pub(super) fn misplaced<S: Source>(source: &S) -> Error {
    source.fail(ErrorKind::NonCanonical { form: "an operand where a token belongs" })
}

/// A token or kind that no version has.
#[cold]
fn unknown<S: Source>(value: u8, type_name: &'static str, source: &S) -> Error {
    source.fail(ErrorKind::UnknownVariant { value: value.into(), type_name })
}

/// Takes the operands of a token that was just taken. Inlined where tokens are: they are most of all code.
#[inline(always)]
fn follow<S: Source>(operands: &str, token: u8, source: &mut S, depth: u32) -> Result<()> {
    for operand in operands.bytes() {
        match operand {
            b'e' => drop(expression(source, depth + 1)?),
            b'O' => source.pass(ScriptItem::Object(PackageIndex::NULL), depth)?,
            b'N' => source.pass(ScriptItem::Name(Name::default()), depth)?,
            b'P' => parameters(source, depth + 1)?,
            b'.' => while expression(source, depth + 1)? != token.wrapping_add(1) {},
            b'C' => {
                if *source.take(ScriptItem::Label(0), depth)? != ScriptItem::Label(0xffff) {
                    expression(source, depth + 1)?;
                }
            }
            b'L' => {
                while let ScriptItem::Name(name) = *source.take(ScriptItem::blank(b'N'), depth)? {
                    source.take(ScriptItem::Place(0), depth)?;
                    if source.is_none(&name) {
                        break;
                    }
                }
            }
            b'B' => {
                while *source.take(ScriptItem::Byte(0), depth)? != ScriptItem::Byte(0) {
                    source.take(ScriptItem::Byte(0), depth)?;
                }
            }
            b'T' => text_literal(source, depth)?,
            b'S' => switch(source, depth)?,
            b'I' => {
                if *source.take(ScriptItem::Byte(0), depth)? == ScriptItem::Byte(INLINE_EVENT) {
                    source.take(ScriptItem::blank(b'N'), depth)?;
                }
            }
            _ => drop(source.take(ScriptItem::blank(operand), depth)?),
        }
    }
    Ok(())
}

fn parameters<S: Source>(source: &mut S, depth: u32) -> Result<()> {
    while expression(source, depth)? != END {}
    // Debug builds put a token inside the expression; it belongs to the call (spec: ue1-3/06 §6.6).
    if let Some((token, mark)) = source.grammar().debug_token
        && source.follows(token, mark)?
    {
        expression(source, depth)?;
    }
    Ok(())
}

/// The same for what few tokens have.
#[inline(never)]
fn follow_rare<S: Source>(operands: &str, source: &mut S, depth: u32) -> Result<()> {
    follow(operands, 0, source, depth)
}

/// A kind, then what a text of this kind has.
fn text_literal<S: Source>(source: &mut S, depth: u32) -> Result<()> {
    let ScriptItem::Byte(kind) = *source.take(ScriptItem::Byte(0), depth)? else {
        return Err(misplaced(source));
    };
    match text_operands(kind) {
        Some(operands) => follow_rare(operands, source, depth),
        None => Err(unknown(kind, "text literal", source)),
    }
}

/// The number of cases, the end, the index; case, next and value of each; the default.
fn switch<S: Source>(source: &mut S, depth: u32) -> Result<()> {
    let ScriptItem::Word(cases) = *source.take(ScriptItem::Word(0), depth)? else {
        return Err(misplaced(source));
    };
    follow_rare("le", source, depth)?;
    (0..cases).try_for_each(|_| follow_rare("ele", source, depth))?;
    expression(source, depth + 1).map(drop)
}
