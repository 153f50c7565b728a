//! Tags of UE3: the type is the name of the property's class.

use super::class_name::is_class_name;
use super::early;
use super::tag::{Detail, PropertyTag, explain_bool};
use super::tag_form::TagForm;
use crate::archive::in_part;
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;
use crate::property::{Naming, PackageContext, PropertyKind, Type};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Versions};

/// First file version whose tags name their type (spec: ue1-3/05 §5.4).
pub(in crate::property) const NAMED_TYPE_ADDED: u32 = 223;
/// First file version whose byte tags name their enum (spec: ue1-3/05 §5.4).
pub(in crate::property) const ENUM_NAME_ADDED: u32 = 633;
/// First file version that stores values of enums by name, in eight bytes; files bracket 391..491 (ten packages of 491 to
/// 530 have some, 391 has 679 bytes and no such value).
pub(in crate::property) const ENUM_VALUE_NAMED: u32 = 392;
/// First file version whose bool tags take one byte (spec: ue1-3/05 §5.4).
const BOOL_BYTE: u32 = 673;

/// | order | type | field |
/// |---|---|---|
/// | 1 | name | type |
/// | 2 | i32 | size of the value |
/// | 3 | i32 | element of a static array |
/// | 4 | name; i32, u8; name | struct; bool (one byte from 673); enum (from 633) |
///
/// Spec: ue1-3/05 §5.4.
pub(super) struct NamedTag;

impl TagForm for NamedTag {
    const EARLY: bool = true;

    fn is_in(versions: &Versions) -> bool {
        super::is_early(versions) && versions.file() >= NAMED_TYPE_ADDED
    }

    fn serialize<A: Archive + ?Sized>(
        tag: &mut PropertyTag,
        boolean: &mut Option<bool>,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<u64> {
        if ar.is_loading() {
            (*tag, *boolean) = (PropertyTag::default(), None);
        }
        let size_at = tag.serialize_columns(size, ar)?;
        if ar.is_loading() {
            match ar.context().property_kind(&tag.type_name) {
                PropertyKind::Struct => tag.detail = Detail::Struct(Name::default(), None),
                PropertyKind::Bool => *boolean = Some(false),
                PropertyKind::Byte if ar.versions().file() >= ENUM_NAME_ADDED => {
                    tag.detail = Detail::Enum(Name::default());
                }
                kind if kind.is_early() => {}
                // It has no more, as far as anybody can tell; the value stays as it is.
                PropertyKind::Unknown if is_class_name(&tag.type_name, ar.context()) => {}
                _ => {
                    let form = "a property of unknown type";
                    return Err(ar.error(ErrorKind::NonCanonical { form }));
                }
            }
        }
        tag.serialize_struct_name(ar)?;
        if let Some(flag) = boolean {
            in_part("bool", ar, |ar| match ar.versions().file() < BOOL_BYTE {
                true => flag.serialize(ar),
                false => crate::primitive::boolean::byte(flag, ar),
            })?;
            explain_bool(Some(*flag), ar);
        }
        if let Detail::Enum(name) = &mut tag.detail {
            in_part("enum_name", ar, |ar| name.serialize(ar))?;
        }
        Ok(size_at)
    }

    fn of_type(
        known: &Type,
        array_index: i32,
        naming: &mut dyn Naming,
    ) -> Result<Option<PropertyTag>> {
        let mut tag = PropertyTag::new(naming.name(early::checked(known)?.class())?, array_index);
        tag.detail = early::struct_detail(known, naming)?;
        if known.kind() == PropertyKind::Byte && naming.versions().file() >= ENUM_NAME_ADDED {
            let name = known.name().map_or("None", |named| &named.name);
            tag.detail = Detail::Enum(naming.name(name)?);
        }
        Ok(Some(tag))
    }
}
