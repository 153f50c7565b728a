//! From JSON to the bodies of objects: first those that say how others are read.

use serde_json::{Map, Value};

use super::code::CodeWords;
use super::document::{Document, base64, check_keys, has_key, parts, place_bytes};
use super::naming::DocumentNames;
use super::properties::{Enums, PropertyWords};
use super::read::Reading;
use super::rows::PLACES;
use crate::archive::{Archive, ArchiveExt, Archived, Counter, JsonLoader, Span};
use crate::error::{Error, Result, UnrealErrors};
use crate::object::registry::object;
use crate::object::ue4::structure::Declared;
use crate::object::{Body, Native, Shape, TAIL};
use crate::package::Package;
use crate::package::decode::Decoded;
use crate::property::TagPlace;
use crate::version::UnrealVersions;

/// Keys of an export about its body, beside the fields of its row.
const STORED: [&str; 3] = ["properties_range", "pinned", "plain"];

/// The key of a rest that is not decoded, whatever the class reads there.
pub(super) const OPAQUE_REST: &str = "opaque_rest";

/// The number of times that bodies are read where names were added that may mean something.
const TIMES: usize = 4;

/// Refuses what an export can't store.
pub(super) fn check_stored(stored: &Value) -> Result<()> {
    let known = [&STORED[..], &PLACES].concat();
    check_keys(stored, &known).map_err(|error| error.in_field("stored"))
}

/// Where the last fields of a value stand: keys that come again stand in a further object.
pub(super) fn last_fields(value: &mut Value) -> Option<&mut Map<String, Value>> {
    let groups = match value.get("$groups") {
        Some(_) => value.get_mut("$groups")?,
        None => value,
    };
    match groups {
        Value::Array(groups) => groups.last_mut()?.as_object_mut(),
        one => one.as_object_mut(),
    }
}

/// The entry of an export's body.
struct BodyEntry {
    row: usize,
    value: Value,
    stored: Value,
    /// Its words were taken apart.
    is_apart: bool,
    /// The class's own data is not decoded.
    is_opaque: bool,
    /// Bytes of unknown meaning stand behind what its class reads.
    has_tail: bool,
}

impl BodyEntry {
    fn of(document: &Document<'_>, row: usize) -> Result<Self> {
        let (mut value, mut stored) = (Value::Null, Value::Null);
        for (key, text) in document.exports.get(row).map_or(Ok(Vec::new()), |entry| parts(entry))? {
            match key.as_str() {
                "value" => value = document.read(text)?,
                "stored" => stored = document.read(text)?,
                _ => {}
            }
        }
        let rest = last_fields(&mut value).and_then(|map| map.remove(OPAQUE_REST));
        let is_opaque = rest.is_some();
        let has_tail = last_fields(&mut value).is_some_and(|map| map.contains_key(TAIL));
        let is_empty = |rest: &Value| rest.get("$opaque") == Some(&Value::from(""));
        let rest = rest.filter(|rest| !is_empty(rest));
        if let (Some(rest), Some(map)) = (rest, last_fields(&mut value)) {
            map.insert("rest".to_owned(), rest);
        }
        Ok(Self { row, value, stored, is_apart: false, is_opaque, has_tail })
    }

    fn is(&self, key: &str) -> bool {
        self.stored.get(key) == Some(&Value::Bool(true))
    }
}

impl Package {
    pub(super) fn read_bodies(
        &mut self,
        image: &mut Vec<u8>,
        reading: &mut Reading<'_>,
    ) -> Result<()> {
        let document = reading.document;
        let entries = &document.exports;
        let (mut typed, mut declared) = (Vec::new(), Vec::new());
        for (row, entry) in entries.iter().enumerate() {
            if has_key(entry, "value") {
                typed.push(row);
                continue;
            }
            let located = |error: Error| error.at_index(row).in_field("exports");
            let opaque = parts(entry)?.into_iter().find(|(key, _)| key == "$opaque");
            let bytes = match opaque {
                Some((_, text)) => {
                    let value = serde_json::json!([document.read(text)?]);
                    base64(&value, 0).map_err(located)?
                }
                None => Vec::new(),
            };
            let (start, size) = self.body_range(row);
            if bytes.len() as u64 == size {
                place_bytes(image, start, &bytes).map_err(located)?;
            } else {
                self.bodies.replaced.insert(row, Span::owned(bytes));
            }
        }
        self.source = std::mem::take(image).into();
        self.check_bodies(&Counter::new(self.versions.clone()))?;
        if self.mappings().is_some() && self.versions.unversioned_properties() {
            // First what its classes and structs declare; their own values need that.
            reading.context = self.make_decoding_context();
            let declaring: Vec<usize> =
                typed.iter().copied().filter(|row| self.declares(*row)).collect();
            for row in declaring {
                let mut shape = self.shape(row, &self.class_chain(row));
                shape.maker = Some(object::<Declared>);
                let Ok(mut entry) = BodyEntry::of(document, row) else { continue };
                // What is wrong with it is said when it is read whole.
                if self.take_apart(&mut entry, reading).is_ok()
                    && let Ok((body, _)) = self.read_shape(row, shape, &entry, reading)
                {
                    let decoded = Decoded { body, error: None, opaque: 0, payload: 0 };
                    declared.push((row, decoded));
                }
            }
            self.bodies.decoded.extend(declared);
        }
        self.read_declarations(&typed, reading)?;
        reading.context = self.make_decoding_context();
        for row in typed {
            let located = |error: Error| error.at_index(row).in_field("exports");
            let mut entry = BodyEntry::of(document, row).map_err(located)?;
            let is_pinned = entry.is("pinned");
            // Structs may have defaults that further declarations decide about; properties have none.
            let is_read = self.bodies.decoded.contains_key(&row)
                && self.is_declaration(row)
                && !self.is_scope(row);
            if !is_read {
                let body = self.read_body(row, &mut entry, reading).map_err(located)?;
                let decoded = Decoded { body, error: None, opaque: 0, payload: 0 };
                self.bodies.decoded.insert(row, decoded);
            }
            if is_pinned {
                self.bodies.pinned.insert(row);
            }
        }
        Ok(())
    }

    /// The package's declarations decide how values are read, those of other declarations too: they are read
    /// until no further one can be. What is wrong with one is said when everything is read.
    fn read_declarations(&mut self, typed: &[usize], reading: &mut Reading<'_>) -> Result<()> {
        let document = reading.document;
        let declarations = typed.iter().filter(|row| self.is_declaration(**row));
        let entry = |&row: &usize| Ok((row, BodyEntry::of(document, row)?));
        let mut waiting = declarations.map(entry).collect::<Result<Vec<_>>>()?;
        loop {
            reading.context = self.make_decoding_context();
            let before = waiting.len();
            let mut found = Vec::new();
            waiting.retain_mut(|(row, entry)| match self.read_body(*row, entry, reading) {
                Ok(body) => {
                    let decoded = Decoded { body, error: None, opaque: 0, payload: 0 };
                    found.push((*row, decoded));
                    false
                }
                Err(_) => true,
            });
            self.bodies.decoded.extend(found);
            if waiting.is_empty() || waiting.len() == before {
                return Ok(());
            }
        }
    }

    /// Takes the words of an entry apart: what the archive reads.
    fn take_apart(&mut self, entry: &mut BodyEntry, reading: &mut Reading<'_>) -> Result<()> {
        if std::mem::replace(&mut entry.is_apart, true) {
            return Ok(());
        }
        let versions = self.versions.of_bodies();
        let Reading { texts, context, .. } = &*reading;
        let mut code = CodeWords { package: self, versions: &versions, context, texts };
        let moved = code.apart(&mut entry.value).map_err(|error| error.in_field("value"))?;
        reading.moved.extend(moved.map(|moved| (entry.row, moved)));
        if entry.is("plain") {
            return Ok(());
        }
        // The names of types first: what stands in lists goes by them.
        if reading.types.note(&entry.value) {
            let Reading { texts, context, types, .. } = reading;
            let place = TagPlace { versions: &versions, context, texts };
            types.name(place, &mut DocumentNames { versions: &versions, texts });
            self.add_used_names(reading)?;
        }
        let Reading { texts, context, enums, .. } = &*reading;
        let place = TagPlace { versions: &versions, context, texts };
        let mut names = DocumentNames { versions: &versions, texts };
        let (row, mut value) = (entry.row, std::mem::take(&mut entry.value));
        let object = || self.path(crate::PackageIndex::export(row));
        let mut words = PropertyWords::new(place, Enums::Read(enums, &object));
        let apart = words.apart(&mut value, &mut names);
        entry.value = value;
        apart.map_err(|error| error.in_field("value"))
    }

    fn read_body(
        &mut self,
        row: usize,
        entry: &mut BodyEntry,
        reading: &mut Reading<'_>,
    ) -> Result<Body> {
        self.take_apart(entry, reading)?;
        for _ in 1..TIMES {
            let body = self.read_apart(row, entry, reading);
            // Names that were not there may mean something to what is read.
            if !self.add_used_names(reading)? {
                return body;
            }
        }
        self.read_apart(row, entry, reading)
    }

    fn read_apart(&self, row: usize, entry: &BodyEntry, reading: &Reading<'_>) -> Result<Body> {
        let mut shape = self.shape(row, &self.class_chain(row));
        let component = entry.value.get("component");
        shape.component = component.map(|component| component.get("template_name").is_some());
        shape.tail = entry.has_tail;
        if entry.is_opaque {
            shape.maker = Some(|_| Native::Opaque(Span::default()));
        }
        let (mut body, loader) = self.read_shape(row, shape, entry, reading)?;
        let (start, size) = self.body_range(row);
        let other_size = loader.position() != start + size;
        loader.finish(Ok(()))?;
        if other_size && entry.is("pinned") {
            let reason = "part of a body is not decoded and seems to hold file positions, so that its \
                          size must stay (delete the key 'pinned' only if you know that it does not)";
            let objects = vec![self.path(crate::PackageIndex::export(row))];
            return Err(Error::positions_at_risk(reason, objects));
        }
        let range = entry.stored.get("properties_range");
        if let (Some(prologue), Some(range)) = (&mut body.prologue, range) {
            let place = |at: usize| range.get(at).and_then(Value::as_u64);
            let range = place(0).zip(place(1));
            let reason = "'properties_range' is no pair of numbers".to_owned();
            prologue.set_range(range.ok_or_else(|| Error::invalid(reason))?);
        }
        Ok(body)
    }

    /// A body of this shape from the start of its JSON.
    fn read_shape<'a>(
        &self,
        row: usize,
        shape: Shape,
        entry: &'a BodyEntry,
        reading: &'a Reading<'_>,
    ) -> Result<(Body, JsonLoader<'a>)> {
        let (start, size) = self.body_range(row);
        let mut body = Body::blank(shape);
        let mut loader = JsonLoader::new(
            &entry.value,
            (self.versions.of_bodies(), self.scoped(row, &reading.context)),
            &reading.texts,
            start,
            reading.document.length(),
        )
        .at(&format!("exports[{row}].value"));
        loader.part(size, &mut |ar| body.serialize(ar as &mut dyn Archive))?;
        Ok((body, loader))
    }
}
