//! The exports of a document of UAssetAPI with their bodies.

use serde_json::{Value, json};

use super::ask::{base64, bytes, choice, class, integer, is_true, list, small, text, within};
use super::facts::{Facts, flags as word_flags, guid, guid_words, string, string_of};
use super::original::{self, Original};
use super::properties::properties;
use super::tables::values_of;
use super::values::{counted, inner_properties};
use crate::error::{Error, Result, UnrealError, UnrealErrors};
use crate::package::json::read_body::OPAQUE_REST;
use crate::primitive::PackageFlags;
use crate::version::{Engine, UnrealVersions};

/// First UE5 version whose bodies begin with a word about overrides.
const CONTROL: u32 = 1011;
/// Objects that hold the defaults of their class have no GUID.
const CLASS_DEFAULT_OBJECT: u64 = 0x10;

/// The lists of what must be there before an object, in the order of the table.
const PRELOADS: [(&str, &str); 4] = [
    ("serialization_before_serialization", "SerializationBeforeSerializationDependencies"),
    ("create_before_serialization", "CreateBeforeSerializationDependencies"),
    ("serialization_before_create", "SerializationBeforeCreateDependencies"),
    ("create_before_create", "CreateBeforeCreateDependencies"),
];

/// References that are left out where they are null.
const REFERENCES: [(&str, &str); 4] = [
    ("class_index", "ClassIndex"),
    ("super_index", "SuperIndex"),
    ("template_index", "TemplateIndex"),
    ("outer_index", "OuterIndex"),
];

/// Keys that are left out where they are false.
const TRUTHS: [(&str, &str); 7] = [
    ("forced_export", "bForcedExport"),
    ("not_for_client", "bNotForClient"),
    ("not_for_server", "bNotForServer"),
    ("is_inherited_instance", "IsInheritedInstance"),
    ("not_always_loaded_for_editor_game", "bNotAlwaysLoadedForEditorGame"),
    ("is_asset", "bIsAsset"),
    ("generate_public_hash", "GeneratePublicHash"),
];

/// All exports, and what must be there before them.
pub(super) fn exports(
    document: &Value,
    facts: &Facts<'_>,
    original: Option<&Original<'_>>,
) -> Result<(Value, Option<Value>)> {
    let before =
        is_true(document, "UsesEventDrivenLoader") || is_true(document, "UseSeparateBulkDataFiles");
    let mut preloads = Vec::new();
    let from_original = |row: usize, words: &mut Value| {
        let path = original::path(document, row as i64 + 1);
        original.zip(path).map_or(Ok(false), |(original, path)| original.put(&path, words))
    };
    let stated = list(document, "Exports")?.iter().enumerate();
    let exports = stated.map(|(row, export)| {
        let from_original = &|words: &mut Value| from_original(row, words);
        words(export, facts, from_original).map_err(|error| error.at_index(row))
    });
    let mut exports = exports.collect::<Result<Value>>().map_err(within("Exports"))?;
    if before {
        let stated = list(document, "Exports")?;
        for (words, export) in exports.as_array_mut().into_iter().flatten().zip(stated) {
            let first = preloads.len();
            let mut preload = json!({ "first": -1 });
            for (field, key) in PRELOADS {
                let objects = list(export, key).map_err(within("Exports"))?;
                preload[field] = json!(objects.len());
                preloads.extend(objects.iter().cloned());
            }
            if preloads.len() > first {
                preload["first"] = json!(first);
            }
            words["preload"] = preload;
        }
    }
    Ok((exports, before.then(|| Value::Array(preloads))))
}

/// The words of an export; `from_original` puts the body that its original has there.
fn words(
    export: &Value,
    facts: &Facts<'_>,
    from_original: &dyn Fn(&mut Value) -> Result<bool>,
) -> Result<Value> {
    let flags = facts.object_flags(export)?;
    let mut words = json!({ "object_name": facts.name_of(export, "ObjectName")? });
    for (field, key) in REFERENCES {
        let index = small(export, key)?;
        if index != 0 {
            words[field] = json!(index);
        }
    }
    for (field, _) in TRUTHS.into_iter().filter(|(_, key)| is_true(export, key)) {
        words[field] = json!(1);
    }
    if flags != 0 {
        words["object_flags"] = json!(flags);
    }
    let package_flags = text(export, "PackageFlags")?.unwrap_or_default();
    let bits = word_flags(package_flags, "PKG_", |word| {
        PackageFlags::parse(word, Engine::Ue4).map(|flags| flags.0.into())
    });
    let bits = bits.map_err(within("PackageFlags"))?;
    if bits != 0 {
        words["package_flags"] = json!(bits);
    }
    let package = guid(export, "PackageGuid")?;
    if !package.is_zero() {
        words["package_guid"] = guid_words(package);
    }
    match class(export) {
        "RawExport" => words["$opaque"] = json!(base64(&bytes(export, "Data")?)),
        _ => match body(export, flags, facts) {
            Ok(body) => words["value"] = body,
            Err(error) => {
                let is_stated = !matches!(error.unreal(), Some(UnrealError::Unsupported { .. }));
                if is_stated || !from_original(&mut words)? {
                    return Err(error);
                }
            }
        },
    }
    Ok(words)
}

/// A body: properties, GUID, what the class adds, and what UAssetAPI has kept as it was.
fn body(export: &Value, flags: u64, facts: &Facts<'_>) -> Result<Value> {
    let kind = class(export);
    let mut value = json!({ "properties": properties(export, "Data", facts)? });
    if facts.versions.ue5() >= CONTROL && !facts.versions.unversioned_properties() {
        value["control"] = control(export)?;
    }
    if is_true(export, "HasLeadingFourNullBytes") {
        value["before"] = json!({ "$opaque": base64(&[0; 4]) });
    }
    if flags & CLASS_DEFAULT_OBJECT == 0 {
        let own = &export["ObjectGuid"];
        value["has_guid"] = json!(u8::from(!own.is_null()));
        if !own.is_null() {
            value["guid"] = guid_words(guid(export, "ObjectGuid")?);
        }
    }
    let rest = bytes(export, "Extras")?;
    match kind {
        "NormalExport" => {
            value[OPAQUE_REST] = json!({ "$opaque": base64(&rest) });
            return Ok(value);
        }
        "DataTableExport" => value["rows"] = table(export, facts)?,
        "StringTableExport" => {
            let table = &export["Table"];
            value["namespace"] = string_of(table, "TableNamespace")?;
            let entry =
                |pair: &Value| Ok(json!({ "key": string(&pair[0])?, "value": string(&pair[1])? }));
            value["entries"] = counted(list(table, "Value")?, entry).map_err(within("Table"))?;
        }
        "EnumExport" => {
            let stated = &export["Enum"];
            let entry = |entry: &Value| {
                let number = integer(entry, "Item2")?;
                Ok(json!({ "name": facts.name_of(entry, "Item1")?, "value": number }))
            };
            value["enumerators"] =
                counted(list(stated, "Names")?, entry).map_err(within("Enum"))?;
            let forms = ["Regular", "Namespaced", "EnumClass"];
            value["cpp_form"] = json!(choice(stated, "CppForm", &forms)?);
        }
        _ => {
            let name = text(export, "ObjectName")?.unwrap_or_default();
            let reason = format!(
                "'{name}' is a {kind}, which is not read: only exports with properties alone, tables of data \
                 and texts, enums, and raw ones are; the others come from the package that the document was \
                 made from, if it is given (--original)"
            );
            return Err(UnrealError::unsupported(reason).into());
        }
    }
    if rest.is_empty() {
        return Ok(value);
    }
    // What follows the class's own data.
    if kind == "StringTableExport" {
        return with_rest(value, &rest);
    }
    value["rest"] = json!({ "$opaque": base64(&rest) });
    Ok(value)
}

/// Behind the texts of a table stand their metadata, of which an empty list is understood.
fn with_rest(mut value: Value, rest: &[u8]) -> Result<Value> {
    match rest == [0; 4] {
        true => value["meta_data"] = json!(0),
        false => value["rest"] = json!({ "$opaque": base64(rest) }),
    }
    Ok(value)
}

fn control(export: &Value) -> Result<Value> {
    match export["SerializationControl"].as_str().unwrap_or("NoExtension") {
        "NoExtension" => Ok(json!({ "flags": 0 })),
        _ => {
            let reason = "overrides of inherited values are not read".to_owned();
            Err(within("SerializationControl")(UnrealError::unsupported(reason).into()))
        }
    }
}

/// The rows of a data table.
fn table(export: &Value, facts: &Facts<'_>) -> Result<Value> {
    let located = within("Table");
    let rows = values_of(&export["Table"]["Data"]);
    if rows.is_empty() && !export["Table"].is_object() {
        return Err(located(Error::invalid("it is missing")));
    }
    counted(&rows, |row| {
        let name = facts.name_of(row, "Name")?;
        Ok(json!({ "name": name, "value": inner_properties(row, facts)? }))
    })
    .map_err(located)
}
