//! The package that a document of UAssetAPI was made from: what the document states in ways that are not read stands
//! there.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value;

use super::ask::{list, small, text};
use crate::archive::JsonLoader;
use crate::error::Result;
use crate::package::Package;

/// Objects lie in one another this deep.
const DEEPEST: usize = 64;

/// The original with its own document.
pub(super) struct Original {
    rows: HashMap<String, usize>,
    document: Value,
    taken: RefCell<Vec<String>>,
}

impl Original {
    pub fn of(package: &Package) -> Result<Self> {
        let mut text = Vec::new();
        package.to_json(&mut text, false)?;
        let document = JsonLoader::parse(&text)?;
        let rows = package.exports().iter().map(|export| (export.path(), export.row())).collect();
        Ok(Self { rows, document, taken: RefCell::default() })
    }

    /// Puts the body of an object of this path into the words of an export; whether there is one.
    pub fn put(&self, path: &str, words: &mut Value) -> bool {
        let Some(&row) = self.rows.get(path) else { return false };
        let entry = &self.document["exports"][row];
        let body = ["value", "$opaque"].into_iter().find(|key| !entry[*key].is_null());
        let Some(key) = body else { return false };
        words[key] = entry[key].clone();
        self.taken.borrow_mut().push(path.to_owned());
        true
    }

    /// The paths of what was taken.
    pub fn taken(self) -> Vec<String> {
        self.taken.into_inner()
    }
}

/// The path of an export of a document.
pub(super) fn path(document: &Value, row: usize) -> Option<String> {
    let exports = list(document, "Exports").ok()?;
    let mut export = exports.get(row)?;
    let mut path = text(export, "ObjectName").ok()??.to_owned();
    for _ in 0..DEEPEST {
        let outer = small(export, "OuterIndex").ok()?;
        if outer <= 0 {
            return (outer == 0).then_some(path);
        }
        export = exports.get(usize::try_from(outer - 1).ok()?)?;
        path = format!("{}.{path}", text(export, "ObjectName").ok()??);
    }
    None
}
