//! Flags of the package and of its objects.

use crate::edit::Edit;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{ObjectFlags, PackageFlags};

impl Edit {
    /// Replaces the package flags.
    ///
    /// # Errors
    /// `Invalid` when flags of UE4 and UE5 would change that decide layouts: bodies and tables would no
    /// longer be what the flags say.
    pub fn set_package_flags(&mut self, flags: PackageFlags) -> Result<()> {
        let (mut before, mut after) = (self.versions().clone(), self.versions().clone());
        self.tables().summary.package_flags.apply_to(&mut before);
        flags.apply_to(&mut after);
        if before != after {
            return Err(Error::invalid(
                "FilterEditorOnly, UnversionedProperties and Cooked decide the layout of \
                          tables and bodies and can't be changed alone",
            ));
        }
        self.tables_mut().summary.package_flags = flags;
        Ok(())
    }

    /// Replaces the object flags of an export.
    ///
    /// # Errors
    /// `NotFound`; `OutOfRange` when this version's flags are narrower; `Invalid` when the state frame
    /// flag would change, since the body decides that.
    pub fn set_object_flags(&mut self, row: usize, flags: ObjectFlags) -> Result<()> {
        self.check_object(row)?;
        if !ObjectFlags::is_wide(self.versions()) && flags.0 > u64::from(u32::MAX) {
            return Err(ErrorKind::OutOfRange { value: flags.0.into(), bits: 32 }.into());
        }
        let old = self.tables().exports[row].object_flags;
        if old.is_class_default(self.versions()) != flags.is_class_default(self.versions()) {
            let reason =
                "ClassDefaultObject decides what the body holds and can't be changed alone";
            return Err(Error::invalid(reason));
        }
        if old.has_stack(self.versions()) != flags.has_stack(self.versions()) {
            let reason = "HasStack says that a state frame stands in the body; \
                          replace the body before changing it";
            return Err(Error::invalid(reason));
        }
        self.change_export(row, |export| export.object_flags = flags);
        Ok(())
    }
}
