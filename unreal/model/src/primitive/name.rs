//! References into the name table.

use std::fmt;

use super::Index;
use crate::archive::layout::{Bound, Field, Layout};
use crate::archive::{Archive, Archived, Reference, Space, Width, private};
use crate::error::Result;
use crate::primitive::NameContext;
use crate::version::{FILE, UnrealVersions, threshold};

/// A reference into the name table, with a number from file version 343 on (spec: ue1-3/01 §1.4).
///
/// | versions | layout |
/// |---|---|
/// | below 178 | compact index |
/// | 178 to 342 | i32 index |
/// | from 343 | i32 index, i32 number |
///
/// Number 0 is the bare name, number n the suffix `_(n - 1)`. C++: `FName`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Name {
    /// Row of the name table.
    pub index: Index,
    /// 0 for the bare name; n stands for the suffix `_(n - 1)`.
    pub number: i32,
}

impl Name {
    /// A bare name.
    #[inline]
    pub const fn new(index: i32) -> Self {
        Self { index: Index::new(index), number: 0 }
    }

    /// A name with a number.
    #[inline]
    pub const fn numbered(index: i32, number: i32) -> Self {
        Self { index: Index::new(index), number }
    }

    /// A text as the engines show a name with a number, parted: `Light_3` is `Light` with the number 4. `None` for
    /// one that has none (spec: ue1-3/01 §1.4).
    pub fn split(text: &str) -> Option<(&str, i32)> {
        // Most names end with a letter.
        text.as_bytes().last().filter(|byte| byte.is_ascii_digit())?;
        let (base, digits) = text.rsplit_once('_')?;
        let canonical = digits == "0" || !digits.starts_with('0') && !digits.is_empty();
        let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
        let number: i32 = digits.parse().ok().filter(|_| canonical && plain)?;
        (!base.is_empty()).then_some((base, number.checked_add(1)?))
    }

    /// The package's table of names.
    pub const SPACE: Space = Space {
        number: 1,
        label: "name",
        text: |context, row, number| {
            context.name_text(&Self::numbered(row, number)).unwrap_or_default()
        },
    };
}

impl Archived for Name {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("A row of the name table, and from file version 343 on the number behind the name, plus one.")
        .with_parts(&[
        Field::plain("index", "Index", "The row."),
        Field::plain("number", "i32", "0 for none, else the number plus one.")
                .within(&[Bound::since(FILE, threshold::NAME_NUMBER_ADDED as i64)]),
    ])
        .with_size(|versions| match versions.has_name_numbers() {
            true => Some(8),
            false => (!versions.has_compact_index()).then_some(4),
        });

    #[inline(always)]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let versions = ar.versions();
        let (width, numbered) = (Width::of(versions), versions.has_name_numbers());
        let row = self.index.compact_mut();
        if numbered {
            ar.reference(Reference::numbered(&Self::SPACE, row, width, &mut self.number))
        } else {
            ar.reference(Reference::row(&Self::SPACE, row, width))?;
            private::absent(&mut self.number, ar, "number")
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            0 => write!(f, "Name({:?})", self.index),
            number => write!(f, "Name({:?}, number {number})", self.index),
        }
    }
}
