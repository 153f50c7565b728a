//! A value: once loaded, its variant decides the layout.

use super::container::serialize_counted;
use super::{Elements, InstancedStruct, MapValue, Opaque, Set, StructArray};
use crate::archive::{Kind, Span, in_field, in_part};
use crate::error::{ErrorKind, Result};
use crate::primitive::{FString, Guid, Name, ObjectRef, PackageIndex, SoftObjectPath, Utf8String};
use crate::property::localized::Text;
use crate::property::{Delegate, FieldPath, PropertyKind, PropertyList};
use crate::{Archive, ArchiveExt, Archived};

/// The value of a property. Once loaded, the variant alone decides the layout.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Bytes that could not be decoded, and why not.
    Opaque(Box<Opaque>),
    /// A bool in a tag: no bytes of its own.
    Bool(bool),
    /// A bool anywhere else: one byte.
    BoolByte(u8),
    /// A bool in a struct of UE3: four bytes.
    BoolWord(u32),
    /// One byte.
    Byte(u8),
    /// One byte, signed.
    Int8(i8),
    /// Two bytes, signed.
    Int16(i16),
    /// Four bytes, signed.
    Int(i32),
    /// Eight bytes, signed.
    Int64(i64),
    /// Two bytes.
    UInt16(u16),
    /// Four bytes.
    UInt32(u32),
    /// Eight bytes.
    UInt64(u64),
    /// Four bytes, floating point.
    Float(f32),
    /// Eight bytes, floating point.
    Double(f64),
    /// A name, also that of an enum's value.
    Name(Name),
    /// A string, also as the path of an asset.
    Str(Box<FString>),
    /// UE1: characters up to a zero byte, and what fills the rest of a fixed size.
    FixedStr(Box<Span>),
    /// A string without a terminator: of UTF-8, or of 8-bit characters.
    Utf8Str(Box<Utf8String>),
    /// A text.
    Text(Box<Text>),
    /// A reference.
    Object(PackageIndex),
    /// A GUID: a struct or the object that it belongs to.
    Guid(Guid),
    /// The path of an object.
    SoftObject(Box<SoftObjectPath>),
    /// The row of the table of soft paths, from UE5 1008 on.
    SoftObjectIndex(i32),
    /// An object and the name of a function.
    Delegate(Delegate),
    /// Several of them.
    MulticastDelegate(Vec<Delegate>),
    /// The path of a property.
    FieldPath(Box<FieldPath>),
    /// An optional value.
    Optional(Box<Option<Value>>),
    /// A struct of two numbers, such as `Vector2D` in UE4.
    Float2([f32; 2]),
    /// A struct of three numbers, such as `Vector` in UE4.
    Float3([f32; 3]),
    /// A struct of four numbers, such as `LinearColor`.
    Float4([f32; 4]),
    /// A struct of two wide numbers, such as `Vector2D` in UE5.
    Double2([f64; 2]),
    /// A struct of three wide numbers, such as `Vector` in UE5.
    Double3([f64; 3]),
    /// A struct of four wide numbers, such as `Quat` in UE5.
    Double4(Box<[f64; 4]>),
    /// A struct of two whole numbers.
    Int2([i32; 2]),
    /// A struct of three whole numbers.
    Int3([i32; 3]),
    /// Blue, green, red, alpha.
    Color([u8; 4]),
    /// A struct that is stored without tags.
    Fields(Vec<Value>),
    /// A struct that is stored as a list of properties.
    List(PropertyList),
    /// Zero of any type as a property of a list without tags, which does not store it.
    Zero,
    /// A struct with its type.
    Instanced(Box<InstancedStruct>),
    /// Keys of a curve as they lie in memory.
    Keys(Box<Span>),
    /// A count and elements.
    Array(Elements),
    /// Elements behind a tag of their own: structs from UE4 500 to UE5 1011.
    StructArray(Box<StructArray>),
    /// Elements, and those that are taken from the inherited ones.
    Set(Box<Set>),
    /// Keys and values, and keys that are taken from the inherited ones.
    Map(Box<MapValue>),
}

impl Default for Value {
    fn default() -> Self {
        Self::Fields(Vec::new())
    }
}

impl Value {
    /// The numbers of a struct of three, whichever form it is stored in; floats of four bytes as their shortest texts say
    /// them, as a value's text does.
    #[doc(hidden)]
    pub fn three_numbers(&self) -> Option<[f64; 3]> {
        let short = |number: f32| number.to_string().parse().unwrap_or_else(|_| f64::from(number));
        Some(match self {
            Self::Float3(numbers) => numbers.map(short),
            Self::Double3(numbers) => *numbers,
            Self::Int3(numbers) => numbers.map(f64::from),
            Self::Fields(fields) => {
                let [a, b, c] = fields.as_slice() else { return None };
                let number = |field: &Self| match field {
                    Self::Float(number) => Some(short(*number)),
                    Self::Double(number) => Some(*number),
                    Self::Int(number) => Some(f64::from(*number)),
                    _ => None,
                };
                [number(a)?, number(b)?, number(c)?]
            }
            _ => return None,
        })
    }

    /// The row of the export that it refers to; `None` for another value.
    pub fn export(&self) -> Option<usize> {
        let Self::Object(index) = self else { return None };
        match index.target() {
            ObjectRef::Export(row) => Some(row),
            _ => None,
        }
    }

    /// The list, where this is a struct that is one.
    pub fn as_list(&self) -> Option<&PropertyList> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// Zero of a kind: what loading fills and new values start from. `None` for a class that is not known,
    /// and where the kind alone does not decide the form: soft paths, optional values, structs, containers.
    #[inline(always)] // a value a property: as a call it costs a tenth of the time
    pub(in crate::property) fn zero(kind: PropertyKind) -> Option<Self> {
        Some(match kind {
            PropertyKind::Byte => Self::Byte(0),
            PropertyKind::Int8 => Self::Int8(0),
            PropertyKind::Int16 => Self::Int16(0),
            PropertyKind::Int => Self::Int(0),
            PropertyKind::Int64 => Self::Int64(0),
            PropertyKind::UInt16 => Self::UInt16(0),
            PropertyKind::UInt32 => Self::UInt32(0),
            PropertyKind::UInt64 => Self::UInt64(0),
            PropertyKind::Float => Self::Float(0.0),
            PropertyKind::Double => Self::Double(0.0),
            PropertyKind::Bool => Self::BoolByte(0),
            PropertyKind::Name | PropertyKind::Enum => Self::Name(Name::default()),
            PropertyKind::Object => Self::Object(PackageIndex::NULL),
            PropertyKind::LazyObject => Self::Guid(Guid::default()),
            PropertyKind::Delegate => Self::Delegate(Delegate::default()),
            PropertyKind::Str | PropertyKind::AssetObject => Self::Str(Box::default()),
            PropertyKind::Utf8Str | PropertyKind::AnsiStr => Self::Utf8Str(Box::default()),
            PropertyKind::Text => Self::Text(Box::default()),
            PropertyKind::MulticastDelegate => Self::MulticastDelegate(Vec::new()),
            PropertyKind::FieldPath => Self::FieldPath(Box::default()),
            PropertyKind::FixedStr => Self::FixedStr(Box::default()),
            _ => return None,
        })
    }
}

/// Writes or visits; loads a value whose variant is decided and is no container.
impl Archived for Value {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Bool(_) => Ok(()),
            Self::BoolByte(value) | Self::Byte(value) => ar.serialize_u8(value),
            Self::Int8(value) => ar.serialize_i8(value),
            Self::Int16(value) => ar.serialize_i16(value),
            Self::Int(value) => ar.serialize_i32(value),
            Self::SoftObjectIndex(row) => SoftObjectPath::row(row, ar),
            Self::Int64(value) => ar.serialize_i64(value),
            Self::UInt16(value) => ar.serialize_u16(value),
            Self::UInt32(value) | Self::BoolWord(value) => ar.serialize_u32(value),
            Self::UInt64(value) => ar.serialize_u64(value),
            Self::Float(value) => ar.serialize_f32(value),
            Self::Double(value) => ar.serialize_f64(value),
            Self::Name(name) => name.serialize(ar),
            Self::Str(string) => string.serialize(ar),
            Self::FixedStr(span) => {
                let length = span.len();
                ar.serialize_span(span, length, Kind::Text)
            }
            Self::Utf8Str(string) => string.serialize(ar),
            Self::Text(text) => text.serialize(ar),
            Self::Object(index) => index.serialize(ar),
            Self::Guid(guid) => guid.serialize(ar),
            Self::SoftObject(path) => path.serialize(ar),
            Self::Delegate(delegate) => delegate.serialize(ar),
            Self::MulticastDelegate(delegates) => delegates.serialize(ar),
            Self::FieldPath(path) => path.serialize(ar),
            Self::Optional(value) => {
                let mut present = value.is_some();
                in_field("present", ar, |ar| present.serialize(ar))?;
                match &mut **value {
                    Some(value) => in_part("value", ar, |ar| value.serialize(ar)),
                    None => Ok(()),
                }
            }
            Self::Float2(numbers) => numbers.serialize(ar),
            Self::Float3(numbers) => numbers.serialize(ar),
            Self::Float4(numbers) => numbers.serialize(ar),
            Self::Double2(numbers) => numbers.serialize(ar),
            Self::Double3(numbers) => numbers.serialize(ar),
            Self::Double4(numbers) => numbers.serialize(ar),
            Self::Int2(numbers) => numbers.serialize(ar),
            Self::Int3(numbers) => numbers.serialize(ar),
            Self::Color(bytes) => bytes.serialize(ar),
            Self::Fields(fields) => Self::serialize_slice(fields, ar),
            Self::List(list) => list.serialize(ar),
            // Lists without tags pass over it, and nothing else holds one.
            Self::Zero => Err(ar.error(ErrorKind::NotInVersion)),
            Self::Instanced(instanced) => instanced.serialize(ar),
            Self::Keys(span) => {
                let length = span.len();
                ar.serialize_span(span, length, Kind::Payload)
            }
            Self::Array(elements) => serialize_counted(elements, "count", ar),
            Self::StructArray(structs) => structs.serialize(ar),
            Self::Set(set) => set.serialize(ar),
            Self::Map(map) => map.serialize(ar),
            Self::Opaque(opaque) => {
                let length = opaque.span.len();
                ar.serialize_span(&mut opaque.span, length, Kind::Opaque)
            }
        }
    }
}
