//! The tables and the bodies that are more than a range of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::bodies::DecodedBodies;
use super::cache::Caches;
use super::section::SectionPlace;
use crate::archive::Span;
use crate::package::Package;
use crate::primitive::SoftObjectPath;
use crate::property::Layouts;
use crate::table::Tables;
use crate::version::Versions;

/// The parts of a package that an edit may change.
#[derive(Debug)]
#[doc(hidden)]
pub struct Parts<'a> {
    pub versions: &'a mut Versions,
    pub tables: &'a mut Tables,
    pub bodies: &'a mut Bodies,
    /// Declarations of the classes of other packages.
    pub known: &'a mut Arc<Layouts>,
    /// Indexes and contexts made from the tables.
    pub caches: &'a mut Caches,
}

impl Package {
    /// The header and the tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The paths that bodies refer to by row.
    #[doc(hidden)]
    pub fn soft_object_paths(&self) -> &[SoftObjectPath] {
        &self.tables.further.soft_object_paths
    }

    /// Bodies that are more than a range of the source.
    #[doc(hidden)]
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// Declarations of the classes of other packages.
    #[doc(hidden)]
    pub fn class_layouts(&self) -> &Layouts {
        &self.known
    }

    /// Where the header's sections were found, in order of their claims.
    #[doc(hidden)]
    pub fn header_places(&self) -> &[SectionPlace] {
        &self.places
    }

    /// The parts that an edit may change. The owners of the source's bytes are computed before.
    #[doc(hidden)]
    pub fn parts_mut(&mut self) -> Parts<'_> {
        self.caches.forget();
        self.parts_kept()
    }

    /// The same, for code that keeps indexes and contexts true itself.
    #[doc(hidden)]
    pub fn parts_kept(&mut self) -> Parts<'_> {
        self.claims();
        self.rows_changed = true;
        Parts {
            versions: &mut self.versions,
            tables: &mut self.tables,
            bodies: &mut self.bodies,
            known: &mut self.known,
            caches: &mut self.caches,
        }
    }
}

/// Bodies that are more than a range of the source, by export row.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Bodies {
    /// Bodies that were replaced.
    pub replaced: BTreeMap<usize, Span>,
    /// Bodies in their typed form.
    pub decoded: DecodedBodies,
    /// Bodies that must stay where they are although their bytes do not show why: their document says so.
    pub pinned: BTreeSet<usize>,
}
