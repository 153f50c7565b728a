//! Properties that are no objects of their own.

use crate::archive::{in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::modern::condition::{has_editor_data, is_cooked};
use crate::primitive::{FString, Map, Name, PackageIndex};
use crate::{Archive, Archived};

/// A property from UE4.25 on.
///
/// | order | type | field | present |
/// |---|---|---|---|
/// | 1 | name | type; nothing follows `None` | |
/// | 2 | name | name | |
/// | 3 | u32 | object flags | |
/// | 4 | bool; if set i32 n, n × (name, FString) | metadata | editor data, not cooked |
/// | 5 | i32, i32, u64, u16, name, u8 | array size, element size, flags, replication | |
/// | 6 | | what the type adds | |
///
/// Spec: ue4-5/05 §2. C++: `FField`, `FProperty`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldProperty {
    /// Name of its type: `IntProperty`.
    pub type_name: Name,
    /// Everything else; nothing where the type is none.
    pub body: Option<Box<PropertyBody>>,
}

/// What follows the type of a [`FieldProperty`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PropertyBody {
    /// Its name.
    pub name: Name,
    /// Object flags.
    pub flags: u32,
    /// What the editor shows, by key.
    pub meta_data: Option<Map<Name, FString>>,
    /// Elements of a static array.
    pub array_dim: i32,
    /// Bytes of an element in memory.
    pub element_size: i32,
    /// Flags. C++: `PropertyFlags`.
    pub property_flags: u64,
    /// Place in the replication.
    pub rep_index: u16,
    /// The function that is called when it was replicated.
    pub rep_notify: Name,
    /// When it is replicated. C++: `BlueprintReplicationCondition`.
    pub replication_condition: u8,
    /// What its type adds.
    pub kind: PropertyKind,
}

/// What a type of property adds to the others.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum PropertyKind {
    /// Nothing: numbers, names, strings, texts.
    #[default]
    Plain,
    /// One reference: enum, struct, class or signature.
    One(PackageIndex),
    /// Class and metaclass.
    Two(PackageIndex, PackageIndex),
    /// The inner property: arrays, sets, optionals.
    Inner(FieldProperty),
    /// Key and value.
    Pair(FieldProperty, FieldProperty),
    /// The enum and the property of its numbers.
    Enum(PackageIndex, FieldProperty),
    /// Sizes and masks of a bool: field size, byte offset, byte mask, field mask, size, whether native.
    Bool([u8; 6]),
    /// Class of a path to a property.
    FieldPath(Name),
}

impl PropertyKind {
    /// What this type adds, if it is known.
    pub fn blank(type_name: &str) -> Option<Self> {
        let null = PackageIndex::NULL;
        Some(match type_name.strip_suffix("Property")? {
            "Int8" | "Int16" | "Int" | "Int64" | "UInt16" | "UInt32" | "UInt64" | "Float"
            | "Double" | "Name" | "Str" | "Text" | "Utf8Str" | "AnsiStr" => Self::Plain,
            "Byte"
            | "Struct"
            | "Object"
            | "WeakObject"
            | "LazyObject"
            | "SoftObject"
            | "ObjectPtr"
            | "Interface"
            | "Delegate"
            | "MulticastDelegate"
            | "MulticastInlineDelegate"
            | "MulticastSparseDelegate"
            | "AssetObject" => Self::One(null),
            "Class" | "SoftClass" | "ClassPtr" | "AssetClass" => Self::Two(null, null),
            "Array" | "Set" | "Optional" => Self::Inner(FieldProperty::default()),
            "Map" => Self::Pair(FieldProperty::default(), FieldProperty::default()),
            "Enum" => Self::Enum(null, FieldProperty::default()),
            "Bool" => Self::Bool([0; 6]),
            "FieldPath" => Self::FieldPath(Name::default()),
            _ => return None,
        })
    }
}

/// Loads what [`PropertyKind::blank`] has prepared.
impl Archived for PropertyKind {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Plain => Ok(()),
            Self::One(index) => index.serialize(ar),
            Self::Two(class, meta) => {
                class.serialize(ar)?;
                meta.serialize(ar)
            }
            Self::Inner(inner) => in_field("inner", ar, |ar| inner.serialize(ar)),
            Self::Pair(key, value) => {
                in_field("key", ar, |ar| key.serialize(ar))?;
                in_field("value", ar, |ar| value.serialize(ar))
            }
            Self::Enum(index, numbers) => {
                index.serialize(ar)?;
                in_field("underlying", ar, |ar| numbers.serialize(ar))
            }
            Self::Bool(numbers) => numbers.serialize(ar),
            Self::FieldPath(class) => class.serialize(ar),
        }
    }
}

/// Loads the kind that was prepared.
impl Archived for PropertyBody {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        in_field("flags", ar, |ar| ar.serialize_u32(&mut self.flags))?;
        if has_editor_data(ar) && !is_cooked(ar) {
            let mut has = self.meta_data.is_some();
            in_field("has_meta_data", ar, |ar| has.serialize(ar))?;
            if ar.is_loading() {
                self.meta_data = has.then(Map::default);
            }
            if let Some(map) = &mut self.meta_data {
                in_field("meta_data", ar, |ar| map.serialize(ar))?;
            }
        } else {
            private::absent(&mut self.meta_data, ar, "meta_data")?;
        }
        in_field("array_dim", ar, |ar| ar.serialize_i32(&mut self.array_dim))?;
        in_field("element_size", ar, |ar| ar.serialize_i32(&mut self.element_size))?;
        in_field("property_flags", ar, |ar| ar.serialize_u64(&mut self.property_flags))?;
        in_field("rep_index", ar, |ar| ar.serialize_u16(&mut self.rep_index))?;
        in_field("rep_notify", ar, |ar| self.rep_notify.serialize(ar))?;
        in_field("replication_condition", ar, |ar| {
            ar.serialize_u8(&mut self.replication_condition)
        })?;
        self.kind.serialize(ar)
    }
}

impl Archived for FieldProperty {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("type", ar, |ar| self.type_name.serialize(ar))?;
        if ar.is_loading() {
            self.body = self.prepare(ar)?;
        }
        let Some(body) = &mut self.body else { return Ok(()) };
        ar.descend()?;
        let result = body.serialize(ar);
        ar.ascend();
        result
    }
}

impl FieldProperty {
    /// What follows the type that was just read.
    fn prepare<A: Archive + ?Sized>(&self, ar: &mut A) -> Result<Option<Box<PropertyBody>>> {
        let context = ar.context().clone();
        if context.is_none(&self.type_name) {
            return Ok(None);
        }
        let text = context.name_text(&self.type_name);
        let Some(kind) = text.as_deref().and_then(PropertyKind::blank) else {
            let value = self.type_name.index.value().into();
            return Err(ar.error(ErrorKind::UnknownVariant { value, type_name: "property type" }));
        };
        ar.claim(1, size_of::<PropertyBody>())?;
        Ok(Some(Box::new(PropertyBody { kind, ..PropertyBody::default() })))
    }
}
