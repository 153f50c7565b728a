//! Objects from structs of Rust, which `upk headers --rust` writes.

use super::Edit;
use crate::error::{ErrorKind, Result};
use crate::inspect::values::ListMut;
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
            let list = value.body().list(&context)?;
            match package.values().list_of(row, body)? {
                ListMut::Tagged(held) => *held = list,
                ListMut::Unversioned(_) => {
                    let reason = "its properties have no tags".to_owned();
                    return Err(ErrorKind::Unsupported { reason }.into());
                }
            }
            Ok(())
        })
    }
}
