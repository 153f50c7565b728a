//! The forms of a truth value.

use crate::archive::{Archive, ArchiveExt, Archived, Keyed, Step};
use crate::error::{ErrorKind, Result};
use crate::version::Versions;

/// One byte, 0 or 1; four bytes in a format [with wide ones](crate::version::Format::with_wide_bools).
impl Archived for bool {
    const NESTS: bool = false;
    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.versions().format().has_wide_bools() { four_bytes(self, ar) } else { byte(self, ar) }
    }

    #[inline(always)]
    fn fixed_size(versions: &Versions) -> Option<u64> {
        Some(if versions.format().has_wide_bools() { 4 } else { 1 })
    }
}

/// One byte, 0 or 1 (for `#[archive(with = …)]`).
///
/// # Errors
/// `NonCanonical` when loading anything but 0 and 1.
#[inline]
pub fn byte<A: Archive + ?Sized>(flag: &mut bool, ar: &mut A) -> Result<()> {
    ar.step(Step::Keyed(Keyed::Truth));
    let mut value = u8::from(*flag);
    ar.serialize_u8(&mut value)?;
    set(flag, value.into(), 1, ar)
}

/// Two bytes, 0 or 1 (for `#[archive(with = …)]`).
///
/// # Errors
/// `NonCanonical` when loading anything but 0 and 1.
#[inline]
pub fn two_bytes<A: Archive + ?Sized>(flag: &mut bool, ar: &mut A) -> Result<()> {
    ar.step(Step::Keyed(Keyed::Truth));
    let mut value = u16::from(*flag);
    ar.serialize_u16(&mut value)?;
    set(flag, value.into(), 2, ar)
}

/// Four bytes, 0 or 1 (for `#[archive(with = …)]`).
///
/// # Errors
/// `NonCanonical` when loading anything but 0 and 1.
#[inline]
pub fn four_bytes<A: Archive + ?Sized>(flag: &mut bool, ar: &mut A) -> Result<()> {
    ar.step(Step::Keyed(Keyed::Truth));
    let mut value = u32::from(*flag);
    ar.serialize_u32(&mut value)?;
    set(flag, value, 4, ar)
}

#[inline]
fn set<A: Archive + ?Sized>(flag: &mut bool, value: u32, size: u64, ar: &mut A) -> Result<()> {
    if ar.is_loading() {
        if value > 1 {
            let start = ar.position().saturating_sub(size);
            let form = "a truth value above 1";
            return Err(ar.error_at(start, ErrorKind::NonCanonical { form }));
        }
        *flag = value == 1;
    }
    Ok(())
}
