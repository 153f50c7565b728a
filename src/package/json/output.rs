//! Writing a document without holding it in memory.

use std::io::Write;
use std::path::Path;

use serde_json::Value;

use crate::error::{Error, Result};

/// Writes the document piece by piece: an object whose lists are never in memory.
pub(super) struct Output<'a> {
    pub out: &'a mut dyn Write,
    pub pretty: bool,
    pub list: Option<&'static str>,
    /// Whether the list of rows that is open has any.
    pub has_rows: bool,
}

impl Output<'_> {
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

    pub fn open(&mut self, head: &[(&str, Value)]) -> Result<()> {
        self.put("{")?;
        for (at, (key, value)) in head.iter().enumerate() {
            self.put(&format!("{}\"{key}\": ", if at > 0 { ", " } else { "" }))?;
            self.put_value(value)?;
        }
        Ok(())
    }

    pub fn item(&mut self, list: &'static str, value: &Value) -> Result<()> {
        self.begin(list)?;
        self.put_value(value)
    }

    /// An object of a list with these keys, and with rows that follow.
    pub fn open_rows(&mut self, list: &'static str, keys: &Value) -> Result<()> {
        self.begin(list)?;
        let text = keys.to_string();
        self.has_rows = false;
        self.put(text.strip_suffix('}').unwrap_or(&text))?;
        self.put(",\"value\":[")
    }

    pub fn row(&mut self, row: &Value) -> Result<()> {
        if std::mem::replace(&mut self.has_rows, true) {
            self.put(",")?;
        }
        self.put("\n")?;
        self.put_value(row)
    }

    pub fn close_rows(&mut self) -> Result<()> {
        self.put("]}")
    }

    fn begin(&mut self, list: &'static str) -> Result<()> {
        if self.list == Some(list) {
            self.put(",\n")?;
        } else {
            let end = if self.list.is_some() { "]" } else { "" };
            self.put(&format!("{end},\n\"{list}\": [\n"))?;
            self.list = Some(list);
        }
        Ok(())
    }

    pub fn close(&mut self) -> Result<()> {
        self.put(if self.list.is_some() { "]}\n" } else { "}\n" })
    }
}
