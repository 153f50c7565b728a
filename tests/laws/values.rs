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
    compact_indices: unreal_packages::CompactIndex, 24;
    indices: unreal_packages::Index, 16;
    package_indices: unreal_packages::PackageIndex, 16;
    wide_indices: unreal_packages::primitive::WideIndex, 16;
    names: unreal_packages::Name, 16;
    guids: unreal_packages::Guid, 4;
    strings: unreal_packages::FString, 32;
    package_flags: unreal_packages::primitive::PackageFlags, 4;
    object_flags: unreal_packages::primitive::ObjectFlags, 8;
    name_flags: unreal_packages::primitive::NameFlags, 8;
    export_flags: unreal_packages::primitive::ExportFlags, 4;
    byte_lists: Vec<u8>, 8;
    number_lists: Vec<u16>, 8;
    guid_lists: Vec<unreal_packages::Guid>, 4;
    string_lists: Vec<unreal_packages::FString>, 8;
    name_lists: Vec<unreal_packages::Name>, 8;
    lists_of_lists: Vec<Vec<u8>>, 8;
    maps: unreal_packages::Map<unreal_packages::Name, unreal_packages::PackageIndex>, 8;
    tuples_arrays_and_boxes: sample::Composite, 4;
    other_ways_to_store: sample::With, 8;
    tags: unreal_packages::table::Tag, 1;
    file_versions: unreal_packages::table::FileVersions, 1;
    saved_by: unreal_packages::table::SavedBy, 4;
    numbers_of_mass_effect: unreal_packages::table::MassEffectNumbers, 4;
    summaries: unreal_packages::table::Summary, 16;
    name_entries: unreal_packages::table::NameEntry, 12;
    imports: unreal_packages::table::Import, 12;
    exports: unreal_packages::table::Export, 16;
    export_details: unreal_packages::table::ExportDetails, 8;
    component_entries: unreal_packages::table::ComponentEntry, 4;
    generations: unreal_packages::table::Generation, 4;
    depends_rows: unreal_packages::table::DependsRow, 4;
    import_guids: unreal_packages::table::ImportGuids, 4;
    export_guids: unreal_packages::table::ExportGuid, 4;
    thumbnails: unreal_packages::table::Thumbnail, 4;
    thumbnail_images: unreal_packages::table::ThumbnailImage, 4;
    texture_allocations: unreal_packages::table::TextureAllocation, 4;
    compressed_chunks: unreal_packages::table::CompressedChunk, 4;
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
    truth_values_of_tables: unreal_packages::primitive::Bool32, 4;
    engine_versions: unreal_packages::primitive::EngineVersion, 4;
    utf8_strings: unreal_packages::primitive::Utf8String, 8;
    soft_object_paths: unreal_packages::primitive::SoftObjectPath, 8;
    ue4_names: unreal_packages::Name, 8;
    ue4_name_entries: unreal_packages::table::NameEntry, 8;
    ue4_imports: unreal_packages::table::Import, 8;
    exports_of_ue4_and_5: unreal_packages::table::Export, 8;
    export_details_of_ue4_and_5: unreal_packages::table::ExportDetails, 4;
    wide_indices_of_ue4_and_5: unreal_packages::primitive::WideIndex, 8;
    ue4_generations: unreal_packages::table::Generation, 4;
    ue4_object_flags: unreal_packages::primitive::ObjectFlags, 8;
    ue4_strings: unreal_packages::FString, 16;
    ue4_depends_rows: unreal_packages::table::DependsRow, 4;
    ue4_thumbnails: unreal_packages::table::Thumbnail, 4;
    file_versions_of_ue4_and_5: unreal_packages::table::FileVersions, 2;
    persistent_guids: unreal_packages::table::PersistentGuids, 4;
    saved_by_of_ue4_and_5: unreal_packages::table::SavedBy, 8;
    summaries_of_ue4_and_5: unreal_packages::table::Summary, 8;
    gatherable_texts: unreal_packages::table::GatherableText, 4;
    meta_data: unreal_packages::table::MetaData, 4;
    cell_imports: unreal_packages::table::CellImport, 4;
    cell_exports: unreal_packages::table::CellExport, 4;
    soft_package_references: unreal_packages::table::SoftPackageReference, 4;
    searchable_names: unreal_packages::table::SearchableNames, 4;
    type_hierarchies: unreal_packages::table::TypeHierarchy, 4;
    asset_registry_data: unreal_packages::table::AssetRegistryData, 4;
    asset_dependencies: unreal_packages::table::AssetDependencies, 4;
    world_tile_infos: unreal_packages::table::WorldTileInfo, 8;
    data_resources: unreal_packages::table::DataResources, 8;
    trailers: unreal_packages::table::Trailer, 8;
}
