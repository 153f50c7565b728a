//! The types of properties as mappings say them.

use std::sync::Arc;

use super::lookup::Mappings;
use crate::Archived;
use crate::property::{PropertyKind, Structure};

/// Classes of references that are stored as objects.
pub(in crate::property) const INTERFACE: &str = "InterfaceProperty";
pub(in crate::property) const WEAK_OBJECT: &str = "WeakObjectProperty";

/// Properties of a class with all it derives from: more than any real class has.
const MOST_SLOTS: usize = 1 << 18;

/// The type of a property, as a `.usmap` file stores it; names are rows of its name table.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archived)]
#[repr(u8)]
#[allow(missing_docs)] // named as Unreal names the classes of properties
pub enum SchemaType {
    Byte,
    Bool,
    Int,
    Float,
    Object,
    Name,
    Delegate,
    Double,
    Array(Box<SchemaType>),
    Struct(u32),
    Str,
    Text,
    Interface,
    MulticastDelegate,
    WeakObject,
    LazyObject,
    AssetObject,
    SoftObject,
    UInt64,
    UInt32,
    UInt16,
    Int64,
    Int16,
    Int8,
    Map(Box<SchemaType>, Box<SchemaType>),
    Set(Box<SchemaType>),
    Enum(Box<SchemaType>, u32),
    FieldPath,
    Optional(Box<SchemaType>),
    Utf8Str,
    AnsiStr,
    #[default]
    Unknown = 255,
}

/// The types without others in them, each with its kind; the first one of a kind stands for it.
macro_rules! plain_types {
    ($($plain:ident: $kind:ident),+ $(,)?) => {
        const PLAIN: &[Self] = &[$(Self::$plain),+];

        pub(in crate::property) fn kind(&self) -> PropertyKind {
            match self {
                $(Self::$plain => PropertyKind::$kind,)+
                Self::Array(_) => PropertyKind::Array,
                Self::Struct(_) => PropertyKind::Struct,
                Self::Map(..) => PropertyKind::Map,
                Self::Set(_) => PropertyKind::Set,
                Self::Enum(..) => PropertyKind::Enum,
                Self::Optional(_) => PropertyKind::Optional,
                Self::Unknown => PropertyKind::Unknown,
            }
        }
    };
}

impl SchemaType {
    plain_types! {
        Byte: Byte,
        Bool: Bool,
        Int: Int,
        Float: Float,
        Object: Object,
        Interface: Object,
        WeakObject: Object,
        Name: Name,
        Delegate: Delegate,
        Double: Double,
        Str: Str,
        Text: Text,
        MulticastDelegate: MulticastDelegate,
        LazyObject: LazyObject,
        SoftObject: SoftObject,
        // Old names of soft references; in unversioned packages they are stored as these.
        AssetObject: SoftObject,
        UInt64: UInt64,
        UInt32: UInt32,
        UInt16: UInt16,
        Int64: Int64,
        Int16: Int16,
        Int8: Int8,
        FieldPath: FieldPath,
        Utf8Str: Utf8Str,
        AnsiStr: AnsiStr,
    }

    /// The type of a property class that has no inner types.
    pub fn of_class(class: &str) -> Option<Self> {
        match class {
            INTERFACE => Some(Self::Interface),
            WEAK_OBJECT => Some(Self::WeakObject),
            _ => {
                let kind = PropertyKind::of_class(class)?;
                Self::PLAIN.iter().find(|plain| plain.kind() == kind).cloned()
            }
        }
    }

    pub(in crate::property) fn structure(&self, mappings: &Mappings) -> Option<Structure> {
        match self {
            Self::Struct(name) => Some(mappings.structure(*name)),
            _ => None,
        }
    }

    pub(in crate::property) fn inner(&self, wanted: usize) -> Option<&Self> {
        match (self, wanted) {
            (Self::Array(inner) | Self::Set(inner) | Self::Optional(inner), 0) => Some(inner),
            (Self::Map(key, _), 0) => Some(key),
            (Self::Map(_, value), 1) => Some(value),
            _ => None,
        }
    }
}

/// One property, or one element of a static array.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::property) struct Slot {
    pub name: Arc<str>,
    pub array_index: u8,
    pub schema: Arc<SchemaType>,
}

/// The properties of a class in the order in which unversioned lists count them; `None` for those that
/// are not stored.
#[derive(Debug, Default)]
pub(in crate::property) struct Schema {
    pub class: Arc<str>,
    pub slots: Vec<Option<Slot>>,
}

impl Schema {
    /// `None` when a class that it derives from is not known, or when it is no sound class.
    pub fn build(mappings: &Mappings, row: u32) -> Option<Self> {
        let data = mappings.data();
        let mut schema = Self::default();
        let mut next = Some(row);
        let mut depth = 0;
        while let Some(row) = next {
            let known = data.structs.get(row as usize)?;
            if depth == 0 {
                schema.class = data.name(known.name)?.clone();
            }
            depth += 1;
            let base = schema.slots.len();
            let end = base + usize::from(known.property_count);
            if end > MOST_SLOTS || depth > 256 {
                return None;
            }
            schema.slots.resize(end, None);
            for property in &known.properties {
                let name = data.name(property.name)?;
                let kept = Arc::new(property.schema.clone());
                for array_index in 0..property.array_dim {
                    let at = base + usize::from(property.schema_index) + usize::from(array_index);
                    let slot = Slot { name: name.clone(), array_index, schema: kept.clone() };
                    *schema.slots.get_mut(at)? = Some(slot);
                }
            }
            next = match known.super_struct {
                u32::MAX => None,
                name => Some(mappings.row_of_name(name)?),
            };
        }
        Some(schema)
    }
}
