//! From a package to its JSON.

use std::io::Write;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::form::{FORM, fingerprint};
use super::output::Output;
use super::texts::PackageTexts;
use crate::archive::{Archived, Context, JsonSaver, Span};
use crate::error::Result;
use crate::object::{Native, Prologue};
use crate::package::checksum::saved_hash_is_right;
use crate::package::decode::Decoded;
use crate::package::save::SaveOptions;
use crate::package::{Package, Section, SectionPlace};
use crate::table::NameHashes;
use crate::version::threshold::ue4;

impl Package {
    /// Writes the package as JSON: header and tables in `sections`, objects in `bodies`, in their typed
    /// form where they have one, and what nothing claims in `gaps`. [`Package::from_json`] of it saves the
    /// same bytes as this package does.
    ///
    /// Layout of a value: a field is a key, a stored value a leaf (`$` keys stand for what JSON lacks).
    /// Written section by section: memory is bounded by the largest object.
    ///
    /// # Errors
    /// `Io`; `Invalid` where bodies overlap so much that together they are more than eight times as large as the
    /// package; what can't be saved, if the package was changed.
    pub fn to_json(&self, out: &mut dyn Write, pretty: bool) -> Result<()> {
        // What can't move as bytes can when it is decoded.
        let saved = self.save(&SaveOptions::new()).or_else(|_| {
            let mut copy = self.clone();
            copy.decode_all();
            copy.save_here(&SaveOptions::new())
        })?;
        let mut copy = match saved.image.as_deref().unwrap_or(&saved.bytes) == self.source {
            true => self.clone(),
            false => Self { split: saved.split, ..self.reopened(saved.bytes)? },
        };
        copy.exports().refuse_shared_bodies()?;
        copy.known = Arc::default();
        copy.bodies.decoded = Default::default();
        copy.write_json(&mut Output { out, pretty, list: None, has_rows: false })
    }

    fn write_json(&mut self, out: &mut Output<'_>) -> Result<()> {
        out.value("farchive", &json!(FORM))?;
        out.value("game", &json!(self.versions.game.slug()))?;
        let mut stored = Map::new();
        let mut store = |key: &str, value: Value| drop(stored.insert(key.to_owned(), value));
        if self.versions.byte_order.is_big() {
            out.value("big_endian", &json!(true))?;
        }
        if self.versions.has_object_versions() {
            if let Some(release) = self.versions.release {
                out.value("engine", &json!(release.to_string()))?;
            }
            if let Some(mappings) = self.mappings.as_deref()
                && self.versions.unversioned_properties
            {
                out.value("mappings", &json!(fingerprint(mappings)?))?;
            }
            if let Some(split) = self.split {
                store("split", json!(split));
            }
            if let Some(was_right) = saved_hash_is_right(self) {
                store("hash_was_right", json!(was_right));
            }
        }
        store("length", json!(self.source.len()));
        if self.container.is_some() {
            // The blocks of which nothing is changed are stored again as they are.
            store("file", json!(STANDARD.encode(self.file())));
        }
        let (context, texts) = (self.context(), self.texts(true));
        let mut places = Vec::new();
        let mut has_images = false;
        for place in self.places.clone() {
            let SectionPlace { section, start, size } = place;
            let saver = || JsonSaver::new(self.versions.clone(), context.clone(), &texts, start);
            let mut saver = saver();
            if let Section::ThumbnailImage(_) = section {
                if !std::mem::replace(&mut has_images, true) {
                    out.begin(section.step())?;
                }
                self.serialize_rows(section, &mut saver)?;
                let value = saver.into_value();
                out.item(&json!({ "start": start, "size": size, "value": value }))?;
                continue;
            }
            if std::mem::take(&mut has_images) {
                out.end()?;
            }
            places.push(json!([section.step(), start, size]));
            match section {
                Section::Names => self.write_names(out, &context, &mut store)?,
                Section::Imports => self.write_imports(out, (&context, &texts))?,
                Section::Exports => self.write_exports(out, (&context, &texts))?,
                _ => {
                    self.serialize_rows(section, &mut saver)?;
                    let mut value = saver.into_value();
                    match section {
                        Section::Summary => {
                            let counts = (self.tables.names.len(), self.export_count());
                            store("summary", summary::put(&mut value, counts));
                        }
                        Section::Depends => depends_in_words(&mut value),
                        _ => {}
                    }
                    out.value(section.step(), &value)?;
                }
            }
        }
        if has_images {
            out.end()?;
        }
        store("places", Value::Array(places));
        let mut gaps = Vec::new();
        for gap in &self.claims().gaps {
            let bytes = Span::source(gap.start, gap.end - gap.start);
            gaps.push(json!([gap.start, STANDARD.encode(bytes.bytes(&self.source)?)]));
        }
        if !gaps.is_empty() {
            store("gaps", Value::Array(gaps));
        }
        out.value("stored", &Value::Object(stored))?;
        out.close()
    }

    /// Whether every name has the hashes of its text.
    fn name_hashes_are_right(&self) -> bool {
        self.versions.ue4 >= ue4::NAME_HASHES_SERIALIZED
            && (self.tables.names.iter().zip(self.names().iter()))
                .all(|(name, text)| name.hashes() == NameHashes::of(&text))
    }
}

/// Whether a section is a list of rows and nothing else.
fn is_list(section: Section) -> bool {
    matches!(section, Section::Names | Section::Imports | Section::Exports)
}
