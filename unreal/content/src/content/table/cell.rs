//! Values of properties as JSON and as text.

use std::borrow::Cow;

use serde_json::{Map as Object, Number, Value as Json};

use crate::archive::hex;
use crate::inspect::PackageValues;
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{
    Elements, Property, PropertyKind, PropertyList, Value, ValueText, class_and_path, part_text,
    quote,
};

/// Questions of a table's cells to the package.
pub(in crate::content) struct Cells<'a> {
    package: &'a Package,
    context: std::sync::Arc<crate::archive::Context>,
}

impl<'a> Cells<'a> {
    pub fn of(package: &'a Package) -> Self {
        Self { package, context: package.context() }
    }

    /// Names and values, in stored order. Elements of static arrays have their number in the name.
    pub fn properties(&self, list: &PropertyList) -> Vec<(String, Json)> {
        let one = |property: &Property| {
            let name = property.name_text(|name| self.package.name_text(name));
            let structure = property.struct_name().map(|name| self.package.name_text(name));
            let value = match property.value() {
                Value::Zero => list
                    .schema_type(property, self.package.mappings().map(AsRef::as_ref))
                    .map_or(Json::Null, |known| zero(known.kind())),
                value => self.json(value, structure.as_deref()),
            };
            (numbered(&name, property.array_index()), value)
        };
        list.properties.iter().map(one).collect()
    }

    fn name(&self, name: crate::Name) -> Json {
        self.package.name_text(name).to_string().into()
    }

    /// An object as the editor exports it. Those of other packages have their class before them, without which a table
    /// that does not refer to one yet can't import it.
    fn reference(&self, index: PackageIndex) -> String {
        let path = self.package.path(index);
        match index.target() {
            ObjectRef::Import(row) => match self.package.imports().get(row) {
                Some(import) => format!("{}'{path}'", import.class()),
                None => path,
            },
            _ => path,
        }
    }

    /// A value; `structure` is the struct's name, where it is known.
    pub fn json(&self, value: &Value, structure: Option<&str>) -> Json {
        let source = self.package.source();
        let reals = |numbers: &[f64]| named_numbers(numbers.iter().map(|&n| real(n)), structure);
        let singles =
            |numbers: &[f32]| named_numbers(numbers.iter().map(|&n| single(n)), structure);
        match value {
            Value::Opaque(opaque) => {
                let bytes = opaque.span.bytes(source).unwrap_or_default();
                format!("opaque:{}", hex(bytes)).into()
            }
            Value::Bool(flag) => (*flag).into(),
            Value::BoolByte(byte) => (*byte != 0).into(),
            Value::BoolWord(word) => (*word != 0).into(),
            Value::Byte(number) => (*number).into(),
            Value::Int8(number) => (*number).into(),
            Value::Int16(number) => (*number).into(),
            Value::Int(number) => (*number).into(),
            Value::Int64(number) => (*number).into(),
            Value::UInt16(number) => (*number).into(),
            Value::UInt32(number) => (*number).into(),
            Value::UInt64(number) => (*number).into(),
            Value::Float(number) => single(*number),
            Value::Double(number) => real(*number),
            Value::Name(name) => self.name(*name),
            Value::Str(text) => text.text(source).unwrap_or_default().into(),
            Value::Utf8Str(text) => text.text(source).unwrap_or_default().into(),
            // As the engine exports it, and setting it takes it.
            Value::Text(_) | Value::FixedStr(_) => {
                self.package.values().shown(value, &self.context).into()
            }
            Value::Object(index) if index.is_null() => "None".into(),
            Value::Object(index) => self.reference(*index).into(),
            Value::Guid(guid) => guid.to_string().into(),
            Value::SoftObject(path) => path.text(&self.context).into(),
            Value::SoftObjectIndex(row) => {
                let path = usize::try_from(*row).ok();
                let path = path.and_then(|row| self.package.soft_object_paths().get(row));
                path.map_or_else(|| format!("#{row}"), |path| path.text(&self.context)).into()
            }
            Value::Delegate(delegate) => {
                let function = self.package.name_text(delegate.function);
                format!("{}.{function}", self.package.path(delegate.object)).into()
            }
            Value::MulticastDelegate(delegates) => {
                delegates.iter().map(|d| self.json(&Value::Delegate(*d), None)).collect()
            }
            Value::FieldPath(path) => {
                let names = path.path.iter().map(|name| self.package.name_text(*name).to_string());
                names.collect::<Vec<_>>().join(":").into()
            }
            Value::Optional(value) => match value.as_ref() {
                Some(value) => self.json(value, None),
                None => Json::Null,
            },
            Value::Float2(numbers) => singles(numbers),
            Value::Float3(numbers) => singles(numbers),
            Value::Float4(numbers) => singles(numbers),
            Value::Double2(numbers) => reals(numbers),
            Value::Double3(numbers) => reals(numbers),
            Value::Double4(numbers) => reals(&numbers[..]),
            Value::Int2(numbers) => named_numbers(numbers.iter().map(|&n| n.into()), structure),
            Value::Int3(numbers) => named_numbers(numbers.iter().map(|&n| n.into()), structure),
            Value::Color([b, g, r, a]) => {
                let pairs = [("B", b), ("G", g), ("R", r), ("A", a)];
                pairs.into_iter().map(|(name, &n)| (name.to_owned(), Json::from(n))).collect()
            }
            Value::Fields(fields) => fields.iter().map(|field| self.json(field, None)).collect(),
            Value::List(list) => self.properties(list).into_iter().collect::<Object<_, _>>().into(),
            Value::Zero => Json::Null,
            Value::Instanced(instanced) => {
                let structure = self.package.path(instanced.structure);
                let mut object = Object::new();
                object.insert("Struct".to_owned(), structure.into());
                object.insert("Value".to_owned(), self.json(&instanced.value, None));
                object.into()
            }
            Value::Keys(span) => {
                let bytes = span.bytes(source).unwrap_or_default();
                hex(bytes).into()
            }
            Value::Array(elements) => self.elements(elements, structure),
            Value::StructArray(structs) => {
                let name = structs.struct_name().map(|name| self.package.name_text(name));
                self.elements(&structs.elements, name.as_deref())
            }
            Value::Set(set) => self.elements(&set.elements, None),
            Value::Map(map) => {
                let pair = |(key, value): &(Value, Value)| {
                    (plain_text(&self.json(key, None)), self.json(value, None))
                };
                map.pairs.iter().map(pair).collect::<Object<_, _>>().into()
            }
            // A kind that came with a later model shows what it holds.
            other => format!("{other:?}").into(),
        }
    }

    fn elements(&self, elements: &Elements, structure: Option<&str>) -> Json {
        match elements {
            Elements::Values(values) => values.iter().map(|v| self.json(v, structure)).collect(),
            plain => {
                let values = plain.to_values(self.package.source()).unwrap_or_default();
                values.iter().map(|value| self.json(value, structure)).collect()
            }
        }
    }
}

pub(super) fn numbered(name: &str, index: i32) -> String {
    match index {
        0 => name.to_owned(),
        index => format!("{name}[{index}]"),
    }
}

/// Zero of a class of properties.
fn zero(kind: PropertyKind) -> Json {
    match kind {
        PropertyKind::Bool => false.into(),
        PropertyKind::Byte
        | PropertyKind::Int8
        | PropertyKind::Int16
        | PropertyKind::Int
        | PropertyKind::Int64 => 0.into(),
        PropertyKind::UInt16 | PropertyKind::UInt32 | PropertyKind::UInt64 | PropertyKind::Enum => {
            0.into()
        }
        PropertyKind::Float | PropertyKind::Double => Number::from_f64(0.0).into(),
        PropertyKind::Str | PropertyKind::AnsiStr | PropertyKind::Utf8Str | PropertyKind::Text => {
            "".into()
        }
        PropertyKind::Name | PropertyKind::Object => "None".into(),
        PropertyKind::SoftObject => "".into(),
        PropertyKind::Array | PropertyKind::Set => Json::Array(Vec::new()),
        PropertyKind::Map | PropertyKind::Struct => Object::new().into(),
        _ => Json::Null,
    }
}

fn real(number: f64) -> Json {
    // What JSON has no number for is a text.
    Number::from_f64(number).map_or_else(|| number.to_string().into(), Json::Number)
}

/// A single float in as few digits as tell it.
fn single(number: f32) -> Json {
    number.to_string().parse().map_or_else(|_| number.to_string().into(), real)
}

/// The fields of a struct of numbers; without its name only their order is known.
fn named_numbers(numbers: impl Iterator<Item = Json>, structure: Option<&str>) -> Json {
    let numbers: Vec<_> = numbers.collect();
    let names: &[&str] = match structure.unwrap_or_default() {
        "LinearColor" => &["R", "G", "B", "A"],
        "Rotator" | "Rotator3f" | "Rotator3d" => &["Pitch", "Yaw", "Roll"],
        "SimpleCurveKey" => &["Time", "Value"],
        name if ["Vector", "Quat", "Plane", "IntPoint", "IntVector"]
            .iter()
            .any(|head| name.starts_with(head)) =>
        {
            &["X", "Y", "Z", "W"]
        }
        _ => &[],
    };
    match names.len() >= numbers.len() {
        true => names.iter().map(ToString::to_string).zip(numbers).collect(),
        false => Json::Array(numbers),
    }
}

/// A value as the engine writes it into a cell: texts as they are, structs as `(X=1,Y=2)`.
pub(super) fn plain_text(json: &Json) -> String {
    match json {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        inner => nested_text(inner),
    }
}

/// The path of a reference that has its class before it: `/Script/Engine.Texture2D'/Game/T_Sun.T_Sun'`.
pub(super) fn without_class(reference: &str) -> Option<&str> {
    let (class, path) = class_and_path(reference);
    (class?.starts_with('/') && path.starts_with('/')).then_some(path)
}

fn nested_text(json: &Json) -> String {
    match json {
        // An optional value that is not set.
        Json::Null => "()".to_owned(),
        Json::Bool(flag) => if *flag { "True" } else { "False" }.to_owned(),
        Json::Number(number) => number.to_string(),
        Json::String(text) if is_word(text) => text.clone(),
        Json::String(text) => quote(text),
        Json::Array(values) => {
            let values: Vec<_> = values.iter().map(nested_text).collect();
            format!("({})", values.join(","))
        }
        Json::Object(pairs) => {
            let pair = |(name, value): (&String, &Json)| {
                format!("{}={}", key_text(name), nested_text(value))
            };
            let pairs: Vec<_> = pairs.iter().map(pair).collect();
            format!("({})", pairs.join(","))
        }
    }
}

/// A key as texts of values have it: in quotes where it could be read as something else. An element of a static
/// array has its number behind it.
fn key_text(name: &str) -> Cow<'_, str> {
    let element = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    match element.filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit())) {
        Some((name, number)) => Cow::Owned(format!("{}[{number}]", part_text(name))),
        None => part_text(name),
    }
}

/// The path of a column's value in its row.
pub(super) fn column_path(column: &str) -> String {
    key_text(column).into_owned()
}

/// Whether a text needs no quotes within others: names, numbers, references.
fn is_word(text: &str) -> bool {
    let plain = |char: char| char.is_ascii_alphanumeric() || "_-./:+".contains(char);
    // A string may begin as a call does and go on: `LOCTABLE(x),y`.
    let is_call = || {
        ["NSLOCTEXT(", "LOCTABLE(", "INVTEXT("].iter().any(|head| text.starts_with(head))
            && matches!(ValueText::parse(text), Ok(ValueText::Call(..)))
    };
    !text.is_empty() && (text.chars().all(plain) || is_call())
}
