//! What commands print with `--json`, against `docs/output.schema.json`: every line that a test has made them print.

#![allow(dead_code, reason = "the examples need a part of it")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

/// The schema, whole.
static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../docs/output.schema.json")).unwrap()
});

/// The kinds of lines of a command.
type Kinds = Arc<Vec<Validator>>;

/// The kinds of lines of the commands that were asked for.
static KINDS: Mutex<BTreeMap<String, Kinds>> = Mutex::new(BTreeMap::new());

/// The names of the commands that the schema describes.
pub fn commands() -> impl Iterator<Item = &'static str> {
    let names = SCHEMA["$defs"].as_object().unwrap().keys().map(String::as_str);
    names.filter(|name| !name.starts_with("part."))
}

fn kinds_of(command: &str) -> Option<Kinds> {
    let mut all = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
    if !all.contains_key(command) {
        let lines = SCHEMA["$defs"].get(command)?["anyOf"].as_array().unwrap();
        let config = json!({ "$ref": "#/$defs/part.config-used" });
        let of = |line: &Value| {
            let schema = json!({ "$defs": SCHEMA["$defs"], "allOf": [line] });
            jsonschema::validator_for(&schema).unwrap()
        };
        all.insert(command.to_owned(), Arc::new(lines.iter().chain([&config]).map(of).collect()));
    }
    all.get(command).cloned()
}

/// What is wrong with a line of a command.
fn fault_of(command: &str, line: &str) -> Option<String> {
    let Some(kinds) = kinds_of(command) else {
        return Some(format!("docs/output.schema.json does not know `upk {command}`"));
    };
    let value: Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(error) => return Some(format!("no JSON: {error}: {line}")),
    };
    if kinds.iter().any(|kind| kind.is_valid(&value)) {
        return None;
    }
    let faults = kinds.iter().map(|kind| {
        let errors = kind.iter_errors(&value);
        errors.map(|error| format!("{} at {}", error, error.instance_path())).collect::<Vec<_>>()
    });
    let nearest = faults.min_by_key(Vec::len)?;
    Some(format!("docs/output.schema.json: `upk {command}`: {}: {line}", nearest.join("; ")))
}

/// What is wrong with what `upk` has printed when it was called with these words.
pub fn fault<S: AsRef<OsStr>>(words: &[S], out: &str, err: &str) -> Option<String> {
    let words: Vec<String> =
        words.iter().map(|word| word.as_ref().to_string_lossy().into_owned()).collect();
    let has = |options: &[&str]| words.iter().any(|word| options.contains(&word.as_str()));
    if !has(&["--json"]) || has(&["-h", "--help", "help", "-V", "--version"]) {
        return None;
    }
    let command = words.iter().find(|word| !word.starts_with('-'))?;
    // No command, with what clap says of it.
    if kinds_of(command).is_none() && out.is_empty() {
        return None;
    }
    // Where standard output is the file that is written, lines are said elsewhere.
    let is_file = words.windows(2).any(|pair| {
        ["-o", "--output", "--svg", "--t3d", "--glb", "--csv", "--html", "--markdown"]
            .contains(&&*pair[0])
            && pair[1] == "-"
    });
    // Warnings are for people, whoever reads the rest.
    let loud = err.lines().find(|line| line.starts_with("upk:") || line.contains("panicked"));
    if let Some(line) = loud {
        return Some(format!("no JSON on standard error: {line}"));
    }
    let said = out.lines().filter(|_| !is_file);
    let errors = err.lines().filter(|line| line.starts_with('{'));
    said.chain(errors).find_map(|line| fault_of(command, line))
}
