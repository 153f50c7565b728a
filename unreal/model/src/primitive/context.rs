//! Questions of primitives to the package around them.

use super::{Name, PackageIndex, SoftObjectPath};

/// Names and soft paths of a package in a [`Context`](crate::archive::Context).
pub trait NameContext {
    #[doc(hidden)]
    fn paths_are_strings(&self) -> bool;

    /// The name of an import or export, where they are known.
    fn object_name(&self, index: &PackageIndex) -> Option<String>;

    /// The package's list of soft object paths; empty below UE5.1 and in cooked packages.
    fn soft_object_paths(&self) -> &[SoftObjectPath];

    /// The text of a name, its number included (`Light_3`), or `None` when the index is out of range.
    fn name_text(&self, name: &Name) -> Option<String>;

    /// Whether a name means "none": its text is `None` in any case, without a number.
    fn is_none(&self, name: &Name) -> bool;

    /// A name that means "none", where the package has one.
    #[doc(hidden)]
    fn none(&self) -> Option<Name>;
}
