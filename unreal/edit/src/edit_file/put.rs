//! `put`: a line of a file of edits that says a part of the package's document.

use serde_json::Value;

use super::LineError;
use crate::edit::{DocumentPart, PartPlace};

/// Characters of a word that an error shows: a value may be as long as an object.
const SHOWN: usize = 200;

/// The words of a line by what they say.
#[derive(Default)]
struct PutWords {
    /// Of a key of the document instead of an object.
    key: Option<String>,
    /// The hash of what stands there before.
    was: Option<String>,
    /// The row of a new object, or the first row of a list.
    row: Option<String>,
    /// How many rows of a list are replaced.
    count: Option<String>,
    /// The hash of all rows, where bytes that are not decoded may say some.
    rows: Option<String>,
    /// The object, if it is of one, and the value.
    values: Vec<String>,
}

fn wrong(reason: impl Into<String>) -> LineError {
    LineError::new(reason).with_next("`upk diff OLD NEW --as-edits` writes such lines")
}

impl PutWords {
    fn of(words: impl Iterator<Item = String>) -> Result<Self, LineError> {
        let mut found = Self::default();
        let mut words = words;
        let mut has_options = true;
        while let Some(word) = words.next() {
            if !has_options {
                found.values.push(word);
                continue;
            }
            if word == "--" {
                has_options = false;
                continue;
            }
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            let slot = match option {
                "--key" => &mut found.key,
                "--was" => &mut found.was,
                "--row" => &mut found.row,
                "--count" => &mut found.count,
                "--rows" => &mut found.rows,
                _ => {
                    found.values.push(word);
                    continue;
                }
            };
            let missing = || wrong(format!("'{option}' has no value"));
            let value = value.or_else(|| words.next()).ok_or_else(missing)?;
            if slot.replace(value).is_some() {
                return Err(wrong(format!("'{option}' stands twice")));
            }
        }
        Ok(found)
    }
}

/// The part that the words of a line say.
pub(super) fn read(words: impl Iterator<Item = String>) -> Result<DocumentPart, LineError> {
    let line = PutWords::of(words)?;
    let (row, count) = (number(line.row, "--row")?, number(line.count, "--count")?);
    let (was, rows) = (parsed(line.was)?, parsed(line.rows)?);
    if count.is_some() && line.key.is_none() {
        return Err(wrong("'--count' is of rows of a '--key'"));
    }
    let values = <[String; 1]>::try_from(line.values);
    let (place, text) = match (line.key, values) {
        (Some(key), Ok([text])) => {
            let place = match row {
                Some(row) => PartPlace::Rows { key, row, count: count.unwrap_or(0) },
                None => PartPlace::Key(key),
            };
            (place, text)
        }
        (Some(_), Err(_)) => return Err(wrong("'put --key' takes one value")),
        (None, Ok(_)) => return Err(wrong("'put' takes an object and its value")),
        (None, Err(values)) => match <[String; 2]>::try_from(values) {
            Ok([path, text]) => (PartPlace::Object { path, row }, text),
            Err(_) => return Err(wrong("'put' takes an object and its value")),
        },
    };
    let value: Value = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("the value is no JSON: {error}")))?;
    if matches!(place, PartPlace::Rows { .. }) && !value.is_array() {
        return Err(wrong("rows of a list are a list"));
    }
    if matches!(place, PartPlace::Object { .. }) && !value.is_object() && !value.is_null() {
        return Err(wrong("the value of an object is its entry of the document, or null"));
    }
    let value = Some(value).filter(|value| !value.is_null());
    Ok(DocumentPart { place, was, value, rows })
}

fn number(text: Option<String>, option: &str) -> Result<Option<usize>, LineError> {
    let Some(text) = text else { return Ok(None) };
    let shown = || text.chars().take(SHOWN).collect::<String>();
    text.parse().map(Some).map_err(|_| wrong(format!("'{option}' is no number: '{}'", shown())))
}

fn parsed<T: std::str::FromStr<Err = String>>(
    text: Option<String>,
) -> Result<Option<T>, LineError> {
    let first = |error: String| wrong(error.chars().take(SHOWN).collect::<String>());
    text.map(|text| text.parse().map_err(first)).transpose()
}

/// The line that puts a part of a document in place.
pub fn put_line(part: &DocumentPart) -> String {
    let mut words = vec!["put".to_owned()];
    // A path that looks like an option stands behind all of them.
    let mut late = None;
    match &part.place {
        PartPlace::Object { path, row } => {
            match path.starts_with("--") {
                true => late = Some(format!("-- {}", quoted(path))),
                false => words.push(quoted(path)),
            }
            words.extend(row.map(|row| format!("--row {row}")));
        }
        PartPlace::Key(key) => words.push(format!("--key {}", quoted(key))),
        PartPlace::Rows { key, row, count } => {
            words.push(format!("--key {} --row {row} --count {count}", quoted(key)));
        }
    }
    words.extend(part.was.map(|hash| format!("--was {hash}")));
    words.extend(part.rows.map(|hash| format!("--rows {hash}")));
    words.extend(late);
    let value = part.value.as_ref().map_or_else(|| "null".to_owned(), Value::to_string);
    words.push(quoted(&value));
    words.join(" ")
}

/// A word as a line of a file of edits has it: in single quotes where it must be, since double ones would have a
/// backslash before each quote of a document, and with its dollars doubled.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/:=+,@%".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('$', "$$").replace('\'', "'\\''")),
    }
}
