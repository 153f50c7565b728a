//! From the words of a document to the rows of its sections.

use serde_json::{Map, Value};

use super::by_row::{self, DEPENDS, depends_of_rows};
use super::document::{Document, parts};
use super::paths::{Outer, PathRow, object_paths, outer_by_name};
use super::read::{BODY, Reading};
use super::read_body::check_stored;
use super::rows::{UsualRow, depends_apart};
use super::summary;
use super::texts::PackageTexts;
use crate::archive::JsonTexts;
use crate::error::{Error, Result};
use crate::package::{Package, Section};
use crate::primitive::{Name, PackageIndex};
use crate::table::{SECTIONS, next_row};

impl Package {
    /// The value that an archive reads a section from: the words of the document taken apart.
    pub(super) fn section_value(
        &mut self,
        section: Section,
        reading: &mut Reading<'_>,
    ) -> Result<Value> {
        let document = reading.document;
        let value = match section {
            Section::Exports => self.export_rows(reading)?,
            _ => document.get(section.step())?,
        };
        let value = match section {
            Section::Summary => {
                let stored = reading.stored.get("summary").unwrap_or(&Value::Null);
                let (value, count) = summary::with_stored(value, stored)?;
                reading.count = count;
                value
            }
            Section::Names => self.names_apart(value, reading.usual_flags),
            Section::Imports => self.import_rows(value, reading)?,
            Section::Depends if by_row::are_depends_by_row(document)? => {
                depends_of_rows(std::mem::take(&mut reading.by_row.depends))
            }
            Section::AssetDependencies => self.dependencies_apart(value, &reading.by_row.used)?,
            Section::Depends => {
                let were = reading.count.exports.and_then(|count| usize::try_from(count).ok());
                depends_apart(value, were, self.export_count())
            }
            _ => value,
        };
        self.expect_rows(section, &value)?;
        Ok(value)
    }

    /// Lets the summary say how many rows a list has.
    fn expect_rows(&mut self, section: Section, value: &Value) -> Result<()> {
        let Some(rows) = value.as_array() else { return Ok(()) };
        let entry = SECTIONS.iter().find(|entry| entry.section == section);
        // Rows that take no bytes are only counted (spec: ue1-3/02 §2.2).
        let is_counted = section != Section::Heritage || !rows.is_empty();
        if let Some(count) = entry.and_then(|entry| entry.count).filter(|_| is_counted) {
            *count(&mut self.tables.summary) = next_row(rows.len())?;
        }
        Ok(())
    }

    /// The rows of the imports as the archive has them.
    fn import_rows(&self, value: Value, reading: &mut Reading<'_>) -> Result<Value> {
        let Value::Array(rows) = value else { return Ok(value) };
        let usual = UsualRow::of_imports(&self.versions, &reading.context)?;
        let has_used = by_row::are_used_by_row(reading.document)?;
        let used = &mut reading.by_row.used;
        let whole = rows.into_iter().enumerate().map(|(at, row)| match row {
            Value::Object(mut row) => {
                if has_used {
                    let located = |error: Error| error.at_index(at).in_field("imports");
                    used.push(by_row::take_used(&mut row).map_err(located)?);
                }
                Ok(usual.with(row, None, &mut 0))
            }
            row => Ok(row),
        });
        whole.collect()
    }

    /// The rows of the exports as the archive has them.
    fn export_rows(&self, reading: &mut Reading<'_>) -> Result<Value> {
        let usual = UsualRow::of_exports(&self.versions, &reading.context)?;
        let has_depends = by_row::are_depends_by_row(reading.document)?;
        let (mut rows, mut end) = (Vec::with_capacity(reading.document.exports.len()), 0);
        for (at, entry) in reading.document.exports.iter().enumerate() {
            let located = |error: Error| error.at_index(at).in_field("exports");
            let mut row = Map::new();
            let (mut stored, mut depends) = (None, Value::Array(Vec::new()));
            for (key, value) in parts(entry).map_err(located)? {
                match key.as_str() {
                    "stored" => {
                        let value = reading.document.read(value)?;
                        check_stored(&value).map_err(located)?;
                        stored = Some(value);
                    }
                    key if BODY.contains(&key) => {}
                    DEPENDS if has_depends => depends = reading.document.read(value)?,
                    _ => drop(row.insert(key, reading.document.read(value)?)),
                }
            }
            reading.by_row.depends.push(depends);
            let stored = stored.as_ref().and_then(Value::as_object);
            rows.push(usual.with(row, stored, &mut end));
        }
        Ok(Value::Array(rows))
    }

    /// The paths of all objects of a document.
    pub(super) fn paths_of(
        &self,
        document: &Document<'_>,
        names: &[String],
    ) -> Result<Vec<(i32, String)>> {
        let texts = PackageTexts::new(names.iter().cloned(), [], &self.versions);
        let name = |row: &Map<String, Value>, key: &str| {
            let name = row.get(key)?;
            self.name_in_document(name, &texts)
        };
        let outer = |row: &Map<String, Value>| match row.get("outer_index") {
            None => match row.get("outer_name") {
                Some(_) => outer_by_name(name(row, "outer_name")),
                None => Outer::Top,
            },
            Some(Value::String(path)) => Outer::Path(path.clone()),
            Some(value) => match value.as_i64().map(i32::try_from) {
                Some(Ok(0)) => Outer::Top,
                Some(Ok(index)) => Outer::Index(index),
                _ => Outer::Unknown,
            },
        };
        let path_row = |index: PackageIndex, row: &Map<String, Value>| PathRow {
            index: index.value(),
            name: name(row, "object_name"),
            outer: outer(row),
        };
        let mut rows = Vec::new();
        for (at, entry) in document.exports.iter().enumerate() {
            let mut row = Map::new();
            for (key, value) in parts(entry)? {
                if ["object_name", "outer_index"].contains(&key.as_str()) {
                    row.insert(key, document.read(value)?);
                }
            }
            rows.push(path_row(PackageIndex::export(at), &row));
        }
        if let Value::Array(imports) = document.get(Section::Imports.step())? {
            let imports = imports.iter().enumerate();
            let imports = imports.filter_map(|(at, row)| Some((at, row.as_object()?)));
            rows.extend(imports.map(|(at, row)| path_row(PackageIndex::import(at), row)));
        }
        Ok(object_paths(&rows))
    }

    /// The text of a name that stands in a document.
    fn name_in_document(&self, name: &Value, texts: &PackageTexts) -> Option<String> {
        let row_of = |value: &Value| match value {
            Value::String(text) => texts.row(&Name::SPACE, text),
            value => i32::try_from(value.as_i64()?).ok(),
        };
        let (row, number) = match name {
            Value::String(text) => return Some(text.clone()),
            Value::Object(map) => {
                let number = map.get("$number").map_or(Some(0), Value::as_i64)?;
                (row_of(map.get("$row")?)?, i32::try_from(number).ok()?)
            }
            value => (row_of(value)?, 0),
        };
        let is_there = usize::try_from(row).is_ok_and(|row| row < self.tables.names.len());
        is_there.then(|| self.name_text(Name { number, ..Name::new(row) }))
    }
}
