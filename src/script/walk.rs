//! Walking code by its grammar: while loading, and again for a listing.

use super::grammar::{debug_token, operands, token_name};
use super::{Item, Script};
use crate::archive::Step;
use crate::error::{ErrorKind, Result};
use crate::primitive::{Name, PackageIndex};
use crate::{Archive, Versions};

/// Levels that expressions may nest: more than any compiler's stack took, less than ours holds.
const DEEPEST: u32 = 256;

/// Where tokens and operands come from: an archive, or items that are there already.
trait Source {
    fn versions(&self) -> &Versions;
    /// Takes the next item; `blank` says of which variant.
    fn take(&mut self, blank: Item, depth: u32) -> Result<&Item>;
    /// Whether a name just taken is none.
    fn is_none(&self, name: &Name) -> bool;
    /// Whether a debug token with this mark follows.
    fn debug_follows(&mut self, token: u8, mark: u32) -> Result<bool>;
    fn fail(&self, kind: ErrorKind) -> crate::Error;
}

/// One expression: a token and what follows it. Says which token.
fn expression<S: Source>(source: &mut S, depth: u32) -> Result<u8> {
    if depth > DEEPEST {
        return Err(source.fail(ErrorKind::TooDeep { limit: DEEPEST }));
    }
    let Item::Token(token) = *source.take(Item::Token(0), depth)? else {
        return Err(
            source.fail(ErrorKind::NonCanonical { form: "an operand where a token belongs" })
        );
    };
    let Some(pattern) = operands(token, source.versions()) else {
        let value = token.into();
        return Err(source.fail(ErrorKind::UnknownVariant { value, type_name: "bytecode token" }));
    };
    for operand in pattern.bytes() {
        match operand {
            b'e' => drop(expression(source, depth + 1)?),
            b'P' => parameters(source, depth + 1)?,
            b'C' => {
                if *source.take(Item::Word(0), depth)? != Item::Word(0xffff) {
                    expression(source, depth + 1)?;
                }
            }
            b'T' => {
                while let Item::Name(name) = *source.take(Item::Name(Name::default()), depth)? {
                    source.take(Item::Int(0), depth)?;
                    if source.is_none(&name) {
                        break;
                    }
                }
            }
            b'B' => {
                while *source.take(Item::Byte(0), depth)? != Item::Byte(0) {
                    source.take(Item::Byte(0), depth)?;
                }
            }
            _ => drop(source.take(blank(operand), depth)?),
        }
    }
    Ok(token)
}

fn parameters<S: Source>(source: &mut S, depth: u32) -> Result<()> {
    const END: u8 = 0x16;
    while expression(source, depth)? != END {}
    // Debug builds put a token inside the expression; it belongs to the call (spec: ue1-3/06 §6.6).
    if let Some((token, mark)) = debug_token(source.versions())
        && source.debug_follows(token, mark)?
    {
        expression(source, depth)?;
    }
    Ok(())
}

fn blank(operand: u8) -> Item {
    match operand {
        b'b' => Item::Byte(0),
        b'w' => Item::Word(0),
        b'l' => Item::Label(0),
        b'd' => Item::Int(0),
        b'f' => Item::Float(0.0),
        b'O' => Item::Object(PackageIndex::NULL),
        b'N' => Item::Name(Name::default()),
        b's' => Item::Text(Box::default()),
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

    fn is_none(&self, name: &Name) -> bool {
        self.ar.context().is_none(name)
    }

    fn debug_follows(&mut self, token: u8, mark: u32) -> Result<bool> {
        let same = |number: Option<u64>, wanted: u64| number == Some(wanted);
        Ok(same(self.ar.peek_number(&[], 1), token.into())
            && same(self.ar.peek_number(&[1], 4), mark.into()))
    }

    fn fail(&self, kind: ErrorKind) -> crate::Error {
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

struct Listing<'a, N: Fn(&Name) -> bool> {
    items: &'a [Item],
    at: usize,
    offset: u32,
    lines: Vec<Line>,
    /// The line of the expression that is open at each depth.
    open: Vec<usize>,
    versions: &'a Versions,
    none: N,
}

impl<N: Fn(&Name) -> bool> Source for Listing<'_, N> {
    fn versions(&self) -> &Versions {
        self.versions
    }

    fn take(&mut self, _: Item, depth: u32) -> Result<&Item> {
        let Some(item) = self.items.get(self.at) else {
            return Err(ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 }.into());
        };
        let depth_at = depth as usize;
        if let Item::Token(token) = *item {
            let name = token_name(token, self.versions);
            self.open.truncate(depth_at);
            self.open.resize(depth_at + 1, self.lines.len());
            self.lines.push(Line { offset: self.offset, depth, token, name, operands: Vec::new() });
        } else if let Some(&line) = self.open.get(depth_at) {
            self.lines[line].operands.push(item.clone());
        }
        self.offset += item.memory_size(self.versions);
        self.at += 1;
        Ok(item)
    }

    fn is_none(&self, name: &Name) -> bool {
        (self.none)(name)
    }

    fn debug_follows(&mut self, token: u8, mark: u32) -> Result<bool> {
        let next = self.items.get(self.at..self.at + 2);
        Ok(next == Some(&[Item::Token(token), Item::Int(mark as i32)]))
    }

    fn fail(&self, kind: ErrorKind) -> crate::Error {
        kind.into()
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
) -> Result<Vec<Line>> {
    let mut listing = Listing {
        items: &script.items,
        at: 0,
        offset: 0,
        lines: Vec::new(),
        open: Vec::new(),
        versions,
        none,
    };
    while listing.at < listing.items.len() {
        expression(&mut listing, 0)?;
    }
    Ok(listing.lines)
}
