//! The classes of properties.

/// The class of a property: what its type name says first (`IntProperty`).
///
/// Classes whose values are stored alike are one kind; the tag keeps the name itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PropertyKind {
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
    /// UE1: characters up to a zero byte, in a fixed size.
    FixedStr,
    /// A string in UTF-8.
    Utf8Str,
    /// A string of 8-bit characters, without a terminator.
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
    /// The path of a property.
    FieldPath,
    /// An optional value.
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

/// Every class of a property by name, of each kind the class of most properties first.
const CLASSES: &[(&str, PropertyKind)] = &[
    ("AnsiStrProperty", PropertyKind::AnsiStr),
    ("ArrayProperty", PropertyKind::Array),
    ("AssetObjectProperty", PropertyKind::AssetObject),
    ("BoolProperty", PropertyKind::Bool),
    ("ByteProperty", PropertyKind::Byte),
    ("DelegateProperty", PropertyKind::Delegate),
    ("DoubleProperty", PropertyKind::Double),
    ("EnumProperty", PropertyKind::Enum),
    ("FieldPathProperty", PropertyKind::FieldPath),
    ("FloatProperty", PropertyKind::Float),
    ("Int16Property", PropertyKind::Int16),
    ("Int64Property", PropertyKind::Int64),
    ("Int8Property", PropertyKind::Int8),
    ("IntProperty", PropertyKind::Int),
    ("LazyObjectProperty", PropertyKind::LazyObject),
    ("MapProperty", PropertyKind::Map),
    ("MulticastDelegateProperty", PropertyKind::MulticastDelegate),
    ("NameProperty", PropertyKind::Name),
    ("ObjectProperty", PropertyKind::Object),
    ("OptionalProperty", PropertyKind::Optional),
    ("SetProperty", PropertyKind::Set),
    ("SoftObjectProperty", PropertyKind::SoftObject),
    ("StrProperty", PropertyKind::Str),
    ("StringProperty", PropertyKind::FixedStr),
    ("StructProperty", PropertyKind::Struct),
    ("TextProperty", PropertyKind::Text),
    ("UInt16Property", PropertyKind::UInt16),
    ("UInt32Property", PropertyKind::UInt32),
    ("UInt64Property", PropertyKind::UInt64),
    ("Utf8StrProperty", PropertyKind::Utf8Str),
    ("AssetClassProperty", PropertyKind::AssetObject),
    ("AssetSubclassOfProperty", PropertyKind::AssetObject),
    ("BioMask4Property", PropertyKind::Byte),
    ("ClassProperty", PropertyKind::Object),
    ("ClassPtrProperty", PropertyKind::Object),
    ("ComponentProperty", PropertyKind::Object),
    ("InterfaceProperty", PropertyKind::Object),
    ("MulticastInlineDelegateProperty", PropertyKind::MulticastDelegate),
    ("MulticastSparseDelegateProperty", PropertyKind::MulticastDelegate),
    ("ObjectPtrProperty", PropertyKind::Object),
    ("SoftClassProperty", PropertyKind::SoftObject),
    ("StringRefProperty", PropertyKind::Int),
    ("WeakObjectProperty", PropertyKind::Object),
];

impl PropertyKind {
    /// The kind that a property class has; unreal names differ in case only by accident.
    pub fn of_class(class: impl AsRef<[u8]>) -> Option<Self> {
        found(class.as_ref()).map(|(_, kind)| *kind)
    }

    /// The class of most properties of this kind: the first one of the table.
    pub const fn class(self) -> &'static str {
        let mut at = 0;
        while at < CLASSES.len() {
            if CLASSES[at].1 as u8 == self as u8 {
                return CLASSES[at].0;
            }
            at += 1;
        }
        "Property"
    }

    /// Whether properties of UE1 to UE3 are of this kind.
    pub(super) fn is_early(self) -> bool {
        matches!(
            self,
            Self::Byte
                | Self::Int
                | Self::Bool
                | Self::Float
                | Self::Object
                | Self::Name
                | Self::Str
                | Self::FixedStr
                | Self::Delegate
                | Self::Array
                | Self::Map
                | Self::Struct
        )
    }

    /// Whether its values hold elements of other types.
    pub(super) fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Set | Self::Map)
    }

    /// Bytes that each value takes, where it is always the same number.
    #[doc(hidden)]
    pub fn width(self) -> Option<u64> {
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

/// The class as the engine spells it, and its kind.
pub(super) fn known_class(class: &str) -> Option<(&'static str, PropertyKind)> {
    found(class.as_bytes()).copied()
}

fn found(class: &[u8]) -> Option<&'static (&'static str, PropertyKind)> {
    // Every name of a package is asked.
    let head = class.len().checked_sub("Property".len())?;
    if !class[head..].eq_ignore_ascii_case(b"Property") {
        return None;
    }
    CLASSES.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(class))
}
