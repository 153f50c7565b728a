//! Random rows of the tables of UE4 and UE5, and what the specification says a version has no place for.

use proptest::collection::vec;
use proptest::prelude::*;
use unreal_packages::primitive::{
    Bool32, EngineVersion, ExportFlags, ObjectFlags, PackageFlags, Rare, SoftObjectPath, SoftPath,
    Utf8String, WideIndex,
};
use unreal_packages::table::*;
use unreal_packages::version::UnrealVersions;
use unreal_packages::version::custom::FORTNITE_MAIN;
use unreal_packages::{FString, Game, Guid, Name, PackageIndex, Span, Versions};

use super::sample::{Sample, gated, int};

/// A value made field by field: half of the fields keep their default.
macro_rules! sample {
    ($type:ty, |$versions:ident| { $($field:ident: $strategy:expr),* $(,)? } $(, fit |$this:ident| $fit:block)?) => {
        impl Sample for $type {
            fn any($versions: &Versions) -> BoxedStrategy<Self> {
                let rows = Just(Self::default()).boxed();
                $(
                    let rows = (rows, gated($strategy))
                        .prop_map(|(row, value)| Self { $field: value, ..row })
                        .boxed();
                )*
                rows
            }

            $(fn fit(&mut self, $versions: &Versions) {
                let $this = self;
                $fit
            })?
        }
    };
}

fn keep<T: Default>(field: &mut T, present: bool) {
    if !present {
        *field = T::default();
    }
}

fn object() -> impl Strategy<Value = PackageIndex> {
    int().prop_map(PackageIndex::new)
}

fn flag() -> impl Strategy<Value = Bool32> {
    any::<u32>().prop_map(Bool32)
}

fn hash() -> impl Strategy<Value = [u8; 20]> {
    any::<[u8; 20]>()
}

fn fortnite(versions: &Versions) -> i32 {
    versions.custom(&FORTNITE_MAIN)
}

impl Sample for Bool32 {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        flag().boxed()
    }
}

sample!(EngineVersion, |v| {
    major: any::<u16>(), minor: any::<u16>(), patch: any::<u16>(), changelist: any::<u32>(),
    branch: FString::any(v),
});

impl Sample for Utf8String {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        ".{0,6}".prop_map(|text| Self::new(&text)).boxed()
    }
}

sample!(SoftObjectPath, |v| {
    path: FString::any(v), asset_path_name: Name::any(v), package_name: Name::any(v),
    asset_name: Name::any(v), sub_path: FString::any(v), sub_path_utf8: Utf8String::any(v),
}, fit |t| {
    let named = v.ue4() >= 514;
    let utf8 = named && fortnite(v) >= 192;
    keep(&mut t.path, !named);
    keep(&mut t.asset_path_name, named && v.ue5() < 1007);
    keep(&mut t.package_name, v.ue5() >= 1007);
    keep(&mut t.asset_name, v.ue5() >= 1007);
    keep(&mut t.sub_path, named && !utf8);
    keep(&mut t.sub_path_utf8, utf8);
});

impl Sample for SoftPath {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        SoftObjectPath::any(versions).prop_map(Self::Full).boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        let Self::Full(path) = self else { return };
        path.fit(versions);
    }
}

sample!(TextContext, |v| {
    key: FString::any(v), site: FString::any(v), editor_only: flag(), optional: flag(),
});
sample!(GatherableText, |v| {
    namespace: FString::any(v), source_string: FString::any(v),
    contexts: Vec::<TextContext>::any(v),
});
sample!(MetaDataValue, |v| { key: Name::any(v), value: FString::any(v) }, fit |t| {
    t.key.fit(v);
});
sample!(ObjectMetaData, |v| { object: SoftPath::any(v), values: Vec::<MetaDataValue>::any(v) }, fit |t| {
    t.object.fit(v);
    t.values.fit(v);
});
sample!(MetaData, |v| {
    objects: Vec::<ObjectMetaData>::any(v), root: Vec::<MetaDataValue>::any(v),
}, fit |t| {
    t.objects.fit(v);
    t.root.fit(v);
});
sample!(CellImport, |v| { package: object(), verse_path: Utf8String::any(v) });
sample!(CellExport, |v| {
    cpp_class_info: Name::any(v), verse_path: Utf8String::any(v), serial_offset: any::<i64>(),
    serial_layout_size: any::<i64>(), serial_size: any::<i64>(), first_export_dependency: int(),
    serialization_before_serialization: int(), create_before_serialization: int(),
}, fit |t| {
    t.cpp_class_info.fit(v);
});
sample!(SoftPackageReference, |v| { path: FString::any(v), name: Name::any(v) }, fit |t| {
    t.name.fit(v);
    keep(&mut t.path, v.ue4() < 514);
    keep(&mut t.name, v.ue4() >= 514);
});
sample!(SearchableNames, |v| { object: object(), names: Vec::<Name>::any(v) }, fit |t| {
    t.names.fit(v);
});
sample!(HierarchyType, |v| {
    type_name: Name::any(v), package_name: Name::any(v), class_name: Name::any(v),
    class_package_name: Name::any(v),
}, fit |t| {
    for name in [&mut t.type_name, &mut t.package_name, &mut t.class_name, &mut t.class_package_name] {
        name.fit(v);
    }
});
sample!(TypeHierarchy, |v| { import: object(), types: Vec::<HierarchyType>::any(v) }, fit |t| {
    t.types.fit(v);
});
sample!(AssetTag, |v| { key: FString::any(v), value: FString::any(v) });
sample!(AssetData, |v| {
    object_path: FString::any(v), object_class_name: FString::any(v), tags: Vec::<AssetTag>::any(v),
});
sample!(AssetRegistryData, |v| {
    dependency_data_offset: any::<i64>(), assets: Vec::<AssetData>::any(v),
}, fit |t| {
    keep(&mut t.dependency_data_offset, v.ue4() >= 521 && !v.filter_editor_only());
});

impl Sample for BitArray {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        let push = |bits: Vec<bool>| {
            let mut array = Self::default();
            bits.into_iter().for_each(|bit| array.push(bit));
            array
        };
        vec(any::<bool>(), 0..70).prop_map(push).boxed()
    }
}

sample!(PackageDependency, |v| { package: Name::any(v), flags: any::<u32>() }, fit |t| {
    t.package.fit(v);
});
sample!(AssetDependencies, |v| {
    import_used_in_game: BitArray::any(v), soft_package_used_in_game: BitArray::any(v),
    extra_package_dependencies: Vec::<PackageDependency>::any(v),
}, fit |t| {
    t.extra_package_dependencies.fit(v);
    keep(&mut t.extra_package_dependencies, v.ue5() >= 1013);
});
sample!(WorldTileLod, |_v| {
    relative_streaming_distance: int(), reserved_floats: [-9f32..9.0, -9f32..9.0],
    reserved_numbers: any::<[i32; 2]>(),
});
sample!(WorldTileLayer, |v| {
    name: FString::any(v), reserved_0: int(), reserved_1: any::<[i32; 2]>(),
    streaming_distance: int(), distance_streaming_enabled: flag(),
}, fit |t| {
    keep(&mut t.streaming_distance, v.ue4() >= 268);
    keep(&mut t.distance_streaming_enabled, v.ue4() >= 329);
});
sample!(WorldTileInfo, |v| {
    position: any::<[i32; 2]>(), height: int(), bounds_single: [-9f32..9.0, 0f32..1.0, 0f32..1.0, 0f32..1.0, 0f32..1.0, 0f32..1.0],
    bounds: [-9f64..9.0, 0f64..1.0, 0f64..1.0, 0f64..1.0, 0f64..1.0, 0f64..1.0], bounds_valid: any::<u8>(), layer: WorldTileLayer::any(v),
    hide_in_tile_view: flag(), parent_tile_package_name: FString::any(v),
    lods: Vec::<WorldTileLod>::any(v), z_order: int(),
}, fit |t| {
    t.layer.fit(v);
    keep(&mut t.height, fortnite(v) >= 1);
    keep(&mut t.bounds_single, v.ue5() < 1004);
    keep(&mut t.bounds, v.ue5() >= 1004);
    keep(&mut t.hide_in_tile_view, v.ue4() >= 268);
    keep(&mut t.parent_tile_package_name, v.ue4() >= 268);
    keep(&mut t.lods, v.ue4() >= 316);
    keep(&mut t.z_order, v.ue4() >= 319);
});

impl Sample for DataResources {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        let numbers = any::<([i64; 4], u32, u32, u8)>();
        let row =
            (numbers, object()).prop_map(|((places, flags, legacy, cooked_index), outer_index)| {
                DataResource {
                    flags,
                    cooked_index,
                    serial_offset: places[0],
                    duplicate_serial_offset: places[1],
                    serial_size: places[2],
                    raw_size: places[3],
                    outer_index,
                    legacy_bulk_data_flags: legacy,
                }
            });
        (0..=2u32, vec(row, 0..4)).prop_map(|(version, rows)| Self { version, rows }).boxed()
    }

    fn fit(&mut self, _: &Versions) {
        let version = self.version;
        self.rows.iter_mut().for_each(|row| keep(&mut row.cooked_index, version >= 2));
    }
}

impl Sample for Trailer {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        let entry =
            (hash(), any::<(i64, u64, u64, u16, u16, u8)>()).prop_map(|(identifier, rest)| {
                TrailerEntry {
                    identifier,
                    offset_in_file: rest.0,
                    compressed_size: rest.1,
                    raw_size: rest.2,
                    flags: rest.3,
                    filter_flags: rest.4,
                    access_mode: rest.5,
                }
            });
        let payloads = vec(any::<u8>(), 0..30).prop_map(Span::owned);
        (0..=2i32, any::<u8>(), vec(entry, 0..4), payloads)
            .prop_map(|(version, access_mode, entries, payloads)| Self {
                version,
                access_mode,
                entries,
                payloads,
            })
            .boxed()
    }

    fn fit(&mut self, _: &Versions) {
        let version = self.version;
        keep(&mut self.access_mode, version < 1);
        for entry in &mut self.entries {
            keep(&mut entry.flags, version >= 2);
            keep(&mut entry.filter_flags, version >= 2);
            keep(&mut entry.access_mode, version >= 1);
        }
    }
}

sample!(ExportPreload, |_v| {
    first: int(), serialization_before_serialization: int(), create_before_serialization: int(),
    serialization_before_create: int(), create_before_create: int(),
});
sample!(ExportDetails, |v| {
    component_map: Vec::<ComponentEntry>::any(v), export_flags: ExportFlags::any(v),
    generation_net_object_count: vec(int(), 0..4), package_guid: Guid::any(v),
}, fit |t| {
    t.component_map.fit(v);
    keep(&mut t.component_map, (178..543).contains(&v.file()));
    keep(&mut t.export_flags, v.file() >= 247 && v.ue4() == 0);
    keep(&mut t.generation_net_object_count, v.file() >= 322 && v.ue4() == 0);
    keep(&mut t.package_guid, v.file() >= 322 && v.ue5() < 1005);
});
sample!(Export, |v| {
    class_index: PackageIndex::any(v), super_index: PackageIndex::any(v), template_index: object(),
    outer_index: object(), object_name: Name::any(v), archetype_index: object(),
    object_flags: ObjectFlags::any(v), serial_size: WideIndex::any(v), serial_offset: WideIndex::any(v),
    forced_export: flag(), not_for_client: flag(), not_for_server: flag(),
    details: ExportDetails::any(v).prop_map(Rare::from), is_inherited_instance: flag(),
    package_flags: PackageFlags::any(v), not_always_loaded_for_editor_game: flag(),
    is_asset: flag(), generate_public_hash: flag(), preload: ExportPreload::any(v),
    script_serialization_start_offset: any::<i64>(), script_serialization_end_offset: any::<i64>(),
}, fit |t| {
    t.object_name.fit(v);
    t.object_flags.fit(v);
    t.details.fit(v);
    t.serial_size.fit(v);
    t.serial_offset.fit(v);
    keep(&mut t.template_index, v.ue4() >= 508);
    keep(&mut t.outer_index, v.file() >= 50);
    keep(&mut t.archetype_index, v.file() >= 220 && v.ue4() == 0);
    keep(&mut t.serial_offset, v.file() >= 249 || t.serial_size.value() != 0);
    for field in [&mut t.forced_export, &mut t.not_for_client, &mut t.not_for_server] {
        keep(field, v.ue4() > 0);
    }
    keep(&mut t.is_inherited_instance, v.ue5() >= 1006);
    keep(&mut t.package_flags, v.file() >= 475);
    keep(&mut t.not_always_loaded_for_editor_game, v.ue4() >= 365);
    keep(&mut t.is_asset, v.ue4() >= 485);
    keep(&mut t.generate_public_hash, v.ue5() >= 1003);
    keep(&mut t.preload, v.ue4() >= 507);
    let offsets = v.ue5() >= 1010 && !v.unversioned_properties();
    keep(&mut t.script_serialization_start_offset, offsets);
    keep(&mut t.script_serialization_end_offset, offsets);
});

/// The header says the versions, so they are theirs.
fn stated(versions: &Versions) -> FileVersions {
    if versions.ue4() == 0 {
        return FileVersions::of_file(versions.file() as u16, versions.licensee() as u16);
    }
    let legacy = match (versions.ue4(), versions.ue5()) {
        (_, 1014..) => -9,
        (_, 1000..) => -8,
        (507.., _) => -7,
        (483.., _) => -6,
        (425, _) => -4,
        (434.., _) => -5,
        (303.., _) => -3,
        _ => -2,
    };
    FileVersions::new(versions, legacy)
}

/// With the custom versions where they stand before the size of the header.
impl Sample for FileVersions {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let mut stated = stated(versions);
        if versions.ue5() < 1016 {
            stated.custom_versions = listed(versions, &stated);
        }
        Just(stated).boxed()
    }
}

/// The custom versions are those of the archive.
fn listed(versions: &Versions, stated: &FileVersions) -> CustomVersions {
    let known: Vec<_> =
        versions.custom_versions.iter().flat_map(|list| list.iter().copied()).collect();
    match stated.custom_version_form() {
        _ if versions.ue4() == 0 => CustomVersions::Absent,
        CustomVersions::Plain(_) => CustomVersions::Plain(
            known.iter().map(|&(key, version)| CustomVersion { key, version }).collect(),
        ),
        CustomVersions::Named(_) => CustomVersions::Named(
            known
                .iter()
                .map(|&(key, version)| NamedVersion { key, version, friendly_name: "N".into() })
                .collect(),
        ),
        other => other,
    }
}

sample!(PersistentGuids, |v| { guid: Guid::any(v), owner: Guid::any(v) }, fit |t| {
    keep(&mut t.owner, v.ue4() < 520);
});
sample!(MassEffectNumbers, |_v| {
    first: any::<[i32; 7]>(), second: any::<[i32; 6]>(), third: any::<[i32; 2]>(),
}, fit |t| {
    keep(&mut t.first, _v.game() == Game::MassEffect1);
    keep(&mut t.second, _v.game() == Game::MassEffect2);
    keep(&mut t.third, matches!(_v.game(), Game::MassEffect3 | Game::MassEffectLegendary));
});
sample!(SavedBy, |v| {
    changelist: any::<u32>(), engine_version: EngineVersion::any(v),
    compatible_version: EngineVersion::any(v),
}, fit |t| {
    keep(&mut t.changelist, v.ue4() < 336);
    keep(&mut t.engine_version, v.ue4() >= 336);
    keep(&mut t.compatible_version, v.ue4() >= 444);
});

/// The flags that decide layouts are those of the versions, and so are the custom versions.
impl Sample for Summary {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let v = versions;
        let layout =
            u32::from(v.filter_editor_only()) << 31 | u32::from(v.unversioned_properties()) << 13;
        let decided = if v.ue4() > 0 { 0x8000_2200 } else { 0 };
        let free = any::<u32>().prop_map(move |flags| PackageFlags(flags & !decided | layout));
        let mut versions = stated(v);
        let list = listed(v, &versions);
        let (early, late) = match v.ue5() {
            1016.. => (CustomVersions::Absent, list),
            _ => (list, CustomVersions::Absent),
        };
        versions.custom_versions = early;
        let base = Self { versions, late_custom_versions: late, ..Self::default() };
        let rows = Just(base).boxed();
        macro_rules! fields {
            ($($field:ident: $strategy:expr),* $(,)?) => {
                $(let rows = (rows, gated($strategy))
                    .prop_map(|(row, value)| Self { $field: value, ..row })
                    .boxed();)*
                let rows = (rows, free).prop_map(|(row, flags)| Self { package_flags: flags, ..row });
                return rows.boxed();
            };
        }
        // No wide text where the order of bytes is the other one.
        fields! {
            saved_hash: hash(), total_header_size: int(), folder_name: FString::any(v),
            mass_effect_3_cooked: int(), heritage_count: int(), heritage_offset: int(),
            import_export_guids_offset: int(), import_guids_count: int(), export_guids_count: int(),
            engine_version: int(), cooker_version: int(), mass_effect_tail: int(),
            mass_effect: MassEffectNumbers::any(v).prop_map(Rare::from),
            texture_allocations: Vec::<TextureAllocation>::any(v),
            name_count: int(), name_offset: int(), soft_object_paths_count: int(),
            soft_object_paths_offset: int(), localization_id: FString::any(v),
            gatherable_text_data_count: int(), gatherable_text_data_offset: int(),
            export_count: int(), export_offset: int(), import_count: int(), import_offset: int(),
            cell_export_count: int(), cell_export_offset: int(), cell_import_count: int(),
            cell_import_offset: int(), meta_data_offset: int(), depends_offset: int(),
            soft_package_references_count: int(), soft_package_references_offset: int(),
            searchable_names_offset: int(), thumbnail_table_offset: int(),
            import_type_hierarchies_count: int(), import_type_hierarchies_offset: int(),
            guid: Guid::any(v), persistent: PersistentGuids::any(v).prop_map(Rare::from),
            generations: Vec::<Generation>::any(v), saved_by: SavedBy::any(v).prop_map(Rare::from),
            compression_flags: any::<u32>(),
            compressed_chunks: Vec::<CompressedChunk>::any(v), package_source: any::<u32>(),
            additional_packages: vec(FString::any(v), 0..3), num_texture_allocations: int(),
            asset_registry_data_offset: int(), bulk_data_start_offset: any::<i64>(),
            world_tile_info_data_offset: int(), chunk_id: int(), chunk_ids: vec(int(), 0..3),
            preload_dependency_count: int(), preload_dependency_offset: int(),
            names_referenced_from_export_data_count: int(), payload_toc_offset: any::<i64>(),
            data_resource_offset: int(),
        }
    }

    fn fit(&mut self, v: &Versions) {
        let (v4, v5, editor) = (v.ue4(), v.ue5(), !v.filter_editor_only());
        let (file, game, is_later) = (v.file(), v.game(), v4 > 0);
        let third = matches!(game, Game::MassEffect3 | Game::MassEffectLegendary);
        let t = self;
        let cooked = t.package_flags.0 & 8 != 0 && v.licensee() >= 194;
        t.generations.fit(v);
        t.mass_effect.fit(v);
        t.persistent.fit(v);
        t.saved_by.fit(v);
        keep(&mut t.total_header_size, file >= 249);
        keep(&mut t.folder_name, file >= 269);
        keep(&mut t.mass_effect_3_cooked, third && cooked);
        for field in [&mut t.heritage_count, &mut t.heritage_offset] {
            keep(field, file < 68);
        }
        keep(&mut t.depends_offset, file >= 415);
        for field in [
            &mut t.import_export_guids_offset,
            &mut t.import_guids_count,
            &mut t.export_guids_count,
        ] {
            keep(field, file >= 623 && !is_later);
        }
        keep(&mut t.thumbnail_table_offset, file >= 584);
        keep(&mut t.generations, file >= 68);
        keep(&mut t.engine_version, file >= 245 && !is_later);
        keep(&mut t.cooker_version, file >= 277 && !is_later);
        keep(&mut t.compression_flags, file >= 334);
        keep(&mut t.compressed_chunks, file >= 334);
        keep(&mut t.package_source, file >= 482);
        keep(&mut t.mass_effect_tail, matches!(game, Game::MassEffect1 | Game::MassEffect2));
        keep(&mut t.additional_packages, file >= 516 || game == Game::MassEffect2);
        keep(&mut t.texture_allocations, file >= 767 && game != Game::MassEffect3 && !is_later);
        keep(&mut t.asset_registry_data_offset, is_later);
        keep(&mut t.bulk_data_start_offset, is_later);
        keep(&mut t.saved_by, is_later);
        keep(&mut t.saved_hash, v5 >= 1016);
        for field in [&mut t.soft_object_paths_count, &mut t.soft_object_paths_offset] {
            keep(field, v5 >= 1008);
        }
        keep(&mut t.localization_id, v4 >= 516 && editor);
        for field in [&mut t.gatherable_text_data_count, &mut t.gatherable_text_data_offset] {
            keep(field, v4 >= 459);
        }
        for field in [
            &mut t.cell_export_count,
            &mut t.cell_export_offset,
            &mut t.cell_import_count,
            &mut t.cell_import_offset,
        ] {
            keep(field, v5 >= 1015);
        }
        keep(&mut t.meta_data_offset, v5 >= 1014);
        for field in [&mut t.soft_package_references_count, &mut t.soft_package_references_offset] {
            keep(field, v4 >= 384);
        }
        keep(&mut t.searchable_names_offset, v4 >= 510);
        for field in [&mut t.import_type_hierarchies_count, &mut t.import_type_hierarchies_offset] {
            keep(field, v5 >= 1018);
        }
        keep(&mut t.guid, file >= 68 && v5 < 1016);
        keep(&mut t.persistent, v4 >= 518 && editor);
        keep(&mut t.num_texture_allocations, is_later && t.versions.legacy_file_version > -7);
        keep(&mut t.world_tile_info_data_offset, v4 >= 224);
        keep(&mut t.chunk_id, (278..326).contains(&v4));
        keep(&mut t.chunk_ids, v4 >= 326);
        for field in [&mut t.preload_dependency_count, &mut t.preload_dependency_offset] {
            keep(field, v4 >= 507);
        }
        keep(&mut t.names_referenced_from_export_data_count, v5 >= 1001);
        keep(&mut t.payload_toc_offset, v5 >= 1002);
        keep(&mut t.data_resource_offset, v5 >= 1009);
    }
}
