//! What packages of UE4 and UE5 have beside names, imports, depends and thumbnails, which all engines share.

mod build;
pub(super) mod companion;
mod declaration;
mod decode;
mod layout;
mod mappings;
mod naming;
pub(super) mod new_asset;
mod open;
mod own_path;
pub(super) mod pair;
mod path_map;
mod payload;
pub(super) mod references;
pub(super) mod rename;
pub(super) mod rename_package;
mod rename_texts;
pub(super) mod resource;
pub(super) mod retarget;
pub(super) mod rows;
mod scan;
#[cfg(feature = "content")]
mod shown;
pub(super) mod thumbnail;

pub(super) use path_map::{PathMap, family};

pub use companion::{Companion, CompanionKind};

use std::sync::Arc;

use super::{Package, Section};
use crate::archive::Span;
use crate::error::{ErrorKind, Result};
use crate::primitive::{PackageFlags, PackageIndex, SoftObjectPath};
use crate::property::mappings::Mappings;
use crate::table::{
    AssetDependencies, AssetRegistryData, CellExport, CellImport, DataResources, GatherableText,
    Generation, MetaData, ModernExport, ModernSummary, SearchableNames, SoftPackageReference,
    Trailer, TypeHierarchy, WorldTileInfo,
};

/// Header, export table and further sections of a UE4 or UE5 package ([`Package::modern`]).
///
/// A section that the package lacks is `None` or empty. Spec: ue4-5/02, 03.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Modern {
    /// The header.
    pub summary: ModernSummary,
    /// The export table.
    pub exports: Vec<ModernExport>,
    /// Paths that bodies refer to by row, from UE5.1.
    pub soft_object_paths: Vec<SoftObjectPath>,
    /// Texts for translators.
    pub gatherable_text: Vec<GatherableText>,
    /// Metadata of objects, from UE5.6.
    pub meta_data: Option<MetaData>,
    /// Verse values of other packages.
    pub cell_imports: Vec<CellImport>,
    /// Verse values of this package.
    pub cell_exports: Vec<CellExport>,
    /// Packages that are referred to softly.
    pub soft_package_references: Vec<SoftPackageReference>,
    /// Names by which objects are found.
    pub searchable_names: Option<Vec<SearchableNames>>,
    /// What the types of imports derive from.
    pub import_type_hierarchies: Vec<TypeHierarchy>,
    /// What the asset registry knows of the package.
    pub asset_registry: Option<AssetRegistryData>,
    /// How the package depends on others.
    pub asset_dependencies: Option<AssetDependencies>,
    /// Where a level lies in its world.
    pub world_tile_info: Option<WorldTileInfo>,
    /// What must be loaded before each export.
    pub preload_dependencies: Vec<PackageIndex>,
    /// Where cooked packages keep their bulk data, from UE5.2.
    pub data_resources: Option<DataResources>,
    /// Bulk data behind the bodies, to which headers in bodies refer.
    pub bulk_data: Span,
    /// Whether the package tag stands once more at the end.
    pub closing_tag: bool,
    /// Payloads behind the end, from UE5.1.
    pub trailer: Option<Trailer>,
    /// Bytes of the `.uasset` file when the bodies are in a `.uexp` file.
    pub(super) split: Option<u64>,
    /// Files beside the package that belong to it.
    pub(super) companions: Vec<Companion>,
    /// Names and types of properties, for packages that leave them out.
    pub(super) mappings: Option<Arc<Mappings>>,
    /// These and what the package and others declare.
    kept_mappings: mappings::KeptMappings,
    /// Whether the saved hash was right, where the source can't tell.
    pub(super) hash_was_right: Option<bool>,
}

/// What is done in UE4 and UE5 in place of what only older packages can have done to them.
const INSTEAD: &[(&str, &str)] = &[
    ("removing objects", "let nothing refer to the object (set, retarget) and leave its row"),
    ("moving objects", "rename the object, or retarget what refers to it"),
    (
        "renumbering",
        "names and imports that nothing uses do no harm; the editor drops them on save",
    ),
    ("duplicating objects", "copy the file and give the copy another path (rename --package)"),
    ("copying objects", "copy the file and give the copy another path (rename --package)"),
    ("converting", "open the package in the newer editor and save it there"),
    ("conforming", "later engines find packages by their paths and know no generations"),
];

impl Modern {
    /// Makes a section ready to be loaded that takes `size` bytes.
    pub(super) fn expect(&mut self, section: Section, size: u64) {
        match section {
            Section::SearchableNames => self.searchable_names = Some(Vec::new()),
            Section::AssetRegistry => self.asset_registry = Some(Default::default()),
            Section::AssetDependencies => self.asset_dependencies = Some(Default::default()),
            Section::WorldTileInfo => self.world_tile_info = Some(Default::default()),
            Section::DataResources => self.data_resources = Some(Default::default()),
            Section::MetaData => self.meta_data = Some(Default::default()),
            Section::Trailer => self.trailer = Some(Default::default()),
            Section::ClosingTag => self.closing_tag = true,
            Section::BulkData => self.bulk_data = Span::source(0, size),
            _ => {}
        }
    }
}

impl Package {
    /// What a UE4 or UE5 package has beside the tables that all engines share; `None` for UE1 to UE3.
    pub fn modern(&self) -> Option<&Modern> {
        self.modern.as_deref()
    }

    /// What only packages of UE1 to UE3 can have done to them.
    pub(super) fn refuse_modern(&self, what: &str) -> Result<()> {
        if !self.is_modern() {
            return Ok(());
        }
        let instead = INSTEAD.iter().find(|(known, _)| *known == what).map(|(_, instead)| instead);
        let instead = instead.map_or_else(String::new, |instead| format!("; {instead}"));
        let reason = format!("{what} is for packages of Unreal Engine 1 to 3{instead}");
        Err(ErrorKind::Unsupported { reason }.into())
    }

    /// Whether it is a package of UE4 or UE5.
    pub fn is_modern(&self) -> bool {
        self.modern.is_some()
    }

    /// The package flags.
    pub fn package_flags(&self) -> PackageFlags {
        match &self.modern {
            Some(modern) => modern.summary.package_flags,
            None => self.summary.package_flags,
        }
    }

    /// Table sizes of all generations, oldest first; empty below file version 68.
    pub fn generations(&self) -> &[Generation] {
        match &self.modern {
            Some(modern) => &modern.summary.generations,
            None => &self.summary.generations,
        }
    }

    /// The editor's folder of a package of UE3 to UE5.0, its own path from UE5.1; empty when it has none.
    pub fn folder_name(&self) -> String {
        let folder = match &self.modern {
            Some(modern) => &modern.summary.package_name,
            None => &self.summary.folder_name,
        };
        folder.text(&self.source).map(|text| text.into_owned()).unwrap_or_default()
    }

    /// Bytes of the header file when the bodies were in a `.uexp` file of their own. [`Package::source`] is
    /// both together, and so is what offsets count in.
    pub fn split_at(&self) -> Option<u64> {
        self.modern.as_ref()?.split
    }

    /// Files beside the package that belong to it: bodies and bulk data. Known when it was opened by its
    /// path.
    pub fn companions(&self) -> &[Companion] {
        self.modern.as_ref().map_or(&[], |modern| &modern.companions)
    }

    /// The paths that bodies refer to by row.
    pub fn soft_object_paths(&self) -> &[SoftObjectPath] {
        self.modern.as_ref().map_or(&[], |modern| &modern.soft_object_paths)
    }
}
