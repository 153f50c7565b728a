//! Tags of UE1 and UE2: the type is a number, the size a code.

use super::tag::{Detail, PropertyTag, explain_bool};
use super::tag_form::TagForm;
use super::{NAMED_TYPE_ADDED, early};
use crate::archive::{Role, in_part};
use crate::error::Result;
use crate::primitive::Name;
use crate::property::{Naming, PropertyKind, Type};
use crate::version::{UnrealVersions, threshold};
use crate::{Archive, ArchiveExt, Versions};

const STRUCT: u8 = 10;
const BOOL: u8 = 3;
/// The sizes that codes 0 to 4 stand for.
const FIXED_SIZES: [u32; 5] = [1, 2, 4, 12, 16];

/// The kind that the number in a tag stands for, and the struct that it names (spec: ue1-3/05 §5.3).
pub(super) fn of_number(number: u8, versions: &Versions) -> Option<(PropertyKind, &'static str)> {
    Some(match number {
        1 => (PropertyKind::Byte, ""),
        2 => (PropertyKind::Int, ""),
        3 => (PropertyKind::Bool, ""),
        4 => (PropertyKind::Float, ""),
        5 | 8 => (PropertyKind::Object, ""),
        6 => (PropertyKind::Name, ""),
        7 => (delegate_or_string(versions), ""),
        9 => (PropertyKind::Array, ""),
        10 => (PropertyKind::Struct, ""),
        11 => (PropertyKind::Struct, "Vector"),
        12 => (PropertyKind::Struct, "Rotator"),
        13 => (PropertyKind::Str, ""),
        14 => (PropertyKind::Map, ""),
        _ => return None,
    })
}

/// The kind of number 7: UE1 has strings of a fixed size, UE2 dropped them and gave delegates their number.
/// A delegate refers to an object and a name, which must not be taken for characters.
pub(in crate::property) fn delegate_or_string(versions: &Versions) -> PropertyKind {
    match versions.file() < threshold::UE2_FIRST {
        true => PropertyKind::FixedStr,
        false => PropertyKind::Delegate,
    }
}

/// | order | type | field |
/// |---|---|---|
/// | 1 | u8 | bits 0-3 type, 4-6 size code, 7 array flag or bool |
/// | 2 | name | struct (type 10) |
/// | 3 | u8, u16, i32 | size (codes 5, 6, 7) |
/// | 4 | 1, 2 or 4 bytes | element of a static array |
///
/// Spec: ue1-3/05 §5.3.
pub(super) struct NumberedTag;

impl TagForm for NumberedTag {
    const EARLY: bool = true;

    fn is_in(versions: &Versions) -> bool {
        super::is_early(versions) && versions.file() < NAMED_TYPE_ADDED
    }

    fn serialize<A: Archive + ?Sized>(
        tag: &mut PropertyTag,
        boolean: &mut Option<bool>,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<u64> {
        let mut code = tag.code_for(*size);
        let flag = boolean.unwrap_or(tag.index_bytes > 0);
        let mut info = tag.number | code << 4 | u8::from(flag) << 7;
        in_part("info", ar, |ar| ar.serialize_u8(&mut info))?;
        if ar.is_loading() {
            *tag = PropertyTag { number: info & 15, ..PropertyTag::default() };
            code = info >> 4 & 7;
            *boolean = (tag.number == BOOL).then_some(info >> 7 == 1);
            tag.index_bytes = u8::from(info >> 7 == 1 && tag.number != BOOL);
            if tag.number == STRUCT {
                tag.detail = Detail::Struct(Name::default(), None);
            }
        }
        explain_bool(boolean.filter(|_| tag.number == BOOL), ar);
        tag.serialize_struct_name(ar)?;
        let size_at = ar.position();
        match code {
            5 => {
                let mut narrow = *size as u8;
                in_part("size", ar, |ar| ar.serialize_u8(&mut narrow))?;
                ar.role(Role::Size);
                *size = narrow.into();
            }
            6 => {
                let mut narrow = *size as u16;
                in_part("size", ar, |ar| ar.serialize_u16(&mut narrow))?;
                ar.role(Role::Size);
                *size = narrow.into();
            }
            7 => {
                in_part("size", ar, |ar| ar.serialize_u32(size))?;
                ar.role(Role::Size);
            }
            code => *size = FIXED_SIZES[usize::from(code)],
        }
        if ar.is_loading() && code != canonical_code(*size) {
            tag.odd_code = Some(code);
        }
        if tag.index_bytes > 0 {
            in_part("array_index", ar, |ar| tag.serialize_index(ar))?;
        }
        Ok(size_at)
    }

    fn of_type(
        known: &Type,
        array_index: i32,
        naming: &mut dyn Naming,
    ) -> Result<Option<PropertyTag>> {
        let number = early::checked(known)?.number(naming.versions());
        let Some(number) = number else { return Ok(None) };
        let index_bytes = match array_index {
            0 => 0,
            1..0x80 => 1,
            0x80..0x4000 => 2,
            0x4000..0x4000_0000 => 4,
            _ => return Ok(None),
        };
        let detail = early::struct_detail(known, naming)?;
        let tag =
            PropertyTag { number, index_bytes, array_index, detail, ..PropertyTag::default() };
        // A bool's value stands where others say that an index follows.
        Ok((number != BOOL || array_index == 0).then_some(tag))
    }
}

impl PropertyTag {
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
        let index = self.array_index as u32;
        let mut bytes = match self.index_bytes {
            4 => (index | 0xc000_0000).to_be_bytes(),
            2 => (index << 16 | 0x8000_0000).to_be_bytes(),
            _ => (index << 24).to_be_bytes(),
        };
        in_part("first", ar, |ar| ar.serialize_u8(&mut bytes[0]))?;
        let length = match bytes[0] >> 6 {
            0 | 1 => 1,
            2 => 2,
            _ => 4,
        };
        in_part("more", ar, |ar| ar.serialize_bytes(&mut bytes[1..length]))?;
        if ar.is_loading() {
            let number = u32::from_be_bytes(bytes);
            self.index_bytes = length as u8;
            let index = match length {
                4 => number & 0x3fff_ffff,
                2 => number >> 16 & 0x3fff,
                _ => number >> 24,
            };
            self.array_index = index as i32;
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
