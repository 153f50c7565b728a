//! Values that may be missing.

use super::boolean;
use crate::archive::{Archive, ArchiveExt, Archived, Keyed, Step, in_field};
use crate::error::Result;

/// One byte, 0 or 1, then the value if it is there.
impl<T: Archived + Default> Archived for Option<T> {
    const NESTS: bool = T::NESTS;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        ar.step(Step::Keyed(Keyed::Optional));
        let mut present = self.is_some();
        in_field("present", ar, |ar| boolean::byte(&mut present, ar))?;
        if ar.is_loading() {
            *self = present.then(T::default);
        }
        match self {
            Some(value) => in_field("value", ar, |ar| value.serialize(ar)),
            None => Ok(()),
        }
    }
}
