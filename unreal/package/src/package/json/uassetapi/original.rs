//! The package that a document of UAssetAPI was made from: what the document states in ways that are not read stands
//! there.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value;

use super::super::known_rows::has_opaque;
use super::ask::{list, small, text};
use crate::archive::JsonLoader;
use crate::error::{Result, UnrealError};
use crate::package::Package;

/// The key of bytes that are not decoded.
const OPAQUE: &str = "$opaque";

/// Objects lie in one another this deep.
const DEEPEST: usize = 64;

/// The original with its own document.
pub(super) struct Original<'a> {
    package: &'a Package,
    rows: HashMap<String, usize>,
    document: Value,
    /// Whether names, imports and exports stand in the rows where they stood.
    rows_stay: bool,
    taken: RefCell<Vec<String>>,
}

impl<'a> Original<'a> {
    pub fn of(package: &'a Package, stated: &Value) -> Result<Self> {
        let mut text = Vec::new();
        package.to_json(&mut text, false)?;
        let document = JsonLoader::parse(&text)?;
        let rows = package.exports().iter().map(|export| (export.path(), export.row())).collect();
        let mut original =
            Self { package, rows, document, rows_stay: false, taken: RefCell::default() };
        original.rows_stay = original.rows_are_those_of(stated)?;
        Ok(original)
    }

    fn rows_are_those_of(&self, stated: &Value) -> Result<bool> {
        let names = list(stated, "NameMap")?;
        let names_stay = self
            .package
            .names()
            .iter()
            .enumerate()
            .all(|(row, name)| names.get(row).and_then(Value::as_str) == Some(&*name));
        let mut imports = self.package.imports().iter().zip(0..);
        let mut exports = self.package.exports().iter().zip(1..);
        Ok(names_stay
            && imports.all(|(import, row)| path(stated, !row) == Some(import.path()))
            && exports.all(|(export, row)| path(stated, row) == Some(export.path())))
    }

    /// Puts the body of an object of this path into the words of an export; whether there is one.
    ///
    /// # Errors
    /// `Unsupported` if not all of it is decoded, and what its bytes may name stands in other rows.
    pub fn put(&self, path: &str, words: &mut Value) -> Result<bool> {
        let Some(&row) = self.rows.get(path) else { return Ok(false) };
        let entry = &self.document["exports"][row];
        let body = ["value", OPAQUE].into_iter().find(|key| !entry[*key].is_null());
        let Some(key) = body else { return Ok(false) };
        if !self.rows_stay && (key == OPAQUE || has_opaque(&entry[key])) {
            let reason = format!(
                "'{path}' comes from the original, where not all of it is decoded, and the document has other \
                 names, imports or exports before those of the original: add new ones behind them"
            );
            return Err(UnrealError::unsupported(reason).into());
        }
        words[key] = entry[key].clone();
        self.taken.borrow_mut().push(path.to_owned());
        Ok(true)
    }

    /// The paths of what was taken.
    pub fn taken(self) -> Vec<String> {
        self.taken.into_inner()
    }
}

/// The path of an object of a document: 1 is the first export, -1 the first import.
pub(super) fn path(document: &Value, index: i64) -> Option<String> {
    let tables = [list(document, "Exports").ok()?, list(document, "Imports").ok()?];
    let object = |index: i64| {
        let (table, row) = if index > 0 { (tables[0], index - 1) } else { (tables[1], !index) };
        table.get(usize::try_from(row).ok()?)
    };
    let mut entry = object(index)?;
    let mut path = text(entry, "ObjectName").ok()??.to_owned();
    for _ in 0..DEEPEST {
        let outer = small(entry, "OuterIndex").ok()?;
        if outer == 0 {
            return Some(path);
        }
        entry = object(outer.into())?;
        path = format!("{}.{path}", text(entry, "ObjectName").ok()??);
    }
    None
}
