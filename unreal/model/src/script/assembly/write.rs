//! Code to text.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use super::rows::{AssemblyNames, NEXT};
use super::skipped;
use super::token_names::TokenNames;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Name, ObjectRef, PackageIndex, ansi_text};
use crate::script::expression::{Source, misplaced};
use crate::script::grammar::Grammar;
use crate::script::walk::starts_with;
use crate::script::{CodePlaces, PropertyReference, ScriptItem};
use crate::{ByteOrder, Versions};

/// Text that one piece of code may take: some bytes for each of the package beside these.
const MOST_TEXT: usize = 64 << 20;
const TEXT_PER_BYTE: usize = 16;

/// Walks items and writes what each is.
pub(super) struct Writing<'a> {
    items: &'a [ScriptItem],
    at: usize,
    places: CodePlaces,
    /// Items before which a label stands.
    labels: BTreeSet<usize>,
    /// Operands that say the size of the next expression.
    whole: HashSet<usize>,
    versions: &'a Versions,
    source: &'a [u8],
    names: &'a dyn AssemblyNames,
    grammar: Grammar,
    tokens: TokenNames,
    /// The depth of each token whose operands are being written, and whether it has had one.
    open: Vec<(u32, bool)>,
    text: String,
    /// Bytes that the text may have.
    most: usize,
}

impl<'a> Writing<'a> {
    pub fn new(
        items: &'a [ScriptItem],
        versions: &'a Versions,
        source: &'a [u8],
        names: &'a dyn AssemblyNames,
    ) -> Result<Self> {
        let places = CodePlaces::of(items, versions);
        let whole = skipped::whole(items, versions, |name| is_none(names, name))?;
        let rows = items.iter().enumerate().filter(|(row, _)| !whole.contains(row));
        let targets = rows.filter_map(|(row, item)| places.target(row, item));
        let labels = targets.filter_map(|place| labelled(&places, items, place)).collect();
        let grammar = Grammar::new(versions);
        let tokens = TokenNames::of(&grammar, versions);
        let (open, text) = (Vec::new(), String::new());
        let most = MOST_TEXT + TEXT_PER_BYTE * source.len();
        Ok(Self {
            items,
            at: 0,
            places,
            labels,
            whole,
            versions,
            source,
            names,
            grammar,
            tokens,
            open,
            text,
            most,
        })
    }

    /// Puts labels at these places as well.
    pub fn label(&mut self, places: &BTreeSet<u64>) {
        let rows = places.iter().filter_map(|place| labelled(&self.places, self.items, *place));
        self.labels.extend(rows);
    }

    pub fn is_done(&self) -> bool {
        self.at >= self.items.len()
    }

    pub fn finish(mut self) -> String {
        self.close(0);
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        if self.labels.contains(&self.items.len()) {
            let place = self.places.of_item(self.items.len()).unwrap_or_default();
            let _ = writeln!(self.text, "{}:", label(place));
        }
        self.text
    }

    /// Ends what is as deep as this or deeper.
    fn close(&mut self, depth: u32) {
        while let Some((_, has_operands)) = self.open.pop_if(|(open, _)| *open >= depth) {
            if has_operands {
                self.text.push(')');
            }
        }
    }

    /// Writes the separator before the next operand or token of the innermost one.
    fn separate(&mut self) {
        let Some((_, has_operands)) = self.open.last_mut() else { return };
        self.text.push_str(if *has_operands { ", " } else { "(" });
        *has_operands = true;
    }

    fn start_token(&mut self, token: u8, depth: u32) {
        self.close(depth);
        let place = self.places.of_item(self.at).unwrap_or_default();
        let has_label = self.labels.contains(&self.at);
        if self.open.is_empty() {
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            if has_label {
                let _ = writeln!(self.text, "{}:", label(place));
            }
            self.text.push_str("    ");
        } else {
            self.separate();
            if has_label {
                let _ = write!(self.text, "{}: ", label(place));
            }
        }
        self.text.push_str(&self.tokens.name(token));
        self.open.push((depth, false));
    }

    fn operand(&self, item: &ScriptItem) -> Result<String> {
        Ok(match item {
            // A token is no operand.
            ScriptItem::Token(token) => token.to_string(),
            ScriptItem::Byte(value) => value.to_string(),
            ScriptItem::Word(value) => value.to_string(),
            ScriptItem::Label(_) | ScriptItem::Place(_) | ScriptItem::Skip(_) => self.place(item),
            ScriptItem::Int(value) => value.to_string(),
            ScriptItem::Long(value) => value.to_string(),
            ScriptItem::Float(value) if value.is_nan() => format!("nan:{:#x}", value.to_bits()),
            ScriptItem::Float(value) => format!("{value:?}"),
            ScriptItem::Double(value) => double(*value),
            ScriptItem::Real(value) => double(value.value()),
            ScriptItem::Object(index) => self.object(*index),
            ScriptItem::Name(name) => self.name(name),
            ScriptItem::Property(path) => self.property(path),
            ScriptItem::Text(span) => narrow_text(span.bytes(self.source)?),
            ScriptItem::Wide(span) => wide_text(span.bytes(self.source)?, self.versions.byte_order),
        })
    }

    fn place(&self, item: &ScriptItem) -> String {
        if self.whole.contains(&self.at) {
            return NEXT.to_owned();
        }
        let Some(target) = self.places.target(self.at, item) else { return "none".to_owned() };
        if labelled(&self.places, self.items, target).is_some() {
            return label(target);
        }
        match item {
            ScriptItem::Skip(size) => size.to_string(),
            _ => format!("{target:#x}"),
        }
    }

    fn name(&self, name: &Name) -> String {
        let (text, is_exact) = self.names.name(name);
        let mut shown = String::from("'");
        escaped(&text, '\'', &mut shown);
        shown.push('\'');
        if !is_exact {
            let _ = write!(shown, "#{}", name.index.value());
            if name.number != 0 {
                let _ = write!(shown, "_{}", name.number);
            }
        }
        shown
    }

    fn object(&self, index: PackageIndex) -> String {
        if index.is_null() {
            return "null".to_owned();
        }
        let (path, is_exact) = self.names.object(index);
        let mut shown = String::new();
        if path != "null" && path != "none" && super::lexer::is_plain(&path) {
            shown.push_str(&path);
        } else {
            shown.push('`');
            escaped(&path, '`', &mut shown);
            shown.push('`');
        }
        if !is_exact {
            let _ = match index.target() {
                ObjectRef::Import(row) => write!(shown, "#i{row}"),
                ObjectRef::Export(row) => write!(shown, "#{row}"),
                ObjectRef::Null => Ok(()),
            };
        }
        shown
    }

    fn property(&self, path: &PropertyReference) -> String {
        if path.path.is_empty() {
            return self.object(path.owner);
        }
        let names: Vec<String> = path.path.iter().map(|name| self.name(name)).collect();
        format!("[{} in {}]", names.join(" "), self.object(path.owner))
    }
}

fn is_none(names: &dyn AssemblyNames, name: &Name) -> bool {
    names.name(name).0.eq_ignore_ascii_case("None")
}

/// The item at a place before which a label can stand: a token, or the end.
fn labelled(places: &CodePlaces, items: &[ScriptItem], place: u64) -> Option<usize> {
    let row = places.item_at(place)?;
    items.get(row).is_none_or(|item| item.token().is_some()).then_some(row)
}

fn label(place: u64) -> String {
    format!("L{place:04x}")
}

fn double(value: f64) -> String {
    match value.is_nan() {
        true => format!("nan:{:#x}", value.to_bits()),
        false => format!("{value:?}"),
    }
}

/// A text within these marks.
fn escaped(text: &str, mark: char, out: &mut String) {
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == mark => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}

fn narrow_text(bytes: &[u8]) -> String {
    let mut shown = String::from("\"");
    for (byte, c) in bytes.iter().zip(ansi_text(bytes).chars()) {
        match c {
            '\n' | '\r' | '\t' => escaped(c.encode_utf8(&mut [0; 4]), '"', &mut shown),
            c if c.is_control() => {
                let _ = write!(shown, "\\x{byte:02x}");
            }
            c => escaped(c.encode_utf8(&mut [0; 4]), '"', &mut shown),
        }
    }
    shown.push('"');
    shown
}

fn wide_text(bytes: &[u8], order: ByteOrder) -> String {
    let (units, _) = bytes.as_chunks::<2>();
    let units = units.iter().map(|unit| match order {
        ByteOrder::Little => u16::from_le_bytes(*unit),
        ByteOrder::Big => u16::from_be_bytes(*unit),
    });
    let mut shown = String::from("\"");
    for c in char::decode_utf16(units) {
        match c {
            Ok(c) => escaped(c.encode_utf8(&mut [0; 4]), '"', &mut shown),
            Err(unit) => {
                let _ = write!(shown, "\\u{{{:x}}}", unit.unpaired_surrogate());
            }
        }
    }
    shown.push('"');
    shown
}

impl Source for Writing<'_> {
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
        match item.token() {
            Some(token) => self.start_token(token, depth),
            None => {
                self.close(depth + 1);
                self.separate();
                let shown = self.operand(item)?;
                self.text.push_str(&shown);
            }
        }
        if self.text.len() > self.most {
            return Err(Error::invalid(
                "the text would be many times as long as the package: its names are too long",
            ));
        }
        self.at += 1;
        Ok(item)
    }

    fn is_none(&self, name: &Name) -> bool {
        is_none(self.names, name)
    }

    fn follows(&mut self, token: u8, number: u32) -> Result<bool> {
        Ok(starts_with(self.items.get(self.at..).unwrap_or_default(), token, number))
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        kind.into()
    }
}
