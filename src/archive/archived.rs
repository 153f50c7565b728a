//! The value's side: one function for all archives.

use super::{Archive, Layout, at_index};
use crate::error::Result;
use crate::version::{Measure, Versions};

/// The value's one function, which reads, writes and visits: mirrors `operator<<(FArchive&, T&)`.
///
/// Derive it: [`macro@crate::Archived`]. Laws, which hold for every type and version:
/// saving, counting and visiting leave the value unchanged (but for what [`Remap`](super::Remap) renumbers); loading
/// overwrites every field; a field that its version lacks becomes `Default`, and saving a non-default
/// one is `NotInVersion`; only `is_loading()` is branched on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no stored layout",
    label = "has no `Archived`",
    note = "derive it for a type of your own: `#[derive(Archived)]` (`use farchive::Archived`)",
    note = "`usize` and `isize` have no fixed width: store `u32`, `u64`, `i32` or `i64`",
    note = "references and types of other crates: give the field a function with `#[archive(with = path)]`, or leave it out with `#[archive(skip)]`"
)]
pub trait Archived {
    /// Where this type's own layout changes.
    const THRESHOLDS: &'static [Threshold] = &[];

    /// The layout of this type: its fields, in order and with versions; of a type whose function is written by hand its
    /// name, and what its author says or [`Described`](crate::Described) writes down.
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>);

    /// Whether a value may hold values of its own type somewhere inside: lists, boxes and maps of such values
    /// go one level deeper around them, so that hostile bytes can't nest more levels than the archive allows.
    /// The derive works it out; of a type whose function is written by hand it is assumed.
    ///
    /// Only a type that no list, box or map stands in, however deep, may say `false`.
    const NESTS: bool = true;

    /// Whether [`Archived::serialize_slice`] is faster than element by element.
    const BULK: bool = false;

    /// Reads, writes or visits the value, as the archive decides.
    ///
    /// # Errors
    /// Whatever the archive reports, with the path of the field.
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()>;

    /// The same for neighbours, in one go where that is faster.
    ///
    /// # Errors
    /// Whatever the archive reports, with the path of the element.
    #[inline]
    fn serialize_slice<A: Archive + ?Sized>(slice: &mut [Self], ar: &mut A) -> Result<()>
    where
        Self: Sized,
    {
        for (index, value) in slice.iter_mut().enumerate() {
            at_index(index, ar, |ar| value.serialize(ar))?;
        }
        Ok(())
    }

    /// How many bytes each value takes, where it is the same number for all of them: lists and maps of such values are
    /// counted without a look at each.
    #[doc(hidden)]
    #[inline(always)]
    fn fixed_size(versions: &Versions) -> Option<u64>
    where
        Self: Sized,
    {
        let _ = versions;
        None
    }

    /// How many bytes this value takes, where a glance says so: lists and maps of such values are counted by glances.
    /// Where it stands makes no difference.
    #[doc(hidden)]
    #[inline(always)]
    fn seen_size(&self, versions: &Versions) -> Option<u64>
    where
        Self: Sized,
    {
        Self::fixed_size(versions)
    }

    /// Saves a value that can only be looked at, such as a key of a map: by way of a copy in `room`, where it can
    /// do no better. Never asked when loading.
    ///
    /// # Errors
    /// Whatever the archive reports.
    #[doc(hidden)]
    #[inline]
    fn save_lent<A: Archive + ?Sized>(&self, room: &mut Self, ar: &mut A) -> Result<()>
    where
        Self: Sized + Clone,
    {
        room.clone_from(self);
        room.serialize(ar)
    }
}

/// A version bound that a type's layout depends on, published by the derive so that tests can run one
/// below, at and above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Threshold {
    /// The version it is about.
    pub measure: Measure,
    /// The first version with the new layout.
    pub value: i64,
}
