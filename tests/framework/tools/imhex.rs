//! What ImHex's own runtime of patterns reads by a pattern, beside an explanation of the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use farchive::Explained;
use farchive::archive::{Record, RecordValue};
use serde_json::{Map, Value};

fn program() -> Option<PathBuf> {
    std::env::var_os("FARCHIVE_PLCLI").map(PathBuf::from).filter(|it| it.is_file())
}

/// The command of the pattern language, `plcli`, which is built from its source.
pub fn command() -> Result<(), String> {
    program()
        .map(drop)
        .ok_or("FARCHIVE_PLCLI names no plcli of ImHex's pattern language".to_owned())
}

/// What the runtime reads by a pattern; files of this name are written for it.
fn read_by_the_runtime(name: &str, pattern: &str, bytes: &[u8]) -> Value {
    let name = name.replace(|it: char| !it.is_alphanumeric(), "_");
    let file = |end: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{end}"));
    let (text, data, read) = (file("hexpat"), file("hexbin"), file("hexjson"));
    std::fs::write(&text, pattern).expect("the pattern is written");
    std::fs::write(&data, bytes).expect("the bytes are written");
    let _ = std::fs::remove_file(&read); // The program replaces no file.
    let mut command = Command::new(program().expect("it is there"));
    command.args(["format", "-f", "json", "-m", "-i"]).arg(&data).arg("-p").arg(&text);
    let output = command.arg("-o").arg(&read).output().expect("the runtime runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && read.is_file(), "{said}\n{pattern}");
    let json = std::fs::read_to_string(&read).expect("it is read");
    let whole: Value = serde_json::from_str(&json).unwrap_or_else(|why| panic!("{why}: {json}"));
    whole["value"].clone()
}

/// Both see values at the same places, up to the last byte, and the same values.
#[track_caller]
pub fn reads_the_same(name: &str, pattern: &str, explained: &Explained, bytes: &[u8]) {
    assert!(explained.error().is_none(), "{explained}");
    assert!(!pattern.contains("not described"), "{pattern}");
    let value = read_by_the_runtime(name, pattern, bytes);
    let records = explained.records().iter().filter(|it| it.start < it.end);
    let records: BTreeMap<u64, &Record> = records.map(|it| (it.start, it)).collect();
    let mut reader = Reader { unread: records, at: 0, explained };
    reader.value("", &value);
    assert!(reader.unread.is_empty(), "not read: {:?}\n{explained}", reader.unread);
}

struct Reader<'a> {
    /// By their places.
    unread: BTreeMap<u64, &'a Record>,
    /// Where the next value stands.
    at: u64,
    explained: &'a Explained,
}

impl Reader<'_> {
    /// Goes through what the runtime has read, a value after the other. Only what has parts says where it stands.
    #[track_caller]
    fn value(&mut self, name: &str, value: &Value) {
        match value {
            Value::Object(fields) if fields.contains_key("__address") => {
                let (start, size) = (place(&fields["__address"]), place(&fields["__size"]));
                // What an offset leads to stands elsewhere, and after it comes what follows the offset.
                let behind = self.at;
                let is_elsewhere = start != behind;
                assert!(
                    !is_elsewhere || start > behind,
                    "{name} begins at {start}, not {behind}: {value}"
                );
                self.at = start;
                self.parts(name, value, fields, start + size);
                if is_elsewhere {
                    self.at = behind;
                }
            }
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| self.value(name, value))
            }
            Value::Array(items) => {
                // Bytes that are one record for us.
                let record = self.unread.get(&self.at).filter(|it| {
                    matches!(it.value, RecordValue::Bytes(_) | RecordValue::Span(_))
                        && it.end - it.start == items.len() as u64
                });
                match record {
                    Some(_) => _ = self.record(name, value),
                    None => items.iter().for_each(|item| self.value(name, item)),
                }
            }
            // A text without characters has no bytes.
            Value::String(text) if text.is_empty() => {}
            leaf => {
                let record = self.record(name, value);
                assert!(is_same(record, leaf), "{name}: {record:?} is not {leaf}");
            }
        }
    }

    fn parts(&mut self, name: &str, value: &Value, fields: &Map<String, Value>, end: u64) {
        // A value that is one record for us, unless it leads to something elsewhere.
        let is_within = |it: &Value| it.get("__address").is_none_or(|it| place(it) < end);
        let is_one = self.unread.get(&self.at).is_some_and(|it| it.end == end);
        if is_one && fields.values().all(is_within) {
            let record = self.record(name, value);
            if let Some(Value::String(text)) = fields.get("characters").or(fields.get("text")) {
                assert_eq!(text.trim_end_matches('\0'), record.meaning, "{name}");
            }
            return;
        }
        for (name, value) in fields.iter().filter(|(name, _)| !name.starts_with("__")) {
            self.value(name, value);
        }
        // The zero behind a text, which the runtime has among the characters.
        while self.unread.get(&self.at).is_some_and(|it| it.path.ends_with(".terminator")) {
            self.record(name, value);
        }
        // What an offset leads to may begin where this ends.
        assert!(self.at >= end, "{name} ends before {end}: {value}\n{}", self.explained);
        self.at = end;
    }

    /// The record at the place, which is read then.
    #[track_caller]
    fn record(&mut self, name: &str, value: &Value) -> &Record {
        let missing = || panic!("no record for {name} at {}: {value}\n{}", self.at, self.explained);
        let record = self.unread.remove(&self.at).unwrap_or_else(missing);
        self.at = record.end;
        record
    }
}

/// A number of bytes, as the runtime prints it.
fn place(value: &Value) -> u64 {
    value.as_str().and_then(|it| it.parse().ok()).expect("a number")
}

fn swapped(text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().map(u16::swap_bytes).collect();
    String::from_utf16_lossy(&units)
}

fn is_same(record: &Record, leaf: &Value) -> bool {
    match (leaf, &record.value) {
        // `ThingKind::Coin`, as the runtime prints variants.
        (Value::String(text), _) => {
            text.trim_end_matches('\0') == record.meaning
                // Wide characters are printed in the order of the machine, whatever that of the file is.
                || swapped(text).trim_end_matches('\0') == record.meaning
                || text.ends_with("::???") // A number that no variant has.
                || text.rsplit("::").next().is_some_and(|it| record.meaning.starts_with(it))
        }
        (Value::Number(number), RecordValue::Integer(value)) => {
            number.as_f64() == Some(*value as f64)
        }
        // A format may store another number than that of the row, which its meaning says.
        (Value::Number(number), RecordValue::Reference { row, .. }) => {
            number.as_i64() == Some(i64::from(*row))
                || record.meaning.rsplit(' ').next() == Some(number.to_string().as_str())
        }
        (Value::Number(number), RecordValue::Float(value)) => {
            // The runtime prints them with six digits.
            number.as_f64().is_some_and(|it| (it - value).abs() <= value.abs() * 1e-5)
        }
        // A number of three bytes, or one byte.
        (Value::Number(number), RecordValue::Bytes(_)) => number.to_string() == record.meaning,
        _ => false,
    }
}
