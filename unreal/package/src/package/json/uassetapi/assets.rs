//! The editor's tables of a package: its assets, texts for translators, notes on objects and pictures.

use serde_json::{Value, json};

use super::ask::{base64, bytes, integer, is_true, list, small, within};
use super::facts::{Facts, string, string_of};
use super::tables::{rows, values_of};
use super::values::{counted, soft_path};
use crate::error::{Error, Result, UnrealError};
use crate::version::UnrealVersions;

/// First UE5 version that tells of further packages.
const BUILD_DEPENDENCIES: u32 = 1013;

/// A text for translators with the places that it stands at.
pub(super) fn gatherable_text(row: &Value) -> Result<Value> {
    let place = |place: &Value| {
        Ok(json!({
            "key": string_of(place, "KeyName")?,
            "site": string_of(place, "SiteDescription")?,
            "editor_only": u8::from(is_true(place, "IsEditorOnly")),
            "optional": u8::from(is_true(place, "IsOptional")),
            "info_meta_data": no_meta_data(place, "InfoMetaData")?,
            "key_meta_data": no_meta_data(place, "KeyMetaData")?,
        }))
    };
    let source = &row["SourceData"];
    let places = list(row, "SourceSiteContexts")?;
    Ok(json!({
        "namespace": string_of(row, "NamespaceName")?,
        "source_string": string_of(source, "SourceString").map_err(within("SourceData"))?,
        "source_meta_data": no_meta_data(source, "SourceStringMetaData")?,
        "contexts": counted(places, place).map_err(within("SourceSiteContexts"))?,
    }))
}

/// Metadata of texts, of which no package has any.
fn no_meta_data(value: &Value, key: &str) -> Result<Value> {
    match list(&value[key], "Values")?.is_empty() {
        true => Ok(json!(0)),
        false => {
            let reason = "metadata of texts are not read from documents of UAssetAPI".to_owned();
            Err(within(key)(UnrealError::unsupported(reason).into()))
        }
    }
}

/// The metadata of objects, and of the package.
pub(super) fn meta_data(document: &Value, facts: &Facts<'_>) -> Result<Value> {
    let notes = |pairs: &Value| {
        counted(&values_of(pairs), |pair| {
            Ok(json!({ "key": facts.name(&pair[0])?, "value": string(&pair[1])? }))
        })
    };
    let object = |pair: &Value| {
        Ok(json!({ "object": soft_path(&pair[0], facts)?, "values": notes(&pair[1])? }))
    };
    let stated = &document["MetaData"];
    let objects = list(stated, "ObjectMetaDataMap")?;
    let root = list(stated, "RootMetaDataMap")?;
    let mut words = json!({ "object_count": objects.len(), "root_count": root.len() });
    if !objects.is_empty() {
        words["objects"] = counted(objects, object).map_err(within("ObjectMetaDataMap"))?;
    }
    if !root.is_empty() {
        words["root"] = notes(&stated["RootMetaDataMap"]).map_err(within("RootMetaDataMap"))?;
    }
    Ok(words)
}

pub(super) fn asset_registry(document: &Value, with_dependencies: bool) -> Result<Value> {
    let asset = |row: &Value| {
        let tags = row["TagMap"].as_object().into_iter().flatten();
        let tags = tags.filter(|(key, _)| !key.starts_with('$')).map(|(key, value)| {
            Ok(json!({ "key": string(&json!(key))?, "value": string(value)? }))
        });
        let tags = tags.collect::<Result<Vec<_>>>()?;
        Ok(json!({
            "object_path": string_of(row, "Path")?,
            "object_class_name": string_of(row, "ClassName")?,
            "tags": if tags.is_empty() { json!(0) } else { Value::Array(tags) },
        }))
    };
    let assets = rows(document, "AssetRegistryRecords", asset)?;
    let assets = if assets.as_array().is_some_and(Vec::is_empty) { json!(0) } else { assets };
    let mut words = json!({ "assets": assets });
    if with_dependencies {
        // Anything but 0 says that there are some.
        words["dependency_data_offset"] = json!(1);
    }
    Ok(words)
}

pub(super) fn dependencies(document: &Value, facts: &Facts<'_>) -> Result<Value> {
    let bits = |key: &str| -> Result<Value> {
        let bits = list(document, key)?;
        let word = |bits: &[Value]| {
            let set = bits.iter().enumerate().filter(|(_, bit)| **bit == Value::Bool(true));
            set.fold(0_u32, |word, (at, _)| word | 1 << at)
        };
        let words: Vec<u32> = bits.chunks(32).map(word).collect();
        Ok(match words.is_empty() {
            true => json!({ "length": 0 }),
            false => json!({ "length": bits.len(), "words": words }),
        })
    };
    let mut words = json!({
        "import_used_in_game": bits("ImportBits")?,
        "soft_package_used_in_game": bits("SoftPackageBits")?,
    });
    if facts.versions.ue5() >= BUILD_DEPENDENCIES {
        let extra = counted(list(document, "ExtraPackageDependencies")?, |row| {
            Ok(json!({ "package": facts.name_of(row, "Key")?, "flags": integer(row, "Value")? }))
        });
        words["extra_package_dependencies"] = extra.map_err(within("ExtraPackageDependencies"))?;
    }
    Ok(words)
}

/// The table of thumbnails and the images, which stand at places that only tell them apart.
pub(super) fn thumbnails(document: &Value) -> Result<(Value, Value)> {
    let (mut table, mut images, mut start) = (Vec::new(), Vec::new(), 1_usize);
    let all = document["Thumbnails"].as_object().into_iter().flatten();
    for (name, thumbnail) in all.filter(|(name, _)| !name.starts_with('$')) {
        let located = |error: Error| within("Thumbnails")(within(name)(error));
        // The class, a space, the path.
        let (class, path) = name.split_once(' ').unwrap_or(("", name));
        let stored = bytes(thumbnail, "CompressedImageData").map_err(located)?;
        let (width, height) = (
            small(thumbnail, "Width").map_err(located)?,
            small(thumbnail, "Height").map_err(located)?,
        );
        // Two numbers and the count of the bytes stand before them.
        let size = stored.len().saturating_add(12);
        let image = match stored.is_empty() {
            true => json!(0),
            false => json!({ "$groups": [
                { "$value": stored.len() },
                { "$value": { "$payload": base64(&stored) } },
            ] }),
        };
        table.push(json!({ "class_name": class, "object_path": path, "file_offset": start }));
        images.push(json!({
            "start": start, "size": size,
            "value": { "width": width, "height": height, "image": image },
        }));
        start = start.saturating_add(size);
    }
    Ok((table.into(), images.into()))
}
