//! Checks for values that look wrong although they could be stored: refused, unless the caller asks for them.

mod name_uses;
mod object_name;

use super::Edit;
use crate::error::{Error, Result, UnrealError};

impl Edit {
    /// Whether the changes that follow are refused where they look wrong
    /// ([`UnrealError::Doubtful`]); they are unless this says otherwise:
    ///
    /// * an object of another class than its property, field or map wants, a value that its enum does not have,
    /// * characters in names that the engine or its editor would not take, and rows of the name table with a text that
    ///   the engine parts into a name and a number,
    /// * code that the engine could not run,
    /// * another text for a name that says what classes, structs, properties or values of enums are called, or what
    ///   imported objects are,
    /// * a declaration with a name that its class inherits, or that a class below it declares,
    /// * another name for an object that the engine finds by it, and an actor that would lie in no level.
    ///
    /// A value that can't be saved and read again is refused all the same.
    ///
    /// ```
    /// use unreal_packages::prelude::*;
    /// use unreal_packages::{error::UnrealError, generate::Builder};
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let mut package = Package::from_bytes(Builder::new(69).name("Hello").build()?)?;
    /// let refused = package.edit(|edit| edit.add_name("\"quoted\"")).unwrap_err();
    /// assert!(matches!(refused.unreal(), Some(UnrealError::Doubtful { .. })));
    /// package.edit(|edit| {
    ///     edit.set_checks(false);
    ///     edit.add_name("\"quoted\"")
    /// })?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_checks(&mut self, checks: bool) {
        self.checks = checks;
    }

    /// Refuses what looks wrong, unless that is wanted.
    pub(in crate::edit) fn doubt(&self, reason: impl FnOnce() -> String) -> Result<()> {
        match self.checks {
            true => Err(Error::from(UnrealError::Doubtful { reason: reason() })),
            false => Ok(()),
        }
    }
}
