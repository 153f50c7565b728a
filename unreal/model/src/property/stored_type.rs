//! The types of stored values: from tags, complete names and schemas.

use super::codec::{Detail, PropertyTag, type_name};
use super::{Elements, Named, Property, PropertyKind, Type, TypeNode, Value};
use crate::primitive::{Guid, Name};
use crate::property::mappings::{
    INTERFACE, MappingProperty, MappingStruct, Mappings, SchemaType, WEAK_OBJECT,
};

/// The text of a name.
pub(crate) type Texts<'a> = &'a dyn Fn(Name) -> String;

impl Property {
    /// The type as its tag says it; `text` gives the text of a name. Tags below UE5 1012 do not name the
    /// structs of sets and maps, nor the enums of elements.
    pub fn stored_type(&self, text: &dyn Fn(Name) -> String) -> Type {
        let Some(tag) = self.tag() else { return Type::unknown("unknown") };
        let known = tag.stored_type(text);
        match self.value() {
            Value::StructArray(structs) => known.of_inner(vec![structs.tag.stored_type(text)]),
            _ => known,
        }
    }
}

impl PropertyTag {
    fn stored_type(&self, text: Texts<'_>) -> Type {
        let of_class = |name: &Name| {
            let class = text(*name);
            Type::of_known_class(&class).unwrap_or_else(|| Type::unknown(&class))
        };
        let known = of_class(&self.type_name);
        let named =
            |name: &Name, guid: Guid| Named { name: text(*name), package: String::new(), guid };
        match &self.detail {
            Detail::None => known,
            Detail::Struct(name, guid) => {
                known.with_name(named(name, guid.as_deref().copied().unwrap_or_default()))
            }
            Detail::Enum(name) => match text(*name) {
                none if none.eq_ignore_ascii_case("None") => known,
                _ => known.with_name(named(name, Guid::default())),
            },
            Detail::Inner(inner) => {
                let inner = of_class(inner);
                known.of_inner(vec![inner])
            }
            Detail::Pair(key, value) => {
                let inner = vec![of_class(key), of_class(value)];
                known.of_inner(inner)
            }
            Detail::Tree(nodes) => of_tree(nodes, text, 0),
        }
    }
}

/// The class that tags name: that of the stored form, not of what may be referred to.
pub(super) fn tag_class(known: &Type) -> &str {
    match known.class() {
        "ClassProperty" | "ObjectPtrProperty" | "ClassPtrProperty" => "ObjectProperty",
        "SoftClassProperty" => "SoftObjectProperty",
        "AssetClassProperty" => "AssetObjectProperty",
        class => class,
    }
}

/// Types nest this deep.
const DEEPEST: usize = 16;

fn of_tree(nodes: &[TypeNode], text: Texts<'_>, depth: usize) -> Type {
    let class = nodes.first().map(|node| text(node.name)).unwrap_or_default();
    let known = Type::of_known_class(&class).unwrap_or_else(|| Type::unknown(&class));
    if depth > DEEPEST {
        return known;
    }
    let child = |at: usize| type_name::inner(nodes, at);
    let is_named =
        matches!(known.kind(), PropertyKind::Struct | PropertyKind::Enum | PropertyKind::Byte);
    let Some(first) = child(0).filter(|_| is_named) else {
        let inner = (0..2).filter_map(child).map(|tree| of_tree(tree, text, depth + 1));
        let inner = inner.collect();
        return known.of_inner(inner);
    };
    let part = |at: usize| first.get(at).map(|node| text(node.name)).unwrap_or_default();
    let second = child(1);
    let guid = second.and_then(|nodes| text(nodes.first()?.name).parse().ok());
    let inner = match known.kind() {
        PropertyKind::Enum => {
            second.map(|tree| of_tree(tree, text, depth + 1)).into_iter().collect()
        }
        _ => Vec::new(),
    };
    let guid = guid.filter(|_| known.kind() == PropertyKind::Struct).unwrap_or_default();
    known.with_name(Named { name: part(0), package: part(1), guid }).of_inner(inner)
}

impl Type {
    /// The type that the form of a value says; a struct without a name for what says no more.
    pub(crate) fn of_value(value: &Value) -> Self {
        let of_elements = |kind: PropertyKind, elements: &Elements| {
            Self::new(kind).of_inner(elements.sample().iter().map(Self::of_value).collect())
        };
        Self::new(match value {
            Value::Byte(_) => PropertyKind::Byte,
            Value::Int8(_) => PropertyKind::Int8,
            Value::Int16(_) => PropertyKind::Int16,
            Value::Int(_) => PropertyKind::Int,
            Value::Int64(_) => PropertyKind::Int64,
            Value::UInt16(_) => PropertyKind::UInt16,
            Value::UInt32(_) => PropertyKind::UInt32,
            Value::UInt64(_) => PropertyKind::UInt64,
            Value::Bool(_) | Value::BoolByte(_) | Value::BoolWord(_) => PropertyKind::Bool,
            Value::Float(_) => PropertyKind::Float,
            Value::Double(_) => PropertyKind::Double,
            Value::Object(_) => PropertyKind::Object,
            Value::Name(_) => PropertyKind::Name,
            Value::Str(_) => PropertyKind::Str,
            Value::FixedStr(_) => PropertyKind::FixedStr,
            Value::Utf8Str(_) => PropertyKind::Utf8Str,
            Value::Text(_) => PropertyKind::Text,
            Value::Delegate(_) => PropertyKind::Delegate,
            Value::MulticastDelegate(_) => PropertyKind::MulticastDelegate,
            Value::FieldPath(_) => PropertyKind::FieldPath,
            Value::SoftObject(_) | Value::SoftObjectIndex(_) => PropertyKind::SoftObject,
            Value::Guid(_) => return Self::structure("Guid"),
            Value::Color(_) => return Self::structure("Color"),
            Value::Array(elements) => return of_elements(PropertyKind::Array, elements),
            Value::StructArray(structs) => {
                return of_elements(PropertyKind::Array, &structs.elements);
            }
            Value::Set(set) => return of_elements(PropertyKind::Set, &set.elements),
            Value::Map(map) => {
                let inner = map.pairs.first().map(|(key, value)| [key, value].map(Self::of_value));
                return Self::new(PropertyKind::Map)
                    .of_inner(inner.into_iter().flatten().collect());
            }
            Value::Optional(held) => {
                return Self::new(PropertyKind::Optional)
                    .of_inner(held.iter().map(Self::of_value).collect());
            }
            _ => PropertyKind::Struct,
        })
    }
}

impl SchemaType {
    /// The type with the names that the mappings have.
    pub(crate) fn as_type(&self, mappings: &Mappings) -> Type {
        let text = |row: &u32| mappings.data().name(*row).map(|name| name.to_string());
        let of_class = |class| Type::of_known_class(class).unwrap_or_else(|| Type::unknown(class));
        match self {
            Self::Struct(row) => Type::structure(&text(row).unwrap_or_default()),
            Self::Enum(number, row) => {
                Type::enumeration(&text(row).unwrap_or_default()).over(number.as_type(mappings))
            }
            Self::Array(inner) => Type::array(inner.as_type(mappings)),
            Self::Set(inner) => Type::set(inner.as_type(mappings)),
            Self::Optional(inner) => Type::optional(inner.as_type(mappings)),
            Self::Map(key, value) => Type::map(key.as_type(mappings), value.as_type(mappings)),
            Self::Interface => of_class(INTERFACE),
            Self::WeakObject => of_class(WEAK_OBJECT),
            Self::Unknown => Type::unknown("Unknown"),
            plain => Type::new(plain.kind()),
        }
    }
}

impl Mappings {
    /// The properties that a class or struct declares, and then those of what it derives from.
    fn declared(&self, class: &str) -> impl Iterator<Item = &MappingProperty> {
        const DEEPEST: usize = 256;
        let of_row = |row: u32| self.data().structs.get(row as usize);
        let parent = move |known: &&MappingStruct| of_row(self.row_of_name(known.super_struct)?);
        let classes = std::iter::successors(self.row_of(class).and_then(of_row), parent);
        classes.take(DEEPEST).flat_map(|known| &known.properties)
    }

    /// Names and types of the properties of a class or struct and of what it derives from, and the elements that
    /// each has as a static array.
    #[doc(hidden)]
    pub fn properties(&self, class: &str) -> impl Iterator<Item = (&str, Type, u32)> {
        self.declared(class).filter_map(|known| {
            let name = self.data().name(known.name)?;
            Some((&**name, known.schema.as_type(self), known.array_dim.into()))
        })
    }

    /// The type of a property of a class or struct or of what it derives from, and the elements that it
    /// has as a static array.
    #[doc(hidden)]
    pub fn property_type(&self, class: &str, property: &str) -> Option<(Type, u32)> {
        let is = |known: &&MappingProperty| {
            self.data().name(known.name).is_some_and(|name| name.eq_ignore_ascii_case(property))
        };
        let known = self.declared(class).find(is)?;
        Some((known.schema.as_type(self), known.array_dim.into()))
    }

    /// The values of an enum, by name, with their numbers.
    #[doc(hidden)]
    pub fn enum_values(&self, name: &str) -> Option<Vec<(String, u64)>> {
        let data = self.data();
        let is = |row: u32| data.name(row).is_some_and(|known| known.eq_ignore_ascii_case(name));
        let known = data.enums.iter().find(|known| is(known.name))?;
        let numbered = known.values.iter().any(|value| value.number != 0);
        let value = |(at, value): (usize, &crate::property::mappings::MappingValue)| {
            let number = if numbered { value.number } else { at as u64 };
            Some((data.name(value.name)?.to_string(), number))
        };
        Some(known.values.iter().enumerate().filter_map(value).collect())
    }
}
