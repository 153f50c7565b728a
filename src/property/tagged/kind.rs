//! The classes of properties in UE4 and UE5.

/// The class of a property: what its type name says first (`IntProperty`).
///
/// Classes whose values are stored alike are one kind; the tag keeps the name itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Kind {
    /// A class that is not known.
    #[default]
    Unknown,
    /// One byte, or the name of an enum's value.
    Byte,
    /// One byte, signed.
    Int8,
    /// Two bytes, signed.
    Int16,
    /// Four bytes, signed.
    Int,
    /// Eight bytes, signed.
    Int64,
    /// Two bytes.
    UInt16,
    /// Four bytes.
    UInt32,
    /// Eight bytes.
    UInt64,
    /// Four bytes, floating point.
    Float,
    /// Eight bytes, floating point.
    Double,
    /// In the tag; elsewhere one byte.
    Bool,
    /// The name of an enum's value; in unversioned lists its number.
    Enum,
    /// A name.
    Name,
    /// A string.
    Str,
    /// A string in UTF-8.
    Utf8Str,
    /// A string of 8-bit characters.
    AnsiStr,
    /// A text that can be translated.
    Text,
    /// A reference to an object: objects, classes, weak references, interfaces.
    Object,
    /// The GUID of an object that may not be loaded.
    LazyObject,
    /// The path of an object that may not be loaded.
    SoftObject,
    /// The same as a string: what soft references were called first.
    AssetObject,
    /// An object and the name of a function.
    Delegate,
    /// Several of them.
    MulticastDelegate,
    /// The way to a property.
    FieldPath,
    /// A value or none.
    Optional,
    /// A struct.
    Struct,
    /// Elements.
    Array,
    /// Elements, and those that are taken from the inherited ones.
    Set,
    /// Keys and values, and keys that are taken from the inherited ones.
    Map,
}

/// Every class of a property, by name, ascending.
const CLASSES: &[(&str, Kind)] = &[
    ("AnsiStrProperty", Kind::AnsiStr),
    ("ArrayProperty", Kind::Array),
    ("AssetClassProperty", Kind::AssetObject),
    ("AssetObjectProperty", Kind::AssetObject),
    ("AssetSubclassOfProperty", Kind::AssetObject),
    ("BoolProperty", Kind::Bool),
    ("ByteProperty", Kind::Byte),
    ("ClassProperty", Kind::Object),
    ("ClassPtrProperty", Kind::Object),
    ("DelegateProperty", Kind::Delegate),
    ("DoubleProperty", Kind::Double),
    ("EnumProperty", Kind::Enum),
    ("FieldPathProperty", Kind::FieldPath),
    ("FloatProperty", Kind::Float),
    ("Int16Property", Kind::Int16),
    ("Int64Property", Kind::Int64),
    ("Int8Property", Kind::Int8),
    ("IntProperty", Kind::Int),
    ("InterfaceProperty", Kind::Object),
    ("LazyObjectProperty", Kind::LazyObject),
    ("MapProperty", Kind::Map),
    ("MulticastDelegateProperty", Kind::MulticastDelegate),
    ("MulticastInlineDelegateProperty", Kind::MulticastDelegate),
    ("MulticastSparseDelegateProperty", Kind::MulticastDelegate),
    ("NameProperty", Kind::Name),
    ("ObjectProperty", Kind::Object),
    ("ObjectPtrProperty", Kind::Object),
    ("OptionalProperty", Kind::Optional),
    ("SetProperty", Kind::Set),
    ("SoftClassProperty", Kind::SoftObject),
    ("SoftObjectProperty", Kind::SoftObject),
    ("StrProperty", Kind::Str),
    ("StructProperty", Kind::Struct),
    ("TextProperty", Kind::Text),
    ("UInt16Property", Kind::UInt16),
    ("UInt32Property", Kind::UInt32),
    ("UInt64Property", Kind::UInt64),
    ("Utf8StrProperty", Kind::Utf8Str),
    ("WeakObjectProperty", Kind::Object),
];

impl Kind {
    /// The kind that a property class has; unreal names differ in case only by accident.
    pub fn of_class(class: impl AsRef<[u8]>) -> Option<Self> {
        found(class.as_ref()).map(|(_, kind)| *kind)
    }

    /// Bytes that each value takes, where it is always the same number.
    pub(super) fn width(self) -> Option<u64> {
        Some(match self {
            Self::Byte | Self::Int8 | Self::Bool => 1,
            Self::Int16 | Self::UInt16 => 2,
            Self::Int | Self::UInt32 | Self::Float | Self::Object => 4,
            Self::Int64 | Self::UInt64 | Self::Double | Self::Name | Self::Enum => 8,
            Self::Delegate => 12,
            Self::LazyObject => 16,
            _ => return None,
        })
    }
}

/// The class as the engine spells it.
pub(super) fn class_of(class: &str) -> Option<&'static str> {
    found(class.as_bytes()).map(|(name, _)| *name)
}

fn found(class: &[u8]) -> Option<&'static (&'static str, Kind)> {
    CLASSES.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(class))
}
