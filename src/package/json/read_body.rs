//! From JSON to the bodies of objects: first those that say how others are read.

use serde_json::Value;

use super::document::{base64, check_keys, has_key, place_bytes};
use super::read::Reading;
use crate::archive::{Archive, ArchiveExt, Archived, Counter, JsonLoader, Span};
use crate::error::{Error, ErrorKind, Result};
use crate::object::registry::object;
use crate::object::ue4::structure::Declared;
use crate::object::{Body, Native, Shape};
use crate::package::Package;
use crate::package::decode::Decoded;

/// What is said of an object.
const BODY: [&str; 9] = [
    "row",
    "object",
    "class",
    "component",
    "properties_range",
    "opaque_rest",
    "pinned",
    "value",
    "$opaque",
];

impl Package {
    pub(super) fn read_bodies(
        &mut self,
        image: &mut Vec<u8>,
        reading: &mut Reading<'_>,
    ) -> Result<()> {
        let document = reading.document;
        let entries = &document.bodies;
        if entries.len() != self.export_count() {
            let (bodies, exports) = (entries.len(), self.export_count());
            return Err(Error::invalid(format!("{bodies} bodies, but {exports} exports")));
        }
        let (mut typed, mut declared) = (Vec::new(), Vec::new());
        for (row, entry) in entries.iter().enumerate() {
            if has_key(entry, "value") {
                typed.push(row);
                continue;
            }
            let located = |error: Error| error.at_index(row).in_field("bodies");
            let entry = document.read(entry)?;
            check_keys(&entry, &BODY).map_err(located)?;
            let bytes = base64(&entry, "$opaque").map_err(located)?;
            let (start, size) = self.body_range(row);
            if bytes.len() as u64 == size {
                place_bytes(image, start, &bytes).map_err(located)?;
            } else {
                self.bodies.replaced.insert(row, Span::owned(bytes));
            }
        }
        self.source = std::mem::take(image).into();
        self.check_bodies(&Counter::new(self.versions.clone()))?;
        reading.texts = self.texts(true);
        if self.mappings().is_some() && self.versions.unversioned_properties {
            // First what its classes and structs declare; their own values need that.
            reading.context = self.make_decoding_context();
            for &row in typed.iter().filter(|row| self.declares(**row)) {
                let mut shape = self.shape(row, &self.class_chain(row));
                shape.maker = Some(object::<Declared>);
                let entry = document.read(entries[row])?;
                // What is wrong with it is said when it is read whole.
                if let Ok((body, _)) = self.read_shape(row, shape, &entry, reading) {
                    let decoded = Decoded { body, error: None, opaque: 0, payload: 0 };
                    declared.push((row, decoded));
                }
            }
            self.bodies.decoded.extend(declared);
        }
        self.read_declarations(&typed, reading)?;
        reading.context = self.make_decoding_context();
        for row in typed {
            let located = |error: Error| error.at_index(row).in_field("bodies");
            let entry = document.read(entries[row])?;
            check_keys(&entry, &BODY).map_err(located)?;
            // Structs may have defaults that further declarations decide about; properties have none.
            let is_read = self.bodies.decoded.contains_key(&row)
                && self.is_declaration(row)
                && !self.is_scope(row);
            if !is_read {
                let body = self.read_body(row, &entry, reading).map_err(located)?;
                let decoded = Decoded { body, error: None, opaque: 0, payload: 0 };
                self.bodies.decoded.insert(row, decoded);
            }
            if entry.get("pinned") == Some(&Value::Bool(true)) {
                self.bodies.pinned.insert(row);
            }
        }
        Ok(())
    }

    /// What the package declares decides how values are read, those of other declarations too: they are read
    /// until no further one can be. What is wrong with one is said when everything is read.
    fn read_declarations(&mut self, typed: &[usize], reading: &mut Reading<'_>) -> Result<()> {
        let document = reading.document;
        let declarations = typed.iter().filter(|row| self.is_declaration(**row));
        let entry = |&row: &usize| Ok((row, document.read(document.bodies[row])?));
        let mut waiting = declarations.map(entry).collect::<Result<Vec<_>>>()?;
        loop {
            reading.context = self.make_decoding_context();
            let before = waiting.len();
            let mut found = Vec::new();
            waiting.retain(|(row, entry)| match self.read_body(*row, entry, reading) {
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

    fn read_body(&self, row: usize, entry: &Value, reading: &Reading<'_>) -> Result<Body> {
        let mut shape = self.shape(row, &self.class_chain(row));
        shape.component = entry.get("component").and_then(Value::as_bool);
        if entry.get("opaque_rest").and_then(Value::as_bool) == Some(true) {
            shape.maker = Some(|_| Native::Opaque(Span::default()));
        }
        let (mut body, loader) = self.read_shape(row, shape, entry, reading)?;
        let (start, size) = self.body_range(row);
        let other_size = loader.position() != start + size;
        loader.finish(Ok(()))?;
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
            prologue.set_range(range.ok_or_else(|| Error::invalid(reason))?);
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
            (self.versions.of_bodies(), self.scoped(row, &reading.context)),
            &reading.texts,
            start,
            reading.document.length(),
        )
        .at(&format!("bodies[{row}].value"));
        loader.part(size, &mut |ar| body.serialize(ar))?;
        Ok((body, loader))
    }
}
