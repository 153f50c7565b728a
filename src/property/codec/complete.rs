//! Tags from UE5 1012 on: a tree of type names, and flags that say what else is there.

use super::tag::{Detail, Extensions, HAS_INDEX, PropertyTag, not_in_version};
use super::type_name::{self, TypeNode};
use crate::Archived;
use crate::archive::{Archive, ArchiveExt, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::Guid;
use crate::property::PropertyKind;

const HAS_GUID: u8 = 0x02;
const HAS_EXTENSIONS: u8 = 0x04;
const TRUE: u8 = 0x10;

impl PropertyTag {
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
    pub(super) fn serialize_complete<A: Archive + ?Sized>(
        &mut self,
        boolean: &mut Option<bool>,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<u64> {
        self.serialize_type(ar)?;
        let size_at = ar.position();
        in_field("size", ar, |ar| ar.serialize_u32(size))?;
        let mut extra = self.extra.as_deref().copied().unwrap_or_default();
        let mut flags = self.flags & !(HAS_GUID | HAS_EXTENSIONS | TRUE);
        for (set, flag) in [
            (self.array_index != 0, HAS_INDEX),
            (extra.guid.is_some(), HAS_GUID),
            (extra.extensions.is_some(), HAS_EXTENSIONS),
            (*boolean == Some(true), TRUE),
        ] {
            flags |= if set { flag } else { 0 };
        }
        in_field("flags", ar, |ar| ar.serialize_u8(&mut flags))?;
        if ar.is_loading() {
            let kind = ar.context().roles().kind(self.type_name.index.value());
            *boolean = (kind == PropertyKind::Bool).then_some(flags & TRUE != 0);
            if boolean.is_none() && flags & TRUE != 0 {
                let form = "a truth value of a property that is no bool";
                return Err(ar.error(ErrorKind::NonCanonical { form }));
            }
            self.flags = flags & !(HAS_GUID | HAS_EXTENSIONS | TRUE);
            self.array_index = 0;
            extra.guid = (flags & HAS_GUID != 0).then(Guid::default);
            extra.extensions = (flags & HAS_EXTENSIONS != 0).then(Extensions::default);
        }
        if flags & HAS_INDEX != 0 {
            in_field("array_index", ar, |ar| ar.serialize_i32(&mut self.array_index))?;
        }
        if let Some(guid) = &mut extra.guid {
            in_field("guid", ar, |ar| guid.serialize(ar))?;
        }
        if let Some(extensions) = &mut extra.extensions {
            in_field("extensions", ar, |ar| extensions.serialize(ar))?;
        }
        if ar.is_loading() {
            self.set_extra(extra);
        }
        Ok(size_at)
    }

    /// The tree of type names; a single name needs no memory of its own.
    fn serialize_type<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if let Detail::Tree(nodes) = &mut self.detail
            && !ar.is_loading()
        {
            in_field("type", ar, |ar| type_name::serialize_tree(nodes, ar))?;
            // Renumbering has changed the first name there.
            self.type_name = nodes.first().map_or(self.type_name, |node| node.name);
            return Ok(());
        }
        if !ar.is_loading() && self.detail != Detail::None {
            return Err(not_in_version(ar));
        }
        let mut root = TypeNode { name: self.type_name, inner_count: 0 };
        ar.enter(crate::archive::Step::Field("type"));
        let result = self.serialize_root(&mut root, ar);
        ar.leave();
        result.map_err(|error| error.in_field("type"))?;
        self.type_name = root.name;
        Ok(())
    }

    fn serialize_root<A: Archive + ?Sized>(
        &mut self,
        root: &mut TypeNode,
        ar: &mut A,
    ) -> Result<()> {
        ar.enter(crate::archive::Step::Index(0));
        let result = root.serialize(ar);
        ar.leave();
        result.map_err(|error| error.at_index(0))?;
        if ar.is_loading() {
            self.detail = match root.inner_count {
                0 => Detail::None,
                _ => Detail::Tree(type_name::load_children(*root, ar)?),
            };
        }
        Ok(())
    }
}
