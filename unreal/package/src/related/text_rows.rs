//! The texts of a file by row: what stands for names and objects in files that store them as texts.

use std::collections::HashMap;

use bytes::Bytes;

use crate::archive::Context;
use crate::primitive::{Encoding, FString, Name};
use crate::property::PackageContext;
use crate::table::NameEntry;
use crate::version::UnrealVersions;
use crate::{Archived, Loader, Versions};

/// Bytes of the longest text that may be a name or the path of an object.
const LONGEST: usize = 4096;

/// The texts of a file, each once. Part of the [`Context`] of archives that store names as texts.
#[derive(Debug, Clone, Default)]
pub(super) struct TextRows {
    texts: Vec<FString>,
    rows: HashMap<TextKey, i32>,
}

/// What makes two stored texts the same.
type TextKey = (bool, bool, Box<[u8]>);

fn key(text: &FString, source: &[u8]) -> Option<TextKey> {
    let bytes = text.span().bytes(source).ok()?;
    let none = *text == FString::EMPTY;
    // The same characters without a zero behind them are stored otherwise: a row would be saved with it.
    if !none && !text.is_terminated() {
        return None;
    }
    Some((text.encoding() == Encoding::Ansi, none, bytes.into()))
}

impl TextRows {
    /// All texts that stand in a file from `start` on, wherever a length and a zero byte behind so many others
    /// are: those that are no names do no harm.
    pub fn of(source: &[u8], start: usize) -> Self {
        let mut rows = Self::default();
        rows.add(FString::EMPTY, source);
        for at in start..source.len() {
            if let Some(text) = text_at(source, at) {
                rows.add(text, source);
            }
        }
        rows
    }

    /// The row of a text.
    pub fn row(&self, text: &FString, source: &[u8]) -> Option<i32> {
        self.rows.get(&key(text, source)?).copied()
    }

    /// The text of a row.
    pub fn text(&self, row: i32) -> Option<&FString> {
        self.texts.get(usize::try_from(row).ok()?)
    }

    /// The row of a text, which is new if it is not there.
    pub fn add(&mut self, text: FString, source: &[u8]) -> Option<i32> {
        let next = i32::try_from(self.texts.len()).ok()?;
        let row = *self.rows.entry(key(&text, source)?).or_insert(next);
        if row == next {
            self.texts.push(text);
        }
        Some(row)
    }

    /// What archives know that store names as texts: each row is a name, and an object of that path.
    pub fn context(self, source: Bytes) -> Context {
        let entry = |text: &FString| NameEntry { text: text.clone(), ..NameEntry::default() };
        let names = self.texts.iter().map(entry).collect();
        let objects: Vec<Name> = (0..self.texts.len() as i32).map(Name::new).collect();
        Context::new(source, names).with_objects(objects.into_iter(), [].into_iter()).with(self)
    }
}

/// The text that starts with its length at `at`.
fn text_at(source: &[u8], at: usize) -> Option<FString> {
    let rest = source.get(at..)?;
    let length = i32::from_le_bytes(*rest.first_chunk()?);
    let units = usize::try_from(length.unsigned_abs()).ok().filter(|units| *units <= LONGEST)?;
    let unit = if length < 0 { 2 } else { 1 };
    let bytes = rest.get(4..)?.get(..units.checked_mul(unit)?)?;
    let (last, text) = match unit {
        1 => (memchr::memchr(0, bytes)? + 1, bytes),
        _ => (bytes.chunks(2).position(|unit| unit == [0, 0])? * 2 + 2, bytes),
    };
    if last != text.len() {
        return None;
    }
    let end = at + 4 + bytes.len();
    let mut loader = Loader::new(source, Versions::ue4_and_5(0, 0));
    loader.seek(source, at as u64, end as u64).ok()?;
    let mut text = FString::default();
    text.serialize(&mut loader).ok()?;
    Some(text)
}
