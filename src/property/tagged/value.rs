//! The values of properties.

use std::sync::Arc;

use super::elements::Elements;
use super::kind::Kind;
use super::list::{Property, is_struct};
use super::structure::{Layout, Structure};
use super::tag::Tag;
use super::text::Text;
use super::type_of::TypeOf;
use super::{Delegate, FieldPath, PropertyList};
use crate::archive::{Kind as SpanKind, Span, Step, in_field};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{FString, Guid, Name, PackageIndex, SoftObjectPath, Utf8String, array};
use crate::property::unversioned::UnversionedList;
use crate::{Archive, Archived};

/// UE4 versions whose arrays of structs have a tag for their elements (spec: ue4-5/04 §5).
pub(super) const INNER_TAG_ADDED: u32 = 500;
/// First UE5 version without it.
pub(super) const INNER_TAG_REMOVED: u32 = 1012;
/// First UE5 version whose soft paths are rows of a table.
pub(super) const SOFT_PATH_TABLE: u32 = 1008;

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
    /// A string, also of 8-bit characters or as the path of an asset.
    Str(Box<FString>),
    /// A string in UTF-8.
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
    /// The way to a property.
    FieldPath(Box<FieldPath>),
    /// A value or none.
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
    /// A struct that is stored as a tagged list.
    Tagged(PropertyList),
    /// A struct in an unversioned list.
    Unversioned(Box<UnversionedList>),
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
    Map(Box<Map>),
}

impl Default for Value {
    fn default() -> Self {
        Self::Fields(Vec::new())
    }
}

/// Bytes of a value that could not be decoded.
#[derive(Debug, Clone, Default)]
pub struct Opaque {
    /// The bytes.
    pub span: Span,
    /// Why they could not be decoded.
    pub error: Option<Arc<Error>>,
}

/// The reason is no part of the value.
impl PartialEq for Opaque {
    fn eq(&self, other: &Self) -> bool {
        self.span == other.span
    }
}

/// Structs behind a tag that names their type.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StructArray {
    /// The name of the array once more.
    pub(super) name: Name,
    pub(super) tag: Tag,
    /// The structs.
    pub elements: Elements,
}

impl StructArray {
    /// The name of the struct.
    pub fn struct_name(&self) -> Option<Name> {
        match &self.tag.detail {
            super::tag::Detail::Struct(name, _) => Some(*name),
            _ => None,
        }
    }
}

/// A set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Set {
    /// Elements that are taken from the inherited ones.
    pub removed: Elements,
    /// The elements.
    pub elements: Elements,
}

/// A map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Map {
    /// Keys that are taken from the inherited ones.
    pub removed: Elements,
    /// Keys and values, in stored order.
    pub pairs: Vec<(Value, Value)>,
}

/// A struct with its type.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | u32, u8 | mark and version, in early versions |
/// | 2 | object | struct |
/// | 3 | i32 | size of the value |
/// | 4 | | value |
///
/// Spec: ue4-5/04 §6. C++: `FInstancedStruct`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InstancedStruct {
    /// The version that early forms store.
    pub early_version: Option<u8>,
    /// The struct.
    pub structure: PackageIndex,
    /// The value.
    pub value: Value,
}

/// How elements are to be read of which nothing says how they are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// As the type says, or as most do.
    Told,
    /// Structs as lists of tags.
    Tagged,
    /// Structs as this one.
    As(Structure),
    /// Bytes as names.
    Names,
    /// Values of this class, where the tag tells none.
    Class(Kind),
}

/// The forms of elements or keys, and of values.
pub(super) type Forms = (Form, Form);

impl Value {
    /// The first value of the property `name`, where this is a struct of tags.
    pub fn as_list(&self) -> Option<&PropertyList> {
        match self {
            Self::Tagged(list) => Some(list),
            _ => None,
        }
    }

    /// Loads the value of a property, whose tag says its size. Bytes that do not fit are kept as they
    /// are, with the error.
    pub(super) fn load_sized<A: Archive + ?Sized>(
        told: TypeOf<'_>,
        name: &Name,
        size: u64,
        ar: &mut A,
    ) -> Result<Self> {
        let kind = told.kind(ar.context());
        if kind.width() == Some(size) {
            return Self::load_plain(kind, ar);
        }
        if kind == Kind::Byte && size == 8 {
            return Self::load_plain(Kind::Name, ar);
        }
        let first =
            Self::within(size, ar, |ar| Self::load(told, Some(size), (Form::Told, Form::Told), ar));
        let error = match first {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        for forms in super::guess::forms(told, kind, name, ar.context()) {
            if let Ok(value) = Self::within(size, ar, |ar| Self::load(told, Some(size), forms, ar))
            {
                return Ok(value);
            }
        }
        let mut span = Span::default();
        ar.serialize_span(&mut span, size, SpanKind::Opaque)?;
        Ok(Self::Opaque(Box::new(Opaque { span, error: Some(Arc::new(error)) })))
    }

    /// A value that must use up `size` bytes.
    fn within<A: Archive + ?Sized>(
        size: u64,
        ar: &mut A,
        inner: impl FnOnce(&mut A) -> Result<Self>,
    ) -> Result<Self> {
        let window = ar.open(size)?;
        let mut value = Self::default();
        let result = inner(ar).map(|loaded| value = loaded);
        ar.close(window, result)?;
        Ok(value)
    }

    /// Loads a value of a kind that always takes the same number of bytes.
    #[inline]
    fn load_plain<A: Archive + ?Sized>(kind: Kind, ar: &mut A) -> Result<Self> {
        let mut value = match kind {
            Kind::Byte => Self::Byte(0),
            Kind::Int8 => Self::Int8(0),
            Kind::Int16 => Self::Int16(0),
            Kind::Int => Self::Int(0),
            Kind::Int64 => Self::Int64(0),
            Kind::UInt16 => Self::UInt16(0),
            Kind::UInt32 => Self::UInt32(0),
            Kind::UInt64 => Self::UInt64(0),
            Kind::Float => Self::Float(0.0),
            Kind::Double => Self::Double(0.0),
            Kind::Bool => Self::BoolByte(0),
            Kind::Name | Kind::Enum => Self::Name(Name::default()),
            Kind::Object => Self::Object(PackageIndex::NULL),
            Kind::LazyObject => Self::Guid(Guid::default()),
            Kind::Delegate => Self::Delegate(Delegate::default()),
            _ => return Err(ar.error(ErrorKind::NonCanonical { form: "a value of unknown type" })),
        };
        value.serialize(ar)?;
        Ok(value)
    }

    /// Loads a value of this type; `size` is what its tag says, if it has one.
    pub(super) fn load<A: Archive + ?Sized>(
        told: TypeOf<'_>,
        size: Option<u64>,
        forms: Forms,
        ar: &mut A,
    ) -> Result<Self> {
        let kind = told.kind(ar.context());
        let mut value = match kind {
            Kind::Byte if forms.0 == Form::Names || told.is_enum() == Some(true) => {
                Self::Name(Name::default())
            }
            Kind::Enum if let Some(number) = told.number() => return Self::load_plain(number, ar),
            Kind::Str | Kind::AnsiStr | Kind::AssetObject => Self::Str(Box::default()),
            Kind::Utf8Str => Self::Utf8Str(Box::default()),
            Kind::Text => Self::Text(Box::default()),
            Kind::SoftObject => soft_path(ar),
            Kind::MulticastDelegate => Self::MulticastDelegate(Vec::new()),
            Kind::FieldPath => Self::FieldPath(Box::default()),
            Kind::Optional | Kind::Struct | Kind::Array | Kind::Set | Kind::Map => {
                ar.descend()?;
                let loaded = match kind {
                    Kind::Optional => Self::load_optional(told, ar),
                    Kind::Struct => Self::load_struct(told, forms.0, size, ar),
                    Kind::Array => Self::load_array(told, size, forms, ar),
                    Kind::Set => Self::load_set(told, forms, ar),
                    _ => Self::load_map(told, forms, ar),
                };
                ar.ascend();
                return loaded;
            }
            plain => return Self::load_plain(plain, ar),
        };
        value.serialize(ar)?;
        Ok(value)
    }

    /// Loads a value whose type says all.
    pub(in crate::property) fn load_told<A: Archive + ?Sized>(
        told: TypeOf<'_>,
        ar: &mut A,
    ) -> Result<Self> {
        Self::load(told, None, (Form::Told, Form::Told), ar)
    }

    #[inline(never)]
    fn load_optional<A: Archive + ?Sized>(told: TypeOf<'_>, ar: &mut A) -> Result<Self> {
        let mut present = false;
        in_field("present", ar, |ar| present.serialize(ar))?;
        if !present {
            return Ok(Self::Optional(Box::new(None)));
        }
        let inner = told.inner(0, ar.context()).ok_or_else(|| unknown(ar))?;
        let value = Self::load(inner, None, (Form::Told, Form::Told), ar)?;
        Ok(Self::Optional(Box::new(Some(value))))
    }

    #[inline(never)]
    fn load_struct<A: Archive + ?Sized>(
        told: TypeOf<'_>,
        form: Form,
        size: Option<u64>,
        ar: &mut A,
    ) -> Result<Self> {
        match struct_layout(told, form, ar) {
            Layout::Tagged => match told.schema() {
                Some((schema, mappings)) => {
                    let list = UnversionedList::load_struct(schema, mappings, ar)?;
                    Ok(Self::Unversioned(Box::new(list)))
                }
                None if told.native() == Some(true) && form == Form::Told => {
                    let form = "a struct that is stored in a way of its own";
                    Err(ar.error(ErrorKind::NonCanonical { form }))
                }
                None => {
                    let mut list = PropertyList::default();
                    list.serialize(ar)?;
                    Ok(Self::Tagged(list))
                }
            },
            layout => super::native::load(layout, size, ar),
        }
    }

    #[inline(never)]
    fn load_array<A: Archive + ?Sized>(
        told: TypeOf<'_>,
        size: Option<u64>,
        forms: Forms,
        ar: &mut A,
    ) -> Result<Self> {
        let count = load_count(ar)?;
        if count == 0 && told.inner(0, ar.context()).is_none() {
            return Ok(Self::Array(Elements::default()));
        }
        let inner = inner_type(told, 0, forms.0, ar)?;
        let (ue4, ue5) = (ar.versions().ue4, ar.versions().ue5);
        let has_inner_tag = matches!(told, TypeOf::Tag { .. })
            && ue4 >= INNER_TAG_ADDED
            && ue5 < INNER_TAG_REMOVED
            && inner.kind(ar.context()) == Kind::Struct;
        if has_inner_tag {
            let mut structs = StructArray::default();
            structs.around(ar, |ar, tag, elements, size| {
                if !is_struct(tag, ar) {
                    return Err(unknown(ar));
                }
                let detail = &tag.detail;
                let element = TypeOf::Tag { kind: Kind::Struct, detail, native: None };
                let each = size / (count as u64).max(1);
                *elements = load_elements(element, count, Some(each), forms.0, ar)?;
                Ok(())
            })?;
            return Ok(Self::StructArray(Box::new(structs)));
        }
        let each = size.map(|size| size.saturating_sub(4) / (count as u64).max(1));
        let elements = load_elements(inner, count, each, forms.0, ar)?;
        let empty =
            |value: &Self| matches!(value, Self::Tagged(list) if list.properties.is_empty());
        match &elements {
            // References could look like this, too.
            Elements::Values(values)
                if told.inner(0, ar.context()).is_none() && values.iter().all(empty) =>
            {
                Err(unknown(ar))
            }
            _ => Ok(Self::Array(elements)),
        }
    }

    #[inline(never)]
    fn load_set<A: Archive + ?Sized>(told: TypeOf<'_>, forms: Forms, ar: &mut A) -> Result<Self> {
        let inner = inner_type(told, 0, forms.0, ar)?;
        let mut set = Set::default();
        let count = in_field_count("removed_count", ar)?;
        set.removed = load_elements(inner, count, None, forms.0, ar)?;
        let count = in_field_count("count", ar)?;
        set.elements = load_elements(inner, count, None, forms.0, ar)?;
        Ok(Self::Set(Box::new(set)))
    }

    #[inline(never)]
    fn load_map<A: Archive + ?Sized>(told: TypeOf<'_>, forms: Forms, ar: &mut A) -> Result<Self> {
        let key = inner_type(told, 0, forms.0, ar)?;
        let value = inner_type(told, 1, forms.1, ar)?;
        let mut map = Map::default();
        let count = in_field_count("removed_count", ar)?;
        map.removed = load_elements(key, count, None, forms.0, ar)?;
        let count = in_field_count("count", ar)?;
        ar.claim(count as u64, size_of::<(Self, Self)>())?;
        map.pairs.reserve_exact(count);
        for index in 0..count {
            ar.enter(Step::Index(index));
            let pair = Self::load_pair((key, value), forms, ar);
            ar.leave();
            map.pairs.push(pair.map_err(|error| error.at_index(index))?);
        }
        Ok(Self::Map(Box::new(map)))
    }

    fn load_pair<A: Archive + ?Sized>(
        (key, value): (TypeOf<'_>, TypeOf<'_>),
        forms: Forms,
        ar: &mut A,
    ) -> Result<(Self, Self)> {
        let inner = |form| (form, Form::Told);
        let mut pair = (Self::default(), Self::default());
        in_field("0", ar, |ar| {
            pair.0 = Self::load(key, None, inner(forms.0), ar)?;
            Ok(())
        })?;
        in_field("1", ar, |ar| {
            pair.1 = Self::load(value, None, inner(forms.1), ar)?;
            Ok(())
        })?;
        Ok(pair)
    }
}

/// The type of elements or keys (0) or of values (1): told, or guessed where tags do not tell it.
fn inner_type<'a, A: Archive + ?Sized>(
    told: TypeOf<'a>,
    wanted: usize,
    form: Form,
    ar: &A,
) -> Result<TypeOf<'a>> {
    if let Some(inner) = told.inner(wanted, ar.context()) {
        return Ok(inner);
    }
    let kind = match form {
        Form::Class(kind) => kind,
        // Only structs describe themselves.
        Form::Tagged | Form::As(_) => Kind::Struct,
        Form::Told | Form::Names => return Err(unknown(ar)),
    };
    Ok(TypeOf::Class { kind, structure: None })
}

/// How structs of this type are stored.
fn struct_layout<A: Archive + ?Sized>(told: TypeOf<'_>, form: Form, ar: &A) -> Layout {
    let structure = match form {
        Form::Tagged => Structure::OTHER,
        Form::As(structure) => structure,
        // The tag says that there is a list.
        _ if told.native() == Some(false) => Structure::OTHER,
        _ => told.structure(ar.context()).unwrap_or_default(),
    };
    structure.layout(ar.versions())
}

/// Loads `count` elements; `each` is the size of one, where they all have the same.
fn load_elements<A: Archive + ?Sized>(
    told: TypeOf<'_>,
    count: usize,
    each: Option<u64>,
    form: Form,
    ar: &mut A,
) -> Result<Elements> {
    if count == 0 {
        return Ok(Elements::default());
    }
    let kind = told.kind(ar.context());
    let plain = match kind {
        Kind::Byte => {
            let named = told.is_enum().unwrap_or(form == Form::Names || each == Some(8));
            Elements::of_kind(if named { Kind::Name } else { Kind::Byte })
        }
        Kind::Struct => super::native::elements(struct_layout(told, form, ar)),
        kind => Elements::of_kind(kind),
    };
    if let Some(plain) = plain {
        return plain.load_plain(count, ar);
    }
    ar.claim(count as u64, size_of::<Value>())?;
    let mut values = Vec::with_capacity(count);
    for index in 0..count {
        ar.enter(Step::Index(index));
        let value = Value::load(told, each, (form, Form::Told), ar);
        ar.leave();
        values.push(value.map_err(|error| error.at_index(index))?);
    }
    Ok(Elements::Values(values))
}

pub(super) fn soft_path<A: Archive + ?Sized>(ar: &A) -> Value {
    if ar.versions().ue5 >= SOFT_PATH_TABLE && !ar.context().soft_object_paths().is_empty() {
        Value::SoftObjectIndex(0)
    } else {
        Value::SoftObject(Box::default())
    }
}

pub(super) fn load_count<A: Archive + ?Sized>(ar: &mut A) -> Result<usize> {
    in_field_count("count", ar)
}

fn in_field_count<A: Archive + ?Sized>(field: &'static str, ar: &mut A) -> Result<usize> {
    serialize_count(0, field, ar)
}

fn serialize_count<A: Archive + ?Sized>(
    count: usize,
    field: &'static str,
    ar: &mut A,
) -> Result<usize> {
    let mut result = 0;
    in_field(field, ar, |ar| {
        result = array::serialize_count(count, ar)?;
        Ok(())
    })?;
    Ok(result)
}

#[cold]
fn unknown<A: Archive + ?Sized>(ar: &A) -> Error {
    ar.error(ErrorKind::NonCanonical { form: "elements of unknown type" })
}

impl StructArray {
    /// The inner tag, then the elements.
    fn around<A: Archive + ?Sized>(
        &mut self,
        ar: &mut A,
        inner: impl FnOnce(&mut A, &Tag, &mut Elements, u64) -> Result<()>,
    ) -> Result<()> {
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        let elements = &mut self.elements;
        Property::around(&mut self.tag, &mut None, ar, |ar, tag, _, size| {
            let start = ar.position();
            inner(ar, tag, elements, size)?;
            let taken = ar.position() - start;
            if ar.is_loading() && taken != size {
                return Err(ar.error(ErrorKind::LeftOver { left: size.abs_diff(taken), size }));
            }
            Ok(())
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
            Self::Int(value) | Self::SoftObjectIndex(value) => ar.serialize_i32(value),
            Self::Int64(value) => ar.serialize_i64(value),
            Self::UInt16(value) => ar.serialize_u16(value),
            Self::UInt32(value) => ar.serialize_u32(value),
            Self::UInt64(value) => ar.serialize_u64(value),
            Self::Float(value) => ar.serialize_f32(value),
            Self::Double(value) => ar.serialize_f64(value),
            Self::Name(name) => name.serialize(ar),
            Self::Str(string) => string.serialize(ar),
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
                    Some(value) => value.serialize(ar),
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
            Self::Tagged(list) => list.serialize(ar),
            Self::Unversioned(list) => list.serialize(ar),
            Self::Instanced(instanced) => super::native::serialize_instanced(instanced, ar),
            Self::Keys(span) => {
                let length = span.len();
                ar.serialize_span(span, length, SpanKind::Payload)
            }
            Self::Array(elements) => {
                serialize_count(elements.len(), "count", ar)?;
                elements.serialize(ar)
            }
            Self::StructArray(structs) => {
                serialize_count(structs.elements.len(), "count", ar)?;
                structs.around(ar, |ar, _, elements, _| elements.serialize(ar))
            }
            Self::Set(set) => {
                serialize_count(set.removed.len(), "removed_count", ar)?;
                set.removed.serialize(ar)?;
                serialize_count(set.elements.len(), "count", ar)?;
                set.elements.serialize(ar)
            }
            Self::Map(map) => {
                serialize_count(map.removed.len(), "removed_count", ar)?;
                map.removed.serialize(ar)?;
                serialize_count(map.pairs.len(), "count", ar)?;
                <(Self, Self)>::serialize_slice(&mut map.pairs, ar)
            }
            Self::Opaque(opaque) => {
                let length = opaque.span.len();
                ar.serialize_span(&mut opaque.span, length, SpanKind::Opaque)
            }
        }
    }
}
