//! Mappings as JSON: `.jmap` files, plain or packed with gzip.
//!
//! A dump of all objects of a running game by their paths. Classes, structs and enums are taken from it; the rest is
//! passed over.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use super::declared::MappingNames;
use super::{
    MappingData, MappingEnum, MappingProperty, MappingStruct, MappingValue, MappingVersions,
    SchemaType,
};
use crate::error::{Error, Result, UnrealError};
use crate::property::PropertyKind;
use crate::version::EngineRelease;

/// The magic of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Bytes that a file may decompress to, beside a multiple of its own size.
#[cfg(feature = "compression")]
const LARGEST: u64 = 1 << 30;
#[cfg(feature = "compression")]
const MOST: u64 = 64;

#[derive(Deserialize)]
struct Jmap {
    metadata: Option<JmapMetadata>,
    objects: BTreeMap<String, JmapObject>,
}

#[derive(Deserialize)]
struct JmapMetadata {
    engine_version: Option<JmapVersion>,
}

#[derive(Deserialize)]
struct JmapVersion {
    major: u8,
    minor: u8,
}

#[derive(Deserialize)]
struct JmapObject {
    #[serde(rename = "type")]
    class: String,
    super_struct: Option<String>,
    #[serde(default)]
    properties: Vec<JmapProperty>,
    #[serde(default)]
    names: Vec<(String, i64)>,
}

#[derive(Deserialize)]
struct JmapProperty {
    #[serde(default)]
    name: String,
    #[serde(default = "one")]
    array_dim: u32,
    #[serde(rename = "type")]
    class: String,
    #[serde(rename = "struct")]
    structure: Option<String>,
    #[serde(rename = "enum")]
    enumeration: Option<String>,
    inner: Option<Box<JmapProperty>>,
    container: Option<Box<JmapProperty>>,
    key_prop: Option<Box<JmapProperty>>,
    value_prop: Option<Box<JmapProperty>>,
}

fn one() -> u32 {
    1
}

/// Whether a file may be one: JSON, or something packed with gzip.
pub(super) fn recognise(file: &[u8]) -> bool {
    file.starts_with(&GZIP) || file.trim_ascii_start().starts_with(b"{")
}

/// The mappings in a file.
///
/// # Errors
/// `Invalid` for JSON of another kind, with the place; `Unsupported` where gzip needs another feature; `TooLarge`.
pub(super) fn read(file: &[u8]) -> Result<(MappingData, Option<MappingVersions>)> {
    let text = unpacked(file)?;
    let jmap: Jmap = serde_json::from_slice(&text).map_err(|error| invalid(&error.to_string()))?;
    let mut names = MappingNames::default();
    let (mut enums, mut structs) = (Vec::new(), Vec::new());
    for (path, object) in &jmap.objects {
        let within = |error: Error| invalid(&format!("{path}: {error}"));
        match object.class.as_str() {
            "Class" | "ScriptStruct" => {
                structs.push(names.object(path, object).map_err(within)?);
            }
            "Enum" => {
                let mut values: Vec<_> = object.names.iter().collect();
                // A value of 0 stands first, as where no numbers are said.
                values.sort_by_key(|(_, number)| (*number != 0, *number));
                let value = |(name, number): &(String, i64)| MappingValue {
                    number: number.cast_unsigned(),
                    name: names.row(name),
                };
                let values = values.into_iter().map(value).collect();
                enums.push(MappingEnum { name: names.row(name_of(path)), values });
            }
            _ => {}
        }
    }
    let release = jmap.metadata.and_then(|metadata| metadata.engine_version);
    let versions = release.map(|release| {
        let release = EngineRelease::new(release.major, release.minor);
        let [ue4, ue5] = [release.ue4(), release.ue5()].map(u32::cast_signed);
        MappingVersions { ue4, ue5, ..MappingVersions::default() }
    });
    let names = names.into_names();
    Ok((MappingData { names, enums, structs, ..MappingData::default() }, versions))
}

fn invalid(reason: &str) -> Error {
    Error::invalid(format!("it is no .jmap file: {reason}"))
}

#[cfg(not(feature = "compression"))]
fn unpacked(file: &[u8]) -> Result<Cow<'_, [u8]>> {
    match file.starts_with(&GZIP) {
        true => Err(UnrealError::unsupported(
            "mappings packed with gzip: build with the feature compression",
        )
        .into()),
        false => Ok(Cow::Borrowed(file)),
    }
}

#[cfg(feature = "compression")]
fn unpacked(file: &[u8]) -> Result<Cow<'_, [u8]>> {
    use std::io::Read;

    if !file.starts_with(&GZIP) {
        return Ok(Cow::Borrowed(file));
    }
    let most = LARGEST.min((file.len() as u64).saturating_mul(MOST)).max(1 << 20);
    let mut text = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(file).take(most + 1).read_to_end(&mut text);
    read.map_err(|error| UnrealError::Compression { reason: error.to_string() })?;
    if text.len() as u64 > most {
        let reason = format!("it becomes larger than {most} bytes");
        return Err(UnrealError::Compression { reason }.into());
    }
    Ok(Cow::Owned(text))
}

/// The name behind the package in a path: `/Script/Engine.Actor`.
fn name_of(path: &str) -> &str {
    path.rsplit(['/', '.', ':']).next().unwrap_or_default()
}

impl MappingNames {
    fn object(&mut self, path: &str, object: &JmapObject) -> Result<MappingStruct> {
        let too_many = || Error::invalid("more properties than mappings can have");
        let (mut properties, mut property_count) = (Vec::new(), 0_u16);
        for known in &object.properties {
            let schema = self
                .property(known)
                .map_err(|error| Error::invalid(format!("property '{}': {error}", known.name)))?;
            let array_dim = u8::try_from(known.array_dim).map_err(|_| too_many())?;
            let (name, schema_index) = (self.row(&known.name), property_count);
            properties.push(MappingProperty { schema_index, array_dim, name, schema });
            property_count = property_count.checked_add(array_dim.into()).ok_or_else(too_many)?;
        }
        let parent = object.super_struct.as_deref();
        let super_struct = parent.map_or(u32::MAX, |parent| self.row(name_of(parent)));
        let name = self.row(name_of(path));
        Ok(MappingStruct { name, super_struct, property_count, properties })
    }

    fn property(&mut self, known: &JmapProperty) -> Result<SchemaType> {
        let mut inner = |part: &Option<Box<JmapProperty>>| {
            let missing = || Error::invalid(format!("{} without its inner type", known.class));
            Ok::<_, Error>(Box::new(self.property(part.as_deref().ok_or_else(missing)?)?))
        };
        // One name has a letter too many.
        let class = match known.class.as_str() {
            "FUtf8StrProperty" => "Utf8StrProperty",
            class => class,
        };
        let kind = PropertyKind::of_class(class).unwrap_or_default();
        Ok(match kind {
            PropertyKind::Array => SchemaType::Array(inner(&known.inner)?),
            PropertyKind::Optional => SchemaType::Optional(inner(&known.inner)?),
            PropertyKind::Set => SchemaType::Set(inner(&known.key_prop)?),
            PropertyKind::Map => {
                SchemaType::Map(inner(&known.key_prop)?, inner(&known.value_prop)?)
            }
            PropertyKind::Enum => {
                let number = inner(&known.container)?;
                let name = known.enumeration.as_deref().map_or("None", name_of);
                SchemaType::Enum(number, self.row(name))
            }
            PropertyKind::Byte => match &known.enumeration {
                Some(name) => SchemaType::Enum(Box::new(SchemaType::Byte), self.row(name_of(name))),
                None => SchemaType::of_class(class).unwrap_or(SchemaType::Unknown),
            },
            PropertyKind::Struct => {
                let name = known.structure.as_deref();
                let missing = || Error::invalid("StructProperty without its struct");
                SchemaType::Struct(self.row(name_of(name.ok_or_else(missing)?)))
            }
            _ => SchemaType::of_class(class).unwrap_or(SchemaType::Unknown),
        })
    }
}
