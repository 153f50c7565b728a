//! What texts of values need to know of the package around them.

use super::sample::KnownProperty;
use super::value::Value;
use super::{Declared, Naming, Property, PropertyKind, Type};
use crate::error::Result;
use crate::primitive::{Name, PackageIndex, SoftObjectPath};
use crate::property::Mappings;
use crate::property::path::part_text;

/// Names, objects and declarations of the package around a value.
#[doc(hidden)]
pub trait Surroundings: Naming {
    /// The bytes that spans are ranges of.
    fn source(&self) -> &[u8];
    /// The text of a name.
    fn name_text(&self, name: Name) -> String;
    /// Whether a name has this text, case apart: rows of a table are asked one after the other.
    fn is_name(&self, name: Name, text: &str) -> bool;
    /// The first of the rows of the object's table, by their names, that has this text, case apart.
    fn row_called(&mut self, text: &str, rows: &dyn Fn(usize) -> Option<Name>) -> Option<usize> {
        (0..).map_while(rows).position(|name| self.is_name(name, text))
    }
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
    /// The name that an enum gives a number.
    fn enum_value(&self, name: &str, number: u64) -> Option<String> {
        let values = self.enum_values(name);
        values.into_iter().flatten().find(|(_, value)| *value == number).map(|(name, _)| name)
    }
    /// Names and types of unversioned lists.
    fn mappings(&self) -> Option<&Mappings>;
    /// How values are written.
    fn form(&self) -> ValueForm {
        ValueForm::Own
    }
}

/// How values are written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum ValueForm {
    /// As setting them reads them.
    Own,
    /// As the editors of UE3 to UE5 copy them: names in quotes, enums without their own name, texts with the words
    /// of theirs.
    Editor,
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

/// The name that an enum gives a number; `None` where the type is no enum, or none that is known.
pub(super) fn enum_of_number(
    bits: u64,
    known: Option<&Type>,
    around: &dyn Surroundings,
) -> Option<String> {
    let named =
        known.filter(|known| matches!(known.kind(), PropertyKind::Enum | PropertyKind::Byte));
    let name = named.map(Type::type_name).filter(|name| !name.is_empty());
    around.enum_value(name?, bits)
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
