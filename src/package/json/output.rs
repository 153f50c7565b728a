//! Writing a document without holding it in memory.

use std::io::Write;
use std::path::Path;

use serde_json::Value;

use crate::error::{Error, Result};

/// Writes the document key by key: an object whose lists are never in memory.
pub(super) struct Output<'a> {
    out: &'a mut dyn Write,
    pretty: bool,
    has_keys: bool,
    has_items: bool,
}

impl<'a> Output<'a> {
    pub fn new(out: &'a mut dyn Write, pretty: bool) -> Self {
        Self { out, pretty, has_keys: false, has_items: false }
    }

    fn put(&mut self, text: &str) -> Result<()> {
        let failed = |error| Error::io(Path::new("JSON"), error);
        self.out.write_all(text.as_bytes()).map_err(failed)
    }

    fn put_value(&mut self, value: &Value) -> Result<()> {
        let text = match self.pretty {
            true => serde_json::to_string_pretty(value),
            false => serde_json::to_string(value),
        };
        let text =
            text.map_err(|error| Error::invalid(format!("it can't be written as JSON: {error}")))?;
        self.put(&text)
    }

    fn key(&mut self, key: &str) -> Result<()> {
        let before = if std::mem::replace(&mut self.has_keys, true) { ",\n" } else { "{" };
        self.put(&format!("{before}\"{key}\":"))
    }

    /// A key with its value.
    pub fn value(&mut self, key: &str, value: &Value) -> Result<()> {
        self.key(key)?;
        self.put_value(value)
    }

    /// A key whose list follows.
    pub fn begin(&mut self, key: &str) -> Result<()> {
        self.key(key)?;
        self.has_items = false;
        self.put("[")
    }

    /// An entry of the list.
    pub fn item(&mut self, value: &Value) -> Result<()> {
        let before = if std::mem::replace(&mut self.has_items, true) { ",\n" } else { "\n" };
        self.put(before)?;
        self.put_value(value)
    }

    /// The end of the list.
    pub fn end(&mut self) -> Result<()> {
        self.put("]")
    }

    /// The end of the document.
    pub fn close(&mut self) -> Result<()> {
        self.put(if self.has_keys { "}\n" } else { "{}\n" })
    }
}
