//! Properties that classes, structs and functions declare, from 4.25 on.

use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::{FString, Name, NameContext, PackageIndex, array, script_flags};
use crate::version::{EngineRelease, UnrealVersions};
use crate::{Archived, Described, Versions};

/// A property as its class, struct or function declares it.
///
/// Spec: ue4-5/05 §2. C++: `FField`, `FProperty`.
#[derive(Described, Debug, Clone, PartialEq, Default)]
pub struct Field {
    /// The class of the property; none stands for no field at all.
    pub type_name: Name,
    /// The declaration; `None` where the type is "none".
    pub declaration: Option<Box<Declaration>>,
}

/// The declaration of a field.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Declaration {
    /// Its name.
    pub name: Name,
    /// Object flags.
    pub flags: u32,
    /// Metadata of the editor; not in cooked packages.
    pub meta_data: Option<Vec<(Name, FString)>>,
    /// Elements of a static array, 1 for a single value; cooked packages from 5.8 on leave it out.
    pub array_dim: i32,
    /// Bytes of an element in memory.
    pub element_size: i32,
    /// Property flags.
    pub property_flags: u64,
    /// Index of replication.
    pub rep_index: u16,
    /// The function that is called after replication.
    pub rep_notify_func: Name,
    /// When it is replicated.
    pub replication_condition: u8,
    /// The part of the type.
    pub data: FieldData,
}

/// The part that the type of a property adds.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum FieldData {
    /// Nothing.
    #[default]
    None,
    /// Arrays, sets, optional values: the type of elements.
    Inner(Field),
    /// Maps: the types of keys and values.
    Map(Field, Field),
    /// Size, byte offset, byte mask, field mask, size, whether it is a C++ bool.
    Bool([u8; 6]),
    /// A byte's enum, a struct, the class of a reference, the signature of a delegate.
    One(PackageIndex),
    /// A class and its meta class.
    Two(PackageIndex, PackageIndex),
    /// An enum and its number.
    Enum(PackageIndex, Field),
    /// The class of the property that a path leads to.
    Name(Name),
}

impl FieldData {
    fn blank(class: &str) -> Option<Self> {
        let one = || Self::One(PackageIndex::NULL);
        Some(match class {
            "ArrayProperty" | "SetProperty" | "OptionalProperty" => Self::Inner(Field::default()),
            "MapProperty" => Self::Map(Field::default(), Field::default()),
            "BoolProperty" => Self::Bool([0; 6]),
            "ByteProperty"
            | "StructProperty"
            | "ObjectProperty"
            | "ObjectPtrProperty"
            | "WeakObjectProperty"
            | "LazyObjectProperty"
            | "SoftObjectProperty"
            | "InterfaceProperty"
            | "DelegateProperty"
            | "MulticastDelegateProperty"
            | "MulticastInlineDelegateProperty"
            | "MulticastSparseDelegateProperty" => one(),
            "ClassProperty" | "ClassPtrProperty" | "SoftClassProperty" => {
                Self::Two(PackageIndex::NULL, PackageIndex::NULL)
            }
            "EnumProperty" => Self::Enum(PackageIndex::NULL, Field::default()),
            "FieldPathProperty" => Self::Name(Name::default()),
            "Int8Property" | "Int16Property" | "IntProperty" | "Int64Property"
            | "UInt16Property" | "UInt32Property" | "UInt64Property" | "FloatProperty"
            | "DoubleProperty" | "NameProperty" | "StrProperty" | "TextProperty"
            | "Utf8StrProperty" | "AnsiStrProperty" => Self::None,
            _ => return None,
        })
    }

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::None => Ok(()),
            Self::Inner(field) => in_field("inner", ar, |ar| field.serialize(ar)),
            Self::Map(key, value) => {
                in_field("key", ar, |ar| key.serialize(ar))?;
                in_field("value", ar, |ar| value.serialize(ar))
            }
            Self::Bool(bytes) => {
                bytes.iter_mut().try_for_each(|byte| in_field("bool", ar, |ar| byte.serialize(ar)))
            }
            Self::One(object) => in_field("object", ar, |ar| object.serialize(ar)),
            Self::Two(class, meta) => {
                in_field("class", ar, |ar| class.serialize(ar))?;
                in_field("meta_class", ar, |ar| meta.serialize(ar))
            }
            Self::Enum(object, underlying) => {
                in_field("enum", ar, |ar| object.serialize(ar))?;
                in_field("underlying", ar, |ar| underlying.serialize(ar))
            }
            Self::Name(name) => in_field("property_class", ar, |ar| name.serialize(ar)),
        }
    }
}

/// The first release whose packages without editor data leave out [`Declaration::array_dim`]: a blueprint declares no
/// static arrays. No version tells (spec: ue4-5/03 §4).
const SINGLE_VALUES: EngineRelease = EngineRelease::new(5, 8);

fn has_array_dim(versions: &Versions) -> bool {
    versions.has_editor_only_data() || !versions.is_release(SINGLE_VALUES)
}

fn has_meta_data(versions: &Versions) -> bool {
    versions.has_editor_only_data() && !versions.cooked()
}

impl Archived for Field {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("type", ar, |ar| self.type_name.serialize(ar))?;
        if ar.is_loading() {
            self.declaration = None;
            if !ar.context().is_none(&self.type_name) {
                let class = ar.context().name_text(&self.type_name).unwrap_or_default();
                let form = "a declaration of a property of unknown type";
                let data = FieldData::blank(&class)
                    .ok_or_else(|| ar.error(ErrorKind::NonCanonical { form }))?;
                let blank = Declaration { data, ..Declaration::default() };
                ar.claim(1, size_of::<Declaration>())?;
                self.declaration = Some(Box::new(blank));
            }
        }
        let Some(declaration) = &mut self.declaration else { return Ok(()) };
        ar.nested(|ar| declaration.serialize(ar))
    }
}

impl Declaration {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        in_field("flags", ar, |ar| self.flags.serialize(ar))?;
        if has_meta_data(ar.versions()) {
            let mut present = self.meta_data.is_some();
            in_field("has_meta_data", ar, |ar| present.serialize(ar))?;
            if ar.is_loading() {
                self.meta_data = present.then(Vec::new);
            }
            if let Some(pairs) = &mut self.meta_data {
                in_field("meta_data", ar, |ar| array::counted_i32(pairs, ar))?;
            }
        } else {
            crate::archive::private::absent(&mut self.meta_data, ar, "meta_data")?;
        }
        match has_array_dim(ar.versions()) {
            true => in_field("array_dim", ar, |ar| self.array_dim.serialize(ar))?,
            false => {
                crate::archive::private::absent_as(&mut self.array_dim, || 1, ar, "array_dim")?;
            }
        }
        in_field("element_size", ar, |ar| self.element_size.serialize(ar))?;
        in_field("property_flags", ar, |ar| script_flags::property(&mut self.property_flags, ar))?;
        in_field("rep_index", ar, |ar| self.rep_index.serialize(ar))?;
        in_field("rep_notify_func", ar, |ar| self.rep_notify_func.serialize(ar))?;
        in_field("replication_condition", ar, |ar| self.replication_condition.serialize(ar))?;
        self.data.serialize(ar)
    }
}
