//! Writing a document without holding it in memory.

use std::io::Write;
use std::mem::take;
use std::path::Path;

use serde_json::Value;

use super::seal::Seal;
use crate::error::{Error, Result};

/// Bytes that are hashed and written at once: small pieces cost several times as much.
const PIECE: usize = 0x1_0000;

/// Writes the document key by key: an object whose lists are never in memory.
pub(super) struct Output<'a> {
    out: &'a mut dyn Write,
    pretty: bool,
    has_keys: bool,
    has_items: bool,
    /// Text that is not hashed and written yet.
    pending: Vec<u8>,
    hasher: blake3::Hasher,
}

impl<'a> Output<'a> {
    pub fn new(out: &'a mut dyn Write, pretty: bool) -> Self {
        let (has_keys, has_items) = (false, false);
        let (pending, hasher) = (Vec::new(), blake3::Hasher::new());
        Self { out, pretty, has_keys, has_items, pending, hasher }
    }

    fn put(&mut self, text: &str) -> Result<()> {
        self.pending.extend_from_slice(text.as_bytes());
        if self.pending.len() >= PIECE { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<()> {
        let mut pending = take(&mut self.pending);
        self.hasher.update(&pending);
        let failed = |error| Error::io(Path::new("JSON"), error);
        self.out.write_all(&pending).map_err(failed)?;
        pending.clear();
        self.pending = pending;
        Ok(())
    }

    /// The last key: what shows whether the document was edited, and whether its package comes back.
    pub fn seal(&mut self, package: blake3::Hash) -> Result<()> {
        self.write()?;
        let seal = Seal { document: self.hasher.finalize(), package };
        self.value(Seal::KEY, &seal.to_json())
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
        self.put(if self.has_keys { "}\n" } else { "{}\n" })?;
        self.write()
    }
}
