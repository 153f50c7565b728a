//! What the families share and how they are told apart.

use crate::error::{ErrorKind, Result};
use crate::primitive::Payload;
use crate::{Archive, ArchiveExt, Archived, Game};

/// SWAT 4.
pub(super) fn swat<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().game == Game::Swat4
}

/// The line of UT2003 and UT2004, from this file version on.
pub(super) fn ut<A: Archive + ?Sized>(ar: &A, since: u32) -> bool {
    let versions = ar.versions();
    (25..=29).contains(&versions.licensee) && versions.file >= since && !swat(ar)
}

/// Elements of `N` bytes for the graphics card, then how often they were changed.
///
/// Spec: ue1-3/10 §10.2.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Stream<const N: usize> {
    /// The elements.
    pub data: Payload<N>,
    /// Counts changes.
    pub revision: i32,
}

/// Bytes that are zero in every known file: empty arrays, null references and numbers whose split is
/// not known. A body with anything else here is not decoded, since that could be a reference.
///
/// Spec: ue1-3/10 §10.6.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Zeros<const N: usize>;

impl<const N: usize> Archived for Zeros<N> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut bytes = [0; N];
        ar.serialize_bytes(&mut bytes)?;
        match bytes.iter().all(|&byte| byte == 0) {
            true => Ok(()),
            false => Err(ar.error(ErrorKind::NonCanonical { form: "a part that was always zero" })),
        }
    }
}
