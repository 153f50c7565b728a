//! The values of properties.

use std::sync::Arc;

use super::{Layouts, PropertyList, PropertyType, StructLayout};
use crate::archive::{Kind, Span, Step};
use crate::error::{ErrorKind, Result};
use crate::primitive::{FString, Name, PackageIndex, Payload, array};
use crate::version::threshold;
use crate::{Archive, ArchiveExt, Archived};

/// First file version that stores most structs as tagged lists (spec: ue1-3/05 §5.5).
const TAGGED_STRUCTS_ADDED: u32 = 118;
/// First file version in which a struct says itself whether it is stored without tags.
const IMMUTABLE_ADDED: u32 = 278;

/// The value of a property. Once loaded, the variant alone decides the layout.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// One byte.
    Byte(u8),
    /// Four bytes.
    Int(i32),
    /// A bool in a tag: no bytes of its own.
    Bool(bool),
    /// A bool in an array or struct: one byte.
    BoolByte(u8),
    /// A bool in a struct of UE3: four bytes.
    BoolWord(u32),
    /// Four bytes.
    Float(f32),
    /// A reference.
    Object(PackageIndex),
    /// A name, or in UE3 the name of an enum's value.
    Name(Name),
    /// A string.
    Str(Box<FString>),
    /// UE1: characters up to a zero byte, and what fills the rest of a fixed size.
    Text(Span),
    /// An object and the name of a function.
    Delegate(PackageIndex, Name),
    /// Elements.
    Array(Vec<Value>),
    /// An array of plain bytes.
    Bytes(Payload<1>),
    /// Keys and values.
    Map(Vec<(Value, Value)>),
    /// A struct that is stored without tags.
    Fields(Vec<Value>),
    /// A struct that is stored as a tagged list.
    Tagged(PropertyList),
    /// Bytes whose type is not known.
    Opaque(Span),
}

impl Default for Value {
    fn default() -> Self {
        Self::Opaque(Span::default())
    }
}

impl Value {
    /// Loads a value of this type; `size` is what its tag says, or a guess from the size of the array
    /// around it.
    pub(super) fn load<A: Archive + ?Sized>(
        property: &PropertyType,
        size: u64,
        ar: &mut A,
    ) -> Result<Self> {
        let mut value = match property {
            // A name of two numbers instead of a byte tells an enum's value (spec: ue1-3/05 §5.4).
            PropertyType::Byte if size == 8 => Self::Name(Name::default()),
            PropertyType::Byte => Self::Byte(0),
            PropertyType::Int => Self::Int(0),
            PropertyType::Bool => Self::BoolByte(0),
            // Mass Effect 3 stores vectors where others store floats.
            PropertyType::Float if size == 12 => {
                Self::Fields(vec![Self::Float(0.0), Self::Float(0.0), Self::Float(0.0)])
            }
            PropertyType::Float => Self::Float(0.0),
            PropertyType::Object | PropertyType::Class => Self::Object(PackageIndex::NULL),
            PropertyType::Name => Self::Name(Name::default()),
            PropertyType::Str => Self::Str(Box::default()),
            PropertyType::Delegate => Self::Delegate(PackageIndex::NULL, Name::default()),
            PropertyType::FixedString => {
                let mut span = Span::default();
                ar.serialize_span(&mut span, size, Kind::Text)?;
                return Ok(Self::Text(span));
            }
            PropertyType::Array(_) | PropertyType::Map(_) | PropertyType::Struct(_) => {
                return ar.nested(|ar| match property {
                    PropertyType::Array(element) => Self::load_array(element.as_deref(), size, ar),
                    PropertyType::Map(pair) => Self::load_map(pair.as_deref(), size, ar),
                    PropertyType::Struct(name) => Self::load_struct(name, size, ar),
                    _ => Ok(Self::default()),
                });
            }
        };
        value.serialize(ar)?;
        Ok(value)
    }

    fn load_count<A: Archive + ?Sized>(ar: &mut A) -> Result<(usize, u64)> {
        let start = ar.position();
        let count = array::serialize_count(0, ar)?;
        ar.claim(count as u64, size_of::<Self>())?;
        Ok((count, ar.position() - start))
    }

    fn load_array<A: Archive + ?Sized>(
        element: Option<&PropertyType>,
        size: u64,
        ar: &mut A,
    ) -> Result<Self> {
        let before = ar.position();
        if element == Some(&PropertyType::Byte)
            && let Some(bytes) = Self::load_bytes(size, ar)
        {
            return Ok(bytes);
        }
        debug_assert_eq!(before, ar.position());
        let (count, taken) = Self::load_count(ar)?;
        let mut values = Vec::with_capacity(count);
        if count > 0 {
            // Without a declaration only lists of tags describe themselves.
            let described = PropertyType::Struct("".into());
            let element = element.unwrap_or(&described);
            let each = size.saturating_sub(taken) / count as u64;
            for index in 0..count {
                ar.enter(Step::Index(index));
                let value = Self::load(element, each, ar);
                ar.leave();
                values.push(value.map_err(|error| error.at_index(index))?);
            }
        }
        let empty =
            |value: &Self| matches!(value, Self::Tagged(list) if list.properties.is_empty());
        let zeros = |value: &Self| matches!(value, Self::Tagged(list) if list.terminator.index.value() == 0);
        let told = ar.versions().file >= threshold::NAME_NUMBER_ADDED && !values.iter().any(zeros);
        if element.is_none() && count > 0 && values.iter().all(empty) && !told {
            // Zeros could be anything; eight bytes that name "none" could not.
            return Err(ar.error(ErrorKind::NonCanonical { form: "an array of unknown elements" }));
        }
        Ok(Self::Array(values))
    }

    /// An array whose elements take one byte each; `None` and nothing read where they don't.
    fn load_bytes<A: Archive + ?Sized>(size: u64, ar: &mut A) -> Option<Self> {
        let mut bytes = Payload::default();
        ar.part(size, &mut |ar| bytes.serialize(ar)).ok()?;
        Some(Self::Bytes(bytes))
    }

    fn load_map<A: Archive + ?Sized>(
        pair: Option<&(PropertyType, PropertyType)>,
        size: u64,
        ar: &mut A,
    ) -> Result<Self> {
        // Some maps are nothing at all (spec: ue1-3/05 §5.4).
        if size == 0 {
            return Ok(Self::Fields(Vec::new()));
        }
        let (count, _) = Self::load_count(ar)?;
        let mut pairs = Vec::with_capacity(count);
        if count > 0 {
            let unknown = ErrorKind::NonCanonical { form: "a map of unknown elements" };
            let Some((key, value)) = pair else { return Err(ar.error(unknown)) };
            for _ in 0..count {
                pairs.push((Self::load(key, 0, ar)?, Self::load(value, 0, ar)?));
            }
        }
        Ok(Self::Map(pairs))
    }

    fn load_struct<A: Archive + ?Sized>(name: &str, size: u64, ar: &mut A) -> Result<Self> {
        let form = struct_form(name, size, ar.context().layouts(), ar.versions().file);
        let mut fields = Vec::new();
        match form {
            StructForm::Tagged => {
                let mut list = PropertyList::default();
                list.load((!name.is_empty()).then_some(name), ar)?;
                return Ok(Self::Tagged(list));
            }
            StructForm::Pattern(pattern) => {
                for code in pattern.chars() {
                    let mut value = match code {
                        'f' => Self::Float(0.0),
                        'i' => Self::Int(0),
                        'o' => Self::Object(PackageIndex::NULL),
                        _ => Self::Byte(0),
                    };
                    value.serialize(ar)?;
                    fields.push(value);
                }
            }
            StructForm::Layout(layout) => {
                for field in &layout.fields {
                    for _ in 0..field.dimension {
                        ar.claim(1, size_of::<Self>())?;
                        fields.push(Self::load(&field.property, 0, ar)?);
                    }
                }
            }
            StructForm::Unknown => {
                return Err(
                    ar.error(ErrorKind::NonCanonical { form: "a struct of unknown fields" })
                );
            }
        }
        Ok(Self::Fields(fields))
    }
}

/// How the value of a struct is stored.
pub(super) enum StructForm {
    /// As a tagged list.
    Tagged,
    /// As fields of these types, without tags: see [`atomic`].
    Pattern(&'static str),
    /// As the fields that were declared, without tags.
    Layout(Arc<StructLayout>),
    /// Without tags, and nobody knows the fields.
    Unknown,
}

/// How a struct of this name is stored (spec: ue1-3/05 §5.5); `size` is 0 where it is not known.
pub(super) fn struct_form(name: &str, size: u64, layouts: &Layouts, file: u32) -> StructForm {
    let layout = layouts.structure(name).cloned();
    let atomic = atomic(name, size);
    let tagged = match file {
        ..TAGGED_STRUCTS_ADDED => false,
        // Three structs stay without tags (spec: ue1-3/05 §5.5; in 121/29 and 129/27 PointRegion
        // has them).
        TAGGED_STRUCTS_ADDED..IMMUTABLE_ADDED => {
            !["vector", "rotator", "color"].iter().any(|known| known.eq_ignore_ascii_case(name))
        }
        _ => !layout.as_ref().map_or(atomic.is_some(), |layout| layout.immutable),
    };
    let known = layout.as_ref().filter(|layout| !layout.fields.is_empty());
    match (atomic.filter(|_| known.is_none()), layout) {
        _ if tagged => StructForm::Tagged,
        (Some(pattern), _) => StructForm::Pattern(pattern),
        (None, Some(layout)) => StructForm::Layout(layout),
        (None, None) => StructForm::Unknown,
    }
}

/// The fields of the engine's own structs that are stored without tags: f a float, i an int, o an
/// object, b a byte (spec: ue1-3/01 §1.10, 05 §5.5).
fn atomic(name: &str, size: u64) -> Option<&'static str> {
    // UWindow has a struct of the old name of PointRegion.
    if name.eq_ignore_ascii_case("Region") && size == 16 {
        return Some("iiii");
    }
    const STRUCTS: &[(&str, &str)] = &[
        ("Vector", "fff"),
        ("Rotator", "iii"),
        ("Rotation", "iii"),
        ("Color", "bbbb"),
        ("Plane", "ffff"),
        ("Vector2D", "ff"),
        ("Vector4", "ffff"),
        ("Quat", "ffff"),
        ("LinearColor", "ffff"),
        ("Guid", "iiii"),
        ("Box", "ffffffb"),
        ("Matrix", "ffffffffffffffff"),
        ("TwoVectors", "ffffff"),
        ("IntPoint", "ii"),
        ("PointRegion", "oib"),
        ("Region", "oib"),
        ("BioRwBox", "ffffffb"),
        ("ADrop", "bbbbbbbb"),
        ("IpAddr", "ii"),
        ("Scale", "ffffb"),
        ("Coords", "ffffffffffff"),
    ];
    STRUCTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, fields)| *fields)
}

/// Writes or visits, and loads a value whose variant is decided; only a list of properties can load
/// containers.
impl Archived for Value {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Byte(value) | Self::BoolByte(value) => ar.serialize_u8(value),
            Self::BoolWord(value) => ar.serialize_u32(value),
            Self::Int(value) => ar.serialize_i32(value),
            Self::Bool(_) => Ok(()),
            Self::Float(value) => ar.serialize_f32(value),
            Self::Object(index) => index.serialize(ar),
            Self::Name(name) => name.serialize(ar),
            Self::Str(string) => string.serialize(ar),
            Self::Text(span) => {
                let length = span.len();
                ar.serialize_span(span, length, Kind::Text)
            }
            Self::Delegate(object, function) => {
                object.serialize(ar)?;
                function.serialize(ar)
            }
            Self::Bytes(bytes) => bytes.serialize(ar),
            Self::Array(values) => {
                array::serialize_count(values.len(), ar)?;
                Self::serialize_slice(values, ar)
            }
            Self::Map(pairs) => {
                array::serialize_count(pairs.len(), ar)?;
                <(Self, Self)>::serialize_slice(pairs, ar)
            }
            Self::Fields(fields) => Self::serialize_slice(fields, ar),
            Self::Tagged(list) => list.serialize(ar),
            Self::Opaque(span) => {
                let length = span.len();
                ar.serialize_span(span, length, Kind::Opaque)
            }
        }
    }
}
