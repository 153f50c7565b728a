//! From JSON to the bodies of objects: first those that say how others are read.

use serde_json::Value;

use super::document::{base64, list, place_bytes};
use super::invalid;
use super::read::Reading;
use crate::archive::{Archive, ArchiveExt, Archived, Counter, JsonLoader, Span};
use crate::error::{ErrorKind, Result};
use crate::object::registry::object;
use crate::object::ue4::structure::Declared;
use crate::object::{Body, Native, Shape};
use crate::package::Package;
use crate::package::decode::Decoded;

impl Package {
    pub(super) fn read_bodies(
        &mut self,
        image: &mut Vec<u8>,
        reading: &mut Reading<'_>,
    ) -> Result<()> {
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
            start,
            reading.length,
        )
        .at(&format!("bodies[{row}].value"));
        loader.part(size, &mut |ar| body.serialize(ar))?;
        Ok((body, loader))
    }
}
