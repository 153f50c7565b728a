//! Values as text, and what texts need to know of the package around them.

use super::field_names::named_fields;
use super::localized_form;
use super::sample::KnownProperty;
use super::value::Value;
use super::{
    Declared, Delegate, Elements, FieldPath, Naming, Property, PropertyKind, PropertyList, Type,
};
use crate::archive::hex;
use crate::error::Result;
use crate::primitive::{Name, PackageIndex, SoftObjectPath, ansi_text};
use crate::property::Mappings;
use crate::property::members::fields_text;
use crate::property::path::part_text;
use crate::property::text::{quote, word};
use crate::property::time_form::TimeForm;

/// Names, objects and declarations of the package around a value.
#[doc(hidden)]
pub trait Surroundings: Naming {
    /// The bytes that spans are ranges of.
    fn source(&self) -> &[u8];
    /// The text of a name.
    fn name_text(&self, name: Name) -> String;
    /// The text of an object.
    fn object_text(&self, index: PackageIndex) -> String;
    /// The text of a soft path in full.
    fn path_text(&self, path: &SoftObjectPath) -> String;
    /// The path in a row of the list.
    fn soft_path_at(&self, row: i32) -> Option<&SoftObjectPath>;
    /// The object of this text; imports that name their class are added.
    fn object(&mut self, text: &str) -> Result<PackageIndex>;
    /// The declaration of a property: of the object, or of the struct of this name.
    fn declared(&self, structure: Option<&str>, name: &str) -> Result<Declared>;
    /// The same for a property that is added: where no declaration is known, others of its kind may show it.
    /// `given` is the type that the caller states.
    fn declaration(
        &self,
        structure: Option<&str>,
        name: &str,
        given: Option<&Type>,
    ) -> Result<KnownProperty>;
    /// Enters the property of this name for the values that follow, or, without one, leaves it.
    fn within(&mut self, name: Option<&str>);
    /// The type of a property as its tag says it; `None` for one without a tag.
    fn type_of(&self, property: &Property) -> Option<Type>;
    /// The enum of a byte whose tag does not say it, of the object or of the struct of this name.
    fn enum_of(&self, structure: Option<&str>, name: &str) -> Option<String>;
    /// Whether values that look wrong are refused.
    fn is_checked(&self) -> bool;
    /// Checks whether a property may refer to these objects.
    fn check_objects(&self, place: ObjectPlace<'_>, objects: &[PackageIndex]) -> Result<()>;
    /// The values of an enum, by name, with their numbers.
    fn enum_values(&self, name: &str) -> Option<Vec<(String, u64)>>;
    /// Names and types of unversioned lists.
    fn mappings(&self) -> Option<&Mappings>;
}

/// The part of a property that refers to objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum ObjectPart {
    /// The value or its elements.
    Whole,
    /// The keys of a map.
    Key,
    /// The values of a map.
    Value,
    /// The same as the whole, of a field of a struct without tags.
    Field,
}

/// A property that refers to objects.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub struct ObjectPlace<'a> {
    /// The struct that it is a field of; `None` for a property of the object itself.
    pub structure: Option<&'a str>,
    /// Its name.
    pub name: &'a str,
    /// Which part of it refers to them.
    pub part: ObjectPart,
    /// Its type, or that of its keys or values.
    pub known: &'a Type,
    /// The objects that it has referred to so far.
    pub old: &'a [PackageIndex],
}

/// A group in parentheses.
pub(super) fn group(texts: impl IntoIterator<Item = String>) -> String {
    format!("({})", texts.into_iter().collect::<Vec<_>>().join(","))
}

/// The value as text; `known` is its type where that is known.
#[doc(hidden)]
pub fn display(value: &Value, known: Option<&Type>, around: &dyn Surroundings) -> String {
    let inner = |at: usize| known.and_then(|known| known.inner().get(at));
    let digits = |span: &crate::Span| hex(span.bytes(around.source()).unwrap_or_default());
    let boolean = |value: u32| match value {
        0 => "False".to_owned(),
        1 => "True".to_owned(),
        other => other.to_string(),
    };
    match value {
        Value::Bool(value) => boolean((*value).into()),
        Value::BoolByte(value) => boolean((*value).into()),
        Value::BoolWord(value) => boolean(*value),
        Value::Byte(number) => enum_name((*number).into(), *number, known, around),
        Value::Int8(number) => enum_name(*number as u64, *number, known, around),
        Value::Int16(number) => enum_name(*number as u64, *number, known, around),
        Value::Int(number) => enum_name(*number as u64, *number, known, around),
        Value::Int64(number) => time_text(*number, known)
            .unwrap_or_else(|| enum_name(*number as u64, *number, known, around)),
        Value::UInt16(number) => enum_name((*number).into(), *number, known, around),
        Value::UInt32(number) => enum_name((*number).into(), *number, known, around),
        Value::UInt64(number) => enum_name(*number, *number, known, around),
        Value::Float(number) => format!("{number:?}"),
        Value::Double(number) => format!("{number:?}"),
        Value::Name(name) => word(around.name_text(*name)),
        Value::Str(string) => {
            string.text(around.source()).map_or_else(|_| "opaque".to_owned(), |text| quote(&text))
        }
        Value::FixedStr(span) => {
            let bytes = span.bytes(around.source()).unwrap_or_default();
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            quote(&ansi_text(&bytes[..end]))
        }
        Value::Utf8Str(string) => {
            string.text(around.source()).map_or_else(|_| "opaque".to_owned(), |text| quote(&text))
        }
        Value::Text(text) => localized_form::display(text, around),
        Value::Object(index) => around.object_text(*index),
        Value::Guid(guid) => guid.to_string(),
        Value::SoftObject(path) => soft_text(around.path_text(path)),
        Value::SoftObjectIndex(row) => match around.soft_path_at(*row) {
            Some(path) => soft_text(around.path_text(path)),
            None => format!("#{row}"),
        },
        Value::Delegate(delegate) => delegate_text(*delegate, around),
        Value::MulticastDelegate(delegates) => {
            group(delegates.iter().map(|delegate| delegate_text(*delegate, around)))
        }
        Value::FieldPath(path) => field_path_text(path, around),
        Value::Optional(value) => group(value.iter().map(|value| display(value, inner(0), around))),
        Value::List(list) => display_list(list, known.map(Type::type_name), around),
        Value::Zero => match known.map(Type::kind) {
            Some(PropertyKind::Byte | PropertyKind::Enum) => enum_name(0, 0, known, around),
            _ => zero_text(known),
        },
        Value::Instanced(instanced) => {
            let known = struct_of(instanced.structure, around);
            let structure = around.object_text(instanced.structure);
            let value = display(&instanced.value, Some(&known), around);
            format!("(Struct={structure},Value={value})")
        }
        Value::Keys(span) => format!("opaque:{}", digits(span)),
        Value::Opaque(opaque) => format!("opaque:{}", digits(&opaque.span)),
        Value::Array(elements) => display_elements(elements, inner(0), around),
        Value::StructArray(structs) => display_elements(&structs.elements, inner(0), around),
        Value::Set(set) => display_elements(&set.elements, inner(0), around),
        Value::Map(map) => group(map.pairs.iter().map(|(key, value)| {
            let key = display(key, inner(0), around);
            format!("({key},{})", display(value, inner(1), around))
        })),
        fields => match fields_of(fields) {
            Some(fields) => display_fields(&fields, known, around),
            None => String::new(),
        },
    }
}

/// A number by the name that the enum gives it, where the enum is known.
fn enum_name(
    bits: u64,
    number: impl ToString,
    known: Option<&Type>,
    around: &dyn Surroundings,
) -> String {
    enum_of_number(bits, known, around).unwrap_or_else(|| number.to_string())
}

/// The name that an enum gives a number; `None` where the type is no enum, or none that is known.
pub(super) fn enum_of_number(
    bits: u64,
    known: Option<&Type>,
    around: &dyn Surroundings,
) -> Option<String> {
    let named =
        known.filter(|known| matches!(known.kind(), PropertyKind::Enum | PropertyKind::Byte));
    let name = named.map(Type::type_name).filter(|name| !name.is_empty());
    let values = name.and_then(|name| around.enum_values(name));
    let found = values.iter().flatten().find(|(_, value)| *value == bits);
    found.map(|(name, _)| name.clone())
}

fn soft_text(text: String) -> String {
    if text.is_empty() { "None".to_owned() } else { text }
}

fn delegate_text(delegate: Delegate, around: &dyn Surroundings) -> String {
    let function = around.name_text(delegate.function);
    match delegate.object.is_null() {
        true => function,
        false => format!("{}.{function}", around.object_text(delegate.object)),
    }
}

/// The owner, then the names from the outermost on.
fn field_path_text(path: &FieldPath, around: &dyn Surroundings) -> String {
    let names: Vec<_> = path.path.iter().rev().map(|name| around.name_text(*name)).collect();
    let names = if names.is_empty() { "None".to_owned() } else { names.join(".") };
    match path.owner.is_null() {
        true => names,
        false => format!("{}:{names}", around.object_text(path.owner)),
    }
}

/// The fields of a struct that is stored without tags.
#[doc(hidden)]
pub fn fields_of(value: &Value) -> Option<Vec<Value>> {
    let floats = |numbers: &[f32]| numbers.iter().copied().map(Value::Float).collect();
    let doubles = |numbers: &[f64]| numbers.iter().copied().map(Value::Double).collect();
    let ints = |numbers: &[i32]| numbers.iter().copied().map(Value::Int).collect();
    Some(match value {
        Value::Float2(numbers) => floats(numbers),
        Value::Float3(numbers) => floats(numbers),
        Value::Float4(numbers) => floats(numbers),
        Value::Double2(numbers) => doubles(numbers),
        Value::Double3(numbers) => doubles(numbers),
        Value::Double4(numbers) => doubles(&**numbers),
        Value::Int2(numbers) => ints(numbers),
        Value::Int3(numbers) => ints(numbers),
        Value::Color(bytes) => bytes.iter().copied().map(Value::Byte).collect(),
        Value::Fields(fields) => fields.clone(),
        _ => return None,
    })
}

/// The struct with these fields, in the form that it has.
#[doc(hidden)]
pub fn with_fields(value: &mut Value, fields: Vec<Value>) {
    fn put<T: Copy>(to: &mut [T], fields: &[Value], get: impl Fn(&Value) -> Option<T>) {
        for (to, field) in to.iter_mut().zip(fields) {
            *to = get(field).unwrap_or(*to);
        }
    }
    let float = |field: &Value| match field {
        Value::Float(number) => Some(*number),
        _ => None,
    };
    let double = |field: &Value| match field {
        Value::Double(number) => Some(*number),
        _ => None,
    };
    let int = |field: &Value| match field {
        Value::Int(number) => Some(*number),
        _ => None,
    };
    match value {
        Value::Float2(numbers) => put(numbers, &fields, float),
        Value::Float3(numbers) => put(numbers, &fields, float),
        Value::Float4(numbers) => put(numbers, &fields, float),
        Value::Double2(numbers) => put(numbers, &fields, double),
        Value::Double3(numbers) => put(numbers, &fields, double),
        Value::Double4(numbers) => put(&mut **numbers, &fields, double),
        Value::Int2(numbers) => put(numbers, &fields, int),
        Value::Int3(numbers) => put(numbers, &fields, int),
        Value::Color(bytes) => put(bytes, &fields, |field| match field {
            Value::Byte(byte) => Some(*byte),
            _ => None,
        }),
        other => *other = Value::Fields(fields),
    }
}

fn display_fields(fields: &[Value], known: Option<&Type>, around: &dyn Surroundings) -> String {
    let named = named_fields(fields, known, around);
    let texts = fields.iter().zip(&named).map(|(value, (name, known))| {
        let name: &str = name;
        (name, display(value, Some(known), around))
    });
    fields_text(texts)
}

fn display_elements(
    elements: &Elements,
    known: Option<&Type>,
    around: &dyn Surroundings,
) -> String {
    let values = elements.to_values(around.source()).unwrap_or_default();
    group(values.iter().map(|value| display(value, known, around)))
}

/// A point in time or a span of time as text.
fn time_text(ticks: i64, known: Option<&Type>) -> Option<String> {
    TimeForm::of(known?.type_name())?.display(ticks)
}

/// The struct that an object stands for.
pub(super) fn struct_of(index: PackageIndex, around: &dyn Surroundings) -> Type {
    let text = around.object_text(index);
    let path = text.split('\'').nth(1).unwrap_or_default();
    Type::structure(path.rsplit(['.', ':']).next().unwrap_or_default())
}

/// A name with the element of a static array, as paths have it.
pub(super) fn indexed(name: &str, index: u32) -> String {
    let name = part_text(name);
    match index {
        0 => name.into_owned(),
        index => format!("{name}[{index}]"),
    }
}

/// The path of one of a list's properties, its type, and its text.
#[doc(hidden)]
pub fn described(
    list: &PropertyList,
    structure: Option<&str>,
    property: &Property,
    around: &dyn Surroundings,
) -> (String, Type, String) {
    let known = list.type_of(property, around);
    let name = property.name_text(|name| around.name_text(name));
    let shown = fuller(known.clone(), structure, &name, around);
    let text = display(property.value(), Some(&shown), around);
    (indexed(&name, property.array_index() as u32), known, text)
}

/// A type with what its tag leaves out. The tag is the truth; the declaration may know the structs and enums that
/// it does not say.
pub(super) fn fuller(
    known: Type,
    structure: Option<&str>,
    name: &str,
    around: &dyn Surroundings,
) -> Type {
    let vague = |known: &Type| {
        matches!(known.kind(), PropertyKind::Struct | PropertyKind::Enum)
            && known.type_name().is_empty()
    };
    if let Some(known) = with_enum(&known, structure, name, around) {
        return known;
    }
    let is_vague = known.kind().is_container()
        && (known.inner().is_empty() || known.inner().iter().any(vague));
    if !is_vague {
        return known;
    }
    match around.declared(structure, name) {
        Ok(declared) if declared.property.agrees_with(&known) => declared.property,
        _ => known,
    }
}

/// A byte with the enum that its tag leaves out.
fn with_enum(
    known: &Type,
    structure: Option<&str>,
    name: &str,
    around: &dyn Surroundings,
) -> Option<Type> {
    let is_bare = known.kind() == PropertyKind::Byte && known.type_name().is_empty();
    let enumeration = is_bare.then(|| around.enum_of(structure, name)).flatten()?;
    Some(known.clone().of_name(&enumeration))
}

fn display_list(list: &PropertyList, structure: Option<&str>, around: &dyn Surroundings) -> String {
    let structure = structure.or(Some(""));
    group(list.properties.iter().map(|property| {
        let (name, _, text) = described(list, structure, property, around);
        format!("{name}={text}")
    }))
}

/// The text of a value that is zero and not stored.
fn zero_text(known: Option<&Type>) -> String {
    match known.map(Type::kind) {
        Some(PropertyKind::Bool) => "False",
        Some(PropertyKind::Float | PropertyKind::Double) => "0.0",
        Some(
            PropertyKind::Str | PropertyKind::Utf8Str | PropertyKind::AnsiStr | PropertyKind::Text,
        ) => "\"\"",
        Some(
            PropertyKind::Name
            | PropertyKind::Object
            | PropertyKind::SoftObject
            | PropertyKind::Delegate,
        ) => "None",
        Some(
            PropertyKind::Array
            | PropertyKind::Set
            | PropertyKind::Map
            | PropertyKind::Struct
            | PropertyKind::Optional,
        ) => "()",
        _ => "0",
    }
    .to_owned()
}
