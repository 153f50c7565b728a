//! The tables that a document of UAssetAPI states beside names, imports and exports.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::ask::{base64, bytes, choice, integer, is_true, list, small, text, within};
use super::assets::{asset_registry, dependencies, gatherable_text, meta_data, thumbnails};
use super::facts::{Facts, flags, string};
use super::values::{counted, soft_path_words};
use crate::archive::{Archive, Archived, JsonSaver, Saver};
use crate::error::{Error, Result, UnrealError};
use crate::package::json::texts::PackageTexts;
use crate::table::{PACKAGE_TAG, Trailer};
use crate::version::UnrealVersions;

/// First versions of UE4 whose soft references are names, and whose packages tell how imports are used.
const SOFT_NAMES: u32 = 514;
const DEPENDENCIES: u32 = 521;

/// Sections that documents hold and that are not read: one that has something is refused.
const UNREAD: [(&str, &str); 3] = [
    ("ImportTypeHierarchies", "parents of imported classes"),
    ("WorldTileInfo", "the place of a world's tile"),
    ("BulkData", "bulk data from a file beside the package"),
];

/// Flags of data resources by their bits.
const RESOURCE_FLAGS: [&str; 6] =
    ["Inline", "Streaming", "Optional", "Duplicate", "MemoryMapped", "DerivedDataReference"];

/// All of them, with the keys of a document.
pub(super) fn tables(document: &Value, facts: &Facts<'_>) -> Result<Map<String, Value>> {
    refuse_unread(document)?;
    let editor = facts.versions.has_editor_only_data();
    let mut tables = Map::new();
    let mut put = |key: &str, value: Value| drop(tables.insert(key.to_owned(), value));
    put("imports", rows(document, "Imports", |row| import(row, facts))?);
    if !document["DependsMap"].is_null() {
        let depends = rows(document, "DependsMap", |row| Ok(values_of(row).into()))?;
        put("depends", depends);
    }
    if !document["SoftPackageReferenceList"].is_null() {
        let is_name = facts.versions.ue4() >= SOFT_NAMES;
        put(
            "soft_package_references",
            rows(document, "SoftPackageReferenceList", |row| {
                Ok(match is_name {
                    true => json!({ "name": facts.name(row)? }),
                    false => json!({ "path": string(row)? }),
                })
            })?,
        );
    }
    if !list(document, "SoftObjectPathList")?.is_empty() {
        let paths = rows(document, "SoftObjectPathList", |row| soft_path_words(row, facts))?;
        put("soft_object_paths", paths);
    }
    if !list(document, "GatherableTextData")?.is_empty() {
        put("gatherable_text", rows(document, "GatherableTextData", gatherable_text)?);
    }
    if document["SearchableNames"].is_object() {
        put("searchable_names", searchable_names(document, facts)?);
    }
    if document["AssetRegistryRecords"].is_array() {
        let with_dependencies = editor && facts.versions.ue4() >= DEPENDENCIES;
        put("asset_registry", asset_registry(document, with_dependencies)?);
        if with_dependencies && document["ImportBits"].is_array() {
            put("asset_dependencies", dependencies(document, facts)?);
        }
    }
    if document["Thumbnails"].is_object() {
        let (table, images) = thumbnails(document)?;
        put("thumbnails", table);
        put("thumbnail_images", images);
    }
    if !document["DataResources"].is_null() && integer_or_name(document)? > 0 {
        let resources = rows(document, "DataResources", data_resource)?;
        put(
            "data_resources",
            json!({
                "version": integer_or_name(document)?,
                "rows": if resources.as_array().is_some_and(Vec::is_empty) { json!(0) } else { resources },
            }),
        );
    }
    if document["MetaData"].is_object() {
        put("meta_data", meta_data(document, facts).map_err(within("MetaData"))?);
    }
    let trailer = bytes(document, "Trailer")?;
    if !trailer.is_empty() {
        put("trailer", empty_trailer(&trailer, facts).map_err(within("Trailer"))?);
    }
    // The tag that closes the file is the last that stands behind the bodies.
    let rest = bytes(document, "AdditionalFiles")?;
    let closing = PACKAGE_TAG.to_le_bytes();
    let bulk = rest.strip_suffix(&closing).unwrap_or(&rest);
    if !bulk.is_empty() {
        put("bulk_data", json!({ "$payload": base64(bulk) }));
    }
    if bulk.len() < rest.len() {
        put("closing_tag", json!(PACKAGE_TAG));
    }
    Ok(tables)
}

fn refuse_unread(document: &Value) -> Result<()> {
    for (key, what) in UNREAD {
        let is_empty = match &document[key] {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            Value::String(text) => text.is_empty(),
            Value::Object(map) => map.values().all(|value| match value {
                Value::Array(list) => list.is_empty(),
                Value::String(_) | Value::Null => true,
                _ => false,
            }),
            _ => false,
        };
        if !is_empty {
            let reason = format!("{what} are not read from documents of UAssetAPI");
            return Err(within(key)(UnrealError::unsupported(reason).into()));
        }
    }
    Ok(())
}

/// The rows of a list, each with its place in what is wrong.
pub(super) fn rows(
    document: &Value,
    key: &str,
    of: impl Fn(&Value) -> Result<Value>,
) -> Result<Value> {
    let all = list(document, key)?.iter().enumerate();
    all.map(|(at, row)| of(row).map_err(|error| error.at_index(at)))
        .collect::<Result<_>>()
        .map_err(within(key))
}

/// The entries of a list, which may stand below `$values`.
pub(super) fn values_of(value: &Value) -> Vec<Value> {
    let list = value.as_array().or_else(|| value["$values"].as_array());
    list.cloned().unwrap_or_default()
}

fn import(row: &Value, facts: &Facts<'_>) -> Result<Value> {
    let mut words = json!({
        "class_package": facts.name_of(row, "ClassPackage")?,
        "class_name": facts.name_of(row, "ClassName")?,
        "object_name": facts.name_of(row, "ObjectName")?,
    });
    let outer = small(row, "OuterIndex")?;
    if outer != 0 {
        words["outer_index"] = json!(outer);
    }
    if let Some(name) = text(row, "PackageName")?.filter(|name| !["None", "null"].contains(name)) {
        words["package_name"] = facts.name(&json!(name))?;
    }
    if is_true(row, "bImportOptional") {
        words["import_optional"] = json!(1);
    }
    Ok(words)
}

/// A trailer without payloads: tag, length, version, then counts.
fn empty_trailer(stored: &[u8], facts: &Facts<'_>) -> Result<Value> {
    const VERSION: std::ops::Range<usize> = 8..12;
    let version = stored.get(VERSION).and_then(|bytes| bytes.try_into().ok());
    let version = i32::from_le_bytes(version.unwrap_or_default());
    let mut trailer = Trailer { version, ..Trailer::default() };
    let mut saver = Saver::new(facts.versions.clone());
    trailer.serialize(&mut saver as &mut dyn Archive)?;
    if saver.into_bytes() != stored {
        let reason =
            "payloads of a package trailer are not read from documents of UAssetAPI".to_owned();
        return Err(UnrealError::unsupported(reason).into());
    }
    let texts = PackageTexts::default();
    let mut saver = JsonSaver::new(facts.versions.clone(), Arc::default(), &texts, 0);
    trailer.serialize(&mut saver as &mut dyn Archive)?;
    Ok(saver.into_value())
}

fn searchable_names(document: &Value, facts: &Facts<'_>) -> Result<Value> {
    let mut rows = Vec::new();
    for (object, names) in document["SearchableNames"].as_object().into_iter().flatten() {
        if object.starts_with('$') {
            continue;
        }
        let located = within("SearchableNames");
        let index = object.parse::<i32>().map_err(|_| located(Error::invalid("no index")))?;
        let names = counted(&values_of(names), |name| facts.name(name)).map_err(located)?;
        rows.push((index, names));
    }
    rows.sort_by_key(|(index, _)| *index);
    let rows = rows.into_iter().map(|(object, names)| json!({ "object": object, "names": names }));
    Ok(match rows.len() {
        0 => json!(0),
        _ => rows.collect(),
    })
}

fn integer_or_name(document: &Value) -> Result<i64> {
    choice(
        document,
        "DataResourceVersion",
        &["Invalid", "Initial", "AddedCookedIndex", "LatestPlusOne"],
    )
}

fn data_resource(row: &Value) -> Result<Value> {
    let words = match &row["Flags"] {
        Value::String(words) => words.clone(),
        value => value.to_string(),
    };
    let bits = flags(&words, "", |word| {
        let place = RESOURCE_FLAGS.iter().position(|known| *known == word);
        let unknown = || Error::invalid(format!("'{word}' is not known"));
        place.map(|place| 1 << place).ok_or_else(unknown)
    });
    Ok(json!({
        "flags": bits.map_err(within("Flags"))?,
        "cooked_index": integer(row, "CookedIndex")?,
        "serial_offset": integer(row, "SerialOffset")?,
        "duplicate_serial_offset": integer(row, "DuplicateSerialOffset")?,
        "serial_size": integer(row, "SerialSize")?,
        "raw_size": integer(row, "RawSize")?,
        "outer_index": small(row, "OuterIndex")?,
        "legacy_bulk_data_flags": integer(row, "LegacyBulkDataFlags")?,
    }))
}
