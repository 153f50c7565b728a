//! What follows each token of Kismet bytecode.

use super::grammar::{TEXT_KIND, closing, operands, text_operands, token_name};
use super::{Kismet, KismetItem};
use crate::archive::Span;
use crate::error::Result;
use crate::primitive::{Name, PackageIndex, Real};
use crate::script::walk::{Bytecode, Line, Source, expression, list, misplaced, unknown};
use crate::{Archive, Versions};

/// The instrumentation event that has a name (spec: ue4-5/05 §3).
const INLINE_EVENT: u8 = 4;

impl Bytecode for KismetItem {
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

    fn name_of(token: u8, _: &Versions) -> &'static str {
        token_name(token)
    }

    fn operands<S: Source<Self>>(token: u8, source: &mut S, depth: u32) -> Result<()> {
        let Some(pattern) = operands(token, source.versions()) else {
            return Err(unknown(token, "bytecode token", source));
        };
        for operand in pattern.bytes() {
            match operand {
                b'.' => while expression(source, depth + 1)? != closing(token) {},
                b'T' => text_literal(source, depth)?,
                b'S' => switch(source, depth)?,
                b'I' => {
                    if *source.take(Self::Byte(0), depth)? == Self::Byte(INLINE_EVENT) {
                        source.take(Self::Name(Name::default()), depth)?;
                    }
                }
                _ => operand_or_expression(source, operand, depth)?,
            }
        }
        Ok(())
    }
}

fn operand_or_expression<S: Source<KismetItem>>(
    source: &mut S,
    operand: u8,
    depth: u32,
) -> Result<()> {
    if operand == b'e' {
        return expression(source, depth + 1).map(drop);
    }
    source.take(blank(operand), depth).map(drop)
}

/// A kind, then what a text of this kind has.
fn text_literal<S: Source<KismetItem>>(source: &mut S, depth: u32) -> Result<()> {
    debug_assert!(source.versions().ue4 >= TEXT_KIND);
    let KismetItem::Byte(kind) = *source.take(KismetItem::Byte(0), depth)? else {
        return Err(misplaced(source));
    };
    let Some(pattern) = text_operands(kind) else {
        return Err(unknown(kind, "text literal", source));
    };
    pattern.bytes().try_for_each(|operand| operand_or_expression(source, operand, depth))
}

/// The number of cases, the end, the index; case, next and value of each; the default.
fn switch<S: Source<KismetItem>>(source: &mut S, depth: u32) -> Result<()> {
    let KismetItem::Word(cases) = *source.take(KismetItem::Word(0), depth)? else {
        return Err(misplaced(source));
    };
    source.take(KismetItem::Label(0), depth)?;
    expression(source, depth + 1)?;
    for _ in 0..cases {
        expression(source, depth + 1)?;
        source.take(KismetItem::Label(0), depth)?;
        expression(source, depth + 1)?;
    }
    expression(source, depth + 1).map(drop)
}

fn blank(operand: u8) -> KismetItem {
    match operand {
        b'b' => KismetItem::Byte(0),
        b'w' => KismetItem::Word(0),
        b'l' => KismetItem::Label(0),
        b'd' => KismetItem::Int(0),
        b'q' => KismetItem::Long(0),
        b'f' => KismetItem::Float(0.0),
        b'D' => KismetItem::Double(0.0),
        b'r' => KismetItem::Real(Real::default()),
        b'O' => KismetItem::Object(PackageIndex::NULL),
        b'N' => KismetItem::Name(Name::default()),
        b'p' => KismetItem::Property(Box::default()),
        b's' => KismetItem::Text(Box::<Span>::default()),
        _ => KismetItem::Wide(Box::default()),
    }
}

/// Lists the tokens of a script, in stored order.
///
/// # Errors
/// What does not follow the grammar; a script that was loaded always does.
pub fn disassemble(script: &Kismet, versions: &Versions) -> Result<Vec<Line<KismetItem>>> {
    list(&script.items, versions, |_| false)
}
