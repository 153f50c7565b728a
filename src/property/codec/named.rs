//! Tags of UE3: the type is the name of the property's class.

use super::tag::{Detail, PropertyTag};
use crate::archive::in_part;
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;
use crate::property::PropertyKind;
use crate::{Archive, ArchiveExt, Archived};

/// First file version whose tags name their type (spec: ue1-3/05 §5.4).
pub(in crate::property) const NAMED_TYPE_ADDED: u32 = 223;
/// First file version whose byte tags name their enum (spec: ue1-3/05 §5.4).
pub(in crate::property) const ENUM_NAME_ADDED: u32 = 633;
/// First file version whose bool tags take one byte (spec: ue1-3/05 §5.4).
const BOOL_BYTE: u32 = 673;

impl PropertyTag {
    /// | order | type | field |
    /// |---|---|---|
    /// | 1 | name | type |
    /// | 2 | i32 | size of the value |
    /// | 3 | i32 | element of a static array |
    /// | 4 | name; i32, u8; name | struct; bool (one byte from 673); enum (from 633) |
    ///
    /// Spec: ue1-3/05 §5.4.
    pub(super) fn serialize_named<A: Archive + ?Sized>(
        &mut self,
        boolean: &mut Option<bool>,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<()> {
        if ar.is_loading() {
            (*self, *boolean) = (Self::default(), None);
        }
        in_part("type", ar, |ar| self.type_name.serialize(ar))?;
        in_part("size", ar, |ar| ar.serialize_u32(size))?;
        in_part("array_index", ar, |ar| ar.serialize_i32(&mut self.array_index))?;
        if ar.is_loading() {
            match ar.context().property_kind(&self.type_name) {
                PropertyKind::Struct => self.detail = Detail::Struct(Name::default(), None),
                PropertyKind::Bool => *boolean = Some(false),
                PropertyKind::Byte if ar.versions().file >= ENUM_NAME_ADDED => {
                    self.detail = Detail::Enum(Name::default());
                }
                kind if kind.is_early() => {}
                _ => {
                    let form = "a property of unknown type";
                    return Err(ar.error(ErrorKind::NonCanonical { form }));
                }
            }
        }
        if let Detail::Struct(name, _) = &mut self.detail {
            in_part("struct_name", ar, |ar| name.serialize(ar))?;
        }
        if let Some(flag) = boolean {
            in_part("bool", ar, |ar| match ar.versions().file < BOOL_BYTE {
                true => flag.serialize(ar),
                false => crate::primitive::boolean::byte(flag, ar),
            })?;
        }
        if let Detail::Enum(name) = &mut self.detail {
            in_part("enum_name", ar, |ar| name.serialize(ar))?;
        }
        Ok(())
    }
}
