//! The tables and the sections of a package, each by one entry: a new one is its file and its entry here.

/// Tables and rows that are no section of their own: the file of each with the types in it that are
/// [`Archived`](crate::Archived).
macro_rules! tables {
    ($then:ident) => {
        $then! {
            compressed_chunk { CompressedChunk }
            custom_version { CustomVersion, CustomVersions, NamedVersion, TaggedVersion }
            file_versions { FileVersions }
            generation { Generation }
            tag { Tag }
            texture_allocation { TextureAllocation }
        }
    };
}

/// The sections in the order in which the engines write them: bodies stand before the bulk data, below file
/// version 178 before the imports (spec: ue1-3/03 §3.9, ue4-5/06 §2). Images of thumbnails, bodies and gaps,
/// of which there are many, are not among them.
///
/// An entry: what the section is; its name and that of its field, by which paths call it as well; the field's
/// type, if it is one of [`FurtherSections`](super::FurtherSections), else [`Tables`](super::Tables) has it; the
/// file of its rows with the types there. Then, where they are not the usual ones:
///
/// | key | says | usually |
/// |---|---|---|
/// | `offset` | the field of the summary that has its offset | none |
/// | `count` | the field of the summary that has the number of its rows | none |
/// | `loading` | how opening finds it ([`Loading`](super::section::Loading)) | by its count, else by its offset, else `Own` |
/// | `is_in` | the versions that can have it | UE4 and UE5, if its field has a type here; else all |
/// | `rows` | how it is serialised | as its type says ([`Rows`](super::rows::Rows)) |
/// | `role` | what it is for: `derived` is what the editor makes anew at each save | for itself |
macro_rules! sections {
    ($then:ident) => {
        $then! {
            /// The package file summary, always at the start.
            Summary summary = mod summary { MassEffectNumbers, PersistentGuids, SavedBy, Summary } {
                rows: |tables, ar| tables.summary.serialize(ar),
            }
            /// The heritage table, below file version 68.
            Heritage heritage {
                offset: heritage_offset, count: heritage_count,
                is_in: |versions| versions.file() < threshold::HERITAGE_REMOVED,
                // Below version 42 a row takes no bytes (spec: ue1-3/02 §2.2).
                rows: |tables, ar| match ar.versions().file() < threshold::HERITAGE_GUID_ADDED {
                    true => Ok(()),
                    false => tables.heritage.serialize_rows(Some(tables.summary.heritage_count), ar),
                },
            }
            /// The name table.
            Names names = mod name { NameEntry } { offset: name_offset, count: name_count, }
            /// Paths that bodies refer to by row, from UE5.1.
            SoftObjectPaths soft_object_paths: Vec<SoftObjectPath> {
                offset: soft_object_paths_offset, count: soft_object_paths_count,
                rows: |tables, ar| {
                    let count = tables.summary.soft_object_paths_count;
                    tables.further.soft_object_paths.serialize_rows(Some(count), ar)
                },
                role: derived,
            }
            /// Texts for translators, UE4 and UE5.
            GatherableText gatherable_text: Vec<GatherableText>
                = mod gatherable_text { GatherableText, LocMetadata, TextContext }
            {
                offset: gatherable_text_data_offset, count: gatherable_text_data_count, loading: Own,
                role: derived,
            }
            /// Metadata of objects, from UE5.6.
            MetaData meta_data: Option<MetaData>
                = mod meta_data { MetaData, MetaDataValue, ObjectMetaData }
            { offset: meta_data_offset, loading: Own, }
            /// The import table.
            Imports imports = mod import { Import } { offset: import_offset, count: import_count, }
            /// The export table.
            Exports exports = mod export { ComponentEntry, Export, ExportDetails, ExportPreload } {
                offset: export_offset, count: export_count,
            }
            /// Verse values of other packages, from UE5.6.
            CellImports cell_imports: Vec<CellImport> = mod cell { CellExport, CellImport } {
                offset: cell_import_offset, count: cell_import_count,
            }
            /// Verse values of the package, from UE5.6.
            CellExports cell_exports: Vec<CellExport> {
                offset: cell_export_offset, count: cell_export_count,
            }
            /// The depends table, from file version 415.
            Depends depends = mod depends { DependsRow } {
                offset: depends_offset, loading: Own,
                is_in: |versions| versions.file() >= threshold::DEPENDS_ADDED,
                rows: |tables, ar| tables.serialize_depends(ar),
                role: derived,
            }
            /// The import and export GUID tables, from file version 623.
            Guids guids = mod guids { ExportGuid, ImportGuids } {
                offset: import_export_guids_offset, loading: Own,
                is_in: |versions| versions.file() >= threshold::IMPORT_EXPORT_GUIDS_ADDED
                    && !versions.has_object_versions(),
                rows: |tables, ar| {
                    let counts =
                        (tables.summary.import_guids_count, tables.summary.export_guids_count);
                    tables.import_guids.serialize_rows(Some(counts.0), ar)?;
                    tables.export_guids.serialize_rows(Some(counts.1), ar)
                },
            }
            /// Packages that are referred to softly, UE4 and UE5.
            SoftPackageReferences soft_package_references: Vec<SoftPackageReference>
                = mod soft_package_reference { SoftPackageReference }
            {
                offset: soft_package_references_offset, count: soft_package_references_count,
                role: derived,
            }
            /// Names by which objects are found, from UE4.15.
            SearchableNames searchable_names: Option<Vec<SearchableNames>>
                = mod searchable_names { SearchableNames }
            { offset: searchable_names_offset, role: derived, }
            /// What the types of imports derive from, from UE5.7.
            ImportTypeHierarchies import_type_hierarchies: Vec<TypeHierarchy>
                = mod type_hierarchy { HierarchyType, TypeHierarchy }
            {
                offset: import_type_hierarchies_offset, count: import_type_hierarchies_count,
                role: derived,
            }
            /// The thumbnail table, from file version 584.
            ThumbnailTable thumbnails = mod thumbnail { Thumbnail, ThumbnailImage } {
                offset: thumbnail_table_offset, loading: Own,
                is_in: |versions| versions.file() >= threshold::THUMBNAILS_ADDED,
                role: derived,
            }
            /// What the asset registry knows of the package, UE4 and UE5.
            AssetRegistry asset_registry: Option<AssetRegistryData>
                = mod asset_registry { AssetData, AssetRegistryData, AssetTag }
            {
                offset: asset_registry_data_offset,
                rows: |tables, ar| tables.further.asset_registry.serialize_rows(None, ar),
                role: derived,
            }
            /// How the package depends on others, from UE4.26.
            AssetDependencies asset_dependencies: Option<AssetDependencies>
                = mod asset_dependencies { AssetDependencies, BitArray, PackageDependency }
            { role: derived, }
            /// Where a level lies in its world, UE4 and UE5.
            WorldTileInfo world_tile_info: Option<WorldTileInfo>
                = mod world_tile_info { WorldTileInfo, WorldTileLayer, WorldTileLod }
            { offset: world_tile_info_data_offset, }
            /// What must be loaded before each export, cooked UE4 and UE5.
            PreloadDependencies preload_dependencies: Vec<PackageIndex> {
                offset: preload_dependency_offset, count: preload_dependency_count, loading: Own,
            }
            /// Where cooked packages keep their bulk data, from UE5.2.
            DataResources data_resources: Option<DataResources> = mod data_resource { DataResources } {
                offset: data_resource_offset,
            }
            /// Bulk data behind the bodies, to which headers in bodies refer, UE4 and UE5.
            BulkData bulk_data: Span {}
            /// The package tag once more at the end, UE4 and UE5.
            ClosingTag closing_tag: bool {}
            /// Payloads behind the end, from UE5.1.
            Trailer trailer: Option<Trailer> = mod trailer { Trailer } {}
        }
    };
}
