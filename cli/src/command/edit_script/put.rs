//! `put`: a line of a file of edits that says a part of the package's document.

use clap::Parser;
use serde_json::Value;
use unreal_packages::edit::{DocumentPart, PartHash, PartPlace};

/// Characters of an error that are shown.
const SHOWN: usize = 200;

/// `put OBJECT VALUE`, `put --key KEY VALUE`.
#[derive(Debug, Parser)]
#[command(name = "put", no_binary_name = true, disable_help_flag = true)]
pub struct PutLine {
    /// Of a key of the document instead of an object.
    #[arg(long)]
    key: Option<String>,
    /// The hash of what stands there before.
    #[arg(long)]
    was: Option<PartHash>,
    /// The row of a new object, or the first row of a list.
    #[arg(long)]
    row: Option<usize>,
    /// How many rows of a list are replaced.
    #[arg(long, requires = "key")]
    count: Option<usize>,
    /// The hash of all rows, where bytes that are not decoded may say some.
    #[arg(long)]
    rows: Option<PartHash>,
    /// The object, or with `--key` the value.
    #[arg(allow_hyphen_values = true)]
    first: String,
    /// The value of an object.
    #[arg(allow_hyphen_values = true)]
    second: Option<String>,
}

impl PutLine {
    /// The part that the words of a line say.
    pub fn read(words: impl Iterator<Item = String>) -> Result<DocumentPart, String> {
        let next = "`upk diff OLD NEW --as-edits` writes such lines";
        let line = Self::try_parse_from(words).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            // A value may be as long as an object.
            let first: String = first.trim_start_matches("error: ").chars().take(SHOWN).collect();
            format!("{first}\n  next: {next}")
        })?;
        let wrong = |what: &str| format!("{what}\n  next: {next}");
        let (place, text) = match (line.key, line.first, line.second) {
            (Some(key), text, None) => {
                let place = match line.row {
                    Some(row) => PartPlace::Rows { key, row, count: line.count.unwrap_or(0) },
                    None => PartPlace::Key(key),
                };
                (place, text)
            }
            (None, path, Some(text)) => (PartPlace::Object { path, row: line.row }, text),
            (Some(_), ..) => return Err(wrong("'put --key' takes one value")),
            (None, ..) => return Err(wrong("'put' takes an object and its value")),
        };
        let value: Value = serde_json::from_str(&text)
            .map_err(|error| wrong(&format!("the value is no JSON: {error}")))?;
        if matches!(place, PartPlace::Rows { .. }) && !value.is_array() {
            return Err(wrong("rows of a list are a list"));
        }
        if matches!(place, PartPlace::Object { .. }) && !value.is_object() && !value.is_null() {
            return Err(wrong("the value of an object is its entry of the document, or null"));
        }
        let value = Some(value).filter(|value| !value.is_null());
        Ok(DocumentPart { place, was: line.was, value, rows: line.rows })
    }

    /// The line of a part.
    pub fn of(part: &DocumentPart) -> String {
        let mut words = vec!["put".to_owned()];
        match &part.place {
            PartPlace::Object { path, row } => {
                words.push(quoted(path));
                words.extend(row.map(|row| format!("--row {row}")));
            }
            PartPlace::Key(key) => words.push(format!("--key {}", quoted(key))),
            PartPlace::Rows { key, row, count } => {
                words.push(format!("--key {} --row {row} --count {count}", quoted(key)));
            }
        }
        words.extend(part.was.map(|hash| format!("--was {hash}")));
        words.extend(part.rows.map(|hash| format!("--rows {hash}")));
        let value = part.value.as_ref().map_or_else(|| "null".to_owned(), Value::to_string);
        words.push(quoted(&value));
        words.join(" ")
    }
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
