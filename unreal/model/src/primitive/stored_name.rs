//! Names that not every version stores.

use std::fmt;

use super::Name;
use crate::archive::layout::{Field, Layout};
use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::Result;
use crate::primitive::NameContext;

/// A name of a field that some versions lack.
///
/// An absent name can't be read as a row: the default of [`Name`] is the first row of the table, which is some
/// name of the package. Stored as the name is; saved for a version that has the field, an absent name is the
/// package's `None`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StoredName(Option<Name>);

impl StoredName {
    /// The value in a version that lacks the field.
    pub const ABSENT: Self = Self(None);

    /// The name, where one is stored.
    #[inline]
    pub const fn get(self) -> Option<Name> {
        self.0
    }

    /// The name, where one is stored, to be changed.
    #[inline]
    pub const fn get_mut(&mut self) -> Option<&mut Name> {
        self.0.as_mut()
    }
}

impl From<Name> for StoredName {
    fn from(name: Name) -> Self {
        Self(Some(name))
    }
}

impl fmt::Debug for StoredName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => name.fmt(f),
            None => f.write_str("Absent"),
        }
    }
}

/// The treatment of absent names by a visitor while the versions of a package change, and none is row 0: what says none
/// becomes absent before, so that a version without the field takes it, and what is absent becomes none afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum AbsentNames {
    /// A name that has become row 0 is absent.
    FromNone,
    /// An absent name is row 0, which becomes none.
    ToNone,
}

impl Archived for StoredName {
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("A name of a field that some versions lack.")
        .with_parts(&[Field::of::<Name>("name", "Name", "In a file it is the name.")])
        .with_size(|versions| Name::LAYOUT.size(versions));
    const NESTS: bool = false;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match &mut self.0 {
            Some(name) if !ar.is_loading() => {
                name.serialize(ar)?;
                let is_none = !ar.is_saving() && *name == Name::default();
                if is_none && ar.context().get() == Some(&AbsentNames::FromNone) {
                    self.0 = None;
                }
                Ok(())
            }
            None if !ar.is_loading() && !ar.is_saving() => {
                if ar.context().get() == Some(&AbsentNames::ToNone) {
                    let mut name = Name::default();
                    name.serialize(ar)?;
                    self.0 = Some(name);
                }
                Ok(())
            }
            None if ar.is_saving() => {
                let none = ar.context().none();
                none.unwrap_or_default().serialize(ar)
            }
            stored => {
                let mut name = Name::default();
                name.serialize(ar)?;
                *stored = Some(name);
                Ok(())
            }
        }
    }
}
