//! The sections of a package: what each is called, where its place and its count stand, and what its rows
//! are. Opening, layout, renumbering, JSON and explaining go by this list.

use std::fmt;

use super::rows::Rows;
use super::*;
use crate::archive::{Archive, Archived, Role, Span};
use crate::error::Result;
use crate::primitive::{Group, PackageIndex, SoftObjectPath};
use crate::version::{UnrealVersions, Versions, threshold};

/// How opening finds a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum Loading {
    /// The summary has its offset and a count, without which it is not there.
    Counted,
    /// The summary has its offset, which is above zero where it is there.
    Placed,
    /// It has rules of its own.
    Own,
}

/// The facts about a section.
#[doc(hidden)]
pub struct Entry {
    pub section: Section,
    /// The step that stands for it in paths.
    pub step: &'static str,
    /// Where the summary has its offset.
    pub offset: Option<fn(&mut Summary) -> &mut i32>,
    /// How many rows the summary says it has.
    pub count: Option<fn(&mut Summary) -> &mut i32>,
    pub loading: Loading,
    /// Whether packages of these versions can have it.
    pub is_in: fn(&Versions) -> bool,
    /// What it is for, where the editor makes it anew at each save.
    pub role: Option<Role>,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").finish_non_exhaustive()
    }
}

/// Expands the entries of [`sections`], with defaults for what they leave out.
macro_rules! declare {
    (@summary) => { None };
    (@summary $field:ident) => {{
        fn field(summary: &mut Summary) -> &mut i32 {
            &mut summary.$field
        }
        Some(field)
    }};
    (@role derived) => { Some(Role::Derived) };
    (@role) => { None };
    (@loading [$loading:ident] $($rest:tt)*) => { Loading::$loading };
    (@loading [] [$offset:ident] [$count:ident]) => { Loading::Counted };
    (@loading [] [$offset:ident] []) => { Loading::Placed };
    (@loading [] [] []) => { Loading::Own };
    (@is_in [$versions:ident $is_in:expr] $($rest:tt)*) => { |$versions| $is_in };
    (@is_in [] $type:ty) => { Versions::has_object_versions };
    (@is_in []) => { |_| true };
    (@rows $self:ident $archive:ident [$tables:ident $ar:ident $rows:expr] $($rest:tt)*) => {{
        let ($tables, $ar) = ($self, $archive);
        $rows
    }};
    (@rows $self:ident $archive:ident [] [$($count:ident)?] $field:ident) => {{
        let count = None $(.or(Some($self.summary.$count)))?;
        $self.$field.serialize_rows(count, $archive)
    }};
    // Few packages have it: it need not be compiled for every archive.
    (@rows $self:ident $archive:ident [] [$($count:ident)?] $field:ident $type:ty) => {{
        let count = None $(.or(Some($self.summary.$count)))?;
        $self.further.$field.serialize_rows(count, $archive.as_dyn())
    }};
    ($(
        #[$doc:meta]
        $name:ident $field:ident $(: $type:ty)? $(= mod $file:ident { $($row:ident),* $(,)? })? {
            $(offset: $offset:ident,)? $(count: $count:ident,)? $(loading: $loading:ident,)?
            $(is_in: |$versions:ident| $is_in:expr,)?
            $(rows: |$tables:ident, $ar:ident| $rows:expr,)?
            $(role: $role:ident,)?
        }
    )*) => {
        /// A part of a package file.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
        #[non_exhaustive]
        pub enum Section {
            $(#[$doc] $name,)*
            /// The image of a thumbnail, by its place in the model.
            ThumbnailImage(u32),
            /// The body of an object, by export row.
            Body(u32),
            /// Bytes that no section claims.
            Gap(u32),
        }

        /// In the order in which the engines write them.
        #[doc(hidden)]
        pub static SECTIONS: &[Entry] = &[$(Entry {
            section: Section::$name,
            step: stringify!($field),
            offset: declare!(@summary $($offset)?),
            count: declare!(@summary $($count)?),
            loading: declare!(@loading [$($loading)?] [$($offset)?] [$($count)?]),
            is_in: declare!(@is_in [$($versions $is_in)?] $($type)?),
            role: declare!(@role $($role)?),
        }),*];

        /// Sections of a package beside its tables of names, imports and exports and what belongs to those
        /// ([`Tables::further`]).
        ///
        /// A section that the package lacks is `None` or empty; so are all of them before UE4.
        /// Spec: ue4-5/03.
        #[derive(Debug, Clone, Default)]
        #[non_exhaustive]
        pub struct FurtherSections {
            $($(#[$doc] pub $field: $type,)?)*
        }

        impl Group for FurtherSections {
            const ABSENT: &'static Self = &Self { $($($field: <$type as Rows>::ABSENT,)?)* };
        }

        impl Tables {
            /// The rows of a section; nothing for one that is not in the list.
            #[doc(hidden)]
            pub fn serialize_listed<A: Archive + ?Sized>(
                &mut self,
                section: Section,
                ar: &mut A,
            ) -> Result<()> {
                let tables = self;
                match section {
                    $(Section::$name => declare!(
                        @rows tables ar [$($tables $ar $rows)?] [$($count)?] $field $($type)?
                    ),)*
                    _ => Ok(()),
                }
            }

            /// Takes over the rows that other tables have in a section, none for one that is not in the list.
            #[doc(hidden)]
            pub fn copy_section(&mut self, section: Section, from: &Self) {
                match section {
                    Section::Summary => self.summary = from.summary.clone(),
                    Section::Heritage => self.heritage = from.heritage.clone(),
                    Section::Names => self.names = from.names.clone(),
                    Section::Imports => self.imports = from.imports.clone(),
                    Section::Exports => self.exports = from.exports.clone(),
                    Section::Depends => self.depends = from.depends.clone(),
                    Section::Guids => {
                        self.import_guids = from.import_guids.clone();
                        self.export_guids = from.export_guids.clone();
                    }
                    Section::ThumbnailTable => self.thumbnails = from.thumbnails.clone(),
                    // Tables before UE4 have none of them, and need no room for any.
                    _ if self.further.allocated() + from.further.allocated() == 0 => {}
                    $($(Section::$name => {
                        self.further.$field = <$type>::clone(&from.further.$field);
                    })?)*
                    _ => {}
                }
            }

            /// Makes a section ready to be loaded that takes `size` bytes.
            #[doc(hidden)]
            pub fn expect(&mut self, section: Section, size: u64) {
                match section {
                    $($(Section::$name => <$type as Rows>::expect(&mut self.further.$field, size),)?)*
                    _ => {}
                }
            }

            /// Rows of a section that the summary counts, if it is one of [`Tables::further`].
            fn rows(&self, section: Section) -> Option<usize> {
                match section {
                    $($(Section::$name => Some(<$type as Rows>::rows(&self.further.$field)),)?)*
                    _ => None,
                }
            }
        }
    };
}

sections!(declare);

impl Tables {
    /// Brings the counts of the summary up to date for the lists of [`Tables::further`].
    #[doc(hidden)]
    pub fn sync_further(&mut self) -> Result<()> {
        for entry in SECTIONS.iter().filter(|entry| entry.loading == Loading::Counted) {
            if let (Some(count), Some(rows)) = (entry.count, self.rows(entry.section)) {
                *count(&mut self.summary) = next_row(rows)?;
            }
        }
        Ok(())
    }
}

impl Section {
    /// The sections of the list, in the order in which the engines write them.
    #[doc(hidden)]
    pub fn listed() -> impl Iterator<Item = Self> {
        SECTIONS.iter().map(|entry| entry.section)
    }

    /// The step that stands for it in paths.
    #[doc(hidden)]
    pub fn step(self) -> &'static str {
        match self {
            Self::ThumbnailImage(_) => "thumbnail_images",
            Self::Body(_) => "bodies",
            Self::Gap(_) => "gaps",
            _ => self.entry().map_or("", |entry| entry.step),
        }
    }

    /// Its entry in the list; `None` for images of thumbnails, bodies and gaps.
    #[doc(hidden)]
    #[inline]
    pub fn entry(self) -> Option<&'static Entry> {
        SECTIONS.iter().find(|entry| entry.section == self)
    }

    /// Whether the editor makes it anew at each save, from what the objects hold.
    #[doc(hidden)]
    #[inline]
    pub fn is_derived(self) -> bool {
        self.entry().is_some_and(|entry| entry.role == Some(Role::Derived))
    }

    /// Whether it holds plain texts and numbers only: neither names nor objects.
    #[doc(hidden)]
    #[inline]
    pub fn refers_to_nothing(self) -> bool {
        matches!(self, Self::Names | Self::AssetRegistry)
    }

    /// Whether names and soft paths may stand in it.
    #[doc(hidden)]
    #[inline]
    pub fn may_hold_names(self) -> bool {
        !self.refers_to_nothing() && !matches!(self, Self::Depends | Self::PreloadDependencies)
    }

    #[doc(hidden)]
    #[inline]
    pub fn row(self) -> Option<usize> {
        match self {
            Self::ThumbnailImage(row) | Self::Body(row) | Self::Gap(row) => Some(row as usize),
            _ => None,
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.row() {
            Some(row) => write!(f, "{}[{row}]", self.step()),
            None => f.write_str(self.step()),
        }
    }
}
