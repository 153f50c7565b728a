//! From a package to its JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::by_row::{DEPENDS, USED, put_dependencies};
use super::code::CodeWords;
use super::enums::{ENUMS, WrittenEnums};
use super::form::{FORM, fingerprint};
use super::naming::DocumentNames;
use super::output::Output;
use super::properties::{Enums, PropertyWords};
use super::read_body::{OPAQUE_REST, last_fields};
use super::rows::{self, UsualRow};
use super::summary;
use super::texts::{PackageTexts, WrittenTexts};
use crate::archive::{Archive, Archived, Span};
use crate::error::Result;
use crate::object::Native;
use crate::package::checksum::saved_hash_is_right;
use crate::package::decode::Decoded;
use crate::package::save::SaveOptions;
use crate::package::{ByteEnums, Package, Section, SectionPlace};
use crate::primitive::NameFlags;
use crate::property::TagPlace;
use crate::version::{UnrealVersions, Versions};

impl Package {
    /// Writes the package as JSON that hands can edit: a key for each section, the objects with their values
    /// in `exports`, references as paths, properties with name, type and value; no count, size or place. What
    /// no key says stands in `stored`: with it [`Package::from_json`] saves the same bytes as this package
    /// does, without it the canonical form.
    ///
    /// Layout of a value: a field is a key, a stored value a leaf (`$` keys stand for what JSON lacks).
    /// Written section by section: memory is bounded by the largest object.
    ///
    /// # Errors
    /// `Io`; `Invalid` where bodies overlap so much that together they are more than eight times as large as the
    /// package; what can't be saved, if the package was changed.
    pub fn to_json(&self, out: &mut dyn Write, pretty: bool) -> Result<()> {
        self.write_document(out, pretty, &WrittenEnums::new(None))
    }

    /// The document with the values of enums by name, as far as these are known: bytes of UE1 to UE3 are numbers without.
    /// The document has the names that it uses, so that reading needs nothing beside it.
    ///
    /// # Errors
    /// As [`Package::to_json`].
    pub fn to_json_with(
        &self,
        out: &mut dyn Write,
        pretty: bool,
        enums: &dyn ByteEnums,
    ) -> Result<()> {
        self.write_document(out, pretty, &WrittenEnums::new(Some(enums)))
    }

    fn write_document(
        &self,
        out: &mut dyn Write,
        pretty: bool,
        enums: &WrittenEnums<'_>,
    ) -> Result<()> {
        // What can't move as bytes can when it is decoded.
        let saved = self.save(&SaveOptions::new()).or_else(|_| {
            let mut copy = self.clone();
            copy.decode_all();
            SaveOptions::new().save(&mut copy)
        })?;
        let hash = blake3::hash(&saved.bytes);
        let mut copy = match saved.image.as_deref().unwrap_or(&saved.bytes) == self.source {
            true => self.clone(),
            false => Self { split: saved.split, ..self.reopened(saved.bytes)? },
        };
        copy.exports().refuse_shared_bodies()?;
        copy.known = Arc::default();
        copy.bodies.decoded = Default::default();
        copy.write_json(&mut Output::new(out, pretty), enums, hash)
    }

    fn write_json(
        &mut self,
        out: &mut Output<'_>,
        enums: &WrittenEnums<'_>,
        saved: blake3::Hash,
    ) -> Result<()> {
        out.value("farchive", &json!(FORM))?;
        out.value("game", &json!(self.versions.game().slug()))?;
        let mut stored = Map::new();
        let mut store = |key: &str, value: Value| drop(stored.insert(key.to_owned(), value));
        if self.versions.byte_order.is_big() {
            out.value("big_endian", &json!(true))?;
        }
        if self.versions.has_object_versions() {
            if let Some(release) = self.versions.release() {
                out.value("engine", &json!(release.to_string()))?;
            }
            if let Some(mappings) = self.mappings.as_deref()
                && self.versions.unversioned_properties()
            {
                out.value("mappings", &json!(fingerprint(mappings)?))?;
            }
            if let Some(split) = self.split {
                store("split", json!(split));
            }
        }
        store("length", json!(self.source.len()));
        if self.container.is_some() {
            // The blocks of which nothing is changed are stored again as they are.
            store("file", json!(STANDARD.encode(self.file())));
            if let Some(more) = self.zen_more().filter(|more| *more != 0) {
                store("cooked_header_more", json!(more));
            }
        }
        let (context, texts) = (self.context(), self.texts());
        let words = WrittenTexts { context: &context, texts: &texts };
        // The summary is read before the tables that texts are of: references are numbers there.
        let no_texts = PackageTexts::default();
        let numbers = WrittenTexts { context: &context, texts: &no_texts };
        let mut places = Vec::new();
        for place in self.places.clone() {
            let SectionPlace { section, start, size } = place;
            if let Section::ThumbnailImage(_) = section {
                continue;
            }
            places.push(json!([section.step(), start, size]));
            match section {
                Section::Names => {
                    let flags = self.write_names(out, &context)?;
                    if flags.0 != NameFlags::ordinary(&self.versions) {
                        store("name_flags", json!(flags.0.0));
                    }
                }
                Section::Imports => self.write_imports(out, words)?,
                Section::Exports => {
                    let has_opaque = self.write_exports(out, words, enums)?;
                    if has_opaque || self.says_rows(&texts) {
                        store("rows", self.rows_in_document());
                    }
                }
                _ => {
                    let mut saver = match section {
                        Section::Summary => numbers.saver(&self.versions, start),
                        _ => words.saver(&self.versions, start),
                    };
                    self.serialize_rows(section, &mut saver)?;
                    let mut value = saver.into_value();
                    match section {
                        Section::Summary => {
                            let counts = (self.tables.names.len(), self.export_count());
                            let is_right = saved_hash_is_right(self) == Some(true);
                            store("summary", summary::put(&mut value, counts, is_right));
                        }
                        // It stands at the exports.
                        Section::Depends if self.has_depends_by_row() => value = json!({}),
                        Section::Depends => rows::depends_in_words(&mut value),
                        Section::AssetDependencies if self.used_by_row().is_some() => {
                            put_dependencies(&mut value);
                        }
                        _ => {}
                    }
                    out.value(section.step(), &value)?;
                }
            }
        }
        self.write_images(out, words)?;
        if let Some(table) = enums.table() {
            out.value(ENUMS, &table)?;
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
        out.seal(saved)?;
        out.close()
    }

    fn write_imports(&mut self, out: &mut Output<'_>, words: WrittenTexts<'_>) -> Result<()> {
        let usual = UsualRow::of_imports(&self.versions, words.context)?;
        let used = self.used_by_row().unwrap_or_default();
        out.begin(Section::Imports.step())?;
        for (row, mut import) in self.tables.imports.clone().into_iter().enumerate() {
            let mut saver = words.saver(&self.versions, 0);
            import.serialize(&mut saver as &mut dyn Archive)?;
            let (mut entry, _) = usual.without(saver.into_value());
            if used.get(row) == Some(false) {
                entry[USED] = json!(false);
            }
            out.item(&entry)?;
        }
        out.end()
    }

    /// Exports with their bodies; whether any of these is not decoded to its last byte.
    fn write_exports(
        &mut self,
        out: &mut Output<'_>,
        words: WrittenTexts<'_>,
        enums: &WrittenEnums<'_>,
    ) -> Result<bool> {
        let WrittenTexts { context, texts } = words;
        let usual = UsualRow::of_exports(&self.versions, context)?;
        let versions = self.versions.of_bodies();
        let place = TagPlace { versions: &versions, context, texts };
        let entered = self.known_code_places();
        let properties = PropertyWords::new(place, Enums::Written(enums));
        let mut bodies = BodyWriter { versions: &versions, words, entered, properties };
        let mut end = 0;
        let has_depends = self.has_depends_by_row();
        let mut has_opaque = false;
        out.begin(Section::Exports.step())?;
        self.decode_each(
            |_| true,
            |row, decoded| {
                let mut saver = words.saver(&self.versions, 0);
                self.tables.exports[row].clone().serialize(&mut saver as &mut dyn Archive)?;
                let (mut entry, stored) = usual.without(saver.into_value());
                if has_depends && let Some(depends) = self.depends_in_words(row, words)? {
                    entry[DEPENDS] = depends;
                }
                let mut object = ObjectEntry { entry, stored };
                let decoded = decoded.map(Arc::unwrap_or_clone);
                has_opaque |= match &decoded {
                    Some(decoded) => decoded.opaque > 0,
                    None => self.body_range(row).1 > 0,
                };
                bodies.put(self, row, decoded, &mut object)?;
                let ObjectEntry { mut entry, mut stored } = object;
                let must_stay = entry.get("$opaque").is_some() || stored.contains_key("pinned");
                rows::follow(&mut stored, must_stay, &mut end);
                if !stored.is_empty() {
                    entry["stored"] = Value::Object(stored);
                }
                out.item(&entry)
            },
        )?;
        out.end()?;
        Ok(has_opaque)
    }

    fn write_images(&mut self, out: &mut Output<'_>, words: WrittenTexts<'_>) -> Result<()> {
        let images = self.places.clone().into_iter();
        let images = images.filter(|place| matches!(place.section, Section::ThumbnailImage(_)));
        let mut images = images.peekable();
        if images.peek().is_none() {
            return Ok(());
        }
        out.begin("thumbnail_images")?;
        for SectionPlace { section, start, size } in images {
            let mut saver = words.saver(&self.versions, start);
            self.serialize_rows(section, &mut saver)?;
            out.item(&json!({ "start": start, "size": size, "value": saver.into_value() }))?;
        }
        out.end()
    }
}

/// The entry of an export: the keys that people edit, and those of `stored`.
struct ObjectEntry {
    entry: Value,
    stored: Map<String, Value>,
}

/// Puts the bodies of exports into their entries.
struct BodyWriter<'a> {
    versions: &'a Versions,
    words: WrittenTexts<'a>,
    /// Places in the code of exports that other objects hold.
    entered: BTreeMap<usize, BTreeSet<u64>>,
    properties: PropertyWords<'a>,
}

impl BodyWriter<'_> {
    /// Puts the body of an export into its entry, and the facts that loading it needs.
    fn put(
        &mut self,
        package: &Package,
        row: usize,
        decoded: Option<Decoded>,
        object: &mut ObjectEntry,
    ) -> Result<()> {
        let ObjectEntry { entry, stored } = object;
        let (versions, WrittenTexts { context, texts }) = (self.versions, self.words);
        let (start, size) = package.body_range(row);
        let Some(mut decoded) = decoded.filter(|decoded| !decoded.body.is_opaque()) else {
            let span = package.body_span(row);
            entry["$opaque"] = json!(STANDARD.encode(span.bytes(&package.source)?));
            return Ok(());
        };
        if decoded.body.is_partial() {
            // A list that ends in its middle can't be told apart from one that does not.
            let (bytes, _) = package.written(&mut decoded.body, start, context.clone())?;
            entry["$opaque"] = json!(STANDARD.encode(bytes));
            return Ok(());
        }
        let mut store = |key: &str, value: Value| drop(stored.insert(key.to_owned(), value));
        if let Some(prologue) = &decoded.body.prologue {
            store("properties_range", json!(prologue.range()));
        }
        let is_opaque = matches!(decoded.body.native, Native::Opaque(_));
        let place = SectionPlace { section: Section::Body(row as u32), start, size };
        let must_stay = package.may_move(row, place, &SaveOptions::new(), false).is_none()
            || package.counts_from_bulk_data(row, place, false);
        if decoded.opaque > 0 && must_stay {
            store("pinned", json!(true));
        }
        let mut saver = self.words.saver(versions, start);
        let saved = decoded.body.serialize(&mut saver as &mut dyn Archive);
        saved.map_err(|error| error.at_index(row).in_field("exports"))?;
        let mut value = saver.into_value();
        if let Some(map) = last_fields(&mut value).filter(|_| is_opaque) {
            // It says so also where it is empty.
            let rest = map.remove("rest").unwrap_or_else(|| json!({ "$opaque": "" }));
            map.insert(OPAQUE_REST.to_owned(), rest);
        }
        let mut names = DocumentNames { versions, texts };
        if !self.properties.put(row, &mut value, &mut names) {
            store("plain", json!(true));
        }
        if let Some(script) = decoded.body.native.code() {
            let entered = self.entered.remove(&row).unwrap_or_default();
            CodeWords { package, versions, context, texts }.put(script, &entered, &mut value);
        }
        entry["value"] = value;
        Ok(())
    }
}
