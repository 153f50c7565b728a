//! The JSON form of a package: every section and body as text, without loss.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};

use super::decode::Decoded;
use super::save::{SaveOptions, Saved};
use super::{OpenOptions, Package, Section, SectionPlace};
use crate::archive::{Archive, Archived, Context, Counter, JsonLoader, JsonSaver, JsonTexts, Span};
use crate::compression::Container;
use crate::error::{Error, ErrorKind, Result};
use crate::object::modern::structure::Declared;
use crate::object::registry::object;
use crate::object::{Body, Native, Shape};
use crate::property::mappings::Mappings;
use crate::table::{NameHashes, ThumbnailImage};
use crate::version::threshold::ue4;
use crate::version::{ByteOrder, EngineRelease, Game, Versions};

/// The version of the form.
const FORM: u64 = 1;
/// Bytes of package for each byte of JSON, at most: zeros are short as text.
const RATIO: u64 = 16;

/// The version in which mappings are compared.
const NEWEST_MAPPINGS: u8 = 4;

/// What reading needs everywhere.
struct Reading<'a> {
    texts: JsonTexts,
    context: Arc<Context>,
    /// Length of the document.
    length: u64,
    /// Whether everything must be as long as it was.
    strict: bool,
    document: &'a Value,
}

impl Package {
    /// Writes the package as JSON: header and tables in `sections`, objects in `bodies`, in their typed
    /// form where they have one, and what nothing claims in `gaps`. [`Package::from_json`] of it saves the
    /// same bytes as this package does.
    ///
    /// Layout of a value: a field is a key, a stored value a leaf (`$` keys stand for what JSON lacks).
    /// Written section by section: memory is bounded by the largest object.
    ///
    /// # Errors
    /// `Io`; `Invalid` where values nest deeper than JSON may; what can't be saved, if the package was
    /// changed.
    pub fn to_json(&self, out: &mut dyn Write, pretty: bool) -> Result<()> {
        // What can't move as bytes can when it is decoded.
        let saved = self.save(&SaveOptions::new()).or_else(|_| {
            let mut copy = self.clone();
            copy.decode_all();
            copy.into_saved(&SaveOptions::new())
        })?;
        let mut copy = match saved.image.as_deref().unwrap_or(&saved.bytes) == self.source {
            true => self.clone(),
            false => self.reopened(saved)?,
        };
        copy.known = Arc::default();
        copy.decoded.clear();
        copy.write_json(&mut Output { out, pretty, list: None })
    }

    /// The package as it is after it was saved.
    fn reopened(&self, saved: Saved) -> Result<Self> {
        let mut options = OpenOptions::new().game(self.versions.game);
        if let Some(modern) = &self.modern {
            if let Some(release) = self.versions.release {
                options = options.engine(release);
            }
            if let Some(mappings) = &modern.mappings {
                options = options.mappings(mappings.clone());
            }
        }
        let mut package = options.open_bytes(saved.bytes)?;
        if let Some(modern) = &mut package.modern {
            modern.split = saved.split;
        }
        Ok(package)
    }

    fn write_json(&mut self, out: &mut Output<'_>) -> Result<()> {
        let mut head = vec![
            ("farchive", json!(FORM)),
            ("game", json!(self.versions.game.slug())),
            ("big_endian", json!(self.versions.byte_order.is_big())),
            ("length", json!(self.source.len())),
        ];
        if let Some(modern) = &self.modern {
            let release = self.versions.release.map(|release| release.to_string());
            head.extend([
                ("engine", json!(release)),
                ("split", json!(modern.split)),
                ("hash_was_right", json!(self.saved_hash_is_right())),
                ("name_hashes_are_right", json!(self.name_hashes_are_right())),
            ]);
            if let Some(mappings) = modern.mappings.as_deref()
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
            let mut saver =
                JsonSaver::new(self.versions.clone(), context.clone(), &texts, place.start);
            self.serialize_section(place.section, &mut saver)?;
            let (section, mut value) = (place.section, saver.into_value());
            // The section's own step says nothing that is not beside it.
            if let Some(inner) = value.get_mut(section.step()) {
                value = inner.take();
            }
            let entry = json!({ "section": section.step(), "row": section.row(),
                "start": place.start, "size": place.size, "value": value });
            out.item("sections", &entry)?;
        }
        let texts = self.texts(true);
        self.decode_each(
            |_| true,
            |row, decoded| out.item("bodies", &self.body_json(row, decoded, &context, &texts)?),
        )?;
        for gap in &self.claims().gaps {
            let bytes = Span::source(gap.start, gap.end - gap.start);
            let text = STANDARD.encode(bytes.bytes(&self.source)?);
            out.item("gaps", &json!({ "start": gap.start, "$gap": text }))?;
        }
        out.close()
    }

    fn body_json(
        &self,
        row: usize,
        decoded: Option<Decoded>,
        context: &Arc<Context>,
        texts: &JsonTexts,
    ) -> Result<Value> {
        let index = crate::PackageIndex::export(row);
        let mut entry = json!({ "row": row, "object": self.path(index) });
        let (start, size) = self.body_range(row);
        let set = |entry: &mut Value, key: &str, value: Value| entry[key] = value;
        match decoded {
            Some(mut decoded) if !decoded.body.is_opaque() => {
                if self.is_modern() {
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
                if decoded.opaque > 0 && self.may_move(row, place, &SaveOptions::new()).is_none() {
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
            && (self.names.iter().zip(self.names().iter()))
                .all(|(name, text)| name.hashes() == NameHashes::of(&text))
    }

    /// Texts for names, and for objects where the tables are known.
    fn texts(&self, objects: bool) -> JsonTexts {
        let names = self.names().iter().map(Cow::into_owned);
        let exports = (0..self.export_count()).map(crate::PackageIndex::export);
        let imports = (0..self.imports.len()).map(crate::PackageIndex::import);
        let all = exports.chain(imports).filter(|_| objects);
        JsonTexts::new(names, all.map(|index| (index.value(), self.path(index))))
    }

    /// The package that this JSON describes, which [`Package::to_json`] wrote. What is as it was written
    /// saves the same bytes; numbers, texts, references and elements may be edited.
    ///
    /// # Errors
    /// `Invalid` where something else is expected, or what does not fit, with its place in the document.
    pub fn from_json(text: &[u8]) -> Result<Self> {
        Self::from_json_with(text, None)
    }

    /// The same with mappings: packages that leave out the names and types of their properties need those
    /// that they were written with.
    ///
    /// # Errors
    /// As [`Package::from_json`]; `Invalid` without mappings, or with others.
    pub fn from_json_with(text: &[u8], mappings: Option<Arc<Mappings>>) -> Result<Self> {
        let document: Value = serde_json::from_slice(text).map_err(|error| {
            Error::from(ErrorKind::Invalid { reason: format!("no JSON: {error}") })
        })?;
        let length = text.len() as u64;
        if document.get("engine").is_some() {
            // The document states every decision.
            return Self::read_json(&document, length, false, mappings);
        }
        // Where nothing was edited, everything is decided as it was for the bytes.
        Self::read_json(&document, length, true, None)
            .or_else(|_| Self::read_json(&document, length, false, None))
    }

    fn read_json(
        document: &Value,
        length: u64,
        strict: bool,
        mappings: Option<Arc<Mappings>>,
    ) -> Result<Self> {
        if number(document, "farchive")? != FORM {
            return Err(invalid(format!(
                "it is not version {FORM} of the form that is known here"
            )));
        }
        let source_length = number(document, "length")?;
        if source_length > length.saturating_mul(RATIO) {
            let remaining = length;
            return Err(ErrorKind::TooLong { count: source_length, remaining }.into());
        }
        let mut image = vec![0; source_length as usize];
        for gap in list(document, "gaps") {
            place_bytes(&mut image, number(gap, "start")?, &base64(gap, "$gap")?)?;
        }
        let mut package = Self::empty(Bytes::new());
        let game = document.get("game").and_then(Value::as_str).unwrap_or("detect");
        let big = document.get("big_endian").and_then(Value::as_bool) == Some(true);
        let byte_order = if big { ByteOrder::Big } else { ByteOrder::Little };
        let versions = Versions { game: game.parse::<Game>()?, byte_order, ..Versions::default() };
        package.versions = versions;
        if let Some(engine) = document.get("engine") {
            package.expect_modern(document, engine.as_str(), mappings)?;
        }
        if document.get("$file").is_some() {
            let file = Bytes::from(base64(document, "$file")?);
            let container = Container::open(&file, package.versions.clone(), None)?;
            package.container = container.map(Arc::new);
        }
        let (texts, context) = Default::default();
        let mut reading = Reading { texts, context, length, strict, document };
        for (at, entry) in list(document, "sections").iter().enumerate() {
            let read = package.read_section(at, source_length, entry, &mut reading);
            read.map_err(|error| error.at_index(at).in_field("sections"))?;
        }
        package.read_bodies(&mut image, &mut reading)?;
        Ok(package)
    }

    /// Makes ready for a package of UE4 or UE5.
    fn expect_modern(
        &mut self,
        document: &Value,
        engine: Option<&str>,
        mappings: Option<Arc<Mappings>>,
    ) -> Result<()> {
        if let Some(engine) = engine {
            let Versions { game, byte_order, .. } = self.versions;
            let versions = engine.parse::<EngineRelease>()?.versions();
            self.versions = Versions { game, byte_order, ..versions };
        }
        let modern = self.modern_mut();
        modern.split = document.get("split").and_then(Value::as_u64);
        modern.hash_was_right = document.get("hash_was_right").and_then(Value::as_bool);
        if let Some(known) = document.get("mappings").and_then(Value::as_str) {
            let given = mappings.as_deref().map(fingerprint).transpose()?;
            let reason = match given {
                Some(given) if given == known => None,
                Some(_) => Some(
                    "it was written with other mappings: give the .usmap file that to-json had, or \
                     delete the key 'mappings' if these fit as well",
                ),
                None => Some(
                    "it was written with mappings: give the same .usmap file (--mappings FILE)",
                ),
            };
            if let Some(reason) = reason {
                return Err(invalid(reason.to_owned()));
            }
        }
        modern.mappings = mappings;
        Ok(())
    }

    fn read_section(
        &mut self,
        at: usize,
        length: u64,
        entry: &Value,
        reading: &mut Reading<'_>,
    ) -> Result<()> {
        let row = entry.get("row").and_then(Value::as_u64).and_then(|row| u32::try_from(row).ok());
        let name = entry.get("section").and_then(Value::as_str).unwrap_or_default();
        let section = Section::of_step(name, row)
            .ok_or_else(|| invalid(format!("'{name}' is no section")))?;
        let (start, size) = (number(entry, "start")?, number(entry, "size")?);
        let end = start.checked_add(size).filter(|&end| end <= length);
        let outside = ErrorKind::OutsideSource { start, end: start.saturating_add(size), length };
        end.ok_or(outside)?;
        if let Section::ThumbnailImage(row) = section {
            if row as usize != self.images.len() {
                return Err(invalid("thumbnail images are out of order".to_owned()));
            }
            self.images.push((start, ThumbnailImage::default()));
        }
        if self.modern.is_some() {
            self.modern_mut().expect(section, size);
        }
        let value = entry.get("value").unwrap_or(&Value::Null);
        let known = (self.versions.clone(), reading.context.clone());
        let size_counts = reading.strict.then_some(size);
        let texts = std::mem::take(&mut reading.texts);
        let mut loader =
            JsonLoader::new(value, known, &texts, (start, size_counts), reading.length)
                .at(&format!("sections[{at}].value"));
        self.serialize_section(section, &mut loader)?;
        if section == Section::Summary {
            self.versions = loader.versions().clone();
        }
        loader.finish().map_err(|error| error.in_field(section.step()))?;
        reading.texts = texts;
        if section == Section::Names {
            reading.texts = self.texts(false);
            if reading.document.get("name_hashes_are_right") == Some(&Value::Bool(true)) {
                let texts: Vec<_> = self.names().iter().map(Cow::into_owned).collect();
                for (name, text) in self.names.iter_mut().zip(texts) {
                    name.set_hashes(NameHashes::of(&text));
                }
            }
        }
        if matches!(section, Section::Names | Section::SoftObjectPaths) {
            reading.context = self.context();
        }
        self.places.push(SectionPlace { section, start, size });
        Ok(())
    }

    fn read_bodies(&mut self, image: &mut Vec<u8>, reading: &mut Reading<'_>) -> Result<()> {
        let entries = list(reading.document, "bodies");
        if entries.len() != self.export_count() {
            let (bodies, exports) = (entries.len(), self.export_count());
            return Err(invalid(format!("{bodies} bodies, but {exports} exports")));
        }
        let (mut typed, mut declared) = (Vec::new(), Vec::new());
        for (row, entry) in entries.iter().enumerate() {
            if entry.get("value").is_some() {
                typed.push((row, entry));
                continue;
            }
            let bytes = base64(entry, "$opaque")?;
            let (start, size) = self.body_range(row);
            if bytes.len() as u64 == size {
                place_bytes(image, start, &bytes)?;
            } else {
                self.replaced.insert(row, Span::owned(bytes));
            }
        }
        self.source = std::mem::take(image).into();
        self.check_bodies(&Counter::new(self.versions.clone()))?;
        reading.texts = self.texts(true);
        if self.mappings().is_some() && self.versions.unversioned_properties {
            // First what its classes and structs declare; their own values need that.
            reading.context = self.decoding_context();
            for (row, entry) in typed.iter().filter(|(row, _)| self.declares(*row)) {
                let mut shape = self.shape(*row, &self.class_chain(*row));
                shape.maker = Some(object::<Declared>);
                // What is wrong with it is said when it is read whole.
                if let Ok((body, _)) = self.read_shape(*row, shape, entry, reading) {
                    let decoded = Decoded { body, error: None, opaque: 0, payload: 0 };
                    declared.push((*row, decoded));
                }
            }
            self.decoded.extend(declared);
        }
        // What the package declares decides how values are read.
        let (first, then): (Vec<_>, Vec<_>) =
            typed.into_iter().partition(|(row, _)| self.is_declaration(*row));
        for entries in [first, then] {
            reading.context = self.decoding_context();
            for (row, entry) in entries {
                let body = self.read_body(row, entry, reading);
                let body = body.map_err(|error| error.at_index(row).in_field("bodies"))?;
                if entry.get("pinned") == Some(&Value::Bool(true)) {
                    self.pinned.insert(row);
                }
                let decoded = Decoded { body, error: None, opaque: 0, payload: 0 };
                self.decoded.insert(row, decoded);
            }
        }
        Ok(())
    }

    fn read_body(&self, row: usize, entry: &Value, reading: &Reading<'_>) -> Result<Body> {
        let mut shape = self.shape(row, &self.class_chain(row));
        shape.component = entry.get("component").and_then(Value::as_bool);
        if entry.get("opaque_rest").and_then(Value::as_bool) == Some(true) {
            shape.maker = Some(|_| Native::Opaque(Span::default()));
        }
        let (mut body, loader) = self.read_shape(row, shape, entry, reading)?;
        let (start, size) = self.body_range(row);
        let other_size = loader.position() != start + size;
        loader.finish()?;
        if other_size && entry.get("pinned") == Some(&Value::Bool(true)) {
            let reason = "part of a body is not decoded and seems to hold file positions, so that its \
                          size must stay (delete the key 'pinned' only if you know that it does not)";
            let objects = vec![self.path(crate::PackageIndex::export(row))];
            return Err(ErrorKind::Refused { reason: reason.to_owned(), objects }.into());
        }
        if let (Some(prologue), Some(range)) = (&mut body.prologue, entry.get("properties_range")) {
            let place = |at: usize| range.get(at).and_then(Value::as_u64);
            let range = place(0).zip(place(1));
            let reason = "'properties_range' is no pair of numbers".to_owned();
            prologue.set_range(range.ok_or_else(|| invalid(reason))?);
        }
        Ok(body)
    }

    /// A body of this shape from the start of its JSON.
    fn read_shape<'a>(
        &self,
        row: usize,
        shape: Shape,
        entry: &'a Value,
        reading: &'a Reading<'_>,
    ) -> Result<(Body, JsonLoader<'a>)> {
        let (start, size) = self.body_range(row);
        let mut body = Body::blank(shape);
        let mut loader = JsonLoader::new(
            &entry["value"],
            (self.versions.of_bodies(), reading.context.clone()),
            &reading.texts,
            (start, reading.strict.then_some(size)),
            reading.length,
        )
        .at(&format!("bodies[{row}].value"));
        loader.part(size, &mut |ar| body.serialize(ar))?;
        Ok((body, loader))
    }
}

/// What tells mappings from others.
fn fingerprint(mappings: &Mappings) -> Result<String> {
    let hash = blake3::hash(&mappings.to_bytes(NEWEST_MAPPINGS)?);
    Ok(hash.to_hex()[..32].to_owned())
}

/// Writes the document piece by piece: an object whose lists are never in memory.
struct Output<'a> {
    out: &'a mut dyn Write,
    pretty: bool,
    list: Option<&'static str>,
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
            text.map_err(|error| invalid(format!("it can't be written as JSON: {error}")))?;
        self.put(&text)
    }

    fn open(&mut self, head: &[(&str, Value)]) -> Result<()> {
        self.put("{")?;
        for (at, (key, value)) in head.iter().enumerate() {
            self.put(&format!("{}\"{key}\": ", if at > 0 { ", " } else { "" }))?;
            self.put_value(value)?;
        }
        Ok(())
    }

    fn item(&mut self, list: &'static str, value: &Value) -> Result<()> {
        if self.list == Some(list) {
            self.put(",\n")?;
        } else {
            let end = if self.list.is_some() { "]" } else { "" };
            self.put(&format!("{end},\n\"{list}\": [\n"))?;
            self.list = Some(list);
        }
        self.put_value(value)
    }

    fn close(&mut self) -> Result<()> {
        self.put(if self.list.is_some() { "]}\n" } else { "}\n" })
    }
}

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}

fn number(value: &Value, key: &'static str) -> Result<u64> {
    value
        .get(key)
        .and_then(Value::as_u64)
        .ok_or_else(|| invalid(format!("'{key}' is missing or no number")))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn base64(value: &Value, key: &'static str) -> Result<Vec<u8>> {
    let text = value.get(key).and_then(Value::as_str);
    text.and_then(|text| STANDARD.decode(text).ok())
        .ok_or_else(|| invalid(format!("'{key}' is missing or no base64")))
}

fn place_bytes(image: &mut [u8], start: u64, bytes: &[u8]) -> Result<()> {
    let length = image.len() as u64;
    let end = start.saturating_add(bytes.len() as u64);
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    match range.and_then(|(start, end)| image.get_mut(start..end)) {
        Some(place) => {
            place.copy_from_slice(bytes);
            Ok(())
        }
        None => Err(ErrorKind::OutsideSource { start, end, length }.into()),
    }
}
