//! Walking code by its grammar: while loading, and again for a listing.

use std::sync::Arc;

use super::ScriptItem;
use super::expression::{END, Source, expression, misplaced};
use super::grammar::{Grammar, debug_token, token_name};
use crate::archive::{Step, at_index};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Name, NameContext};
use crate::{Archive, ArchiveExt, Versions};

/// The name in documents of the end of parameters where a mark follows.
const MARKED: &str = "marked";

struct LoadingItems<'a, A: Archive + ?Sized> {
    ar: &'a mut A,
    items: &'a mut Vec<ScriptItem>,
    grammar: Arc<Grammar>,
    memory: u32,
    size: u32,
    /// Whether a document says of the last item that a mark follows.
    is_marked: Option<i64>,
}

impl<A: Archive + ?Sized> LoadingItems<'_, A> {
    /// Loads an item of the variant of `item`. Inlined, so that only the code of that variant is left where
    /// the caller knows it.
    #[inline(always)]
    fn load(&mut self, mut item: ScriptItem) -> Result<&ScriptItem> {
        self.ar.claim(1, size_of::<ScriptItem>())?;
        let index = self.items.len();
        self.ar.enter(Step::Index(index));
        let result = item.serialize(self.ar);
        if self.grammar.debug_token.is_some() && item.token() == Some(END) {
            self.is_marked = self.ar.form(MARKED, &[], 0);
        }
        self.ar.leave();
        if let Err(error) = result {
            return Err(error.at_index(index));
        }
        self.memory = self.memory.saturating_add(item.memory_size(self.ar.versions()));
        if self.memory > self.size {
            return Err(self.too_long());
        }
        let at = self.items.len();
        self.items.push(item);
        Ok(&self.items[at])
    }

    #[cold]
    fn too_long(&self) -> Error {
        let (left, size) = ((self.memory - self.size).into(), self.size.into());
        self.ar.error(ErrorKind::LeftOver { left, size })
    }
}

impl<A: Archive + ?Sized> Source for LoadingItems<'_, A> {
    #[inline(always)]
    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    #[inline(never)]
    fn take(&mut self, blank: ScriptItem, _: u32) -> Result<&ScriptItem> {
        self.load(blank)
    }

    #[inline(always)]
    fn token(&mut self, _: u32) -> Result<u8> {
        let token = self.load(ScriptItem::Token(0))?.token();
        token.ok_or_else(|| misplaced(self))
    }

    #[inline(always)]
    fn pass(&mut self, blank: ScriptItem, _: u32) -> Result<()> {
        self.load(blank).map(drop)
    }

    fn is_none(&self, name: &Name) -> bool {
        self.ar.context().is_none(name)
    }

    fn follows(&mut self, token: u8, number: u32) -> Result<bool> {
        let ar = &self.ar;
        let found = || {
            let same = |found: Option<u64>, wanted: u64| found == Some(wanted);
            same(ar.peek_number(0, 1), token.into()) && same(ar.peek_number(1, 4), number.into())
        };
        Ok(self.is_marked.map_or_else(found, |is_marked| is_marked != 0))
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        self.ar.error(kind)
    }
}

/// Loads tokens until `size` bytes in memory are reached exactly.
pub(super) fn load<A: Archive + ?Sized>(
    items: &mut Vec<ScriptItem>,
    size: u32,
    ar: &mut A,
) -> Result<()> {
    // Most structs have no code.
    if size == 0 {
        return Ok(());
    }
    // Most items take one byte of memory or four; false sizes get little.
    items.reserve((size as usize * 2 / 3).min(4096));
    let grammar = Grammar::of(ar.versions(), ar.context());
    let mut source = LoadingItems { ar, items, grammar, memory: 0, size, is_marked: None };
    while source.memory < size {
        expression(&mut source, 0)?;
    }
    Ok(())
}

/// Writes or visits all items.
pub(super) fn serialize<A: Archive + ?Sized>(items: &mut [ScriptItem], ar: &mut A) -> Result<()> {
    let mark = debug_token(ar.versions());
    let (mut index, mut rest) = (0, items);
    while let Some((item, behind)) = rest.split_first_mut() {
        at_index(index, ar, |ar| {
            item.serialize(ar)?;
            if let (Some((token, number)), Some(END)) = (mark, item.token()) {
                ar.form(MARKED, &[], starts_with(behind, token, number).into());
            }
            Ok(())
        })?;
        (index, rest) = (index + 1, behind);
    }
    Ok(())
}

/// Whether this token and a number come first.
pub(super) fn starts_with(items: &[ScriptItem], token: u8, number: u32) -> bool {
    matches!(items, [first, ScriptItem::Int(second), ..]
        if first.token() == Some(token) && *second == number as i32)
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
    pub operands: Vec<ScriptItem>,
}

struct Listing<'a, N: Fn(&Name) -> bool> {
    items: &'a [ScriptItem],
    at: usize,
    offset: u32,
    lines: Vec<Line>,
    /// The line of the expression that is open at each depth.
    open: Vec<usize>,
    versions: &'a Versions,
    grammar: Grammar,
    none: N,
}

impl<N: Fn(&Name) -> bool> Source for Listing<'_, N> {
    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn token(&mut self, depth: u32) -> Result<u8> {
        let token = self.take(ScriptItem::Token(0), depth)?.token();
        token.ok_or_else(|| misplaced(self))
    }

    fn pass(&mut self, blank: ScriptItem, depth: u32) -> Result<()> {
        self.take(blank, depth).map(drop)
    }

    fn take(&mut self, _: ScriptItem, depth: u32) -> Result<&ScriptItem> {
        let Some(item) = self.items.get(self.at) else {
            return Err(ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 }.into());
        };
        let depth_at = depth as usize;
        if let Some(token) = item.token() {
            let (offset, name) = (self.offset, token_name(token, self.versions));
            self.open.truncate(depth_at);
            self.open.resize(depth_at + 1, self.lines.len());
            self.lines.push(Line { offset, depth, token, name, operands: Vec::new() });
        } else if let Some(&line) = self.open.get(depth_at) {
            self.lines[line].operands.push(item.clone());
        }
        self.offset = self.offset.saturating_add(item.memory_size(self.versions));
        self.at += 1;
        Ok(item)
    }

    fn is_none(&self, name: &Name) -> bool {
        (self.none)(name)
    }

    fn follows(&mut self, token: u8, number: u32) -> Result<bool> {
        Ok(starts_with(self.items.get(self.at..).unwrap_or_default(), token, number))
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        kind.into()
    }
}

/// Lists the tokens of code, in stored order; `none` tells which names mean none.
///
/// # Errors
/// An item that does not follow the grammar; code that was loaded always does.
pub fn disassemble(
    items: &[ScriptItem],
    versions: &Versions,
    none: impl Fn(&Name) -> bool,
) -> Result<Vec<Line>> {
    let (lines, open, grammar) = (Vec::new(), Vec::new(), Grammar::new(versions));
    let mut listing = Listing { items, at: 0, offset: 0, lines, open, versions, grammar, none };
    while listing.at < listing.items.len() {
        expression(&mut listing, 0)?;
    }
    Ok(listing.lines)
}
