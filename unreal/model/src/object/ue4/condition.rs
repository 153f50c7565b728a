//! Conditions: questions of layouts to the package around them.

use crate::archive::private::absent;
use crate::archive::{Archive, ArchiveExt, Archived, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Guid, array};
use crate::version::{EngineRelease, UnrealVersions};

pub(super) use crate::object::optional::{remaining, rest};

/// Whether the package still has what only the editor needs (spec: ue4-5/01, `ED`).
pub(super) fn has_editor_data<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().has_editor_only_data()
}

/// Whether the package was cooked.
pub(super) fn is_cooked<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().cooked()
}

/// The UE4 object version.
pub(super) fn ue4<A: Archive + ?Sized>(ar: &A) -> u32 {
    ar.versions().ue4()
}

/// A custom version, -1 when it is not listed.
pub(super) fn custom<A: Archive + ?Sized>(ar: &A, guid: Guid) -> i32 {
    ar.versions().custom(&guid)
}

/// Whether the package is of this engine release or a later one: where no version tells layouts apart.
pub(super) fn from_release<A: Archive + ?Sized>(ar: &A, major: u8, minor: u8) -> bool {
    ar.versions().is_release(EngineRelease::new(major, minor))
}

/// Which of several forms a value has: `known` unless it is being loaded, else what an archive without bytes
/// says or `found` finds in the bytes.
pub(super) fn choose<A: Archive + ?Sized>(
    words: &'static [&'static str],
    known: i64,
    ar: &mut A,
    found: impl FnOnce(&A) -> i64,
) -> i64 {
    ar.form("form", words, known).unwrap_or_else(|| found(ar))
}

/// A field that is there when `present`.
pub(super) fn when<T: Archived + Default + PartialEq, A: Archive + ?Sized>(
    present: bool,
    value: &mut T,
    name: &'static str,
    ar: &mut A,
) -> Result<()> {
    match present {
        true => in_field(name, ar, |ar| value.serialize(ar)),
        false => absent(value, ar, name),
    }
}

/// A list behind its count that is there when `present`.
pub(super) fn when_counted<T: Archived + Default + PartialEq, A: Archive + ?Sized>(
    present: bool,
    values: &mut Vec<T>,
    name: &'static str,
    ar: &mut A,
) -> Result<()> {
    match present {
        true => in_field(name, ar, |ar| array::counted_i32(values, ar)),
        false => absent(values, ar, name),
    }
}

/// As many elements as something else says.
pub(super) fn fixed<T: Archived + Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    count: usize,
    ar: &mut A,
) -> Result<()> {
    if ar.is_saving() && values.len() != count {
        return Err(ar.error(ErrorKind::OutOfRange { value: values.len() as i128, bits: 32 }));
    }
    array::elements(values, count, ar)
}
