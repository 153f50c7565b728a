//! The JSON form of a package: every section and body as text, without loss.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};

use super::decode::Decoded;
use super::{Package, Section, SectionPlace};
use crate::archive::{Archive, Archived, Context, Counter, JsonLoader, JsonSaver, JsonTexts, Span};
use crate::compression::Container;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Body, Native};
use crate::table::ThumbnailImage;
use crate::version::{ByteOrder, EngineRelease, Game, Versions};

/// The version of the form.
const FORM: u64 = 1;
/// Bytes of package for each byte of JSON, at most: zeros are short as text.
const RATIO: u64 = 16;

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
    /// same bytes.
    ///
    /// Layout of a value: a field is a key, a stored value a leaf (`$` keys stand for what JSON lacks).
    /// Written section by section: memory is bounded by the largest object.
    ///
    /// # Errors
    /// `Io`; `Invalid` where values nest deeper than JSON may; `Unsupported` for packages of UE4 and UE5.
    pub fn to_json(&self, out: &mut dyn Write, pretty: bool) -> Result<()> {
        self.refuse_modern("the JSON form")?;
        let mut copy = self.clone();
        copy.known = Arc::default();
        copy.decoded.clear();
        copy.decode_all();
        copy.write_json(&mut Output { out, pretty, list: None })
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
            ]);
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
        for row in 0..self.export_count() {
            let entry = self.body_json(row, &context, &texts)?;
            out.item("bodies", &entry)?;
        }
        for gap in &self.claims().gaps {
            let bytes = Span::source(gap.start, gap.end - gap.start);
            let text = STANDARD.encode(bytes.bytes(&self.source)?);
            out.item("gaps", &json!({ "start": gap.start, "$gap": text }))?;
        }
        out.close()
    }

    fn body_json(
        &mut self,
        row: usize,
        context: &Arc<Context>,
        texts: &JsonTexts,
    ) -> Result<Value> {
        let index = crate::PackageIndex::export(row);
        let mut entry = json!({ "row": row, "object": self.path(index) });
        let (start, _) = self.body_range(row);
        let set = |entry: &mut Value, key: &str, value: Value| entry[key] = value;
        match self.decoded.get_mut(&row) {
            Some(decoded) if !decoded.body.is_opaque() => {
                let shape = decoded.body.shape();
                set(&mut entry, "component", json!(shape.component));
                let rest = matches!(decoded.body.native, Native::Opaque(_));
                set(&mut entry, "opaque_rest", json!(rest));
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

    /// Texts for names, and for objects where the tables are known.
    fn texts(&self, objects: bool) -> JsonTexts {
        let names = self.names().iter().map(std::borrow::Cow::into_owned);
        let exports = (0..self.export_count()).map(crate::PackageIndex::export);
        let imports = (0..self.imports.len()).map(crate::PackageIndex::import);
        let all = exports.chain(imports).filter(|_| objects);
        JsonTexts::new(names, all.map(|index| (index.value(), self.path(index))))
    }

    /// The package that this JSON describes, which [`Package::to_json`] wrote. What is as it was written
    /// saves the same bytes; numbers, texts, references and elements may be edited.
    ///
    /// # Errors
    /// `Invalid` where something else is expected, or what does not fit, with its field.
    pub fn from_json(text: &[u8]) -> Result<Self> {
        let document: Value = serde_json::from_slice(text).map_err(|error| {
            Error::from(ErrorKind::Invalid { reason: format!("no JSON: {error}") })
        })?;
        let length = text.len() as u64;
        // Where nothing was edited, everything is decided as it was for the bytes.
        Self::read_json(&document, length, true)
            .or_else(|_| Self::read_json(&document, length, false))
    }

    fn read_json(document: &Value, length: u64, strict: bool) -> Result<Self> {
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
            package.expect_modern(document, engine.as_str())?;
        }
        if document.get("$file").is_some() {
            let file = Bytes::from(base64(document, "$file")?);
            let container = Container::open(&file, package.versions.clone(), None)?;
            package.container = container.map(Arc::new);
        }
        let (texts, context) = Default::default();
        let mut reading = Reading { texts, context, length, strict, document };
        for entry in list(document, "sections") {
            package.read_section(entry, &mut reading)?;
        }
        package.read_bodies(&mut image, &mut reading)?;
        Ok(package)
    }

    /// Makes ready for a package of UE4 or UE5.
    fn expect_modern(&mut self, document: &Value, engine: Option<&str>) -> Result<()> {
        if let Some(engine) = engine {
            let Versions { game, byte_order, .. } = self.versions;
            let versions = engine.parse::<EngineRelease>()?.versions();
            self.versions = Versions { game, byte_order, ..versions };
        }
        let modern = self.modern_mut();
        modern.split = document.get("split").and_then(Value::as_u64);
        modern.hash_was_right = document.get("hash_was_right").and_then(Value::as_bool);
        Ok(())
    }

    fn read_section(&mut self, entry: &Value, reading: &mut Reading<'_>) -> Result<()> {
        let row = entry.get("row").and_then(Value::as_u64).and_then(|row| u32::try_from(row).ok());
        let name = entry.get("section").and_then(Value::as_str).unwrap_or_default();
        let section = Section::of_step(name, row)
            .ok_or_else(|| invalid(format!("'{name}' is no section")))?;
        let (start, size) = (number(entry, "start")?, number(entry, "size")?);
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
            JsonLoader::new(value, known, &texts, (start, size_counts), reading.length);
        self.serialize_section(section, &mut loader)?;
        if section == Section::Summary {
            self.versions = loader.versions().clone();
        }
        loader.finish().map_err(|error| error.in_field(section.step()))?;
        reading.texts = texts;
        if section == Section::Names {
            reading.texts = self.texts(false);
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
        let mut typed = Vec::new();
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
        // What the package declares decides how values are read.
        let (first, then): (Vec<_>, Vec<_>) =
            typed.into_iter().partition(|(row, _)| self.is_declaration(*row));
        for entries in [first, then] {
            reading.context = self.decoding_context();
            for (row, entry) in entries {
                let body = self.read_body(row, entry, reading);
                let body = body.map_err(|error| error.at_index(row).in_field("bodies"))?;
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
        let (start, size) = self.body_range(row);
        let mut body = Body::blank(shape);
        let mut loader = JsonLoader::new(
            &entry["value"],
            (self.versions.of_bodies(), reading.context.clone()),
            &reading.texts,
            (start, reading.strict.then_some(size)),
            reading.length,
        );
        loader.part(size, &mut |ar| body.serialize(ar))?;
        loader.finish()?;
        Ok(body)
    }
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
