//! Property tags: type, size, array index before each value.

use super::kind::Kind;
use super::type_name::{self, TypeNode};
use crate::archive::private::absent;
use crate::archive::{Archive, ArchiveExt, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Guid, Name, boolean};
use crate::{Archived, Versions};

/// First UE4 version whose arrays name the type of their elements (spec: ue4-5/04 §3).
pub(super) const ARRAY_INNER_ADDED: u32 = 282;
/// First UE4 version whose structs have GUIDs.
const STRUCT_GUID_ADDED: u32 = 441;
/// First UE4 version whose properties have GUIDs.
const PROPERTY_GUID_ADDED: u32 = 503;
/// First UE4 version whose sets and maps name the types of their elements.
pub(super) const SET_INNER_ADDED: u32 = 509;
/// First UE5 version whose tags have extensions.
const EXTENSIONS_ADDED: u32 = 1011;
/// First UE5 version whose tags have complete type names.
pub(super) const COMPLETE_NAMES: u32 = 1012;

const HAS_INDEX: u8 = 0x01;
const HAS_GUID: u8 = 0x02;
const HAS_EXTENSIONS: u8 = 0x04;
/// The value is stored in the struct's own way.
const NATIVE: u8 = 0x08;
const TRUE: u8 = 0x10;

/// What stands between the name of a property and its value.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | name | type | tree of names from UE5 1012 |
/// | 2 | i32 | size of the value | |
/// | 3 | u8 | flags | from UE5 1012 |
/// | 4 | i32 | element of a static array | by a flag from UE5 1012 |
/// | 5 | | struct, enum, inner types, bool | below UE5 1012 |
/// | 6 | u8, GUID | GUID of the property | from UE4 503; by a flag from UE5 1012 |
/// | 7 | u8, u8, u32 | extensions | UE5 1011; by a flag from UE5 1012 |
///
/// Spec: ue4-5/04 §3, §4. C++: `FPropertyTag`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Tag {
    pub type_name: Name,
    pub detail: Detail,
    pub array_index: i32,
    /// As stored from UE5 1012 on; what follows from other fields is made anew.
    flags: u8,
    /// The guess that fitted the value, 0 for what the tag says: archives without bytes state it.
    pub form: u8,
    pub extra: Option<Box<Extra>>,
}

/// What a tag says about its type beside the class of the property.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Detail {
    #[default]
    None,
    /// Its GUID, unless that is zero.
    Struct(Name, Option<Box<Guid>>),
    Enum(Name),
    Inner(Name),
    Pair(Name, Name),
    /// The whole tree, where there is more than its first name.
    Tree(Vec<TypeNode>),
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Extra {
    pub guid: Option<Guid>,
    pub extensions: Option<Extensions>,
}

/// Extensions of a tag: how a value that overrides an inherited one came to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Archived)]
pub struct Extensions {
    /// 2: an override follows.
    pub flags: u8,
    /// The override.
    #[archive(when = self.flags & 2 != 0)]
    pub overridden: Override,
}

/// How a value overrides an inherited one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Archived)]
pub struct Override {
    /// 0 none, 1 modified, 2 replace, 3 add, 4 remove.
    pub operation: u8,
    /// Whether an experimental rule applies.
    pub experimental: u32,
}

impl Tag {
    /// From UE5 1012 the tag says whether a struct is stored in its own way.
    pub fn native(&self, versions: &Versions) -> Option<bool> {
        (versions.ue5 >= COMPLETE_NAMES).then_some(self.flags & NATIVE != 0)
    }

    /// A tag that says no more than this.
    pub fn new(type_name: Name, array_index: i32) -> Self {
        Self { type_name, array_index, ..Self::default() }
    }

    /// Says what complete tags say more: whether a struct is stored in its own way, and that there is an
    /// index.
    pub fn set_flags(&mut self, native: bool) {
        self.flags = if native { NATIVE } else { 0 };
        self.flags |= if self.array_index != 0 { HAS_INDEX } else { 0 };
    }

    /// Reads or writes the tag. `boolean` is the value of a bool, `size` that of the value; says where
    /// the size stands.
    pub fn serialize<A: Archive + ?Sized>(
        &mut self,
        boolean: &mut Option<bool>,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<u64> {
        if ar.versions().ue5 >= COMPLETE_NAMES {
            self.serialize_complete(boolean, size, ar)
        } else {
            self.serialize_old(boolean, size, ar)
        }
    }

    fn serialize_old<A: Archive + ?Sized>(
        &mut self,
        boolean: &mut Option<bool>,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<u64> {
        in_field("type", ar, |ar| self.type_name.serialize(ar))?;
        let size_at = ar.position();
        in_field("size", ar, |ar| ar.serialize_u32(size))?;
        in_field("array_index", ar, |ar| ar.serialize_i32(&mut self.array_index))?;
        let (ue4, ue5) = (ar.versions().ue4, ar.versions().ue5);
        if ar.is_loading() {
            *boolean = None;
            self.flags = 0;
            self.detail = Detail::None;
            match ar.context().roles().kind(self.type_name.index.value()) {
                Kind::Unknown => {
                    let form = "a property of unknown type";
                    return Err(ar.error(ErrorKind::NonCanonical { form }));
                }
                Kind::Struct => self.detail = Detail::Struct(Name::default(), None),
                Kind::Bool => *boolean = Some(false),
                Kind::Byte | Kind::Enum => self.detail = Detail::Enum(Name::default()),
                Kind::Array if ue4 >= ARRAY_INNER_ADDED => {
                    self.detail = Detail::Inner(Name::default());
                }
                Kind::Set if ue4 >= SET_INNER_ADDED => {
                    self.detail = Detail::Inner(Name::default());
                }
                Kind::Map if ue4 >= SET_INNER_ADDED => {
                    self.detail = Detail::Pair(Name::default(), Name::default());
                }
                Kind::Optional => self.detail = Detail::Inner(Name::default()),
                _ => {}
            }
        }
        if let Some(flag) = boolean {
            in_field("bool", ar, |ar| boolean::byte(flag, ar))?;
        }
        match &mut self.detail {
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
        let mut extra = self.extra.as_deref().copied().unwrap_or_default();
        if ue4 >= PROPERTY_GUID_ADDED {
            let mut present = extra.guid.is_some();
            in_field("has_guid", ar, |ar| boolean::byte(&mut present, ar))?;
            if ar.is_loading() {
                extra.guid = present.then(Guid::default);
            }
            if let Some(guid) = &mut extra.guid {
                in_field("guid", ar, |ar| guid.serialize(ar))?;
            }
        } else {
            absent(&mut extra.guid, ar, "guid")?;
        }
        if ue5 >= EXTENSIONS_ADDED {
            let mut extensions = extra.extensions.unwrap_or_default();
            in_field("extensions", ar, |ar| extensions.serialize(ar))?;
            if ar.is_loading() {
                extra.extensions = (extensions.flags != 0).then_some(extensions);
            }
        } else {
            absent(&mut extra.extensions, ar, "extensions")?;
        }
        if ar.is_loading() {
            self.set_extra(extra);
        }
        Ok(size_at)
    }

    fn serialize_complete<A: Archive + ?Sized>(
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
            *boolean = (kind == Kind::Bool).then_some(flags & TRUE != 0);
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

    fn set_extra(&mut self, extra: Extra) {
        self.extra = (extra != Extra::default()).then(|| Box::new(extra));
    }
}

#[cold]
fn not_in_version<A: Archive + ?Sized>(ar: &A) -> crate::Error {
    ar.error(ErrorKind::NotInVersion)
}
