//! What Kaitai Struct's own compiler and runtime read by a definition, beside an explanation of the same bytes.

use std::path::{Path, PathBuf};
use std::process::Command;

use farchive::Explained;
use farchive::archive::{Record, RecordValue};
use serde_json::Value;

use crate::node_modules;

fn folder() -> Option<PathBuf> {
    node_modules::folder("FARCHIVE_KAITAI", "kaitai", "kaitai-struct-compiler")
}

/// Kaitai Struct's compiler and runtime for node.
pub fn modules() -> Result<(), String> {
    node_modules::are_there(folder(), "the modules of Kaitai Struct are")
}

/// A value as the tool has read it.
#[derive(Debug)]
struct Leaf {
    start: u64,
    end: u64,
    value: Value,
}

/// What the tool reads by a definition; files of this name are written for it.
fn read_by_the_tool(name: &str, definition: &str, bytes: &[u8]) -> Vec<Leaf> {
    let name = name.replace(|it: char| !it.is_alphanumeric(), "_");
    let write = |end: &str, content: &[u8]| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{end}"));
        std::fs::write(&file, content).expect("what the tool reads is written");
        file
    };
    let (ksy, data) = (write("ksy", definition.as_bytes()), write("bin", bytes));
    let script = write("mjs", include_bytes!("kaitai.mjs"));
    let folder = folder().expect("the modules are there");
    let output = Command::new("node").arg(script).arg(folder).args([&ksy, &data]).output();
    let output = output.expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let failed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{failed}\n{definition}");
    let leaf = |line: &str| {
        let leaf: Value = serde_json::from_str(line).expect("a line of JSON");
        let place = |name: &str| leaf[name].as_u64().expect("a place");
        Leaf { start: place("start"), end: place("end"), value: leaf["value"].clone() }
    };
    let mut leaves: Vec<Leaf> = said.lines().map(leaf).filter(|it| it.start < it.end).collect();
    leaves.sort_by_key(|leaf| leaf.start);
    leaves
}

/// Both see values at the same places, up to the last byte, and the same values.
#[track_caller]
pub fn reads_the_same(name: &str, definition: &str, explained: &Explained, bytes: &[u8]) {
    assert!(explained.error().is_none(), "{explained}");
    let leaves = read_by_the_tool(name, definition, bytes);
    let records = explained.records().iter().filter(|it| it.start < it.end);
    let mut leaves = leaves.iter().peekable();
    let mut end = 0;
    for record in records {
        if record.end <= end {
            continue; // Of a value that has no parts for the tool.
        }
        let place = (record.start, record.end);
        let leaf = leaves.next().unwrap_or_else(|| panic!("{record:?} is missing: {explained}"));
        assert_eq!(leaf.start, record.start, "{record:?}, {leaf:?}");
        end = leaf.end;
        if place == (leaf.start, leaf.end) {
            assert!(is_same(record, leaf, bytes), "{record:?} is not {leaf:?}");
            continue;
        }
        // Bytes that the tool has one after the other.
        while end < record.end {
            end = leaves.next().expect("the other bytes").end;
        }
    }
    assert_eq!(leaves.next().map(|it| it.start), None, "the tool has read more");
    assert_eq!(end, bytes.len() as u64, "all is read");
}

fn is_same(record: &Record, leaf: &Leaf, bytes: &[u8]) -> bool {
    match (&leaf.value, &record.value) {
        // Bytes without a meaning: their place was compared.
        (Value::Null, _) => true,
        (Value::String(text), _) => *text == record.meaning,
        (Value::Number(number), RecordValue::Integer(value)) => {
            number.as_f64() == Some(*value as f64)
        }
        // A format may store another number than that of the row: what is counted from 0 begins with 1 in the value.
        (Value::Number(number), RecordValue::Reference { row, .. }) => {
            number.as_i64() == Some(i64::from(*row))
                || number.as_i64().is_some_and(|it| stands_there(it, record, bytes))
        }
        (Value::Number(number), RecordValue::Float(value)) => number.as_f64() == Some(*value),
        // A number of three bytes, or one byte.
        (Value::Number(number), RecordValue::Bytes(_)) => {
            number.to_string() == record.meaning
                || number.as_u64() == bytes.get(record.start as usize).map(|it| u64::from(*it))
        }
        _ => false,
    }
}

/// Whether the bytes of a record are this number, in either order.
fn stands_there(number: i64, record: &Record, bytes: &[u8]) -> bool {
    let Some(stored) = bytes.get(record.start as usize..record.end as usize) else { return false };
    let (up, down) = (number.to_le_bytes(), number.to_be_bytes());
    (1..=8).contains(&stored.len())
        && (up.starts_with(stored) || down.ends_with(stored))
        // What is left of the number is its sign.
        && number == (number << (64 - 8 * stored.len())) >> (64 - 8 * stored.len())
}
