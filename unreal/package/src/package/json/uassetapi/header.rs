//! The summary that a document of UAssetAPI states.

use std::sync::Arc;

use serde_json::{Value, json};

use super::ask::{integer, list, small, text, within};
use super::facts::{Facts, guid};
use crate::archive::{Archive, Archived, Context, JsonSaver};
use crate::error::{Error, Result};
use crate::package::json::summary;
use crate::package::json::texts::PackageTexts;
use crate::primitive::{EngineVersion, FString};
use crate::table::{
    CustomVersion, CustomVersions, FileVersions, Generation, NamedVersion, PersistentGuids,
    SavedBy, Summary, TaggedVersion,
};
use crate::version::UnrealVersions;
use crate::version::threshold::{ue4, ue5};

/// The summary in the words of a document.
pub(super) fn summary_words(document: &Value, facts: &Facts<'_>) -> Result<Value> {
    let versions = &facts.versions;
    let string = |text: &str| FString::new_in(text, versions.byte_order, versions.game());
    let strings = |key: &str| -> Result<Vec<FString>> {
        let texts = list(document, key)?.iter();
        Ok(texts.map(|text| string(text.as_str().unwrap_or_default())).collect())
    };
    let text_of =
        |key: &str| -> Result<FString> { Ok(text(document, key)?.map(string).unwrap_or_default()) };
    let licensee = small(document, "FileVersionLicenseeUE")?;
    let legacy = small(document, "LegacyFileVersion")?;
    let mut stated = FileVersions::new(versions, legacy);
    stated.licensee = licensee;
    if facts.release.is_some() {
        stated = FileVersions { legacy_file_version: legacy, ..FileVersions::default() };
    }
    let form = stated.custom_version_form();
    let mut summary = Summary {
        versions: stated,
        folder_name: text_of("FolderName")?,
        package_flags: facts.flags,
        compression_flags: small(document, "CompressionFlags")?.cast_unsigned(),
        package_source: u32::try_from(integer(document, "PackageSource")?)
            .map_err(|_| within("PackageSource")(Error::invalid("it takes more than 32 bits")))?,
        additional_packages: strings("AdditionalPackagesToCook")?,
        ..Summary::default()
    };
    *summary.custom_versions_mut(versions) = custom_versions(document, form, &string)?;
    let (ue4, ue5) = (versions.ue4(), versions.ue5());
    if ue5 < ue5::PACKAGE_SAVED_HASH {
        summary.guid = guid(document, "PackageGuid")?;
    }
    if versions.has_editor_only_data() {
        if ue4 >= ue4::ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID {
            summary.localization_id = text_of("LocalizationId")?;
        }
        if ue4 >= ue4::ADDED_PACKAGE_OWNER {
            let own = guid(document, "PersistentGuid")?;
            summary.persistent = PersistentGuids { guid: own, ..PersistentGuids::default() }.into();
        }
    }
    summary.generations = list(document, "Generations")?
        .iter()
        .map(|one| {
            let (export_count, name_count) = (small(one, "ExportCount")?, small(one, "NameCount")?);
            Ok(Generation { export_count, name_count, ..Generation::default() })
        })
        .collect::<Result<_>>()
        .map_err(within("Generations"))?;
    let engine = |key: &str| engine_version(&document[key], &string).map_err(within(key));
    let (engine_version, compatible_version) =
        (engine("RecordedEngineVersion")?, engine("RecordedCompatibleWithEngineVersion")?);
    let mut saved_by = SavedBy::default();
    match ue4 >= ue4::ENGINE_VERSION_OBJECT {
        true => saved_by.engine_version = engine_version,
        false => saved_by.changelist = engine_version.changelist,
    }
    if ue4 >= ue4::PACKAGE_SUMMARY_HAS_COMPATIBLE_ENGINE_VERSION {
        saved_by.compatible_version = compatible_version;
    }
    summary.saved_by = saved_by.into();
    let chunks = list(document, "ChunkIDs")?.iter();
    let chunks = chunks
        .map(|chunk| chunk.as_i64().and_then(|chunk| i32::try_from(chunk).ok()))
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| within("ChunkIDs")(Error::invalid("it is no list of whole numbers")))?;
    if ue4 >= ue4::CHANGED_CHUNKID_TO_BE_AN_ARRAY_OF_CHUNKIDS {
        summary.chunk_ids = chunks;
    } else if ue4 >= ue4::ADDED_CHUNKID_TO_ASSETDATA_AND_UPACKAGE {
        summary.chunk_id = chunks.first().copied().unwrap_or(-1);
    }
    let texts = PackageTexts::default();
    let mut saver = JsonSaver::new(versions.clone(), Arc::<Context>::default(), &texts, 0);
    summary.serialize(&mut saver as &mut dyn Archive)?;
    let mut words = saver.into_value();
    let rows = |key: &str| list(document, key).map(<[Value]>::len);
    summary::put(&mut words, (rows("NameMap")?, rows("Exports")?), true);
    if let Some(newest) = words["generations"].as_array_mut().and_then(|all| all.last_mut()) {
        *newest = json!({});
    }
    Ok(words)
}

fn custom_versions(
    document: &Value,
    form: CustomVersions,
    string: &dyn Fn(&str) -> FString,
) -> Result<CustomVersions> {
    const KEY: &str = "CustomVersionContainer";
    let all = list(document, KEY)?.iter();
    let stated = all.filter(|one| one["IsSerialized"] != Value::Bool(false));
    let stated: Vec<_> = stated
        .map(|one| {
            let name = text(one, "Name")?.or(text(one, "FriendlyName")?).unwrap_or_default();
            Ok((guid(one, "Key")?, small(one, "Version")?, name))
        })
        .collect::<Result<_>>()
        .map_err(within(KEY))?;
    let stated = stated.into_iter();
    Ok(match form {
        CustomVersions::Absent => CustomVersions::Absent,
        CustomVersions::Tagged(_) => CustomVersions::Tagged(
            stated.map(|(key, version, _)| TaggedVersion { tag: key.d, version }).collect(),
        ),
        CustomVersions::Named(_) => CustomVersions::Named(
            stated
                .map(|(key, version, name)| NamedVersion {
                    key,
                    version,
                    friendly_name: string(name),
                })
                .collect(),
        ),
        CustomVersions::Plain(_) => CustomVersions::Plain(
            stated.map(|(key, version, _)| CustomVersion { key, version }).collect(),
        ),
    })
}

fn engine_version(value: &Value, string: &dyn Fn(&str) -> FString) -> Result<EngineVersion> {
    let part = |key: &str| {
        u16::try_from(integer(value, key)?)
            .map_err(|_| within(key)(Error::invalid("it takes more than 16 bits")))
    };
    Ok(EngineVersion {
        major: part("Major")?,
        minor: part("Minor")?,
        patch: part("Patch")?,
        changelist: u32::try_from(integer(value, "Changelist")?)
            .map_err(|_| within("Changelist")(Error::invalid("it takes more than 32 bits")))?,
        branch: text(value, "Branch")?.map(string).unwrap_or_default(),
    })
}
