//! Changing the body of one object: on a copy, which takes its place when it is proved to read back.

use std::sync::Arc;

use super::add::Before;
use super::property::ListMut;
use super::resource::HIDDEN;
use super::scan::shows_positions;
use super::{Decoded, Package};
use crate::archive::{Annotate, ArchiveExt, Archived, Context, Loader, Record, Saver};
use crate::error::{Error, ErrorKind, PathStep, Result};
use crate::object::script_object::ScriptObject;
use crate::object::{Body, Native, Properties, Shape};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::Engine;

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}

impl Package {
    /// Changes a copy of a body, proves that it reads back, and only then puts it in its place.
    pub(super) fn edit_body<T>(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Self, &mut Body, Arc<Context>) -> Result<T>,
    ) -> Result<T> {
        let context = self.decoding_context();
        let decoded = self.editable(row, &context)?;
        let before = Before::of(self);
        self.claims();
        let mut body = decoded.body.clone();
        let done = change(self, &mut body, context.clone());
        match done
            .and_then(|value| self.check_body(row, &decoded, &mut body, &context).map(|()| value))
        {
            Ok(value) => {
                self.decoded.insert(row, Decoded { body, ..decoded });
                Ok(value)
            }
            Err(error) => {
                before.restore(self);
                Err(self.about(row, error))
            }
        }
    }

    /// The typed form of a body, as it is now: edited, or decoded from the source.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn typed(&self, row: usize) -> Result<std::borrow::Cow<'_, Decoded>> {
        match self.decoded.get(&row) {
            Some(decoded) => Ok(std::borrow::Cow::Borrowed(decoded)),
            None => self.decode(row).map(std::borrow::Cow::Owned),
        }
    }

    /// Changes the typed form of a body; a change that fails leaves it as it was.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` when the body is not decoded, or would not be read as it was written; what
    /// `change` reports.
    pub fn change_body<T>(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Body) -> Result<T>,
    ) -> Result<T> {
        self.body(row)?;
        self.edit_body(row, |_, body, _| change(body))
    }

    /// Says of which object an error is.
    pub(super) fn about(&self, row: usize, error: Error) -> Error {
        let path = self.path(PackageIndex::export(row));
        match error.into_kind() {
            ErrorKind::Invalid { reason } => invalid(format!("{path}: {reason}")),
            ErrorKind::NotFound { what, name, hint } => {
                let object = match what {
                    "property" | "declaration" => self.object_instead(row, &name),
                    _ => None,
                };
                let object = object.map(|path| format!("; did you mean the object '{path}'?"));
                let hint = format!(" in {path}{hint}{}", object.unwrap_or_default());
                ErrorKind::NotFound { what, name, hint }.into()
            }
            other => Error::from(other).within(PathStep::Name(path.into())),
        }
    }

    /// The object outside of this one that has the name of a property that is not there: objects of levels
    /// are looked for within `MyLevel`, where they stand in maps of UE3 only. What scripts declare is none.
    fn object_instead(&self, row: usize, name: &str) -> Option<String> {
        let near = self.export_called(name)?;
        let ObjectRef::Export(found) = near.target() else { return None };
        let class = self.class_path(found);
        let declared = ["Core.", "/Script/CoreUObject."].iter().any(|core| class.starts_with(core));
        let within = self.exports.get(found)?.outer_index == PackageIndex::export(row);
        (found != row && !declared && !within).then(|| self.path(near))
    }

    /// The body of an object that may be changed: decoded to its end.
    pub(super) fn editable(&self, row: usize, context: &Arc<Context>) -> Result<Decoded> {
        let refuse = |reason: String| Err(self.about(row, invalid(reason)));
        if self.replaced.contains_key(&row) {
            return refuse("its body was replaced: save and open the package again".to_owned());
        }
        if self.body_range(row).1 == 0 && !self.decoded.contains_key(&row) {
            return refuse("it has no body and so no properties".to_owned());
        }
        if self.sharing_bodies().contains(&row) {
            return refuse("its body shares bytes with another section".to_owned());
        }
        let decoded = match self.decoded.get(&row) {
            Some(decoded) => decoded.clone(),
            None => self.decode_with(row, context),
        };
        match &decoded.error {
            // What the class adds stays as it is.
            Some(_) if decoded.body.prologue.is_some() => Ok(decoded),
            Some(error) => refuse(format!(
                "its body is not decoded ({error}), so it can't be changed field by field; \
                 the whole body can be replaced"
            )),
            None if decoded.body.is_opaque() => refuse("its body is not decoded".to_owned()),
            None => Ok(decoded),
        }
    }

    /// The properties of an object, or the defaults of a class.
    pub(super) fn list_of<'a>(&self, row: usize, body: &'a mut Body) -> Result<ListMut<'a>> {
        if let Some(list) = &mut body.properties {
            return Ok(ListMut::Tagged(list));
        }
        if let Some(prologue) = &mut body.prologue {
            return Ok(match &mut prologue.properties {
                Properties::Tagged(list) => ListMut::Tagged(list),
                Properties::Unversioned(list) => ListMut::Unversioned(list),
            });
        }
        let name = self.object_name(PackageIndex::export(row));
        if self.versions.has_object_versions() {
            return Err(invalid(format!(
                "it has no properties; a class's defaults stand in Default__{name}"
            )));
        }
        match &mut body.native {
            Native::Script(object) => match &mut **object {
                ScriptObject::Class(class) if self.versions.engine() != Engine::Ue3 => {
                    Ok(ListMut::Tagged(&mut class.defaults))
                }
                _ => Err(invalid(format!(
                    "the defaults of a class stand in an object of their own, Default__{name}"
                ))),
            },
            _ => Err(invalid("it has no properties".to_owned())),
        }
    }

    /// Refuses a body that would not be read as it was written: native data may depend on a property, and
    /// undecoded bytes may hold positions.
    pub(super) fn check_body(
        &self,
        row: usize,
        old: &Decoded,
        body: &mut Body,
        context: &Context,
    ) -> Result<()> {
        let (old_start, old_size) = self.body_range(row);
        let start = self.source.len() as u64;
        let known = |source: bytes::Bytes| Arc::new(self.value_context_now(context, source));
        let (bytes, records) = self.written(body, start, known(self.source.clone()))?;
        let size = bytes.len() as u64;
        let old_body = self.source.get(old_start as usize..(old_start + old_size) as usize);
        let old_body = old_body.filter(|body| !body.is_empty());
        if old.opaque > 0
            && size != old_size
            && old_body.is_none_or(|body| self.may_hold_positions(row, body, old_start, start))
        {
            let reason = "part of its body is not decoded and seems to hold file positions, so its \
                          size can't change";
            return Err(invalid(reason.to_owned()));
        }
        if size != old_size && self.hides_payloads(row, &records, start) {
            return Err(invalid(HIDDEN.to_owned()));
        }
        // Behind the source, so that the names that context knows stay where they are.
        let mut source = Vec::with_capacity(self.source.len() + bytes.len());
        source.extend_from_slice(&self.source);
        source.extend_from_slice(&bytes);
        let source = bytes::Bytes::from(source);
        let context = known(source.clone());
        let shape = Shape { end: start + size, ..body.shape().clone() };
        let mut read = Body::blank(shape);
        let mut loader =
            Loader::new(&source, self.versions.of_bodies()).with_context(context.clone());
        loader.seek(&source, start, start + size)?;
        let loaded = loader.part(size, &mut |ar| read.serialize(ar));
        let depends = "the class's own data depends on this property, or its type has another form \
                       than this value";
        loaded.map_err(|error| {
            let error = error.into_kind();
            invalid(format!("changed so, it could not be read again ({error}): {depends}"))
        })?;
        let (again, found) = self.written(&mut read, start, context)?;
        if again != bytes || found != records {
            let first = records.iter().zip(&found).find(|(a, b)| a != b);
            let place = first.map(|(record, _)| record.path.as_str()).unwrap_or("its end");
            return Err(invalid(format!(
                "changed so, it would be read as something else from {place} on: {depends}"
            )));
        }
        Ok(())
    }

    /// Whether bytes of a body that nobody decodes may be positions in the file.
    fn may_hold_positions(&self, row: usize, body: &[u8], old_start: u64, start: u64) -> bool {
        match self.bulk_scan() {
            Some(scan) => {
                let is_held = |class: &String| scan.class_has_positions(class);
                self.class_chain(row).iter().any(is_held) || scan.shows_absolute(body, old_start)
            }
            None => shows_positions(body, old_start, start, &self.versions),
        }
    }

    /// A body as bytes at `start`, and what they are.
    pub(crate) fn written(
        &self,
        body: &mut Body,
        start: u64,
        context: Arc<Context>,
    ) -> Result<(Vec<u8>, Vec<Record>)> {
        let mut saver = Saver::new(self.versions.of_bodies()).at(start).with_context(context);
        let mut annotate = Annotate::new(&mut saver);
        body.serialize(&mut annotate)?;
        let records = annotate.into_records();
        Ok((saver.into_bytes(), records))
    }
}
