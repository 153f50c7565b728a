//! The laws for random values, at one below, at and one above every version threshold, in both byte orders and
//! for every game.

use super::{check, sample};

macro_rules! laws {
    ($($name:ident: $type:ty, $cases:literal;)*) => { $(
        #[test]
        fn $name() {
            check::every_law::<$type>($cases);
        }
    )* };
}

laws! {
    numbers_8: (u8, i8), 4;
    numbers_16: (u16, i16), 4;
    numbers_32: (u32, i32), 4;
    numbers_64: (u64, i64), 4;
    floats_keep_their_bits: sample::Floats, 8;
    truth_values: bool, 4;
    compact_indices: farchive::CompactIndex, 24;
    indices: farchive::Index, 16;
    package_indices: farchive::PackageIndex, 16;
    wide_indices: farchive::primitive::WideIndex, 16;
    names: farchive::Name, 16;
    guids: farchive::Guid, 4;
    strings: farchive::FString, 32;
    package_flags: farchive::primitive::PackageFlags, 4;
    object_flags: farchive::primitive::ObjectFlags, 8;
    name_flags: farchive::primitive::NameFlags, 8;
    export_flags: farchive::primitive::ExportFlags, 4;
    byte_lists: Vec<u8>, 8;
    number_lists: Vec<u16>, 8;
    guid_lists: Vec<farchive::Guid>, 4;
    string_lists: Vec<farchive::FString>, 8;
    name_lists: Vec<farchive::Name>, 8;
    lists_of_lists: Vec<Vec<u8>>, 8;
    maps: farchive::Map<farchive::Name, farchive::PackageIndex>, 8;
    tuples_arrays_and_boxes: sample::Composite, 4;
    other_ways_to_store: sample::With, 8;
    tags: farchive::table::Tag, 1;
    file_versions: farchive::table::FileVersions, 1;
    saved_by: farchive::table::SavedBy, 4;
    numbers_of_mass_effect: farchive::table::MassEffectNumbers, 4;
    summaries: farchive::table::Summary, 16;
    name_entries: farchive::table::NameEntry, 12;
    imports: farchive::table::Import, 12;
    exports: farchive::table::Export, 16;
    export_details: farchive::table::ExportDetails, 8;
    component_entries: farchive::table::ComponentEntry, 4;
    generations: farchive::table::Generation, 4;
    depends_rows: farchive::table::DependsRow, 4;
    import_guids: farchive::table::ImportGuids, 4;
    export_guids: farchive::table::ExportGuid, 4;
    thumbnails: farchive::table::Thumbnail, 4;
    thumbnail_images: farchive::table::ThumbnailImage, 4;
    texture_allocations: farchive::table::TextureAllocation, 4;
    compressed_chunks: farchive::table::CompressedChunk, 4;
}

macro_rules! ue4_laws {
    ($($name:ident: $type:ty, $cases:literal;)*) => { $(
        #[test]
        fn $name() {
            check::every_ue4_law::<$type>($cases);
        }
    )* };
}

ue4_laws! {
    truth_values_of_tables: farchive::primitive::Bool32, 4;
    engine_versions: farchive::primitive::EngineVersion, 4;
    utf8_strings: farchive::primitive::Utf8String, 8;
    soft_object_paths: farchive::primitive::SoftObjectPath, 8;
    ue4_names: farchive::Name, 8;
    ue4_name_entries: farchive::table::NameEntry, 8;
    ue4_imports: farchive::table::Import, 8;
    exports_of_ue4_and_5: farchive::table::Export, 8;
    export_details_of_ue4_and_5: farchive::table::ExportDetails, 4;
    wide_indices_of_ue4_and_5: farchive::primitive::WideIndex, 8;
    ue4_generations: farchive::table::Generation, 4;
    ue4_object_flags: farchive::primitive::ObjectFlags, 8;
    ue4_strings: farchive::FString, 16;
    ue4_depends_rows: farchive::table::DependsRow, 4;
    ue4_thumbnails: farchive::table::Thumbnail, 4;
    file_versions_of_ue4_and_5: farchive::table::FileVersions, 2;
    persistent_guids: farchive::table::PersistentGuids, 4;
    saved_by_of_ue4_and_5: farchive::table::SavedBy, 8;
    summaries_of_ue4_and_5: farchive::table::Summary, 8;
    gatherable_texts: farchive::table::GatherableText, 4;
    meta_data: farchive::table::MetaData, 4;
    cell_imports: farchive::table::CellImport, 4;
    cell_exports: farchive::table::CellExport, 4;
    soft_package_references: farchive::table::SoftPackageReference, 4;
    searchable_names: farchive::table::SearchableNames, 4;
    type_hierarchies: farchive::table::TypeHierarchy, 4;
    asset_registry_data: farchive::table::AssetRegistryData, 4;
    asset_dependencies: farchive::table::AssetDependencies, 4;
    world_tile_infos: farchive::table::WorldTileInfo, 8;
    data_resources: farchive::table::DataResources, 8;
    trailers: farchive::table::Trailer, 8;
}
