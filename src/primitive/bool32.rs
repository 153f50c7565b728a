//! A truth value that keeps its stored form.

use std::fmt;

use crate::archive::layout::Layout;
use crate::{Archive, Archived, Result};

/// Four bytes, 0 or 1 as a rule; any other number is kept.
///
/// Tables use it, since their rows must keep every form; in bodies `bool` refuses other numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Bool32(pub u32);

impl Bool32 {
    /// True.
    pub const TRUE: Self = Self(1);
    /// False.
    pub const FALSE: Self = Self(0);

    /// Whether it means true.
    #[inline]
    pub const fn is_true(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool32 {
    fn from(value: bool) -> Self {
        Self(value.into())
    }
}

impl Archived for Bool32 {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("A truth value of four bytes, in which any number but 0 is true.")
        .with_size(|_| Some(4));

    #[inline(always)]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize_u32(&mut self.0)
    }
}

impl fmt::Debug for Bool32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("false"),
            1 => f.write_str("true"),
            other => write!(f, "true ({other:#x})"),
        }
    }
}
