//! The forms of a truth value.

use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::{ErrorKind, Result};

/// Four bytes, 0 or 1: `UBOOL`.
impl Archived for bool {
    const NESTS: bool = false;
    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut value = u32::from(*self);
        ar.serialize_u32(&mut value)?;
        set(self, value, ar)
    }
}

/// One byte, 0 or 1 (for `#[archive(with = …)]`).
///
/// # Errors
/// `NonCanonical` when loading anything but 0 and 1.
#[inline]
pub fn byte<A: Archive + ?Sized>(flag: &mut bool, ar: &mut A) -> Result<()> {
    let mut value = u8::from(*flag);
    ar.serialize_u8(&mut value)?;
    set(flag, value.into(), ar)
}

#[inline]
fn set<A: Archive + ?Sized>(flag: &mut bool, value: u32, ar: &mut A) -> Result<()> {
    if ar.is_loading() {
        if value > 1 {
            return Err(ar.error(ErrorKind::NonCanonical { form: "a truth value above 1" }));
        }
        *flag = value == 1;
    }
    Ok(())
}
