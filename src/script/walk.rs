//! Walking code by its grammar: while loading, and again for a listing. Serves both kinds of bytecode.

use crate::archive::{Kind, Span, at_index, in_part};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::Name;
use crate::{Archive, ArchiveExt, Versions};

/// The token that ends parameters.
pub(super) const END: u8 = 0x16;
/// What documents say of it where a mark follows.
const MARKED: &str = "marked";

/// Levels that expressions may nest: more than any compiler's stack took, less than ours holds.
const DEEPEST: u32 = 256;

/// Tokens and operands of one kind of bytecode.
pub(super) trait Bytecode: Clone {
    /// The operation that is this token.
    fn of_token(token: u8) -> Self;
    /// Its token, if it is one.
    fn token(&self) -> Option<u8>;
    /// Whether it is this whole number of four bytes.
    fn is_number(&self, number: u32) -> bool;
    /// Bytes in memory.
    fn memory(&self, versions: &Versions) -> u32;
    /// Reads the operand that the variant stands for, or writes or visits it.
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()>;
    /// The token and number that debug builds put behind the end of parameters, in versions that have such.
    fn mark(versions: &Versions) -> Option<(u8, u32)> {
        let _ = versions;
        None
    }
    /// The name of a token.
    fn name_of(token: u8, versions: &Versions) -> &'static str;
    /// What follows a token whose item is just taken.
    fn operands<S: Source<Self>>(token: u8, source: &mut S, depth: u32) -> Result<()>;
}

/// Where tokens and operands come from: an archive, or items that are there already.
pub(super) trait Source<I> {
    fn versions(&self) -> &Versions;
    /// Takes the next item; `blank` says of which variant.
    fn take(&mut self, blank: I, depth: u32) -> Result<&I>;
    /// Whether a name just taken is none.
    fn is_none(&self, name: &Name) -> bool;
    /// Whether this token and a number follow.
    fn follows(&mut self, token: u8, number: u32) -> Result<bool>;
    fn fail(&self, kind: ErrorKind) -> Error;
}

/// One expression: a token and what follows it. Says which token.
pub(super) fn expression<I: Bytecode, S: Source<I>>(source: &mut S, depth: u32) -> Result<u8> {
    if depth > DEEPEST {
        return Err(source.fail(ErrorKind::TooDeep { limit: DEEPEST }));
    }
    let Some(token) = source.take(I::of_token(0), depth)?.token() else {
        return Err(misplaced(source));
    };
    I::operands(token, source, depth)?;
    Ok(token)
}

/// An operand where a token belongs.
pub(super) fn misplaced<I, S: Source<I>>(source: &S) -> Error {
    source.fail(ErrorKind::NonCanonical { form: "an operand where a token belongs" })
}

/// A token or kind that no version has.
pub(super) fn unknown<I, S: Source<I>>(value: u8, type_name: &'static str, source: &S) -> Error {
    source.fail(ErrorKind::UnknownVariant { value: value.into(), type_name })
}

struct LoadingItems<'a, I, A: Archive + ?Sized> {
    ar: &'a mut A,
    items: &'a mut Vec<I>,
    versions: Versions,
    memory: u32,
    size: u32,
    /// Whether a document says of the last item that a mark follows.
    is_marked: Option<i64>,
}

impl<I: Bytecode, A: Archive + ?Sized> Source<I> for LoadingItems<'_, I, A> {
    fn versions(&self) -> &Versions {
        &self.versions
    }

    #[inline]
    fn take(&mut self, blank: I, _: u32) -> Result<&I> {
        self.ar.claim(1, size_of::<I>())?;
        let index = self.items.len();
        let mut item = blank;
        at_index(index, self.ar, |ar| {
            item.serialize(ar)?;
            if item.token() == Some(END) && I::mark(&self.versions).is_some() {
                self.is_marked = ar.form(MARKED, &[], 0);
            }
            Ok(())
        })?;
        self.memory = self.memory.saturating_add(item.memory(&self.versions));
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
pub(super) fn load<I: Bytecode, A: Archive + ?Sized>(
    items: &mut Vec<I>,
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
pub(super) fn serialize<I: Bytecode, A: Archive + ?Sized>(
    items: &mut [I],
    ar: &mut A,
) -> Result<()> {
    let mark = I::mark(ar.versions());
    for index in 0..items.len() {
        let mut rest = items.get_mut(index..).unwrap_or_default().iter_mut();
        let Some(item) = rest.next() else { continue };
        at_index(index, ar, |ar| {
            item.serialize(ar)?;
            if let (Some((token, number)), Some(END)) = (mark, item.token()) {
                let is_mark = rest.next().is_some_and(|next| next.token() == Some(token))
                    && rest.next().is_some_and(|next| next.is_number(number));
                ar.form(MARKED, &[], is_mark.into());
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// One token of a listing; operands are [`super::ScriptItem`] or [`super::kismet::KismetItem`].
#[derive(Debug, Clone, PartialEq)]
pub struct Line<I> {
    /// Place in memory, which labels count in.
    pub offset: u32,
    /// How deep it nests; 0 for statements.
    pub depth: u32,
    /// The token.
    pub token: u8,
    /// Its name.
    pub name: &'static str,
    /// Its own operands; nested tokens are the following lines.
    pub operands: Vec<I>,
}

struct Listing<'a, I, N: Fn(&Name) -> bool> {
    items: &'a [I],
    at: usize,
    offset: u32,
    lines: Vec<Line<I>>,
    /// The line of the expression that is open at each depth.
    open: Vec<usize>,
    versions: &'a Versions,
    none: N,
}

impl<I: Bytecode, N: Fn(&Name) -> bool> Source<I> for Listing<'_, I, N> {
    fn versions(&self) -> &Versions {
        self.versions
    }

    fn take(&mut self, _: I, depth: u32) -> Result<&I> {
        let Some(item) = self.items.get(self.at) else {
            return Err(ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 }.into());
        };
        let depth_at = depth as usize;
        if let Some(token) = item.token() {
            let (offset, name) = (self.offset, I::name_of(token, self.versions));
            self.open.truncate(depth_at);
            self.open.resize(depth_at + 1, self.lines.len());
            self.lines.push(Line { offset, depth, token, name, operands: Vec::new() });
        } else if let Some(&line) = self.open.get(depth_at) {
            self.lines[line].operands.push(item.clone());
        }
        self.offset = self.offset.saturating_add(item.memory(self.versions));
        self.at += 1;
        Ok(item)
    }

    fn is_none(&self, name: &Name) -> bool {
        (self.none)(name)
    }

    fn follows(&mut self, token: u8, number: u32) -> Result<bool> {
        let next = self.items.get(self.at..self.at + 2);
        Ok(next.is_some_and(|next| next[0].token() == Some(token) && next[1].is_number(number)))
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        kind.into()
    }
}

/// The tokens of code as lines, in stored order; `none` tells which names mean none.
pub(super) fn list<I: Bytecode>(
    items: &[I],
    versions: &Versions,
    none: impl Fn(&Name) -> bool,
) -> Result<Vec<Line<I>>> {
    let (lines, open) = (Vec::new(), Vec::new());
    let mut listing = Listing { items, at: 0, offset: 0, lines, open, versions, none };
    while listing.at < listing.items.len() {
        expression(&mut listing, 0)?;
    }
    Ok(listing.lines)
}

/// Code units up to a zero one.
pub(super) fn serialize_wide<A: Archive + ?Sized>(span: &mut Span, ar: &mut A) -> Result<()> {
    // A document says itself how long it is.
    let length = match ar.is_loading() {
        true => {
            let (units, _) = ar.peek(usize::MAX).as_chunks::<2>();
            2 * units.iter().take_while(|unit| **unit != [0; 2]).count() as u64
        }
        false => span.len(),
    };
    in_part("characters", ar, |ar| ar.serialize_span(span, length, Kind::Text))?;
    in_part("terminator", ar, |ar| ar.serialize_bytes(&mut [0; 2]))
}
