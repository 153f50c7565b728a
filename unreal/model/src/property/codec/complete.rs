//! Tags from UE5 1012 on: a tree of type names, and flags that say what else is there.

use super::tag::{COMPLETE_NAMES, Detail, Extensions, PropertyTag, explain_bool, not_in_version};
use super::tag_form::{TagForm, ToLoad};
use super::type_name::{self, TypeNode};
use crate::archive::{Archive, ArchiveExt, Role, at_index, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::Guid;
use crate::property::structure::{StructStorage, Structure};
use crate::property::{Naming, PackageContext, PropertyKind, Type, Value};
use crate::version::UnrealVersions;
use crate::{Archived, Versions};

const HAS_INDEX: u8 = 0x01;

const HAS_GUID: u8 = 0x02;
const HAS_EXTENSIONS: u8 = 0x04;
/// The value is stored in a form of the struct's own.
const NATIVE: u8 = 0x08;
const TRUE: u8 = 0x10;

/// | order | type | field |
/// |---|---|---|
/// | 1 | tree of names | type |
/// | 2 | i32 | size of the value |
/// | 3 | u8 | flags |
/// | 4 | i32 | element of a static array, by a flag |
/// | 5 | GUID | GUID of the property, by a flag |
/// | 6 | u8, u8, u32 | extensions, by a flag |
///
/// Spec: ue4-5/04 §4.
pub(super) struct CompleteTag;

impl TagForm for CompleteTag {
    fn is_in(versions: &Versions) -> bool {
        versions.ue5() >= COMPLETE_NAMES
    }

    fn serialize<A: Archive + ?Sized>(
        tag: &mut PropertyTag,
        boolean: &mut Option<bool>,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<u64> {
        tag.serialize_type(ar)?;
        let size_at = ar.position();
        in_field("size", ar, |ar| ar.serialize_u32(size))?;
        ar.role(Role::Size);
        let mut extra = tag.extra.as_deref().copied().unwrap_or_default();
        let mut flags = tag.flags & !(HAS_GUID | HAS_EXTENSIONS | TRUE);
        for (set, flag) in [
            (tag.array_index != 0, HAS_INDEX),
            (extra.guid.is_some(), HAS_GUID),
            (extra.extensions.is_some(), HAS_EXTENSIONS),
            (*boolean == Some(true), TRUE),
        ] {
            flags |= if set { flag } else { 0 };
        }
        in_field("flags", ar, |ar| ar.serialize_u8(&mut flags))?;
        if ar.is_loading() {
            let kind = ar.context().roles().kind(tag.type_name.index.value());
            *boolean = (kind == PropertyKind::Bool).then_some(flags & TRUE != 0);
            if boolean.is_none() && flags & TRUE != 0 {
                let form = "a truth value of a property that is no bool";
                return Err(ar.error(ErrorKind::NonCanonical { form }));
            }
            tag.flags = flags & !(HAS_GUID | HAS_EXTENSIONS | TRUE);
            tag.array_index = 0;
            extra.guid = (flags & HAS_GUID != 0).then(Guid::default);
            extra.extensions = (flags & HAS_EXTENSIONS != 0).then(Extensions::default);
        }
        explain_bool(*boolean, ar);
        if flags & HAS_INDEX != 0 {
            in_field("array_index", ar, |ar| ar.serialize_i32(&mut tag.array_index))?;
        }
        if let Some(guid) = &mut extra.guid {
            in_field("guid", ar, |ar| guid.serialize(ar))?;
        }
        if let Some(extensions) = &mut extra.extensions {
            in_field("extensions", ar, |ar| extensions.serialize(ar))?;
        }
        if ar.is_loading() {
            tag.set_extra(extra);
        }
        Ok(size_at)
    }

    fn load_value<A: Archive + ?Sized>(
        known: ToLoad<'_>,
        form: &mut u8,
        ar: &mut A,
    ) -> Result<Value> {
        Value::load_sized(known, Some(known.tag.flags & NATIVE != 0), form, ar)
    }

    fn of_type(
        known: &Type,
        array_index: i32,
        naming: &mut dyn Naming,
    ) -> Result<Option<PropertyTag>> {
        let mut nodes = Vec::new();
        type_name::add(known, naming, &mut nodes)?;
        let name = nodes.first().map(|node| node.name).unwrap_or_default();
        let mut tag = PropertyTag::new(name, array_index);
        if nodes.len() > 1 {
            tag.detail = Detail::Tree(nodes);
        }
        for (set, flag) in
            [(has_native(known, naming.versions()), NATIVE), (array_index != 0, HAS_INDEX)]
        {
            tag.flags |= if set { flag } else { 0 };
        }
        Ok(Some(tag))
    }
}

/// Whether a struct of the type is stored in a form of its own.
fn has_native(known: &Type, versions: &Versions) -> bool {
    let own = known.kind() == PropertyKind::Struct
        && !matches!(Structure::of_name(known.type_name()).layout(versions), StructStorage::Tagged);
    own || known.inner().iter().any(|inner| has_native(inner, versions))
}

impl PropertyTag {
    /// The tree of type names; a single name needs no memory of its own.
    fn serialize_type<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if let Detail::Tree(nodes) = &mut self.detail
            && !ar.is_loading()
        {
            in_field("type", ar, |ar| TypeNode::serialize_slice(nodes, ar))?;
            // Renumbering has changed the first name there.
            self.type_name = nodes.first().map_or(self.type_name, |node| node.name);
            return Ok(());
        }
        if !ar.is_loading() && self.detail != Detail::None {
            return Err(not_in_version(ar));
        }
        let mut root = TypeNode { name: self.type_name, inner_count: 0 };
        in_field("type", ar, |ar| {
            at_index(0, ar, |ar| root.serialize(ar))?;
            if ar.is_loading() {
                self.detail = match root.inner_count {
                    0 => Detail::None,
                    _ => Detail::Tree(type_name::load_children(root, ar)?),
                };
            }
            Ok(())
        })?;
        self.type_name = root.name;
        Ok(())
    }
}
