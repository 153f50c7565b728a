//! Facts of a UAssetAPI document about the whole package: its versions and names.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::ask::{integer, is_true, list, small, text, within};
use super::object_version;
use crate::archive::hex;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::primitive::{Guid, Name, ObjectFlags, PackageFlags};
use crate::property::mappings::Mappings;
use crate::version::{Engine, EngineRelease, UnrealVersions, Versions};

/// The facts about the whole package.
pub(super) struct Facts<'a> {
    pub versions: Versions,
    pub flags: PackageFlags,
    /// Set where the package itself does not say its versions.
    pub release: Option<EngineRelease>,
    pub mappings: Option<&'a Mappings>,
    /// Names with their rows: the last one where a name stands several times.
    rows: HashMap<&'a str, usize>,
    /// Names that stand several times.
    shared: HashSet<&'a str>,
    /// Names that are used and have no row.
    added: RefCell<Added>,
    /// The package's list of soft paths.
    soft_paths: Vec<&'a Value>,
}

/// Names without a row, in the order of their use.
#[derive(Default)]
struct Added {
    known: HashSet<String>,
    names: Vec<String>,
}

impl<'a> Facts<'a> {
    /// Of a whole document; `engine` is the release of a package that does not say its versions.
    pub fn of(
        document: &'a Value,
        engine: Option<EngineRelease>,
        mappings: Option<&'a Mappings>,
    ) -> Result<Self> {
        let words = text(document, "PackageFlags")?.unwrap_or_default();
        let flags = flags(words, "PKG_", |word| {
            PackageFlags::parse(word, Engine::Ue4).map(|flags| flags.0.into())
        });
        let flags = flags.map_err(within("PackageFlags"))?;
        let flags = PackageFlags(u32::try_from(flags).map_err(|_| Error::invalid("too wide"))?);
        let stated = (version(document, "ObjectVersion")?, version(document, "ObjectVersionUE5")?);
        let release = match (is_true(document, "IsUnversioned"), engine) {
            (false, _) => None,
            (true, Some(release)) => Some(release),
            (true, None) if stated.0 > 0 => Some(EngineRelease::of_versions(stated.0, stated.1)),
            (true, None) => {
                return Err(Error::invalid(
                    "the document says no versions: say the engine's release (--engine 5.4)",
                ));
            }
        };
        let mut versions = match release {
            Some(release) => release.versions(),
            None => Versions::ue4_and_5(stated.0, stated.1),
        };
        flags.apply_to(&mut versions);
        if release.is_none() {
            let stated = list(document, "CustomVersionContainer")?.iter();
            let stated = stated.map(|one| Ok((guid(one, "Key")?, small(one, "Version")?)));
            let stated = stated.collect::<Result<Vec<_>>>();
            versions.set_custom_versions(stated.map_err(within("CustomVersionContainer"))?);
        }
        let mut rows = HashMap::new();
        let mut shared = HashSet::new();
        for (row, name) in list(document, "NameMap")?.iter().enumerate() {
            let Some(name) = name.as_str() else {
                return Err(Error::invalid("it is no text").at_index(row).in_field("NameMap"));
            };
            if rows.insert(name, row).is_some() {
                shared.insert(name);
            }
        }
        let soft_paths = list(document, "SoftObjectPathList")?.iter().collect();
        let added = RefCell::default();
        Ok(Self { versions, flags, release, mappings, rows, shared, added, soft_paths })
    }

    /// A name; null is `None`.
    pub fn name(&self, value: &Value) -> Result<Value> {
        let text = match value {
            Value::Null => "None",
            Value::String(text) => text,
            _ => return Err(Error::invalid("it is no name")),
        };
        let split = Name::split(text).filter(|_| !self.rows.contains_key(text));
        let (base, number) = split.unwrap_or((text, 0));
        if self.shared.contains(base) {
            let row = self.rows.get(base);
            return Ok(match number {
                0 => json!({ "$row": row }),
                _ => json!({ "$row": row, "$number": number }),
            });
        }
        if !self.rows.contains_key(base) {
            let mut added = self.added.borrow_mut();
            if added.known.insert(base.to_owned()) {
                added.names.push(base.to_owned());
            }
        }
        Ok(json!(text))
    }

    /// The names that were used and have no row.
    pub fn added(&self) -> Vec<String> {
        std::mem::take(&mut self.added.borrow_mut().names)
    }

    /// The same under a key.
    pub fn name_of(&self, value: &Value, key: &str) -> Result<Value> {
        self.name(&value[key]).map_err(within(key))
    }

    /// Where a soft path stands in the package's list; `None` without one.
    pub fn soft_path(&self, path: &Value) -> Result<Option<usize>> {
        if self.soft_paths.is_empty() {
            return Ok(None);
        }
        let same = |known: &&Value| {
            let part = |value: &Value, key: &str| value["AssetPath"][key].clone();
            let sub =
                |value: &Value| value["SubPathString"].as_str().unwrap_or_default().to_owned();
            part(known, "PackageName") == part(path, "PackageName")
                && part(known, "AssetName") == part(path, "AssetName")
                && sub(known) == sub(path)
        };
        match self.soft_paths.iter().position(same) {
            Some(row) => Ok(Some(row)),
            None => Err(Error::invalid("it is not in SoftObjectPathList")),
        }
    }

    /// Whether objects have these flags.
    pub fn object_flags(&self, export: &Value) -> Result<u64> {
        let words = text(export, "ObjectFlags")?.unwrap_or_default();
        let flags =
            flags(words, "RF_", |word| ObjectFlags::parse(word, Engine::Ue4).map(|flags| flags.0));
        flags.map_err(within("ObjectFlags"))
    }

    /// The number of a value of an enum that the mappings know.
    pub fn enum_number(&self, name: &str, value: &str) -> Option<u64> {
        self.mappings?.enum_number(name, value)
    }
}

/// A string; null has no bytes, an empty one has its end.
pub(super) fn string(value: &Value) -> Result<Value> {
    match value {
        Value::Null => Ok(json!({ "length": 0 })),
        Value::String(text) if text.is_empty() => Ok(json!({ "length": 1, "terminator": 0 })),
        Value::String(_) => Ok(value.clone()),
        _ => Err(Error::invalid("it is no text")),
    }
}

/// A string in UTF-8: its length in bytes, then those.
pub(super) fn utf8_string(value: &Value) -> Result<Value> {
    let text = match value {
        Value::Null => "",
        Value::String(text) => text,
        _ => return Err(Error::invalid("it is no text")),
    };
    Ok(match text {
        "" => json!({ "length": 0 }),
        text if text.is_ascii() => json!({ "length": text.len(), "characters": { "$text": text } }),
        text => {
            json!({ "length": text.len(), "characters": { "$hex": hex(text.as_bytes()) } })
        }
    })
}

/// The same under a key.
pub(super) fn string_of(value: &Value, key: &str) -> Result<Value> {
    string(&value[key]).map_err(within(key))
}

/// A GUID; null is zero.
pub(super) fn guid(value: &Value, key: &str) -> Result<Guid> {
    let guid = text(value, key)?.map(str::parse).transpose().map_err(within(key))?;
    Ok(guid.unwrap_or_default())
}

/// A GUID as a document has it.
pub(super) fn guid_words(guid: Guid) -> Value {
    let numbers = [guid.a, guid.b, guid.c, guid.d].map(u32::to_le_bytes);
    json!({ "$hex": hex(numbers.as_flattened()) })
}

/// Flags by their names, behind this prefix, or as one number.
pub(super) fn flags(words: &str, prefix: &str, bits: impl Fn(&str) -> Result<u64>) -> Result<u64> {
    let words = words.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| word.strip_prefix(prefix).unwrap_or(word)).try_fold(0, |all, word| {
        // Numbers below zero are those of 32 bits with the highest one set.
        let number = word.parse::<i32>().ok().map(|number| u64::from(number.cast_unsigned()));
        let plain = ["NoFlags", "None"].iter().any(|none| none.eq_ignore_ascii_case(word));
        Ok(all | if plain { 0 } else { number.map_or_else(|| bits(word), Ok)? })
    })
}

/// An object version, by its name or number.
fn version(document: &Value, key: &str) -> Result<u32> {
    match &document[key] {
        Value::String(name) => object_version::number(name).ok_or_else(|| {
            let (what, hint) = (noun::OBJECT_VERSION, String::new());
            within(key)(ErrorKind::NotFound { what, name: name.clone(), hint }.into())
        }),
        _ => u32::try_from(integer(document, key)?)
            .map_err(|_| within(key)(Error::invalid("it is no object version"))),
    }
}
