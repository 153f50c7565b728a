//! Property tags: type, size, array index before each value.

use super::PropertyType;
use crate::archive::Context;
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;
use crate::{Archive, ArchiveExt, Archived};

/// First file version whose tags name their type (spec: ue1-3/05 §5.4).
pub(super) const NAMED_TYPE_ADDED: u32 = 223;
/// First file version whose byte tags name their enum (spec: ue1-3/05 §5.4).
pub(super) const ENUM_NAME_ADDED: u32 = 633;
/// First file version whose bool tags take one byte (spec: ue1-3/05 §5.4).
const BOOL_BYTE: u32 = 673;

const STRUCT: u8 = 10;
const BOOL: u8 = 3;
/// The sizes that codes 0 to 4 stand for.
const FIXED_SIZES: [u32; 5] = [1, 2, 4, 12, 16];

/// What stands between the name of a property and its value.
///
/// | UE1, UE2 (below 223) | UE3 |
/// |---|---|
/// | info byte: bits 0-3 type, 4-6 size code, 7 array flag or bool | name type |
/// | name of the struct (type 10) | i32 size, bytes |
/// | size (codes 5, 6, 7: u8, u16, i32) | i32 array index |
/// | array index (1, 2 or 4 bytes) | name of the struct; bool (i32, u8 from 673); name of the enum (from 633) |
///
/// Spec: ue1-3/05 §5.3, §5.4.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Tag {
    /// UE1 and UE2.
    pub number: u8,
    /// UE3.
    pub type_name: Name,
    pub struct_name: Option<Name>,
    pub enum_name: Option<Name>,
    pub boolean: Option<bool>,
    /// Element of a static array.
    pub index: u32,
    /// Bytes of the array index in UE1 and UE2; 0 when there is none.
    index_bytes: u8,
    /// A size code that the engine's saver would not have chosen.
    odd_code: Option<u8>,
}

/// The names that a new tag may need, by version and type.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TagNames {
    /// UE3: `IntProperty`, …
    pub type_name: Name,
    /// The struct.
    pub struct_name: Option<Name>,
    /// The enum, or none.
    pub enum_name: Option<Name>,
}

impl Tag {
    /// Reads or writes the tag; `size` is that of the value.
    pub fn serialize<A: Archive + ?Sized>(&mut self, size: &mut u32, ar: &mut A) -> Result<()> {
        if ar.versions().file < NAMED_TYPE_ADDED {
            self.serialize_classic(size, ar)
        } else {
            self.serialize_named(size, ar)
        }
    }

    /// A tag of a new property; `None` where this version has no number for its type, or no room for its
    /// index.
    pub fn new(property: &PropertyType, index: u32, names: TagNames, file: u32) -> Option<Self> {
        let is_struct = matches!(property, PropertyType::Struct(_));
        let mut tag = Self {
            struct_name: names.struct_name.filter(|_| is_struct),
            boolean: (*property == PropertyType::Bool).then_some(false),
            index,
            ..Self::default()
        };
        if file >= NAMED_TYPE_ADDED {
            let is_byte = *property == PropertyType::Byte;
            tag.type_name = names.type_name;
            tag.enum_name = names.enum_name.filter(|_| is_byte && file >= ENUM_NAME_ADDED);
            return Some(tag);
        }
        tag.number = property.number()?;
        tag.index_bytes = match index {
            0 => 0,
            1..0x80 => 1,
            0x80..0x4000 => 2,
            0x4000..0x4000_0000 => 4,
            _ => return None,
        };
        // A bool's value stands where others say that an index follows.
        (tag.boolean.is_none() || index == 0).then_some(tag)
    }

    /// The type that the tag alone tells.
    pub fn property_type(&self, file: u32, context: &Context) -> Option<PropertyType> {
        if file < NAMED_TYPE_ADDED {
            PropertyType::of_number(self.number)
        } else {
            context.property_type(&self.type_name).cloned()
        }
    }

    fn serialize_classic<A: Archive + ?Sized>(&mut self, size: &mut u32, ar: &mut A) -> Result<()> {
        let mut code = self.code_for(*size);
        let flag = self.boolean.unwrap_or(self.index_bytes > 0);
        let mut info = self.number | code << 4 | u8::from(flag) << 7;
        ar.serialize_u8(&mut info)?;
        if ar.is_loading() {
            *self = Self { number: info & 15, ..Self::default() };
            code = info >> 4 & 7;
            self.boolean = (self.number == BOOL).then_some(info >> 7 == 1);
            self.index_bytes = u8::from(info >> 7 == 1 && self.number != BOOL);
            self.struct_name = (self.number == STRUCT).then(Name::default);
        }
        if let Some(name) = &mut self.struct_name {
            name.serialize(ar)?;
        }
        match code {
            5 => {
                let mut narrow = *size as u8;
                ar.serialize_u8(&mut narrow)?;
                *size = narrow.into();
            }
            6 => {
                let mut narrow = *size as u16;
                ar.serialize_u16(&mut narrow)?;
                *size = narrow.into();
            }
            7 => ar.serialize_u32(size)?,
            code => *size = FIXED_SIZES[usize::from(code)],
        }
        if ar.is_loading() && code != canonical_code(*size) {
            self.odd_code = Some(code);
        }
        if self.index_bytes > 0 {
            self.serialize_index(ar)?;
        }
        Ok(())
    }

    fn code_for(&self, size: u32) -> u8 {
        let fits = |code: &u8| match code {
            5 => size <= 0xff,
            6 => size <= 0xffff,
            7 => true,
            code => FIXED_SIZES[usize::from(*code)] == size,
        };
        self.odd_code.filter(fits).unwrap_or_else(|| canonical_code(size))
    }

    /// 0xxxxxxx, 10xxxxxx + 1 byte, 11xxxxxx + 3 bytes, most significant first.
    fn serialize_index<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut bytes = match self.index_bytes {
            4 => (self.index | 0xc000_0000).to_be_bytes(),
            2 => (self.index << 16 | 0x8000_0000).to_be_bytes(),
            _ => (self.index << 24).to_be_bytes(),
        };
        ar.serialize_u8(&mut bytes[0])?;
        let length = match bytes[0] >> 6 {
            0 | 1 => 1,
            2 => 2,
            _ => 4,
        };
        for byte in &mut bytes[1..length] {
            ar.serialize_u8(byte)?;
        }
        if ar.is_loading() {
            let number = u32::from_be_bytes(bytes);
            self.index_bytes = length as u8;
            self.index = match length {
                4 => number & 0x3fff_ffff,
                2 => number >> 16 & 0x3fff,
                _ => number >> 24,
            };
        }
        Ok(())
    }

    fn serialize_named<A: Archive + ?Sized>(&mut self, size: &mut u32, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            *self = Self::default();
        }
        self.type_name.serialize(ar)?;
        ar.serialize_u32(size)?;
        ar.serialize_u32(&mut self.index)?;
        if ar.is_loading() {
            match ar.context().property_type(&self.type_name) {
                Some(PropertyType::Struct(_)) => self.struct_name = Some(Name::default()),
                Some(PropertyType::Bool) => self.boolean = Some(false),
                Some(PropertyType::Byte) if ar.versions().file >= ENUM_NAME_ADDED => {
                    self.enum_name = Some(Name::default());
                }
                Some(_) => {}
                None => {
                    let form = "a property of unknown type";
                    return Err(ar.error(ErrorKind::NonCanonical { form }));
                }
            }
        }
        if let Some(name) = &mut self.struct_name {
            name.serialize(ar)?;
        }
        if let Some(flag) = &mut self.boolean {
            if ar.versions().file < BOOL_BYTE {
                flag.serialize(ar)?;
            } else {
                crate::primitive::boolean::byte(flag, ar)?;
            }
        }
        if let Some(name) = &mut self.enum_name {
            name.serialize(ar)?;
        }
        Ok(())
    }
}

/// The code that the engine's saver chooses.
fn canonical_code(size: u32) -> u8 {
    match FIXED_SIZES.iter().position(|&fixed| fixed == size) {
        Some(code) => code as u8,
        None if size <= 0xff => 5,
        None if size <= 0xffff => 6,
        None => 7,
    }
}
