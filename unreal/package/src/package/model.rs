//! The data of a package.

use std::fmt;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::baseline::Baseline;
use super::cache::Caches;
use super::former::Former;
use super::mappings::KeptMappings;
use super::tables::Bodies;
use super::{Companion, CompanionKind, ReleaseDetection, SectionPlace, claim};
use crate::archive::Context;
use crate::compression::Container;
use crate::file::FileState;
use crate::primitive::Guid;
use crate::property::mappings::Mappings;
use crate::property::{Layouts, PackageContext};
use crate::table::{Summary, Tables};
use crate::version::{UnrealVersions, Versions, threshold};

/// A package: its source bytes, the typed header and tables, and the bodies of its objects as ranges of
/// the source.
///
/// Opening parses the tables and nothing else. Saving produces every section from this model again;
/// only object bodies and bytes that no section claims are copied from the source
/// ([`PackageSpan::of`](crate::package::PackageSpan::of) lists exactly those). Cloning shares the source.
///
/// ```
/// use unreal_packages::prelude::*;
/// use unreal_packages::generate::Builder;
///
/// # fn main() -> unreal_packages::Result<()> {
/// let bytes = Builder::new(69).name("Hello").build()?;
/// let mut package = Package::from_bytes(bytes)?;
/// package.edit(|edit| edit.rename_name("Hello", "Goodbye"))?;
/// let saved = package.to_bytes()?;
/// assert!(Package::from_bytes(saved)?.names().find("goodbye").is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Package {
    pub(super) source: Bytes,
    pub(super) versions: Versions,
    pub(super) tables: Tables,
    pub(super) bodies: Bodies,
    /// Whether rows of the tables may be others than those of the source.
    pub(super) rows_changed: bool,
    /// Whether bodies that are not decoded are for every save, since an edit has moved them.
    pub(super) typed: bool,
    /// Until the next save: what bodies that are not decoded mean, where rows have other numbers now.
    pub(super) former: Option<Arc<Former>>,
    /// The rows and names that were there before the first edit.
    pub(super) baseline: Option<Baseline>,
    /// Indexes and contexts made from the tables.
    pub(super) caches: Caches,
    /// Declarations of the classes of other packages.
    pub(super) known: Arc<Layouts>,
    /// Where the header's sections were found, in order of their claims.
    pub(super) places: Vec<SectionPlace>,
    pub(super) claims: OnceLock<Arc<claim::Claims>>,
    /// The file, where it is not the source itself.
    pub(super) container: Option<Arc<Container>>,
    /// The files that it was opened from, as they were then.
    pub(super) read_from: Arc<[FileState]>,
    /// Bytes of the header's file when the bodies are in a file of their own.
    pub(super) split: Option<u64>,
    /// Files beside the package that belong to it.
    pub(super) companions: Vec<Companion>,
    /// Names and types of properties, for packages that leave them out.
    pub(super) mappings: Option<Arc<Mappings>>,
    /// These and what the package and others declare.
    pub(super) kept_mappings: KeptMappings,
    /// Whether the saved hash was right, where the source can't tell.
    pub(super) hash_was_right: Option<bool>,
    /// How its release was found, where it says none.
    pub(super) detection: Option<Arc<ReleaseDetection>>,
}

impl Package {
    /// Source and tables as they are; neither bodies nor what else is known.
    #[doc(hidden)]
    pub fn without_bodies(&self) -> Self {
        Self {
            versions: self.versions.clone(),
            tables: self.tables.clone(),
            ..Self::empty(self.source.clone())
        }
    }

    /// The same without names and exports, and what counts on those.
    #[doc(hidden)]
    pub fn without_objects(&self) -> Self {
        Self {
            versions: self.versions.clone(),
            tables: self.tables.without_objects(),
            ..Self::empty(self.source.clone())
        }
    }

    /// Bodies that are not decoded are for every save from now on: so they may move.
    #[doc(hidden)]
    #[inline]
    pub fn save_typed_from_now_on(&mut self) {
        self.typed = true;
    }

    /// A copy of this package's tables, for bodies that still hold its rows after these have moved.
    #[doc(hidden)]
    #[inline]
    pub fn as_former(&self) -> Self {
        let caches = Caches { context: self.caches.context.clone(), ..Caches::default() };
        Self { caches, bodies: Bodies::default(), ..self.clone() }
    }

    /// Bodies that are not decoded mean a former package until this one is saved.
    #[doc(hidden)]
    #[inline]
    pub fn set_former(&mut self, former: Former) {
        self.former = Some(Arc::new(former));
    }

    /// A copy to go back to: what is known beside its rows is looked up again there, so that what is kept for
    /// the package itself can change without being copied.
    #[doc(hidden)]
    #[inline]
    pub fn copy_to_undo(&self) -> Self {
        Self { caches: Caches::default(), ..self.clone() }
    }

    /// The versions, byte order and game.
    #[inline]
    pub fn versions(&self) -> &Versions {
        &self.versions
    }

    /// The header.
    #[inline]
    pub fn summary(&self) -> &Summary {
        &self.tables.summary
    }

    /// The package's GUID; zero below file version 42 and from UE5 1016, where packages have none.
    pub fn guid(&self) -> Guid {
        if self.versions.file() < threshold::HERITAGE_REMOVED {
            self.tables.heritage.last().copied().unwrap_or_default()
        } else {
            self.tables.summary.guid
        }
    }

    /// The compressed or encrypted file around the package, if it was opened from one.
    #[inline]
    pub fn container(&self) -> Option<&Container> {
        self.container.as_deref()
    }

    /// The bytes of the file: compressed or encrypted if it was. See [`Package::source`].
    #[inline]
    pub fn file(&self) -> &[u8] {
        self.container.as_ref().map_or(&self.source, |container| container.file())
    }

    /// Bytes of the header file when the bodies were in a `.uexp` file of their own. [`Package::source`] is
    /// both together, and so is what offsets count in.
    #[inline]
    pub fn split_at(&self) -> Option<u64> {
        self.split
    }

    /// Files beside the package that belong to it: bodies and bulk data. Known when it was opened by its
    /// path, or [added](Companion::add_to).
    #[inline]
    pub fn companions(&self) -> &[Companion] {
        &self.companions
    }

    /// Gives a companion of this kind other bytes, which saving writes beside the package; false where the
    /// package has none.
    #[doc(hidden)]
    pub fn set_companion(&mut self, kind: CompanionKind, bytes: Bytes) -> bool {
        let Some(companion) = self.companions.iter_mut().find(|known| known.kind == kind) else {
            return false;
        };
        companion.size = bytes.len() as u64;
        companion.changed = Some(bytes);
        true
    }

    /// The companions whose bytes an edit has changed.
    pub(crate) fn changed_companions(&self) -> Vec<(CompanionKind, Bytes)> {
        let changed = |companion: &Companion| Some((companion.kind, companion.changed.clone()?));
        self.companions.iter().filter_map(changed).collect()
    }

    /// The files that it was opened from, as they were then: the header first. None for bytes in memory.
    #[inline]
    pub fn read_from(&self) -> &[FileState] {
        &self.read_from
    }

    /// The package as it lies in memory, in which all offsets count: the bytes of the file, or what came
    /// out of them ([`Package::container`]).
    #[inline]
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The same bytes as a handle that outlives the package.
    #[doc(hidden)]
    #[inline]
    pub fn source_bytes(&self) -> Bytes {
        self.source.clone()
    }

    /// The source for spans, without names.
    #[doc(hidden)]
    #[inline]
    pub fn source_context(&self) -> Arc<Context> {
        Arc::new(Context::new(self.source.clone(), Vec::new()))
    }

    /// The source for spans, and the texts of names: what archives know about this package.
    #[inline]
    pub fn context(&self) -> Arc<Context> {
        Arc::new(self.named_context().with_soft_object_paths(self.soft_object_paths()))
    }

    /// Names alone, enough for texts of paths.
    #[doc(hidden)]
    #[inline]
    pub fn named_context(&self) -> Context {
        Context::with_names(self.source.clone(), self.tables.names.clone())
            .with_paths_as_strings(self.versions.ue4() < threshold::ue4::ADDED_SOFT_OBJECT_PATH)
    }
}

impl fmt::Debug for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Package")
            .field("versions", &self.versions)
            .field("bytes", &self.source.len())
            .field("names", &self.tables.names.len())
            .field("imports", &self.tables.imports.len())
            .field("exports", &self.export_count())
            .finish_non_exhaustive()
    }
}
