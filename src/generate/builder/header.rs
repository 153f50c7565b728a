//! Building small packages of UE4 and UE5 from nothing (spec: ue4-5/06 §6).

use super::{Builder, carry_out};
use crate::edit::Edit;
use crate::error::Result;
use crate::package::FurtherSections;
use crate::package::tables::next_row;
use crate::primitive::{EngineVersion, FString, Guid};
use crate::table::{
    AssetDependencies, AssetRegistryData, CustomVersion, CustomVersions, FileVersions, Generation,
    MetaData, NamedVersion, Summary, TaggedVersion, Trailer,
};
use crate::version::threshold::{ue4, ue5};
use crate::version::{EngineRelease, Versions};

/// The trailer version of UE5.1 and newer.
const TRAILER_VERSION: i32 = 2;

impl Builder {
    pub(super) fn build_asset_package(mut self) -> Result<Vec<u8>> {
        let steps = std::mem::take(&mut self.steps);
        let mut edit = self.begin_asset_package()?;
        carry_out(steps, &mut edit)?;
        edit.to_bytes()
    }

    /// The package with its header and sections, before names, imports and exports.
    pub(in crate::generate) fn begin_asset_package(self) -> Result<Edit> {
        let mut versions = self.versions;
        versions.apply_flags(self.flags);
        let (v4, v5) = (versions.ue4, versions.ue5);
        let editor = versions.has_editor_only_data();
        let mut edit = Edit::blank(versions.clone());
        let tables = edit.tables_mut();
        let further = tables.further.insert(self.sections);
        let summary = &mut tables.summary;
        let legacy_file_version = match versions.release {
            Some(release) if (release.ue4(), release.ue5()) == (v4, v5) => {
                release.legacy_file_version()
            }
            _ => legacy_file_version(v4, v5),
        };
        summary.versions = match self.unversioned {
            true => FileVersions { legacy_file_version, ..FileVersions::default() },
            false => FileVersions::new(&versions, legacy_file_version),
        };
        let form = summary.versions.custom_version_form();
        let list = summary.custom_versions_mut(&versions);
        *list = form;
        if !self.unversioned {
            fill(list, &versions);
        }
        summary.folder_name = FString::new_in("None", versions.byte_order, versions.game);
        summary.package_flags = self.flags;
        if v5 < ue5::PACKAGE_SAVED_HASH {
            summary.guid = self.guid;
        }
        if editor && v4 >= ue4::ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID {
            let id = self.guid.to_string();
            summary.localization_id = FString::new_in(&id, versions.byte_order, versions.game);
        }
        if editor && v4 >= ue4::ADDED_PACKAGE_OWNER {
            summary.persistent.guid = self.guid;
        }
        summary.generations.push(Generation::default());
        if editor && v4 >= ue4::ENGINE_VERSION_OBJECT {
            let engine = engine_version(&versions);
            if v4 >= ue4::PACKAGE_SUMMARY_HAS_COMPATIBLE_ENGINE_VERSION {
                summary.saved_by.compatible_version = engine.clone();
            }
            summary.saved_by.engine_version = engine;
        }
        if v4 >= ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS {
            summary.preload_dependency_count = -1;
        }
        if v5 >= ue5::PAYLOAD_TOC {
            summary.payload_toc_offset = -1;
        }
        if v5 >= ue5::DATA_RESOURCES && !editor {
            summary.data_resource_offset = -1;
        }
        further.closing_tag = true;
        if editor {
            let has_trailer = v5 >= ue5::ADD_SOFTOBJECTPATH_LIST;
            let trailer = Trailer { version: TRAILER_VERSION, ..Trailer::default() };
            if has_trailer {
                further.trailer.get_or_insert(trailer);
            }
            if v4 >= ue4::ADDED_SEARCHABLE_NAMES {
                further.searchable_names.get_or_insert_default();
            }
            if v5 >= ue5::METADATA_SERIALIZATION_OFFSET {
                further.meta_data.get_or_insert_with(MetaData::default);
            }
        }
        further.asset_registry.get_or_insert_with(AssetRegistryData::default);
        if editor && v4 >= ue4::ASSETREGISTRY_DEPENDENCYFLAGS {
            further.asset_dependencies.get_or_insert_with(AssetDependencies::default);
            if let Some(registry) = &mut further.asset_registry {
                // Above zero, so that it is settled when the section has its place.
                registry.dependency_data_offset = 1;
            }
        }
        count_rows(summary, further)?;
        edit.add_name("None")?;
        Ok(edit)
    }
}

/// Counts in the summary for the lists that are there.
fn count_rows(summary: &mut Summary, further: &FurtherSections) -> Result<()> {
    for (count, rows) in [
        (&mut summary.soft_object_paths_count, further.soft_object_paths.len()),
        (&mut summary.gatherable_text_data_count, further.gatherable_text.len()),
        (&mut summary.cell_import_count, further.cell_imports.len()),
        (&mut summary.cell_export_count, further.cell_exports.len()),
        (&mut summary.soft_package_references_count, further.soft_package_references.len()),
        (&mut summary.import_type_hierarchies_count, further.import_type_hierarchies.len()),
    ] {
        *count = next_row(rows)?;
    }
    if !further.preload_dependencies.is_empty() {
        summary.preload_dependency_count = next_row(further.preload_dependencies.len())?;
    }
    Ok(())
}

/// The form of header that packages of these object versions have (spec: ue4-5/02 §3).
fn legacy_file_version(v4: u32, v5: u32) -> i32 {
    match (v4, v5) {
        (_, ue5::METADATA_SERIALIZATION_OFFSET..) => -9,
        (_, 1..) => -8,
        (ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS.., _) => -7,
        (483.., _) => -6,
        (434.., _) => -5,
        (303.., _) => -3,
        _ => -2,
    }
}

fn engine_version(versions: &Versions) -> EngineVersion {
    let release = versions.release;
    let release = release.unwrap_or(EngineRelease::of_versions(versions.ue4, versions.ue5));
    EngineVersion {
        major: release.major().into(),
        minor: release.minor().into(),
        ..EngineVersion::default()
    }
}

/// The custom versions in the form that the header has.
pub(in crate::generate) fn fill(list: &mut CustomVersions, versions: &Versions) {
    let known = versions.custom_versions.iter().flat_map(|known| known.iter().copied());
    match list {
        CustomVersions::Absent => {}
        CustomVersions::Tagged(rows) => {
            let tagged = known.filter(|(key, _)| Guid::new(0, 0, 0, key.d) == *key);
            rows.extend(tagged.map(|(key, version)| TaggedVersion { tag: key.d, version }));
        }
        CustomVersions::Named(rows) => rows.extend(known.map(|(key, version)| NamedVersion {
            key,
            version,
            friendly_name: FString::default(),
        })),
        CustomVersions::Plain(rows) => {
            rows.extend(known.map(|(key, version)| CustomVersion { key, version }));
        }
    }
}
