//! Objects as structs of Rust, which `upk headers --rust` writes.

use super::Package;
use crate::archive::{ArchiveExt, Loader};
use crate::error::{ErrorKind, Result};
use crate::object::{TypedBody, TypedObject};

impl Package {
    /// An object as a struct that `upk headers --rust` has written for its class; of a
    /// class of UE1 and UE2 with its defaults.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for an object whose body is not decoded.
    pub fn typed_object<T: TypedObject>(&self, object: &str) -> Result<T> {
        let row = self.find_export(object)?;
        let undecoded = |reason: String| -> crate::Error {
            let reason = format!("its body is not decoded: {reason}");
            self.about(row, ErrorKind::Invalid { reason }.into())
        };
        let context = self.scoped(row, &self.decoding_context());
        if let Some(decoded) = self.decoded(row) {
            let body = TypedBody::of(decoded.body.clone(), &context, self.versions());
            return body.map(T::new).ok_or_else(|| undecoded("it has no properties".to_owned()));
        }
        let decoded = self.decode(row)?;
        if decoded.body.is_opaque() {
            let reason = decoded.error.map(|error| error.to_string());
            return Err(undecoded(reason.unwrap_or_else(|| "it was replaced".to_owned())));
        }
        let mut value = T::new(TypedBody::blank(decoded.body.shape().clone()));
        let (start, size) = self.body_range(row);
        let mut loader =
            Loader::new(self.source(), self.versions().of_bodies()).with_context(context);
        loader.seek(self.source(), start, start + size)?;
        loader.part(size, &mut |ar| value.serialize(ar))?;
        Ok(value)
    }

    /// Stores the properties of an object as the struct has them now; what stands around them stays.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for a field that is set and that the object does not store, for a value that
    /// can't be stored in the old one's form, and for an object that is not decoded whole.
    pub fn set_typed_object<T: TypedObject>(&mut self, object: &str, value: &T) -> Result<()> {
        let row = self.find_export(object)?;
        self.edit_body(row, |package, body, context| {
            package.list_of(row, body)?;
            value.body().store(body, &context, package.versions())
        })
    }
}
