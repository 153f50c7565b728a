//! Objects from structs of Rust, which `upk headers --rust` writes.

use super::Edit;
use crate::error::Result;
use crate::inspect::PackageValues;
use crate::object::TypedObject;

impl Edit {
    /// Stores the properties of an object as the struct has them now; what stands around them stays.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for a field that is set and that the object does not store, for a value that
    /// can't be stored in the old one's form, and for an object that is not decoded whole.
    pub fn set_typed_object<T: TypedObject>(&mut self, object: &str, value: &T) -> Result<()> {
        let row = self.find_export(object)?;
        self.edit_body(row, |package, body, context| {
            package.values().list_of(row, body)?;
            value.body().store(body, &context, package.versions())
        })
    }
}
