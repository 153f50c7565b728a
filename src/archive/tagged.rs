//! Enums whose tag stands in another field.

use super::Archive;
use crate::error::Result;

/// An enum whose tag stands in another field; the derive implements it for those with `#[archive(tagged)]`, and
/// `#[archive(tag = …)]` before a field uses it ([`Archived`](macro@crate::Archived)).
pub trait Tagged {
    /// The integer of its `#[repr(…)]`.
    type Tag: Copy + Into<i128> + TryFrom<i128>;

    /// The tag of the variant that the value is.
    fn tag(&self) -> Self::Tag;

    /// The fields of the variant that has this tag; when not loading, of the one that the value is.
    ///
    /// # Errors
    /// Whatever the archive reports; `UnknownVariant` for a tag that no variant has.
    fn serialize_tagged<A: Archive + ?Sized>(&mut self, tag: Self::Tag, ar: &mut A) -> Result<()>;
}
