//! Tags of UE4 and early UE5: the class of the property, with its struct, enum or inner types.

use super::class_name::is_class_name;
use super::tag::{COMPLETE_NAMES, Detail, PropertyTag, explain_bool, not_in_version};
use super::tag_form::TagForm;
use crate::archive::private::absent;
use crate::archive::{Archive, ArchiveExt, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Name, boolean};
use crate::property::stored_type::tag_class;
use crate::property::{Naming, PackageContext, PropertyKind, Type};
use crate::version::UnrealVersions;
use crate::{Archived, Versions};

/// First UE4 version whose arrays name the type of their elements (spec: ue4-5/04 §3).
pub(in crate::property) const ARRAY_INNER_ADDED: u32 = 282;
/// First UE4 version whose structs have GUIDs.
const STRUCT_GUID_ADDED: u32 = 441;
/// First UE4 version whose properties have GUIDs.
const PROPERTY_GUID_ADDED: u32 = 503;
/// First UE4 version whose sets and maps name the types of their elements.
pub(in crate::property) const SET_INNER_ADDED: u32 = 509;
/// First UE5 version whose tags have extensions.
const EXTENSIONS_ADDED: u32 = 1011;

/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | name | type | |
/// | 2 | i32 | size of the value | |
/// | 3 | i32 | element of a static array | |
/// | 4 | | struct, enum, inner types, bool | |
/// | 5 | u8, GUID | GUID of the property | from UE4 503 |
/// | 6 | u8, u8, u32 | extensions | UE5 1011 |
///
/// Spec: ue4-5/04 §3.
pub(super) struct TypedTag;

impl TagForm for TypedTag {
    fn is_in(versions: &Versions) -> bool {
        !super::is_early(versions) && versions.ue5() < COMPLETE_NAMES
    }

    fn serialize<A: Archive + ?Sized>(
        tag: &mut PropertyTag,
        boolean: &mut Option<bool>,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<u64> {
        let size_at = tag.serialize_columns(size, ar)?;
        let (ue4, ue5) = (ar.versions().ue4(), ar.versions().ue5());
        if ar.is_loading() {
            *boolean = None;
            tag.flags = 0;
            (tag.detail, tag.extra) = (Detail::None, None);
            match ar.context().roles().kind(tag.type_name.index.value()) {
                // It has no more, as far as anybody can tell; the value stays as it is.
                PropertyKind::Unknown if is_class_name(&tag.type_name, ar.context()) => {}
                PropertyKind::Unknown => {
                    let form = "a property of unknown type";
                    return Err(ar.error(ErrorKind::NonCanonical { form }));
                }
                PropertyKind::Struct => tag.detail = Detail::Struct(Name::default(), None),
                PropertyKind::Bool => *boolean = Some(false),
                PropertyKind::Byte | PropertyKind::Enum => {
                    tag.detail = Detail::Enum(Name::default())
                }
                PropertyKind::Array if ue4 >= ARRAY_INNER_ADDED => {
                    tag.detail = Detail::Inner(Name::default());
                }
                PropertyKind::Set if ue4 >= SET_INNER_ADDED => {
                    tag.detail = Detail::Inner(Name::default());
                }
                PropertyKind::Map if ue4 >= SET_INNER_ADDED => {
                    tag.detail = Detail::Pair(Name::default(), Name::default());
                }
                PropertyKind::Optional => tag.detail = Detail::Inner(Name::default()),
                _ => {}
            }
        }
        if let Some(flag) = boolean {
            in_field("bool", ar, |ar| boolean::byte(flag, ar))?;
            explain_bool(Some(*flag), ar);
        }
        match &mut tag.detail {
            Detail::None => {}
            Detail::Struct(name, guid) => {
                in_field("struct_name", ar, |ar| name.serialize(ar))?;
                let mut stored = guid.as_deref().copied().unwrap_or_default();
                if ue4 >= STRUCT_GUID_ADDED {
                    in_field("struct_guid", ar, |ar| stored.serialize(ar))?;
                } else {
                    absent(&mut stored, ar, "struct_guid")?;
                }
                if ar.is_loading() {
                    *guid = (!stored.is_zero()).then(|| Box::new(stored));
                }
            }
            Detail::Enum(name) => in_field("enum_name", ar, |ar| name.serialize(ar))?,
            Detail::Inner(_) if ue4 < ARRAY_INNER_ADDED => return Err(not_in_version(ar)),
            Detail::Pair(..) if ue4 < SET_INNER_ADDED => return Err(not_in_version(ar)),
            Detail::Inner(name) => in_field("inner_type", ar, |ar| name.serialize(ar))?,
            Detail::Pair(key, value) => {
                in_field("inner_type", ar, |ar| key.serialize(ar))?;
                in_field("value_type", ar, |ar| value.serialize(ar))?;
            }
            Detail::Tree(_) => return Err(not_in_version(ar)),
        }
        if ue4 >= PROPERTY_GUID_ADDED {
            let mut present = tag.extra.as_ref().is_some_and(|extra| extra.guid.is_some());
            in_field("has_guid", ar, |ar| boolean::byte(&mut present, ar))?;
            if present {
                let guid = tag.extra.get_or_insert_default().guid.get_or_insert_default();
                in_field("guid", ar, |ar| guid.serialize(ar))?;
            }
        } else if let Some(extra) = &mut tag.extra {
            absent(&mut extra.guid, ar, "guid")?;
        }
        if ue5 >= EXTENSIONS_ADDED {
            let stored = tag.extra.as_ref().and_then(|extra| extra.extensions);
            let mut extensions = stored.unwrap_or_default();
            in_field("extensions", ar, |ar| extensions.serialize(ar))?;
            if ar.is_loading() && extensions.flags != 0 {
                tag.extra.get_or_insert_default().extensions = Some(extensions);
            }
        } else if let Some(extra) = &mut tag.extra {
            absent(&mut extra.extensions, ar, "extensions")?;
        }
        Ok(size_at)
    }

    fn of_type(
        known: &Type,
        array_index: i32,
        naming: &mut dyn Naming,
    ) -> Result<Option<PropertyTag>> {
        let mut tag = PropertyTag::new(naming.name(tag_class(known))?, array_index);
        let ue4 = naming.versions().ue4();
        let class = |at: usize, naming: &mut dyn Naming| match known.inner().get(at) {
            Some(inner) => naming.name(tag_class(inner)),
            None => Err(known.incomplete()),
        };
        tag.detail = match known.kind() {
            PropertyKind::Unknown => return Err(known.incomplete()),
            PropertyKind::Struct => {
                let named = known.name().ok_or_else(|| known.incomplete())?;
                let guid = (!named.guid.is_zero()).then(|| Box::new(named.guid));
                Detail::Struct(naming.name(&named.name)?, guid)
            }
            PropertyKind::Byte | PropertyKind::Enum => {
                let name = known.name().map_or("None", |named| &named.name);
                Detail::Enum(naming.name(name)?)
            }
            PropertyKind::Array if ue4 >= ARRAY_INNER_ADDED => Detail::Inner(class(0, naming)?),
            PropertyKind::Set if ue4 >= SET_INNER_ADDED => Detail::Inner(class(0, naming)?),
            PropertyKind::Map if ue4 >= SET_INNER_ADDED => {
                Detail::Pair(class(0, naming)?, class(1, naming)?)
            }
            PropertyKind::Optional => Detail::Inner(class(0, naming)?),
            _ => Detail::None,
        };
        Ok(Some(tag))
    }
}
