//! Walking code by its grammar: while loading, and again for a listing.

use super::grammar::{TEXT_KIND, closing, operands, text_operands, token_name};
use super::{Item, Kismet};
use crate::archive::{Span, Step};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Name, PackageIndex, Real};
use crate::{Archive, Error, Versions};

/// Levels that expressions may nest: more than any compiler's stack took, less than ours holds.
const DEEPEST: u32 = 256;
/// The instrumentation event that has a name (spec: ue4-5/05 §3).
const INLINE_EVENT: u8 = 4;

/// Where tokens and operands come from: an archive, or items that are there already.
trait Source {
    fn versions(&self) -> &Versions;
    /// Takes the next item; `blank` says of which variant.
    fn take(&mut self, blank: Item, depth: u32) -> Result<&Item>;
    fn fail(&self, kind: ErrorKind) -> Error;
}

fn misplaced<S: Source>(source: &S) -> Error {
    source.fail(ErrorKind::NonCanonical { form: "an operand where a token belongs" })
}

/// One expression: a token and what follows it. Says which token.
fn expression<S: Source>(source: &mut S, depth: u32) -> Result<u8> {
    if depth > DEEPEST {
        return Err(source.fail(ErrorKind::TooDeep { limit: DEEPEST }));
    }
    let Item::Token(token) = *source.take(Item::Token(0), depth)? else {
        return Err(misplaced(source));
    };
    let Some(pattern) = operands(token, source.versions()) else {
        let value = token.into();
        return Err(source.fail(ErrorKind::UnknownVariant { value, type_name: "bytecode token" }));
    };
    for operand in pattern.bytes() {
        match operand {
            b'.' => while expression(source, depth + 1)? != closing(token) {},
            b'T' => text_literal(source, depth)?,
            b'S' => switch(source, depth)?,
            b'I' => {
                if *source.take(Item::Byte(0), depth)? == Item::Byte(INLINE_EVENT) {
                    source.take(Item::Name(Name::default()), depth)?;
                }
            }
            _ => operand_or_expression(source, operand, depth)?,
        }
    }
    Ok(token)
}

fn operand_or_expression<S: Source>(source: &mut S, operand: u8, depth: u32) -> Result<()> {
    if operand == b'e' {
        return expression(source, depth + 1).map(drop);
    }
    source.take(blank(operand), depth).map(drop)
}

/// A kind, then what a text of this kind has.
fn text_literal<S: Source>(source: &mut S, depth: u32) -> Result<()> {
    debug_assert!(source.versions().ue4 >= TEXT_KIND);
    let Item::Byte(kind) = *source.take(Item::Byte(0), depth)? else {
        return Err(misplaced(source));
    };
    let Some(pattern) = text_operands(kind) else {
        let value = kind.into();
        return Err(source.fail(ErrorKind::UnknownVariant { value, type_name: "text literal" }));
    };
    pattern.bytes().try_for_each(|operand| operand_or_expression(source, operand, depth))
}

/// The number of cases, the end, the index; case, next and value of each; the default.
fn switch<S: Source>(source: &mut S, depth: u32) -> Result<()> {
    let Item::Word(cases) = *source.take(Item::Word(0), depth)? else {
        return Err(misplaced(source));
    };
    source.take(Item::Label(0), depth)?;
    expression(source, depth + 1)?;
    for _ in 0..cases {
        expression(source, depth + 1)?;
        source.take(Item::Label(0), depth)?;
        expression(source, depth + 1)?;
    }
    expression(source, depth + 1).map(drop)
}

fn blank(operand: u8) -> Item {
    match operand {
        b'b' => Item::Byte(0),
        b'w' => Item::Word(0),
        b'l' => Item::Label(0),
        b'd' => Item::Int(0),
        b'q' => Item::Long(0),
        b'f' => Item::Float(0.0),
        b'D' => Item::Double(0.0),
        b'r' => Item::Real(Real::default()),
        b'O' => Item::Object(PackageIndex::NULL),
        b'N' => Item::Name(Name::default()),
        b'p' => Item::Property(Box::default()),
        b's' => Item::Text(Box::<Span>::default()),
        _ => Item::Wide(Box::default()),
    }
}

struct Loading<'a, A: Archive + ?Sized> {
    ar: &'a mut A,
    items: &'a mut Vec<Item>,
    versions: Versions,
    memory: u32,
    size: u32,
}

impl<A: Archive + ?Sized> Source for Loading<'_, A> {
    fn versions(&self) -> &Versions {
        &self.versions
    }

    #[inline]
    fn take(&mut self, blank: Item, _: u32) -> Result<&Item> {
        self.ar.claim(1, size_of::<Item>())?;
        let index = self.items.len();
        let mut item = blank;
        let loaded = item.serialize_in(Step::Index(index), self.ar);
        loaded.map_err(|error| error.at_index(index))?;
        self.memory = self.memory.saturating_add(item.memory_size(&self.versions));
        if self.memory > self.size {
            let (left, size) = ((self.memory - self.size).into(), self.size.into());
            return Err(self.ar.error(ErrorKind::LeftOver { left, size }));
        }
        self.items.push(item);
        Ok(&self.items[index])
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        self.ar.error(kind)
    }
}

/// Loads tokens until `size` bytes in memory are reached exactly.
pub(super) fn load<A: Archive + ?Sized>(
    items: &mut Vec<Item>,
    size: u32,
    ar: &mut A,
) -> Result<()> {
    let versions = ar.versions().clone();
    // An item takes four bytes of memory or so; false sizes get little.
    items.reserve((size as usize / 4).min(4096));
    let mut source = Loading { ar, items, versions, memory: 0, size };
    while source.memory < size {
        expression(&mut source, 0)?;
    }
    Ok(())
}

/// One token of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Place in memory, which labels count in.
    pub offset: u32,
    /// How deep it nests; 0 for statements.
    pub depth: u32,
    /// The token.
    pub token: u8,
    /// Its name.
    pub name: &'static str,
    /// Its own operands; nested tokens are the following lines.
    pub operands: Vec<Item>,
}

struct Listing<'a> {
    items: &'a [Item],
    at: usize,
    offset: u32,
    lines: Vec<Line>,
    /// The line of the expression that is open at each depth.
    open: Vec<usize>,
    versions: &'a Versions,
}

impl Source for Listing<'_> {
    fn versions(&self) -> &Versions {
        self.versions
    }

    fn take(&mut self, _: Item, depth: u32) -> Result<&Item> {
        let Some(item) = self.items.get(self.at) else {
            return Err(ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 }.into());
        };
        let depth_at = depth as usize;
        if let Item::Token(token) = *item {
            let name = token_name(token);
            self.open.truncate(depth_at);
            self.open.resize(depth_at + 1, self.lines.len());
            self.lines.push(Line { offset: self.offset, depth, token, name, operands: Vec::new() });
        } else if let Some(&line) = self.open.get(depth_at) {
            self.lines[line].operands.push(item.clone());
        }
        self.offset = self.offset.saturating_add(item.memory_size(self.versions));
        self.at += 1;
        Ok(item)
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        kind.into()
    }
}

/// Lists the tokens of a script, in stored order.
///
/// # Errors
/// What does not follow the grammar; a script that was loaded always does.
pub fn disassemble(script: &Kismet, versions: &Versions) -> Result<Vec<Line>> {
    let mut listing = Listing {
        items: &script.items,
        at: 0,
        offset: 0,
        lines: Vec::new(),
        open: Vec::new(),
        versions,
    };
    while listing.at < listing.items.len() {
        expression(&mut listing, 0)?;
    }
    Ok(listing.lines)
}
