//! What follows each token of UnrealScript.

use super::grammar::{debug_token, operands, token_name};
use super::walk::{Bytecode, END, Line, Source, expression, list, unknown};
use super::{Script, ScriptItem};
use crate::error::Result;
use crate::primitive::{Name, PackageIndex};
use crate::{Archive, Versions};

impl Bytecode for ScriptItem {
    fn of_token(token: u8) -> Self {
        Self::Token(token)
    }

    fn token(&self) -> Option<u8> {
        match self {
            Self::Token(token) => Some(*token),
            _ => None,
        }
    }

    fn is_number(&self, number: u32) -> bool {
        *self == Self::Int(number as i32)
    }

    fn memory(&self, versions: &Versions) -> u32 {
        self.memory_size(versions)
    }

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.serialize_item(ar)
    }

    fn mark(versions: &Versions) -> Option<(u8, u32)> {
        debug_token(versions)
    }

    fn name_of(token: u8, versions: &Versions) -> &'static str {
        token_name(token, versions)
    }

    fn operands<S: Source<Self>>(token: u8, source: &mut S, depth: u32) -> Result<()> {
        let Some(pattern) = operands(token, source.versions()) else {
            return Err(unknown(token, "bytecode token", source));
        };
        for operand in pattern.bytes() {
            match operand {
                b'e' => drop(expression(source, depth + 1)?),
                b'P' => parameters(source, depth + 1)?,
                b'C' => {
                    if *source.take(Self::Word(0), depth)? != Self::Word(0xffff) {
                        expression(source, depth + 1)?;
                    }
                }
                b'T' => {
                    while let Self::Name(name) = *source.take(Self::Name(Name::default()), depth)? {
                        source.take(Self::Int(0), depth)?;
                        if source.is_none(&name) {
                            break;
                        }
                    }
                }
                b'B' => {
                    while *source.take(Self::Byte(0), depth)? != Self::Byte(0) {
                        source.take(Self::Byte(0), depth)?;
                    }
                }
                _ => drop(source.take(blank(operand), depth)?),
            }
        }
        Ok(())
    }
}

fn parameters<S: Source<ScriptItem>>(source: &mut S, depth: u32) -> Result<()> {
    while expression(source, depth)? != END {}
    // Debug builds put a token inside the expression; it belongs to the call (spec: ue1-3/06 §6.6).
    if let Some((token, mark)) = debug_token(source.versions())
        && source.follows(token, mark)?
    {
        expression(source, depth)?;
    }
    Ok(())
}

fn blank(operand: u8) -> ScriptItem {
    match operand {
        b'b' => ScriptItem::Byte(0),
        b'w' => ScriptItem::Word(0),
        b'l' => ScriptItem::Label(0),
        b'd' => ScriptItem::Int(0),
        b'f' => ScriptItem::Float(0.0),
        b'O' => ScriptItem::Object(PackageIndex::NULL),
        b'N' => ScriptItem::Name(Name::default()),
        b's' => ScriptItem::Text(Box::default()),
        _ => ScriptItem::Wide(Box::default()),
    }
}

/// Lists the tokens of a script, in stored order; `none` tells which names mean none.
///
/// # Errors
/// What does not follow the grammar; a script that was loaded always does.
pub fn disassemble(
    script: &Script,
    versions: &Versions,
    none: impl Fn(&Name) -> bool,
) -> Result<Vec<Line<ScriptItem>>> {
    list(&script.items, versions, none)
}
