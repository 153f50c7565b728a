//! What layouts ask about the package around them.

use crate::Archive;
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

/// The bytes that are left in the body, while it is loaded.
pub(super) fn remaining<A: Archive + ?Sized>(ar: &A) -> u64 {
    ar.peek(usize::MAX).len() as u64
}
