//! What classes add that nobody has described.

use super::condition::remaining;
use crate::archive::in_field;
use crate::error::Result;
use crate::{Archive, Archived};

/// A zero of four bytes, where exactly that is left: an empty list, a flag that is not set, or a reference
/// to nothing. Anything else is left over.
///
/// Spec: ue4-5/05 §10, 09 §2, §11.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Remainder {
    /// Whether the zero is there.
    pub zero: bool,
}

impl Archived for Remainder {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            self.zero = remaining(ar) == 4 && ar.peek(4) == [0; 4];
        }
        match self.zero {
            true => in_field("zero", ar, |ar| ar.serialize_u32(&mut 0)),
            false => Ok(()),
        }
    }
}
