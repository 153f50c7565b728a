//! Texts of a language of UE1 to UE3 (`.int` and its kin) as rows and columns, and back.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::Value as Json;

use super::file::ReadTable;
use super::grid::{Table, TableFormat};
use super::plan::TableChange;
use super::plan::{Rules, TablePlan};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{ansi_bytes, ansi_text};

const SECTION: &str = "Section";
const KEY: &str = "Key";
const VALUE: &str = "Value";

/// How the characters of a file are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextsEncoding {
    /// Windows-1252.
    Ansi,
    /// Behind its mark.
    Utf8,
    /// Behind its mark.
    Utf16Le,
    /// Behind its mark.
    Utf16Be,
}

/// The texts of a language of UE1 to UE3: sections of keys with values. Comments and empty lines stay where they are.
#[derive(Debug, Clone)]
pub struct IniTexts {
    text: String,
    encoding: TextsEncoding,
    sections: Vec<IniSection>,
}

/// A section of a file; what stands before the first has no name.
#[derive(Debug, Clone)]
struct IniSection {
    name: String,
    pairs: Vec<IniPair>,
    /// Behind its last pair, or its head.
    end: usize,
}

/// A line with a key and a value.
#[derive(Debug, Clone)]
struct IniPair {
    /// With its end.
    line: Range<usize>,
    key: Range<usize>,
    value: Range<usize>,
}

/// Whether a file is one by its extension: those that the games' languages have.
pub fn ini_texts(extension: &str) -> bool {
    const LANGUAGES: &[&str] = &[
        "int", "chn", "cht", "cze", "deu", "det", "esm", "esn", "est", "fra", "frt", "hun", "ita",
        "itt", "jpn", "kor", "nld", "pol", "por", "rus", "smt", "tmt", "tur", "ukt",
    ];
    LANGUAGES.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

impl IniTexts {
    /// Reads a file in Windows-1252, or in UTF-8 or UTF-16 behind its mark.
    ///
    /// # Errors
    /// `BadText` for characters that no text has.
    pub fn read(file: &[u8]) -> Result<Self> {
        let (encoding, text) = match file {
            [0xff, 0xfe, rest @ ..] => (TextsEncoding::Utf16Le, wide(rest, u16::from_le_bytes)),
            [0xfe, 0xff, rest @ ..] => (TextsEncoding::Utf16Be, wide(rest, u16::from_be_bytes)),
            [0xef, 0xbb, 0xbf, rest @ ..] => {
                (TextsEncoding::Utf8, std::str::from_utf8(rest).ok().map(str::to_owned))
            }
            bytes => (TextsEncoding::Ansi, Some(ansi_text(bytes).into_owned())),
        };
        let reason = "the file holds characters that no text has";
        let text = text.ok_or(ErrorKind::BadText { reason })?;
        let sections = sections(&text);
        let texts = Self { text, encoding, sections };
        match texts.save()? == file {
            true => Ok(texts),
            false => Err(ErrorKind::BadText { reason }.into()),
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// `BadText` for characters that its encoding lacks.
    pub fn save(&self) -> Result<Vec<u8>> {
        let mut bytes = match self.encoding {
            TextsEncoding::Ansi => {
                let reason = "the file is in Windows-1252, which lacks a character of the text: save it as UTF-16 first";
                return ansi_bytes(&self.text).ok_or_else(|| ErrorKind::BadText { reason }.into());
            }
            TextsEncoding::Utf8 => vec![0xef, 0xbb, 0xbf],
            TextsEncoding::Utf16Le => vec![0xff, 0xfe],
            TextsEncoding::Utf16Be => vec![0xfe, 0xff],
        };
        match self.encoding {
            TextsEncoding::Utf16Le => {
                bytes.extend(self.text.encode_utf16().flat_map(u16::to_le_bytes))
            }
            TextsEncoding::Utf16Be => {
                bytes.extend(self.text.encode_utf16().flat_map(u16::to_be_bytes))
            }
            _ => bytes.extend(self.text.as_bytes()),
        }
        Ok(bytes)
    }

    fn part(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The texts as rows: section, key, value. A key may stand several times in a section.
    pub fn table(&self) -> Table {
        let mut table = Table::new(SECTION, SECTION);
        table.add_columns(&[KEY, VALUE]);
        for section in &self.sections {
            for pair in &section.pairs {
                let cells = [(KEY, &pair.key), (VALUE, &pair.value)];
                let cells =
                    cells.map(|(column, range)| (column.to_owned(), Json::from(self.part(range))));
                table.push(section.name.clone(), cells.to_vec());
            }
        }
        table
    }

    /// Gives the file the rows of a table as [`IniTexts::table`] has them. Lines stay in their order; new ones stand
    /// behind the others of their section.
    ///
    /// # Errors
    /// `Invalid` for a damaged table, a value of several lines, a key that would be read otherwise; `BadText` for
    /// characters that the file's encoding lacks. The texts are as before then.
    pub fn replace_rows(&mut self, file: &[u8], format: TableFormat) -> Result<TableChange> {
        let old = self.table();
        let file = ReadTable::read(file, format, SECTION)?;
        let rules = Rules { identity: &[KEY], ..Rules::TEXTS };
        let mut plan = TablePlan::of(&old, &file, &rules)?;
        // Between different keys the order of lines says nothing.
        plan.change.reordered = false;
        if let Some(other) =
            plan.columns.iter().find(|it| ![KEY, VALUE].contains(&it.name.as_str()))
        {
            let name = &other.name;
            return Err(Error::invalid(format!(
                "a table of texts has no column {name}: {SECTION}, {KEY}, {VALUE}"
            )));
        }
        if !plan.change.is_change() {
            return Ok(plan.change);
        }
        let mut edits = Vec::new();
        let pairs: Vec<&IniPair> =
            self.sections.iter().flat_map(|section| &section.pairs).collect();
        let mut stays = vec![false; pairs.len()];
        // New lines by section, and the places of sections there.
        let mut fresh: Vec<(&str, String)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut wanted = Vec::with_capacity(plan.rows.len());
        let newline =
            if self.text.contains("\r\n") || !self.text.contains('\n') { "\r\n" } else { "\n" };
        for row in &plan.rows {
            let cell = |name: &str| {
                let is = |(at, _): &&(usize, Option<String>)| {
                    plan.columns.get(*at).is_some_and(|column| column.name == name)
                };
                row.cells.iter().find(is).map(|(_, text)| text.as_deref().unwrap_or_default())
            };
            let value = cell(VALUE);
            if value.is_some_and(|value| value.contains(['\n', '\r']) || value.trim() != value) {
                return Err(Error::invalid(format!(
                    "a value in [{}] has several lines, or blanks at its ends, which the file can't hold",
                    row.name
                )));
            }
            match row.from {
                Some(at) => {
                    if let Some(stays) = stays.get_mut(at) {
                        *stays = true;
                    }
                    let Some(pair) = pairs.get(at) else { continue };
                    let key = self.part(&pair.key);
                    if let Some(value) = value {
                        // The line would be the head of a section.
                        if key.starts_with('[') && value.ends_with(']') {
                            return Err(cant_hold(&row.name, key));
                        }
                        edits.push((pair.value.clone(), value.to_owned()));
                    }
                    let value = value.unwrap_or_else(|| self.part(&pair.value));
                    wanted.push((row.name.clone(), key.to_owned(), value.to_owned()));
                }
                None => {
                    let key = cell(KEY).unwrap_or_default();
                    check(&row.name, key)?;
                    let value = value.unwrap_or_default();
                    let at = *places.entry(&row.name).or_insert(fresh.len());
                    if at == fresh.len() {
                        fresh.push((&row.name, String::new()));
                    }
                    if let Some((_, lines)) = fresh.get_mut(at) {
                        lines.push_str(&format!("{key}={value}{newline}"));
                    }
                    wanted.push((row.name.clone(), key.to_owned(), value.to_owned()));
                }
            }
        }
        for (pair, _) in pairs.iter().zip(&stays).filter(|(_, stays)| !**stays) {
            edits.push((pair.line.clone(), String::new()));
        }
        let mut known: HashMap<&str, &IniSection> = HashMap::with_capacity(self.sections.len());
        for section in &self.sections {
            known.entry(&section.name).or_insert(section);
        }
        let mut end = String::new();
        for (name, lines) in fresh {
            match known.get(name) {
                Some(section) => {
                    let at = section.end;
                    edits.push((at..at, self.ended(at, newline) + &lines));
                }
                None => end.push_str(&format!("{newline}[{name}]{newline}{lines}")),
            }
        }
        // A stable order: lines for one place stay in theirs.
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        if !end.is_empty() {
            let last = self.text.len();
            edits.push((last..last, self.ended(last, newline) + &end));
        }
        let mut text = String::with_capacity(self.text.len());
        let mut last = 0;
        for (range, new) in edits {
            text.push_str(self.part(&(last..range.start)));
            text.push_str(&new);
            last = range.end;
        }
        text.push_str(self.part(&(last..self.text.len())));
        let sections = sections(&text);
        let made = Self { text, encoding: self.encoding, sections };
        made.save()?;
        made.check_rows(wanted)?;
        *self = made;
        Ok(plan.change)
    }

    /// Whether the file is read as these sections, keys and values.
    fn check_rows(&self, mut wanted: Vec<(String, String, String)>) -> Result<()> {
        let mut made = Vec::with_capacity(wanted.len());
        for section in &self.sections {
            for pair in &section.pairs {
                let (key, value) = (self.part(&pair.key), self.part(&pair.value));
                made.push((section.name.clone(), key.to_owned(), value.to_owned()));
            }
        }
        wanted.sort();
        made.sort();
        if made == wanted {
            return Ok(());
        }
        let lost = wanted.iter().find(|row| made.binary_search(row).is_err());
        let (section, key, _) = lost.or(wanted.first()).cloned().unwrap_or_default();
        Err(cant_hold(&section, &key))
    }

    /// What ends the line before a place, where nothing does.
    fn ended(&self, at: usize, newline: &str) -> String {
        let before = self.text.get(..at).unwrap_or_default();
        match before.is_empty() || before.ends_with('\n') {
            true => String::new(),
            false => newline.to_owned(),
        }
    }
}

#[cold]
fn cant_hold(section: &str, key: &str) -> Error {
    Error::invalid(format!("the line of '{key}' in [{section}] would be read as something else"))
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    rest.is_empty().then(|| String::from_utf16(&units).ok()).flatten()
}

/// Whether a new line would be read as what it is.
fn check(section: &str, key: &str) -> Result<()> {
    let is_bad = |text: &str, more: &[char]| {
        text.contains(['\n', '\r']) || text.contains(more) || text.trim() != text
    };
    if is_bad(section, &['[', ']']) || section.is_empty() {
        return Err(Error::invalid(format!("'{section}' can't be the name of a section")));
    }
    if key.is_empty() || is_bad(key, &['=']) || key.starts_with(['[', ';']) {
        return Err(Error::invalid(format!("'{key}' can't be a key")));
    }
    Ok(())
}

fn sections(text: &str) -> Vec<IniSection> {
    let mut sections = vec![IniSection { name: String::new(), pairs: Vec::new(), end: 0 }];
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let bare = line.trim();
        if let Some(name) = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let name = name.to_owned();
            sections.push(IniSection { name, pairs: Vec::new(), end: range.end });
            continue;
        }
        let Some(equals) = line.find('=').filter(|_| !bare.starts_with(';')) else { continue };
        let trimmed = |part: Range<usize>| {
            let text = line.get(part.clone()).unwrap_or_default();
            if text.trim().is_empty() {
                return range.start + part.start..range.start + part.start;
            }
            let first = range.start + part.start + (text.len() - text.trim_start().len());
            let text = text.trim();
            first..first + text.len()
        };
        let (key, value) = (trimmed(0..equals), trimmed(equals + 1..line.len()));
        if let Some(section) = sections.last_mut() {
            section.end = range.end;
            section.pairs.push(IniPair { line: range, key, value });
        }
    }
    sections
}
