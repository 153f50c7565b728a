//! Texts of formats of one's own.

use super::array;
use crate::archive::{Archive, ArchiveExt, Archived, Role, in_field};
use crate::error::{ErrorKind, Result};

/// A count as that of a [`Vec`], then so many bytes of UTF-8.
impl Archived for String {
    const NESTS: bool = false;
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = in_field("length", ar, |ar| array::serialize_count(self.len(), ar))?;
        ar.role(Role::Length);
        in_field("characters", ar, |ar| {
            // A text is no buffer to be overwritten: its bytes come and go through one of their own.
            let mut bytes = std::mem::take(self).into_bytes();
            if ar.is_loading() {
                ar.claim(count as u64, 1)?;
                bytes.clear();
                bytes.resize(count, 0);
            }
            let result = ar.serialize_bytes(&mut bytes);
            *self = String::from_utf8(bytes)
                .map_err(|_| ar.error(ErrorKind::BadText { reason: "it is not UTF-8" }))?;
            result?;
            ar.note(self);
            Ok(())
        })
    }
}
