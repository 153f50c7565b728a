//! Questions of code as text to the package that it belongs to.

use crate::error::Result;
use crate::primitive::{Name, PackageIndex};

/// The sign for the size of the next expression.
pub(super) const NEXT: &str = "_";

/// Names of names and objects in the text of code.
#[doc(hidden)]
pub trait AssemblyNames {
    /// The text of a name, and whether the text alone leads back to this row.
    fn name(&self, name: &Name) -> (String, bool);
    /// The path of an object, and whether the path alone leads back to it.
    fn object(&self, index: PackageIndex) -> (String, bool);
}

/// Finds names and objects by what they are called.
#[doc(hidden)]
pub trait AssemblyRows {
    /// The name of this text.
    ///
    /// # Errors
    /// Where it is not there and can't be added.
    fn name(&mut self, text: &str) -> Result<Name>;
    /// The object of this path, which is `Class'Path'` where it may have to be imported.
    ///
    /// # Errors
    /// Where it is not there and can't be added.
    fn object(&mut self, text: &str) -> Result<PackageIndex>;
    /// Whether the package has this row of names, or this object.
    fn has(&self, row: AssemblyRow) -> bool;
    /// Whether a name means none.
    fn is_none(&self, name: &Name) -> bool;
}

/// A row that a text says.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub enum AssemblyRow {
    /// Of names.
    Name(i32),
    /// Of exports or imports.
    Object(PackageIndex),
}
