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
        let mut head = vec![
            ("farchive", json!(FORM)),
            ("game", json!(self.versions.game.slug())),
            ("big_endian", json!(self.versions.byte_order.is_big())),
            ("length", json!(self.source.len())),
        ];
        if self.versions.has_object_versions() {
            let release = self.versions.release.map(|release| release.to_string());
            head.extend([
                ("engine", json!(release)),
                ("split", json!(self.split)),
                ("hash_was_right", json!(saved_hash_is_right(self))),
                ("name_hashes_are_right", json!(self.name_hashes_are_right())),
            ]);
            if let Some(mappings) = self.mappings.as_deref()
                && self.versions.unversioned_properties
            {
                head.push(("mappings", json!(fingerprint(mappings)?)));
            }
        }
        if self.container.is_some() {
            // The blocks of which nothing is changed are stored again as they are.
            head.push(("$file", json!(STANDARD.encode(self.file()))));
        }
        out.open(&head)?;
        let context = self.context();
        let texts = self.texts(false);
        for place in self.places.clone() {
            if is_list(place.section) {
                self.write_rows(place, (&context, &texts), out)?;
                continue;
            }
            let mut saver =
                JsonSaver::new(self.versions.clone(), context.clone(), &texts, place.start);
            self.serialize_rows(place.section, &mut saver)?;
            let (section, value) = (place.section, saver.into_value());
            let entry = json!({ "section": section.step(), "row": section.row(),
                "start": place.start, "size": place.size, "value": value });
            out.item("sections", &entry)?;
        }
        let texts = self.texts(true);
        self.decode_each(
            |_| true,
            |row, decoded| {
                let decoded = decoded.map(Arc::unwrap_or_clone);
                out.item("bodies", &self.body_json(row, decoded, &context, &texts)?)
            },
        )?;
        for gap in &self.claims().gaps {
            let bytes = Span::source(gap.start, gap.end - gap.start);
            let text = STANDARD.encode(bytes.bytes(&self.source)?);
            out.item("gaps", &json!({ "start": gap.start, "$gap": text }))?;
        }
        out.close()
    }

    /// A table whose section is nothing but its rows, one after the other.
    fn write_rows(
        &mut self,
        place: SectionPlace,
        (context, texts): (&Arc<Context>, &PackageTexts),
        out: &mut Output<'_>,
    ) -> Result<()> {
        let section = place.section;
        let entry = json!({ "section": section.step(), "row": section.row(),
            "start": place.start, "size": place.size });
        out.open_rows("sections", &entry)?;
        let mut written = Ok(());
        let mut rows = |row: Value| {
            if written.is_ok() {
                written = out.row(&row);
            }
        };
        let versions = self.versions.clone();
        let saver = JsonSaver::new(versions, context.clone(), texts, place.start);
        self.serialize_rows(section, &mut saver.with_rows(&mut rows))?;
        written?;
        out.close_rows()
    }

    fn body_json(
        &self,
        row: usize,
        decoded: Option<Decoded>,
        context: &Arc<Context>,
        texts: &PackageTexts,
    ) -> Result<Value> {
        let index = crate::PackageIndex::export(row);
        let mut entry = json!({ "row": row, "object": self.path(index) });
        let (start, size) = self.body_range(row);
        let set = |entry: &mut Value, key: &str, value: Value| entry[key] = value;
        match decoded {
            Some(mut decoded) if !decoded.body.is_opaque() => {
                if Prologue::is_in(&self.versions) {
                    set(&mut entry, "class", json!(self.class_chain(row).first()));
                } else {
                    set(&mut entry, "component", json!(decoded.body.shape().component));
                }
                if let Some(prologue) = &decoded.body.prologue {
                    set(&mut entry, "properties_range", json!(prologue.range()));
                }
                let rest = matches!(decoded.body.native, Native::Opaque(_));
                set(&mut entry, "opaque_rest", json!(rest));
                let place = SectionPlace { section: Section::Body(row as u32), start, size };
                if decoded.opaque > 0
                    && self.may_move(row, place, &SaveOptions::new(), false).is_none()
                {
                    set(&mut entry, "pinned", json!(true));
                }
                let mut saver =
                    JsonSaver::new(self.versions.of_bodies(), context.clone(), texts, start);
                let saved = decoded.body.serialize(&mut saver);
                saved.map_err(|error| error.at_index(row).in_field("bodies"))?;
                set(&mut entry, "value", saver.into_value());
            }
            _ => {
                let span = self.body_span(row);
                set(&mut entry, "$opaque", json!(STANDARD.encode(span.bytes(&self.source)?)));
            }
        }
        Ok(entry)
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
