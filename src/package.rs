//! [`Package`]: open, look, change, save.

mod access;
mod add;
mod body;
mod body_edit;
mod build;
mod chain;
pub mod checksum;
mod claim;
mod companion;
mod conform;
mod conformance;
mod context;
mod convert;
mod copy;
mod coverage;
mod declaration;
mod decode;
mod duplicate;
mod edit;
mod explain;
mod further;
mod generate;
#[cfg(feature = "json")]
mod json;
mod layout;
mod listing;
mod lookup;
mod mappings;
mod meaning;
mod naming;
mod new_asset;
mod open;
mod own_path;
mod path_map;
mod payload;
mod profile;
mod property;
mod prune;
mod references;
mod referrers;
mod refusal;
mod remove;
mod rename;
mod rename_package;
mod renaming;
mod renumber;
mod resource;
mod retarget;
mod row;
mod save;
mod scan;
mod schema;
mod section;
#[cfg(feature = "content")]
mod shown;
mod table_rows;
mod texels;
mod thumbnail;
mod typed;
mod view;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

pub use crate::archive::Coverage;
pub use build::Builder;
pub use companion::{Companion, CompanionKind};
pub use conform::Conformed;
pub use conformance::Mismatch;
pub use copy::{Copied, CopyOptions, Dependencies};
pub use coverage::{Overlap, PackageSpan};
pub use decode::{Decoded, native_as};
pub use explain::Explanation;
pub use further::FurtherSections;
pub use generate::NewProperties;
pub use layout::{LayoutChoice, LayoutKind};
pub use new_asset::{NewAsset, NewRows};
pub use open::OpenOptions;
pub(crate) use path_map::{PathMap, family};
pub use profile::Profile;
pub use property::{PropertyChange, PropertyValue};
pub use prune::Pruned;
pub use references::ReferencePlace;
pub use referrers::Referrer;
pub use remove::{RemoveOptions, Removed};
pub use rename_package::RenamePackage;
pub use renaming::Renamed;
pub use renumber::Renumbering;
pub use save::{Ground, Moved, SaveOptions, SaveReport, Saved};
pub use section::{Section, SectionPlace};
pub use texels::{BulkPlace, Texels};
pub use thumbnail::{PictureKind, ThumbnailChange};
pub use view::{ExportView, Exports, ImportView, Imports, Names};

use crate::archive::{Context, Span};
use crate::compression::Container;
use crate::file::FileState;
use crate::primitive::{Guid, PackageFlags, Rare};
use crate::property::Layouts;
use crate::property::mappings::Mappings;
use crate::table::{
    DependsRow, Export, ExportGuid, Generation, Import, ImportGuids, NameEntry, Summary, Thumbnail,
    ThumbnailImage,
};
use crate::version::{Game, Versions, threshold};
use mappings::KeptMappings;

/// A package: its source bytes, the typed header and tables, and the bodies of its objects as ranges of
/// the source.
///
/// Opening parses the tables and nothing else. Saving produces every section from this model again;
/// only object bodies and bytes that no section claims are copied from the source ([`Package::spans`]
/// lists exactly those). Cloning shares the source.
///
/// ```
/// use farchive::package::{Builder, Package};
///
/// # fn main() -> farchive::Result<()> {
/// let bytes = Builder::new(69).name("Hello").build()?;
/// let mut package = Package::from_bytes(bytes)?;
/// package.rename_name("Hello", "Goodbye")?;
/// let saved = package.to_bytes()?;
/// assert!(Package::from_bytes(saved)?.names().find("goodbye").is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Package {
    source: Bytes,
    versions: Versions,
    summary: Summary,
    heritage: Vec<Guid>,
    names: Vec<NameEntry>,
    imports: Vec<Import>,
    exports: Vec<Export>,
    further: Rare<FurtherSections>,
    depends: Vec<DependsRow>,
    import_guids: Vec<ImportGuids>,
    export_guids: Vec<ExportGuid>,
    thumbnails: Vec<Thumbnail>,
    /// The images with the offset at which each was found; a thumbnail names its image by that offset.
    images: Vec<(u64, ThumbnailImage)>,
    /// Bodies that were replaced, by export row.
    replaced: BTreeMap<usize, Span>,
    /// What the classes of other packages declare.
    known: Arc<Layouts>,
    /// Bodies in their typed form, by export row.
    decoded: BTreeMap<usize, Decoded>,
    /// Bodies that must stay where they are although their bytes do not show why: their document says so.
    pinned: BTreeSet<usize>,
    /// Where the header's sections were found, in order of their claims.
    places: Vec<SectionPlace>,
    claims: OnceLock<Arc<claim::Claims>>,
    lookup: lookup::NameLookup,
    /// The file, where it is not the source itself.
    container: Option<Arc<Container>>,
    /// The files that it was opened from, as they were then.
    read_from: Arc<[FileState]>,
    /// Bytes of the header's file when the bodies are in a file of their own.
    split: Option<u64>,
    /// Files beside the package that belong to it.
    companions: Vec<Companion>,
    /// Names and types of properties, for packages that leave them out.
    mappings: Option<Arc<Mappings>>,
    /// These and what the package and others declare.
    kept_mappings: KeptMappings,
    /// Whether the saved hash was right, where the source can't tell.
    hash_was_right: Option<bool>,
}

impl Package {
    /// The versions, byte order and game.
    pub fn versions(&self) -> &Versions {
        &self.versions
    }

    /// The game whose layout is used.
    pub fn game(&self) -> Game {
        self.versions.game
    }

    /// The header.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The package flags.
    pub fn package_flags(&self) -> PackageFlags {
        self.summary.package_flags
    }

    /// Table sizes of all generations, oldest first; empty below file version 68.
    pub fn generations(&self) -> &[Generation] {
        &self.summary.generations
    }

    /// The editor's folder of a package of UE3 to UE5.0, its own path from UE5.1; empty when it has none.
    pub fn folder_name(&self) -> String {
        let folder = self.summary.folder_name.text(&self.source);
        folder.map(|text| text.into_owned()).unwrap_or_default()
    }

    /// The GUIDs of this package and its predecessors, below file version 68.
    pub fn heritage(&self) -> &[Guid] {
        &self.heritage
    }

    /// The package's GUID; zero below file version 42 and from UE5 1016, where packages have none.
    pub fn guid(&self) -> Guid {
        if self.versions.file < threshold::HERITAGE_REMOVED {
            self.heritage.last().copied().unwrap_or_default()
        } else {
            self.summary.guid
        }
    }

    /// What must exist before each export loads, by export row; may be shorter than the export table.
    pub fn depends(&self) -> &[DependsRow] {
        &self.depends
    }

    /// GUIDs of objects of other levels.
    pub fn import_guids(&self) -> &[ImportGuids] {
        &self.import_guids
    }

    /// GUIDs of this package's objects.
    pub fn export_guids(&self) -> &[ExportGuid] {
        &self.export_guids
    }

    /// The thumbnail table.
    pub fn thumbnails(&self) -> &[Thumbnail] {
        &self.thumbnails
    }

    /// The image of a thumbnail, if its offset holds one.
    pub fn thumbnail_image(&self, thumbnail: &Thumbnail) -> Option<&ThumbnailImage> {
        let offset = u64::try_from(thumbnail.file_offset).ok()?;
        let at = self.images.binary_search_by_key(&offset, |(offset, _)| *offset).ok()?;
        Some(&self.images[at].1)
    }

    /// The compressed or encrypted file around the package, if it was opened from one.
    pub fn container(&self) -> Option<&Container> {
        self.container.as_deref()
    }

    /// The bytes of the file: compressed or encrypted if it was. See [`Package::source`].
    pub fn file(&self) -> &[u8] {
        self.container.as_ref().map_or(&self.source, |container| container.file())
    }

    /// The same bytes as a handle that outlives the package.
    pub fn file_bytes(&self) -> Bytes {
        self.container.as_ref().map_or_else(|| self.source.clone(), |around| around.file_bytes())
    }

    /// Bytes of the header file when the bodies were in a `.uexp` file of their own. [`Package::source`] is
    /// both together, and so is what offsets count in.
    pub fn split_at(&self) -> Option<u64> {
        self.split
    }

    /// Files beside the package that belong to it: bodies and bulk data. Known when it was opened by its
    /// path.
    pub fn companions(&self) -> &[Companion] {
        &self.companions
    }

    /// The files that it was opened from, as they were then: the header first. None for bytes in memory.
    pub fn read_from(&self) -> &[FileState] {
        &self.read_from
    }

    /// The package as it lies in memory, in which all offsets count: the bytes of the file, or what came
    /// out of them ([`Package::container`]).
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The same bytes as a handle that outlives the package.
    pub fn source_bytes(&self) -> Bytes {
        self.source.clone()
    }

    /// The source for spans, without names.
    fn source_context(&self) -> Arc<Context> {
        Arc::new(Context::new(self.source.clone(), Vec::new()))
    }

    /// The source for spans, and the texts of names: what archives know about this package.
    pub fn context(&self) -> Arc<Context> {
        Arc::new(self.named_context().with_soft_object_paths(self.soft_object_paths()))
    }

    /// Names alone, enough for texts of paths.
    fn named_context(&self) -> Context {
        Context::new(self.source.clone(), self.names.clone())
            .with_paths_as_strings(self.versions.ue4 < threshold::ue4::ADDED_SOFT_OBJECT_PATH)
    }
}

impl fmt::Debug for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Package")
            .field("versions", &self.versions)
            .field("bytes", &self.source.len())
            .field("names", &self.names.len())
            .field("imports", &self.imports.len())
            .field("exports", &self.export_count())
            .finish_non_exhaustive()
    }
}
