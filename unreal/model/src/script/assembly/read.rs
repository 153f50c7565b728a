//! Text to code.

use std::collections::HashMap;
use std::str::FromStr;

use super::lexer::{Lexer, TextPiece};
use super::rows::{AssemblyRow, AssemblyRows, NEXT};
use super::token_names::TokenNames;
use crate::archive::Span;
use crate::error::near::{did_you_mean, nearest};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Name, PackageIndex, Real, ansi_byte};
use crate::script::expression::Source;
use crate::script::grammar::Grammar;
use crate::script::places::FARTHEST;
use crate::script::{CodePlaces, PropertyReference, ScriptItem};
use crate::version::EngineFacts;
use crate::{ByteOrder, Versions};

/// The label that stands for none, in two bytes.
const NO_LABEL: u32 = 0xffff;

/// A token whose operands are being read.
struct Open {
    depth: u32,
    /// Whether a parenthesis is open.
    has_mark: bool,
    /// The operand before it that says its size.
    sized: Option<usize>,
}

/// Reads items from text, as the grammar asks for them.
pub(super) struct Assembling<'a> {
    lexer: Lexer<'a>,
    versions: &'a Versions,
    rows: &'a mut dyn AssemblyRows,
    grammar: Grammar,
    tokens: TokenNames,
    items: Vec<ScriptItem>,
    open: Vec<Open>,
    /// The operand that says the size of the next token and what it holds.
    sized: Option<usize>,
    /// Such operands, and the item behind what they say the size of.
    ends: Vec<(usize, usize)>,
    /// The item before which each label stands.
    labels: HashMap<&'a str, usize>,
    /// Operands that name a label, and where they stand.
    targets: Vec<(usize, &'a str, Lexer<'a>)>,
}

/// The code that a text stands for.
#[derive(Debug)]
#[doc(hidden)]
pub struct Assembled {
    /// The items.
    pub items: Vec<ScriptItem>,
    /// The labels, with their places in memory.
    #[cfg(feature = "json")]
    pub labels: Vec<(String, u64)>,
}

impl<'a> Assembling<'a> {
    pub fn new(
        text: &'a str,
        line: usize,
        versions: &'a Versions,
        rows: &'a mut dyn AssemblyRows,
    ) -> Self {
        let grammar = Grammar::new(versions);
        let tokens = TokenNames::of(&grammar, versions);
        let (items, open, labels, targets, ends) = Default::default();
        let lexer = Lexer::new(text, line);
        Self {
            lexer,
            versions,
            rows,
            grammar,
            tokens,
            items,
            open,
            sized: None,
            ends,
            labels,
            targets,
        }
    }

    /// Whether no statement follows.
    pub fn is_done(&mut self) -> Result<bool> {
        self.close(0)?;
        self.take_labels()?;
        Ok(self.lexer.is_at_end())
    }

    fn take_labels(&mut self) -> Result<()> {
        while let Some(label) = self.lexer.label() {
            if self.labels.insert(label, self.items.len()).is_some() {
                return Err(self.lexer.error(format!("the label {label} stands twice")));
            }
        }
        Ok(())
    }

    /// Ends what is as deep as this or deeper.
    fn close(&mut self, depth: u32) -> Result<()> {
        while let Some(open) = self.open.pop_if(|open| open.depth >= depth) {
            if open.has_mark && !self.lexer.takes(')') {
                return Err(self.lexer.unexpected("')'"));
            }
            self.ends.extend(open.sized.map(|row| (row, self.items.len())));
        }
        Ok(())
    }

    fn unknown_token(&self, name: &str) -> Error {
        let names = (0..=u8::MAX).filter(|token| self.grammar.operands(*token).is_some());
        let names = names.map(|token| self.tokens.name(token).into_owned());
        let hint = did_you_mean(&nearest(name, names));
        self.lexer.error(format!("these versions have no token '{name}'{hint}"))
    }

    fn operand(&mut self, blank: ScriptItem) -> Result<ScriptItem> {
        Ok(match blank {
            ScriptItem::Token(_) => ScriptItem::Token(self.number("a token")?),
            ScriptItem::Byte(_) => ScriptItem::Byte(self.number("a byte, 0 to 255,")?),
            ScriptItem::Word(_) => ScriptItem::Word(self.number("a number, 0 to 65535,")?),
            ScriptItem::Label(_) => ScriptItem::Label(self.place()?),
            ScriptItem::Place(_) => ScriptItem::Place(self.place()?),
            ScriptItem::Skip(_) => {
                let mut ahead = self.lexer.clone();
                if ahead.word() == Some(NEXT) {
                    self.lexer = ahead;
                    self.sized = Some(self.items.len());
                    return Ok(ScriptItem::Skip(0));
                }
                ScriptItem::Skip(self.place()?)
            }
            ScriptItem::Int(_) => ScriptItem::Int(self.number("a number of 32 bits")?),
            ScriptItem::Long(_) => ScriptItem::Long(self.number("a number of 64 bits")?),
            ScriptItem::Float(_) => ScriptItem::Float(self.float(f32::from_bits)?),
            ScriptItem::Double(_) => ScriptItem::Double(self.float(f64::from_bits)?),
            ScriptItem::Real(_) => ScriptItem::Real(Real::new(self.float(f64::from_bits)?)),
            ScriptItem::Object(_) => ScriptItem::Object(self.object()?),
            ScriptItem::Name(_) => ScriptItem::Name(self.name()?),
            ScriptItem::Property(_) => ScriptItem::Property(Box::new(self.property()?)),
            ScriptItem::Text(_) => ScriptItem::Text(Box::new(self.narrow_text()?)),
            ScriptItem::Wide(_) => ScriptItem::Wide(Box::new(self.wide_text()?)),
        })
    }

    fn number<T: FromStr>(&mut self, wanted: &str) -> Result<T> {
        let before = self.lexer.clone();
        let text = self.lexer.plain(wanted)?;
        text.parse().map_err(|_| before.unexpected(wanted))
    }

    /// A number, or the bits of what is none.
    fn float<T: FromStr, B: TryFrom<u64>>(&mut self, from_bits: fn(B) -> T) -> Result<T> {
        let before = self.lexer.clone();
        let text = self.lexer.plain("a number")?;
        let bits = text.strip_prefix("nan:0x");
        let bits = bits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let value = match bits {
            Some(bits) => B::try_from(bits).ok().map(from_bits),
            None => text.parse().ok(),
        };
        value.ok_or_else(|| before.unexpected("a number"))
    }

    /// A label, to be looked up when all are known; none; or the number itself.
    fn place(&mut self) -> Result<u32> {
        if let Some(word) = self.lexer.word() {
            if word != "none" {
                self.targets.push((self.items.len(), word, self.lexer.clone()));
                return Ok(0);
            }
            return match self.versions.has_wide_labels() {
                true => Err(self.lexer.error("these versions have no label that means none")),
                false => Ok(NO_LABEL),
            };
        }
        let before = self.lexer.clone();
        let wanted = "a label";
        let text = self.lexer.plain(wanted)?;
        let number = match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        number.ok_or_else(|| before.unexpected(wanted))
    }

    /// A number right behind a `#` that was taken.
    fn row(&mut self) -> Result<i32> {
        let digits = self.lexer.plain("a row")?;
        digits.parse().map_err(|_| self.lexer.error(format!("'{digits}' is no row")))
    }

    fn name(&mut self) -> Result<Name> {
        let text = self.lexer.quoted('\'', "a name, as in 'Fire',")?;
        if !self.lexer.takes_right_here('#') {
            return self.rows.name(&text).map_err(|error| self.lexer.error(error));
        }
        let digits = self.lexer.plain("a row of names")?;
        let (row, number) = digits.split_once('_').unwrap_or((digits, "0"));
        let name = match (row.parse(), number.parse()) {
            (Ok(row), Ok(number)) => Name { number, ..Name::new(row) },
            _ => return Err(self.lexer.error(format!("'#{digits}' is no row of names"))),
        };
        match self.rows.has(AssemblyRow::Name(name.index.value())) {
            true => Ok(name),
            false => Err(self.lexer.error(format!("there is no name #{digits}"))),
        }
    }

    fn object(&mut self) -> Result<PackageIndex> {
        self.lexer.skip_blank();
        let quoted = self.lexer.clone().takes('`');
        let mut path = match quoted {
            true => self.lexer.quoted('`', "an object")?,
            false => self.lexer.plain("an object")?.to_owned(),
        };
        if self.lexer.takes_right_here('#') {
            return self.object_row();
        }
        if !quoted && path == "null" {
            return Ok(PackageIndex::NULL);
        }
        if self.lexer.clone().takes_right_here('\'') {
            let inner = self.lexer.quoted('\'', "an object")?;
            path = format!("{path}'{inner}'");
        }
        self.rows.object(&path).map_err(|error| self.lexer.error(error))
    }

    /// The row behind a path: that of an export, or of an import with an `i`.
    fn object_row(&mut self) -> Result<PackageIndex> {
        let is_import = self.lexer.takes_right_here('i');
        let row = self.row()?;
        let index = usize::try_from(row).ok().map(|row| match is_import {
            true => PackageIndex::import(row),
            false => PackageIndex::export(row),
        });
        let index = index.filter(|index| self.rows.has(AssemblyRow::Object(*index)));
        index.ok_or_else(|| self.lexer.error(format!("there is no object #{row}")))
    }

    fn property(&mut self) -> Result<PropertyReference> {
        let mut path = Vec::new();
        if !self.lexer.takes('[') {
            return Ok(PropertyReference { path, owner: self.object()? });
        }
        loop {
            let before = self.lexer.clone();
            match self.lexer.word() {
                Some("in") => break,
                Some(_) => return Err(before.unexpected("'in' or a name")),
                None => path.push(self.name()?),
            }
        }
        let owner = self.object()?;
        match self.lexer.takes(']') {
            true => Ok(PropertyReference { path, owner }),
            false => Err(self.lexer.unexpected("']'")),
        }
    }

    fn narrow_text(&mut self) -> Result<Span> {
        let pieces = self.lexer.pieces('"', "a string, as in \"Text\",")?;
        let mut bytes = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece {
                TextPiece::Byte(byte) => bytes.push(byte),
                TextPiece::Character(c) => {
                    bytes.push(ansi_byte(c).ok_or_else(|| self.no_byte(c))?);
                }
                TextPiece::Unit(_) => return Err(self.no_byte(char::REPLACEMENT_CHARACTER)),
            }
        }
        self.without_zero(bytes.contains(&0))?;
        Ok(if bytes.is_empty() { Span::EMPTY } else { Span::owned(bytes) })
    }

    fn no_byte(&self, c: char) -> Error {
        let token = self.tokens.name(super::super::string::WIDE);
        self.lexer.error(format!("'{c}' is no character of 8 bits: write {token}(\"…\")"))
    }

    fn wide_text(&mut self) -> Result<Span> {
        let pieces = self.lexer.pieces('"', "a string, as in \"Text\",")?;
        let mut units = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece {
                TextPiece::Byte(byte) => units.push(byte.into()),
                TextPiece::Character(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
                TextPiece::Unit(unit) => units.push(unit),
            }
        }
        self.without_zero(units.contains(&0))?;
        let bytes: Vec<u8> = match self.versions.byte_order {
            ByteOrder::Little => units.into_iter().flat_map(u16::to_le_bytes).collect(),
            ByteOrder::Big => units.into_iter().flat_map(u16::to_be_bytes).collect(),
        };
        Ok(if bytes.is_empty() { Span::EMPTY } else { Span::owned(bytes) })
    }

    fn without_zero(&self, has_zero: bool) -> Result<()> {
        match has_zero {
            true => Err(self.lexer.error("a string in code can't contain a zero")),
            false => Ok(()),
        }
    }

    /// All items, with the places that their labels mean.
    pub fn finish(mut self) -> Result<Assembled> {
        let places = CodePlaces::of(&self.items, self.versions);
        let farthest = if self.versions.has_wide_labels() { u32::MAX.into() } else { FARTHEST };
        for (row, label, lexer) in self.targets {
            let Some(&to) = self.labels.get(label) else {
                return Err(lexer.error(format!("there is no label {label}")));
            };
            let place = places.of_item(to).unwrap_or_default();
            let item = &mut self.items[row];
            let (from, farthest) = match item {
                ScriptItem::Skip(_) => (places.after(row), farthest),
                ScriptItem::Place(_) => (0, u32::MAX.into()),
                _ => (0, farthest),
            };
            let Some(value) = place.checked_sub(from) else {
                return Err(lexer.error(format!("{label} stands before what is skipped")));
            };
            let Some(value) = u32::try_from(value).ok().filter(|it| u64::from(*it) <= farthest)
            else {
                let reason = format!("{label} lies at {place:#x}, farther than a jump can say");
                return Err(lexer.error(reason));
            };
            if let ScriptItem::Label(to) | ScriptItem::Place(to) | ScriptItem::Skip(to) = item {
                *to = value;
            }
        }
        for (row, end) in self.ends {
            let size = places.of_item(end).unwrap_or_default() - places.after(row);
            let Some(size) = u32::try_from(size).ok().filter(|it| u64::from(*it) <= farthest)
            else {
                return Err(self.lexer.error(format!(
                    "an expression of {size} bytes in memory is more than can be skipped"
                )));
            };
            self.items[row] = ScriptItem::Skip(size);
        }
        #[cfg(feature = "json")]
        let labels = {
            let place =
                |(label, row): (&str, usize)| Some((label.to_owned(), places.of_item(row)?));
            self.labels.into_iter().filter_map(place).collect()
        };
        Ok(Assembled {
            items: self.items,
            #[cfg(feature = "json")]
            labels,
        })
    }
}

impl Source for Assembling<'_> {
    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn token(&mut self, depth: u32) -> Result<u8> {
        self.close(depth)?;
        self.take_labels()?;
        let Some(name) = self.lexer.word() else { return Err(self.lexer.unexpected("a token")) };
        let token = self.tokens.token(name).ok_or_else(|| self.unknown_token(name))?;
        self.items.push(ScriptItem::Token(token));
        let has_mark = self.lexer.takes('(');
        self.open.push(Open { depth, has_mark, sized: self.sized.take() });
        Ok(token)
    }

    fn pass(&mut self, blank: ScriptItem, depth: u32) -> Result<()> {
        self.take(blank, depth).map(drop)
    }

    fn take(&mut self, blank: ScriptItem, depth: u32) -> Result<&ScriptItem> {
        self.close(depth + 1)?;
        let item = self.operand(blank)?;
        let at = self.items.len();
        self.items.push(item);
        Ok(&self.items[at])
    }

    fn is_none(&self, name: &Name) -> bool {
        self.rows.is_none(name)
    }

    fn follows(&mut self, token: u8, number: u32) -> Result<bool> {
        let mut ahead = self.lexer.clone();
        while ahead.label().is_some() {}
        let is_token = ahead.word().and_then(|name| self.tokens.token(name)) == Some(token);
        ahead.takes('(');
        Ok(is_token && ahead.plain("").is_ok_and(|text| text.parse() == Ok(number)))
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        self.lexer.error(Error::from(kind))
    }
}
