//! Parts of unknown meaning that are always zero.

use crate::error::{ErrorKind, Result};
use crate::{Archive, ArchiveExt, Archived};

/// Bytes that are zero in every known file: empty arrays, null references and numbers whose split is
/// not known. A body with anything else here is not decoded, since that could be a reference.
///
/// Spec: ue1-3/10 §10.6, 11 §11.3.
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
