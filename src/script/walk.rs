//! Walking code by its grammar: while loading, and again for a listing.

use super::ScriptItem;
use super::expression::{END, Source, expression};
use super::grammar::{debug_token, token_name};
use crate::archive::at_index;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::Name;
use crate::{Archive, ArchiveExt, Versions};

/// What documents say of the end of parameters where a mark follows.
const MARKED: &str = "marked";

struct LoadingItems<'a, A: Archive + ?Sized> {
    ar: &'a mut A,
    items: &'a mut Vec<ScriptItem>,
    versions: Versions,
    memory: u32,
    size: u32,
    /// Whether a document says of the last item that a mark follows.
    is_marked: Option<i64>,
}

impl<A: Archive + ?Sized> Source for LoadingItems<'_, A> {
    fn versions(&self) -> &Versions {
        &self.versions
    }

    #[inline]
    fn take(&mut self, blank: ScriptItem, _: u32) -> Result<&ScriptItem> {
        self.ar.claim(1, size_of::<ScriptItem>())?;
        let index = self.items.len();
        let mut item = blank;
        at_index(index, self.ar, |ar| {
            item.serialize(ar)?;
            if item.token() == Some(END) && debug_token(&self.versions).is_some() {
                self.is_marked = ar.form(MARKED, &[], 0);
            }
            Ok(())
        })?;
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
    let versions = ar.versions().clone();
    // An item takes four bytes of memory or so; false sizes get little.
    items.reserve((size as usize / 4).min(4096));
    let mut source = LoadingItems { ar, items, versions, memory: 0, size, is_marked: None };
    while source.memory < size {
        expression(&mut source, 0)?;
    }
    Ok(())
}

/// Writes or visits all items.
pub(super) fn serialize<A: Archive + ?Sized>(items: &mut [ScriptItem], ar: &mut A) -> Result<()> {
    let mark = debug_token(ar.versions());
    for index in 0..items.len() {
        let mut rest = items.get_mut(index..).unwrap_or_default().iter_mut();
        let Some(item) = rest.next() else { continue };
        at_index(index, ar, |ar| {
            item.serialize(ar)?;
            if let (Some((token, number)), Some(END)) = (mark, item.token()) {
                let is_mark = rest.next().is_some_and(|next| next.token() == Some(token))
                    && rest.next().is_some_and(|next| *next == ScriptItem::Int(number as i32));
                ar.form(MARKED, &[], is_mark.into());
            }
            Ok(())
        })?;
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
    none: N,
}

impl<N: Fn(&Name) -> bool> Source for Listing<'_, N> {
    fn versions(&self) -> &Versions {
        self.versions
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
        let next = self.items.get(self.at..self.at + 2);
        Ok(next.is_some_and(|next| {
            next[0].token() == Some(token) && next[1] == ScriptItem::Int(number as i32)
        }))
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        kind.into()
    }
}

/// Lists the tokens of code, in stored order; `none` tells which names mean none.
///
/// # Errors
/// What does not follow the grammar; code that was loaded always does.
pub fn disassemble(
    items: &[ScriptItem],
    versions: &Versions,
    none: impl Fn(&Name) -> bool,
) -> Result<Vec<Line>> {
    let (lines, open) = (Vec::new(), Vec::new());
    let mut listing = Listing { items, at: 0, offset: 0, lines, open, versions, none };
    while listing.at < listing.items.len() {
        expression(&mut listing, 0)?;
    }
    Ok(listing.lines)
}
