//! Parts whose presence is known before they are loaded.

use crate::archive::{Kind, Span, in_field};
use crate::error::Result;
use crate::{Archive, ArchiveExt, Archived};

/// Serialises a value that is there; loading fills it, and leaves a missing one missing.
pub(super) fn present<T: Archived, A: Archive + ?Sized>(
    value: &mut Option<T>,
    ar: &mut A,
) -> Result<()> {
    value.as_mut().map_or(Ok(()), |value| value.serialize(ar))
}

/// The same in the step of a field.
pub(super) fn optional<T: Archived, A: Archive + ?Sized>(
    value: &mut Option<T>,
    name: &'static str,
    ar: &mut A,
) -> Result<()> {
    value.as_mut().map_or(Ok(()), |value| in_field(name, ar, |ar| value.serialize(ar)))
}

/// As many elements as were made ready before they are loaded.
pub(super) fn ready<T: Archived, A: Archive + ?Sized>(values: &mut [T], ar: &mut A) -> Result<()> {
    T::serialize_slice(values, ar)
}

/// Whether a last part is there, `known` unless it is being loaded: the body says it only by ending or not.
/// `words` are nothing and its name, as a document says it.
pub(super) fn goes_on<A: Archive + ?Sized>(
    words: &'static [&'static str],
    known: bool,
    ar: &mut A,
) -> bool {
    let form = ar.form("without", words, i64::from(!known));
    form.map_or(!ar.peek(1).is_empty(), |without| without == 0)
}

/// A last part that an object may lack; see [`goes_on`].
pub(super) fn last<T: Archived + Default, A: Archive + ?Sized>(
    value: &mut Option<T>,
    words: &'static [&'static str; 2],
    ar: &mut A,
) -> Result<()> {
    let goes_on = goes_on(words, value.is_some(), ar);
    if ar.is_loading() {
        *value = goes_on.then(T::default);
    }
    optional(value, words[1], ar)
}

/// The bytes that are left in the body while it is loaded; 0 for archives without bytes, whose spans say their
/// own length.
pub(super) fn remaining<A: Archive + ?Sized>(ar: &A) -> u64 {
    ar.peek(usize::MAX).len() as u64
}

/// Everything up to the end of the body, as it is.
pub(super) fn rest<A: Archive + ?Sized>(rest: &mut Span, ar: &mut A) -> Result<()> {
    let length = if ar.is_loading() { remaining(ar) } else { rest.len() };
    ar.serialize_span(rest, length, Kind::Opaque)
}
