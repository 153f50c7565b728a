//! The headers of new packages (spec: ue4-5/06 §6).

use super::Builder;
use crate::edit::{Edit, fill};
use crate::error::Result;
use crate::primitive::{EngineVersion, FString};
use crate::table::{FileVersions, Generation, Trailer, next_row};
use crate::version::threshold::{self, ue4, ue5};
use crate::version::{EngineRelease, UnrealVersions, Versions};

/// The trailer version of UE5.1 and newer.
const TRAILER_VERSION: i32 = 2;

impl Builder {
    /// The package with its header and sections, before names, imports and exports. Offsets, and what else has
    /// a place, are settled when it is saved.
    pub(super) fn begin(self) -> Result<Edit> {
        let mut versions = self.versions;
        self.flags.apply_to(&mut versions);
        let (file, v4, v5) = (versions.file(), versions.ue4(), versions.ue5());
        let editor = versions.has_editor_only_data();
        let stored = FileVersions::of_new(&versions)?;
        let mut edit = Edit::blank(versions.clone());
        let tables = edit.tables_mut();
        let summary = &mut tables.summary;
        summary.package_flags = self.flags;
        let form = stored.custom_version_form();
        summary.versions = match self.unversioned {
            true => FileVersions {
                legacy_file_version: stored.legacy_file_version,
                ..FileVersions::default()
            },
            false => stored,
        };
        let list = summary.custom_versions_mut(&versions);
        *list = form;
        if !self.unversioned {
            fill(list, &versions);
        }
        if file < threshold::HERITAGE_REMOVED {
            summary.heritage_count = 1;
            if file >= threshold::HERITAGE_GUID_ADDED {
                tables.heritage.push(self.guid);
            }
        } else {
            summary.generations.push(Generation::default());
            if v5 < ue5::PACKAGE_SAVED_HASH {
                summary.guid = self.guid;
            }
        }
        if file >= threshold::FOLDER_NAME_ADDED {
            summary.folder_name = FString::new_in("None", versions.byte_order, versions.game());
        }
        if editor && v4 >= ue4::ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID {
            let id = self.guid.to_string();
            summary.localization_id = FString::new_in(&id, versions.byte_order, versions.game());
        }
        if editor && v4 >= ue4::ADDED_PACKAGE_OWNER {
            summary.persistent.guid = self.guid;
        }
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
        let further = tables.further.insert(self.sections);
        further.closing_tag = v4 >= ue4::PACKAGE_MAGIC_POSTTAG;
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
                further.meta_data.get_or_insert_default();
            }
        }
        if v4 >= ue4::OLDEST_LOADABLE_PACKAGE {
            further.asset_registry.get_or_insert_default();
        }
        if editor && v4 >= ue4::ASSETREGISTRY_DEPENDENCYFLAGS {
            further.asset_dependencies.get_or_insert_default();
            if let Some(registry) = &mut further.asset_registry {
                // Above zero, so that it is settled when the section has its place.
                registry.dependency_data_offset = 1;
            }
        }
        summary.gatherable_text_data_count = next_row(further.gatherable_text.len())?;
        if !further.preload_dependencies.is_empty() {
            summary.preload_dependency_count = next_row(further.preload_dependencies.len())?;
        }
        tables.sync_further()?;
        edit.add_name("None")?;
        Ok(edit)
    }
}

fn engine_version(versions: &Versions) -> EngineVersion {
    let release = versions.release();
    let release = release.unwrap_or(EngineRelease::of_versions(versions.ue4(), versions.ue5()));
    EngineVersion {
        major: release.major().into(),
        minor: release.minor().into(),
        ..EngineVersion::default()
    }
}
