//! What layouts ask about the package around them.

use crate::archive::private::absent;
use crate::archive::{Ahead, Archive, ArchiveExt, Archived, in_field};
use crate::error::Result;
use crate::primitive::Guid;
use crate::version::EngineRelease;

/// Whether the package still has what only the editor needs (spec: ue4-5/01, `ED`).
pub(super) fn has_editor_data<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().has_editor_only_data()
}

/// Whether the package was cooked.
pub(super) fn is_cooked<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().cooked
}

/// The UE4 object version.
pub(super) fn ue4<A: Archive + ?Sized>(ar: &A) -> u32 {
    ar.versions().ue4
}

/// A custom version, -1 when it is not listed.
pub(super) fn custom<A: Archive + ?Sized>(ar: &A, guid: Guid) -> i32 {
    ar.versions().custom(&guid)
}

/// Whether the package is of this engine release or a later one: where no version tells layouts apart.
pub(super) fn from_release<A: Archive + ?Sized>(ar: &A, major: u8, minor: u8) -> bool {
    ar.versions().is_release(EngineRelease::new(major, minor))
}

/// The bytes that are left in the body, while it is loaded; of archives that state what comes, those of the
/// span that does.
pub(super) fn remaining<A: Archive + ?Sized>(ar: &A) -> u64 {
    match ar.ahead() {
        Some(Ahead::Span(_, length)) => length,
        Some(_) => 0,
        None => ar.peek(usize::MAX).len() as u64,
    }
}

/// Whether a last part is there: the body says it only by ending or not.
pub(super) fn goes_on<A: Archive + ?Sized>(ar: &A) -> bool {
    match ar.ahead() {
        Some(ahead) => ahead != Ahead::Nothing,
        None => !ar.peek(1).is_empty(),
    }
}

/// Which of several forms a value has: `known` when it is not being loaded, else what `found` finds in the
/// bytes, or what archives without bytes state.
pub(super) fn choose<A: Archive + ?Sized>(
    known: u8,
    ar: &mut A,
    found: impl FnOnce(&A) -> u8,
) -> Result<u8> {
    let mut choice = known;
    if ar.is_loading() && !ar.states() {
        choice = found(ar);
    } else {
        in_field("form", ar, |ar| ar.choose(&mut choice))?;
    }
    Ok(choice)
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
