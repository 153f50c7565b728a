//! The content of a `.usmap` file.

use std::sync::Arc;

use super::SchemaType;
use crate::Archived;
use crate::archive::{Archive, ArchiveExt, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::array;
use crate::version::UnrealVersions;

/// First version whose names may be longer than 255 bytes.
const LONG_NAMES: u32 = 2;
/// First version whose enums may have more than 255 values.
const LARGE_ENUMS: u32 = 3;
/// First version whose enums store the numbers of their values.
const ENUM_VALUES: u32 = 4;
/// The magic of the list of extensions.
const EXTENSIONS: [u8; 4] = *b"CEXT";

/// Names, enums and structs.
///
/// The version of the archive is that of the file. Spec: ue4-5/04 §7.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MappingData {
    /// Every name.
    pub names: Vec<MappingName>,
    /// Enums.
    pub enums: Vec<MappingEnum>,
    /// Classes and structs.
    pub structs: Vec<MappingStruct>,
    /// Version of the list of extensions, if there is one.
    pub extension_layout: Option<u8>,
    /// Extensions.
    pub extensions: Vec<MappingExtension>,
    /// The opaque rest.
    pub rest: Vec<u8>,
}

impl MappingData {
    /// The text of a name.
    pub fn name(&self, row: u32) -> Option<&Arc<str>> {
        self.names.get(row as usize).map(|name| &name.0)
    }
}

impl Archived for MappingData {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("names", ar, |ar| array::counted_u32(&mut self.names, ar))?;
        in_field("enums", ar, |ar| array::counted_u32(&mut self.enums, ar))?;
        in_field("structs", ar, |ar| array::counted_u32(&mut self.structs, ar))?;
        let known = i64::from(self.extension_layout.is_some());
        let extended = ar.form("extended", &[], known);
        if ar.is_loading() {
            let present = extended.map_or(ar.peek(4) == EXTENSIONS, |extended| extended != 0);
            self.extension_layout = present.then_some(0);
            self.extensions.clear();
        }
        if let Some(layout) = &mut self.extension_layout {
            let mut magic = EXTENSIONS;
            in_field("magic", ar, |ar| ar.serialize_bytes(&mut magic))?;
            in_field("layout", ar, |ar| ar.serialize_u8(layout))?;
            in_field("extensions", ar, |ar| array::counted_u32(&mut self.extensions, ar))?;
        } else if !self.extensions.is_empty() {
            return Err(ar.error(ErrorKind::NotInVersion));
        }
        let known = self.rest.len() as i64;
        let length = ar.form("rest_length", &[], known);
        in_field("rest", ar, |ar| {
            let length = length.and_then(|length| usize::try_from(length).ok());
            let length = length.unwrap_or_else(|| ar.peek(usize::MAX).len());
            raw(&mut self.rest, length, ar)
        })
    }
}

/// Bytes that are kept.
fn raw<A: Archive + ?Sized>(bytes: &mut Vec<u8>, length: usize, ar: &mut A) -> Result<()> {
    if ar.is_loading() {
        ar.claim(length as u64, 1)?;
        bytes.clear();
        bytes.resize(length, 0);
    }
    ar.serialize_bytes(bytes)
}

/// A name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MappingName(pub Arc<str>);

impl Archived for MappingName {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut length = self.0.len();
        let long = ar.versions().file() >= LONG_NAMES;
        in_field("length", ar, |ar| narrow(&mut length, long, ar))?;
        let mut bytes = self.0.as_bytes().to_vec();
        in_field("characters", ar, |ar| raw(&mut bytes, length, ar))?;
        if ar.is_loading() {
            let text = String::from_utf8(bytes);
            let reason = "a name that is not UTF-8";
            self.0 = text.map_err(|_| ar.error(ErrorKind::BadText { reason }))?.into();
        }
        Ok(())
    }
}

/// A count of one or two bytes.
fn narrow<A: Archive + ?Sized>(count: &mut usize, wide: bool, ar: &mut A) -> Result<()> {
    let too_big =
        |ar: &A, count: usize, bits| ar.error(ErrorKind::OutOfRange { value: count as i128, bits });
    if wide {
        let mut stored = u16::try_from(*count).map_err(|_| too_big(ar, *count, 16))?;
        ar.serialize_u16(&mut stored)?;
        *count = stored.into();
    } else {
        let mut stored = u8::try_from(*count).map_err(|_| too_big(ar, *count, 8))?;
        ar.serialize_u8(&mut stored)?;
        *count = stored.into();
    }
    Ok(())
}

/// An enum.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MappingEnum {
    /// Row of its name.
    pub name: u32,
    /// Its values in order.
    pub values: Vec<MappingValue>,
}

/// A value of an enum.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archived)]
pub struct MappingValue {
    /// Its number; before, the place in the list.
    #[since(ENUM_VALUES)]
    pub number: u64,
    /// Row of its name.
    pub name: u32,
}

impl Archived for MappingEnum {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        let mut count = self.values.len();
        let wide = ar.versions().file() >= LARGE_ENUMS;
        in_field("count", ar, |ar| narrow(&mut count, wide, ar))?;
        in_field("values", ar, |ar| array::elements(&mut self.values, count, ar))
    }
}

/// A class or struct.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MappingStruct {
    /// Row of its name.
    pub name: u32,
    /// Row of the name of what it derives from; all bits set for nothing.
    pub super_struct: u32,
    /// Its own properties, each element of a static array counted.
    pub property_count: u16,
    /// The properties that are stored.
    pub properties: Vec<MappingProperty>,
}

impl Archived for MappingStruct {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        in_field("super_struct", ar, |ar| self.super_struct.serialize(ar))?;
        in_field("property_count", ar, |ar| self.property_count.serialize(ar))?;
        let mut count = self.properties.len();
        in_field("count", ar, |ar| narrow(&mut count, true, ar))?;
        in_field("properties", ar, |ar| array::elements(&mut self.properties, count, ar))
    }
}

/// A property.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archived)]
pub struct MappingProperty {
    /// Its place among the properties of its class.
    pub schema_index: u16,
    /// Elements of a static array, 1 for a single value.
    pub array_dim: u8,
    /// Row of its name.
    pub name: u32,
    /// Its type.
    pub schema: SchemaType,
}

/// An extension of the file, kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MappingExtension {
    /// Four letters, such as `PPTH`.
    pub id: [u8; 4],
    /// Its bytes.
    pub data: Vec<u8>,
}

impl Archived for MappingExtension {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("id", ar, |ar| ar.serialize_bytes(&mut self.id))?;
        let length = self.data.len();
        let mut stored = u32::try_from(length)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length as i128, bits: 32 }))?;
        in_field("length", ar, |ar| ar.serialize_u32(&mut stored))?;
        in_field("data", ar, |ar| raw(&mut self.data, stored as usize, ar))
    }
}
