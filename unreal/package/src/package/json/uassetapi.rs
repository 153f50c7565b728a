//! Documents of UAssetAPI, the library that most tools for mods share, as documents of this one.
//!
//! UAssetAPI states positions, counts and much of what follows from other things; none of it is looked at. What
//! it keeps as bytes stays bytes, which are then read as those of any package.

mod ask;
mod assets;
mod exports;
mod facts;
mod header;
mod object_version;
mod original;
mod properties;
mod structs;
mod tables;
mod time;
mod values;

use serde_json::{Map, Value, json};

use self::facts::Facts;
use self::original::Original;
use super::form::FORM;
use crate::archive::JsonLoader;
use crate::error::{Error, Result};
use crate::package::Package;
use crate::property::mappings::Mappings;
use crate::version::EngineRelease;

/// The knowledge beside a document of UAssetAPI.
#[derive(Debug, Clone, Copy, Default)]
pub struct UassetapiOptions<'a> {
    /// The release of a package that does not say its versions; else it is the newest that has those which
    /// UAssetAPI has noted.
    pub engine: Option<EngineRelease>,
    /// The game's mappings: values of enums in packages without tags of properties need them.
    pub mappings: Option<&'a Mappings>,
    /// The package that the document was made from: classes, functions and whatever else is not read from
    /// documents comes from there, as it stands there.
    pub original: Option<&'a Package>,
}

/// A document of this library that was one of UAssetAPI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uassetapi {
    /// The document that [`Package::from_json`] reads.
    pub text: Vec<u8>,
    /// The paths of the objects that come from the original package.
    pub taken_over: Vec<String>,
}

/// The document that [`Package::from_json`] reads, from one of UAssetAPI
/// (`UAsset.SerializeJson`, "tojson" of UAssetGUI).
///
/// # Errors
/// `Invalid` for what is no such document, and `Unsupported` for what is stated in a way that is not read (code,
/// overrides, some structs), with its place.
pub fn document_of_uassetapi(text: &[u8], given: &UassetapiOptions<'_>) -> Result<Uassetapi> {
    let stated = JsonLoader::parse(text)?;
    if !stated["$type"].as_str().is_some_and(|kind| kind.starts_with("UAssetAPI.")) {
        return Err(Error::invalid("it is no document of UAssetAPI: it has no $type that says so"));
    }
    let facts = Facts::of(&stated, given.engine, given.mappings)?;
    let original = given.original.map(|it| Original::of(it, &stated)).transpose()?;
    let mut document = Map::new();
    let mut put = |key: &str, value: Value| drop(document.insert(key.to_owned(), value));
    put("farchive", json!(FORM));
    if let Some(release) = facts.release {
        put("engine", json!(release.to_string()));
    }
    put("summary", header::summary_words(&stated, &facts)?);
    let (exports, preloads) = exports::exports(&stated, &facts, original.as_ref())?;
    put("exports", exports);
    if let Some(preloads) = preloads {
        put("preload_dependencies", preloads);
    }
    if ask::is_true(&stated, "UseSeparateBulkDataFiles") {
        put("stored", json!({ "split": 0 }));
    }
    document.extend(tables::tables(&stated, &facts)?);
    let names = ask::list(&stated, "NameMap")?.iter().cloned();
    let names: Value = names.chain(facts.added().into_iter().map(Value::from)).collect();
    document.insert("names".to_owned(), names);
    let text = serde_json::to_vec(&document).map_err(|error| Error::invalid(error.to_string()))?;
    Ok(Uassetapi { text, taken_over: original.map(Original::taken).unwrap_or_default() })
}
