//! Sections that few packages have, and none before UE4.

use super::{Package, Section};
use crate::archive::Span;
use crate::primitive::{Group, PackageIndex, SoftObjectPath};
use crate::table::{
    AssetDependencies, AssetRegistryData, CellExport, CellImport, DataResources, GatherableText,
    MetaData, SearchableNames, SoftPackageReference, Trailer, TypeHierarchy, WorldTileInfo,
};

/// Sections of a package beside its tables of names, imports and exports and what belongs to those
/// ([`Tables::further`](crate::package::Tables::further)).
///
/// A section that the package lacks is `None` or empty; so are all of them before UE4. Spec: ue4-5/03.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct FurtherSections {
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
}

impl Group for FurtherSections {
    const ABSENT: &'static Self = &Self {
        soft_object_paths: Vec::new(),
        gatherable_text: Vec::new(),
        meta_data: None,
        cell_imports: Vec::new(),
        cell_exports: Vec::new(),
        soft_package_references: Vec::new(),
        searchable_names: None,
        import_type_hierarchies: Vec::new(),
        asset_registry: None,
        asset_dependencies: None,
        world_tile_info: None,
        preload_dependencies: Vec::new(),
        data_resources: None,
        bulk_data: Span::EMPTY,
        closing_tag: false,
        trailer: None,
    };
}

impl Package {
    /// Makes a section ready to be loaded that takes `size` bytes.
    pub(super) fn expect_section(&mut self, section: Section, size: u64) {
        match section {
            Section::SearchableNames => self.tables.further.searchable_names = Some(Vec::new()),
            Section::AssetRegistry => self.tables.further.asset_registry = Some(Default::default()),
            Section::AssetDependencies => {
                self.tables.further.asset_dependencies = Some(Default::default())
            }
            Section::WorldTileInfo => {
                self.tables.further.world_tile_info = Some(Default::default())
            }
            Section::DataResources => self.tables.further.data_resources = Some(Default::default()),
            Section::MetaData => self.tables.further.meta_data = Some(Default::default()),
            Section::Trailer => self.tables.further.trailer = Some(Default::default()),
            Section::ClosingTag => self.tables.further.closing_tag = true,
            Section::BulkData => self.tables.further.bulk_data = Span::source(0, size),
            _ => {}
        }
    }

    /// The paths that bodies refer to by row.
    pub(crate) fn soft_object_paths(&self) -> &[SoftObjectPath] {
        &self.tables.further.soft_object_paths
    }
}
