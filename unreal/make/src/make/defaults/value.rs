//! Values of variables from their texts.

use crate::compile::{ClassId, Owner, SymbolId, ValueType};
use crate::primitive::{FString, Name, ObjectFlags, PackageIndex};
use crate::property::{
    Delegate, Elements, Property, PropertyKind, PropertyList, TextMember, Type, Value, ValueText,
};
use crate::version::UnrealVersions;

use super::super::declare::ClassMaker;
use crate::object::script_object::ScriptObject;

/// First file version whose structs are stored as lists of properties (spec: ue1-3/05 §5.5).
const LISTS_OF_STRUCTS: u32 = 118;
/// Structs that are stored without tags all the same.
const PLAIN_STRUCTS: &[&str] = &["vector", "rotator", "color", "pointregion"];
/// The same in UE3, whose structs say so themselves (spec: ue1-3/05 §5.5).
const IMMUTABLE_STRUCTS: &[&str] = &[
    "vector",
    "vector2d",
    "vector4",
    "rotator",
    "plane",
    "quat",
    "color",
    "linearcolor",
    "guid",
    "box",
    "matrix",
    "twovectors",
    "intpoint",
];

type ValueRead<T> = Result<T, String>;

impl ClassMaker<'_> {
    /// Flags of UE1 and UE2 where this version stores them.
    pub(super) fn legacy_flags(&self, flags: u64) -> ObjectFlags {
        ObjectFlags::of_legacy(flags, self.draft.versions())
    }

    /// The type as tags say it.
    pub(super) fn stored_type(&self, of: &ValueType) -> Type {
        let of_class = |class: &str| Type::of_class(class).unwrap_or(Type::new(PropertyKind::Int));
        match of {
            ValueType::Byte(None) => Type::new(PropertyKind::Byte),
            ValueType::Byte(Some(id)) => match self.symbols.enumeration(*id) {
                Some(found) if self.is_ue3() => Type::byte_enum(&found.name),
                _ => Type::new(PropertyKind::Byte),
            },
            ValueType::Int | ValueType::Void | ValueType::None => Type::new(PropertyKind::Int),
            ValueType::Bool => Type::new(PropertyKind::Bool),
            ValueType::Float => Type::new(PropertyKind::Float),
            ValueType::Name => Type::new(PropertyKind::Name),
            ValueType::Text => Type::new(PropertyKind::Str),
            ValueType::Object(Some(class))
                if self.is_ue3() && self.symbols.class(*class).is_interface =>
            {
                of_class("InterfaceProperty")
            }
            // Tags have none for classes and components alone.
            ValueType::Class(_) | ValueType::Object(_) | ValueType::Pointer => {
                of_class("ObjectProperty")
            }
            ValueType::Struct(id) => {
                let name = self.symbols.structure(*id).map_or("", |it| &it.name);
                Type::structure(name)
            }
            ValueType::Array(inner) => {
                let inner = inner.as_deref().map(|inner| self.stored_type(inner));
                Type::array(inner.unwrap_or(Type::new(PropertyKind::Int)))
            }
            ValueType::Map => Type::map(Type::new(PropertyKind::Int), Type::new(PropertyKind::Int)),
            ValueType::Delegate(_) => Type::new(PropertyKind::Delegate),
        }
    }

    /// Zero of a type within an array or a struct.
    pub(super) fn zero(&self, of: &ValueType) -> Value {
        self.zero_within(of, 0)
    }

    /// Zero of a type as a property.
    pub(super) fn zero_property(&self, of: &ValueType) -> Value {
        match of {
            ValueType::Bool => Value::Bool(false),
            of => self.zero(of),
        }
    }

    fn zero_within(&self, of: &ValueType, depth: u32) -> Value {
        match of {
            ValueType::Byte(Some(id)) if self.is_ue3() => {
                let first = self.symbols.enumeration(*id).and_then(|it| it.values.first());
                Value::Name(first.map_or(Name::new(0), |first| self.draft.known_name(first)))
            }
            ValueType::Byte(_) => Value::Byte(0),
            ValueType::Int | ValueType::Void | ValueType::None => Value::Int(0),
            ValueType::Bool => self.bool_within(false),
            ValueType::Float => Value::Float(0.0),
            ValueType::Name => Value::Name(Name::new(0)),
            ValueType::Text => Value::Str(Box::new(FString::EMPTY)),
            ValueType::Object(_) | ValueType::Class(_) | ValueType::Pointer => {
                Value::Object(PackageIndex::NULL)
            }
            ValueType::Struct(id) if depth < 16 => match self.is_plain(*id) {
                true => Value::Fields(self.start_of(*id).unwrap_or_else(|| {
                    self.members(*id).into_iter().flat_map(|id| self.zeros_of(id, depth)).collect()
                })),
                false => Value::List(PropertyList::new(Vec::new(), Name::new(0))),
            },
            ValueType::Struct(_) | ValueType::Array(_) | ValueType::Map => {
                Value::Array(Elements::Values(Vec::new()))
            }
            ValueType::Delegate(_) => Value::Delegate(Delegate::default()),
        }
    }

    /// What the members of a struct without tags start as, where it says so (UE3).
    fn start_of(&self, id: SymbolId) -> Option<Vec<Value>> {
        if !self.is_ue3() {
            return None;
        }
        let row = self.draft.find("ScriptStruct", &self.symbols.struct_path(id));
        if let Some(ScriptObject::Struct(found)) = row.and_then(|row| self.draft.script(row)) {
            let members = self.members(id);
            let count: usize = members.iter().map(|id| self.length_of(*id) as usize).sum();
            let properties = &found.defaults.properties;
            let of_value = |value: &Value| match value {
                Value::Bool(value) => self.bool_within(*value),
                value => value.clone(),
            };
            return (properties.len() == count && count > 0)
                .then(|| properties.iter().map(|it| of_value(it.value())).collect());
        }
        // Of other packages the one that every package has is known.
        let name = self.symbols.structure(id).map(|it| it.name.as_str());
        let is_color = name.is_some_and(|name| name.eq_ignore_ascii_case("LinearColor"));
        is_color.then(|| [0.0, 0.0, 0.0, 1.0].map(Value::Float).to_vec())
    }

    fn zeros_of(&self, id: SymbolId, depth: u32) -> Vec<Value> {
        let zero = self.zero_within(&self.symbols.type_of(id), depth + 1);
        vec![zero; self.length_of(id) as usize]
    }

    fn bool_within(&self, value: bool) -> Value {
        match self.is_ue3() {
            true => Value::BoolWord(value.into()),
            false => Value::BoolByte(value.into()),
        }
    }

    /// Whether a struct is stored without tags.
    fn is_plain(&self, id: SymbolId) -> bool {
        let name = self.symbols.structure(id).map(|it| it.name.to_ascii_lowercase());
        let is_one = |known: &[&str]| name.as_deref().is_some_and(|name| known.contains(&name));
        match self.draft.versions().file() {
            ..LISTS_OF_STRUCTS => true,
            _ if self.is_ue3() => is_one(IMMUTABLE_STRUCTS) || self.is_immutable(id),
            _ => is_one(PLAIN_STRUCTS),
        }
    }

    /// Whether a struct of the package says that it never changes.
    fn is_immutable(&self, id: SymbolId) -> bool {
        let path = self.symbols.struct_path(id);
        let row = self.draft.find("ScriptStruct", &path);
        match row.and_then(|row| self.draft.script(row)) {
            Some(crate::object::script_object::ScriptObject::Struct(found)) => {
                found.struct_flags & 0x20 != 0
            }
            _ => false,
        }
    }

    /// The members of a struct as they are stored: its own before those of the struct that it extends.
    pub(super) fn members(&self, id: SymbolId) -> Vec<SymbolId> {
        let own = |id: SymbolId| {
            let rows = self.symbols.structure(id).map_or(&[][..], |it| &it.members);
            rows.iter().map(move |row| SymbolId { class: id.class, row: *row }).collect::<Vec<_>>()
        };
        self.symbols.struct_chain(id).flat_map(own).collect()
    }

    /// A value of this type; `before` is what it was so far.
    pub(super) fn value(
        &mut self,
        class: ClassId,
        of: &ValueType,
        text: &ValueText,
        before: Option<&Value>,
    ) -> ValueRead<Value> {
        if let ValueType::Struct(id) = of {
            return self.struct_value(class, *id, text, before);
        }
        if let ValueType::Array(inner) = of {
            let inner = inner.as_deref().cloned().unwrap_or(ValueType::Int);
            return Ok(Value::Array(Elements::Values(self.elements(class, &inner, text)?)));
        }
        let word = text.word().ok_or("a group in parentheses is no value of this variable")?;
        let word = word.trim();
        let number = || number_of(word).ok_or_else(|| format!("'{word}' is no number"));
        Ok(match of {
            ValueType::Byte(id) => match (id, self.is_ue3()) {
                (Some(_), true) => Value::Name(self.draft.name(word)),
                _ => Value::Byte(self.byte(class, *id, word)?),
            },
            ValueType::Int | ValueType::Void | ValueType::None => match whole_number_of(word) {
                Some(value) => Value::Int(value),
                None => Value::Int(number()? as i32),
            },
            ValueType::Bool => {
                let value = match word.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => number()? != 0.0,
                };
                match self.bool_within(value) {
                    // As a property it stands in the tag.
                    Value::BoolWord(value) => Value::BoolByte(u8::from(value != 0)),
                    value => value,
                }
            }
            ValueType::Float => {
                let digits = word.trim_end_matches(['f', 'F']);
                Value::Float(digits.parse().map_err(|_| format!("'{word}' is no number"))?)
            }
            ValueType::Name => {
                let text = word.trim_matches('\'');
                Value::Name(self.draft.name(if text.is_empty() { "None" } else { text }))
            }
            ValueType::Text => Value::Str(Box::new(stored_string(text.word().unwrap_or_default()))),
            ValueType::Object(_) | ValueType::Class(_) | ValueType::Pointer => {
                Value::Object(self.object_value(class, of, word)?)
            }
            ValueType::Delegate(_) => {
                let (object, function) = word.rsplit_once('.').unwrap_or(("", word));
                let object = self.object_value(class, of, object)?;
                Value::Delegate(Delegate { object, function: self.draft.name(function) })
            }
            ValueType::Struct(_) | ValueType::Array(_) | ValueType::Map => {
                return Err("values of this type can't be written".to_owned());
            }
        })
    }

    /// The elements that a whole array is given.
    pub(super) fn elements(
        &mut self,
        class: ClassId,
        inner: &ValueType,
        text: &ValueText,
    ) -> ValueRead<Vec<Value>> {
        match text {
            ValueText::Group(items) => {
                items.iter().map(|item| self.value(class, inner, &item.value, None)).collect()
            }
            ValueText::Plain(word) if word.is_empty() => Ok(Vec::new()),
            one => Ok(vec![self.value(class, inner, one, None)?]),
        }
    }

    fn byte(&self, class: ClassId, id: Option<SymbolId>, word: &str) -> ValueRead<u8> {
        if let Some(value) = whole_number_of(word) {
            return u8::try_from(value).map_err(|_| format!("{value} is no byte"));
        }
        let own = id.and_then(|id| self.symbols.enumeration(id)?.value(word));
        let any = || self.symbols.find_value(class, &word.to_ascii_lowercase()).map(|it| it.1);
        own.or_else(any).ok_or_else(|| format!("no enum has a value '{word}'"))
    }

    fn object_value(
        &mut self,
        class: ClassId,
        of: &ValueType,
        word: &str,
    ) -> ValueRead<PackageIndex> {
        if word.is_empty() || word.eq_ignore_ascii_case("None") {
            return Ok(PackageIndex::NULL);
        }
        let missing = || format!("no object '{word}' is at hand");
        if let Some((kind, path)) = word.split_once('\'') {
            let path = path.trim_end_matches('\'');
            return self.named(kind, path).ok_or_else(missing);
        }
        // An object of this block, by its name alone.
        let own = &self.symbols.class(class).name;
        for outer in [own.clone(), format!("Default__{own}")] {
            if let Some(row) = self.draft.find_object(&format!("{outer}.{word}")) {
                return Ok(PackageIndex::export(row));
            }
        }
        let kind = match of {
            ValueType::Class(_) => "Class".to_owned(),
            ValueType::Object(Some(class)) => self.symbols.class(*class).name.clone(),
            _ => "Object".to_owned(),
        };
        self.named(&kind, word).or_else(|| self.named("Object", word)).ok_or_else(missing)
    }

    fn struct_value(
        &mut self,
        class: ClassId,
        id: SymbolId,
        text: &ValueText,
        before: Option<&Value>,
    ) -> ValueRead<Value> {
        let ValueText::Group(items) = text else {
            return Err("a struct is written in parentheses: (X=1,Y=2)".to_owned());
        };
        let members = self.members(id);
        match self.is_plain(id) {
            true => self.fields(class, id, &members, items, before),
            false => self.listed(class, &members, items, before),
        }
    }

    /// Whether one member is of a struct that the struct of the other one extends.
    fn is_above(&self, one: SymbolId, other: SymbolId) -> bool {
        let owner = |id: SymbolId| match self.symbols.variable(id).map(|it| it.owner) {
            Some(Owner::Struct(row)) => Some(SymbolId { class: id.class, row }),
            _ => None,
        };
        match (owner(one), owner(other)) {
            (Some(one), Some(other)) => {
                one != other && self.symbols.struct_chain(other).any(|it| it == one)
            }
            _ => false,
        }
    }

    /// A struct without tags: every member is stored.
    fn fields(
        &mut self,
        class: ClassId,
        id: SymbolId,
        members: &[SymbolId],
        items: &[TextMember],
        before: Option<&Value>,
    ) -> ValueRead<Value> {
        let zero = || match self.zero(&ValueType::Struct(id)) {
            Value::Fields(fields) => fields,
            _ => Vec::new(),
        };
        let mut fields = match before {
            Some(Value::Fields(fields)) => fields.clone(),
            _ => zero(),
        };
        for (at, item) in items.iter().enumerate() {
            let key = item.key.as_deref();
            let (name, element) = key.map_or(("", 0), split_element);
            let mut place = 0;
            let mut found = None;
            for (number, &member) in members.iter().enumerate() {
                let variable = self.symbols.variable(member);
                let is = variable.is_some_and(|it| it.name.eq_ignore_ascii_case(name));
                if is || key.is_none() && number == at {
                    found = Some((member, place + element as usize));
                    break;
                }
                place += self.length_of(member) as usize;
            }
            let Some((member, place)) = found else { return Err(no_member(name)) };
            let of = self.symbols.type_of(member);
            let value = self.value(class, &of, &item.value, fields.get(place).cloned().as_ref())?;
            let value = match value {
                Value::BoolByte(value) => self.bool_within(value != 0),
                value => value,
            };
            match fields.get_mut(place) {
                Some(field) => *field = value,
                None => return Err(no_member(name)),
            }
        }
        Ok(Value::Fields(fields))
    }

    /// A struct as a list of properties: members that are given.
    pub(super) fn listed(
        &mut self,
        class: ClassId,
        members: &[SymbolId],
        items: &[TextMember],
        before: Option<&Value>,
    ) -> ValueRead<Value> {
        let mut given: Vec<(usize, u32, Property)> = Vec::new();
        if let Some(Value::List(list)) = before {
            for property in &list.properties {
                let name = property.name().map(|name| self.draft.text(name)).unwrap_or_default();
                let place = members.iter().position(|id| {
                    self.symbols.variable(*id).is_some_and(|it| it.name.eq_ignore_ascii_case(&name))
                });
                let element = u32::try_from(property.array_index()).unwrap_or(0);
                given.extend(place.map(|place| (place, element, property.clone())));
            }
        }
        for (at, item) in items.iter().enumerate() {
            let key = item.key.as_deref();
            let (name, element) = key.map_or(("", 0), split_element);
            let place = match key {
                None => Some(at).filter(|at| *at < members.len()),
                Some(_) => members.iter().position(|id| {
                    self.symbols.variable(*id).is_some_and(|it| it.name.eq_ignore_ascii_case(name))
                }),
            };
            let Some(place) = place else { return Err(no_member(name)) };
            let id = members[place];
            let of = self.symbols.type_of(id);
            let old = given.iter().find(|it| (it.0, it.1) == (place, element));
            let old = old.map(|it| it.2.value().clone());
            let value = match self.value(class, &of, &item.value, old.as_ref())? {
                Value::BoolByte(value) if of == ValueType::Bool => Value::Bool(value != 0),
                value => value,
            };
            let stored = self.stored_type(&of);
            let name = self.symbols.variable(id).map_or(String::new(), |it| it.name.clone());
            let made = Property::with_value(&name, element, &stored, value, self.draft)
                .map_err(|error| error.to_string())?;
            given.retain(|it| (it.0, it.1) != (place, element));
            given.push((place, element, made));
        }
        // A struct's own members stand before those of the one that it extends.
        let depth = |place: usize| {
            let id = members.get(place);
            id.map_or(0, |id| members.iter().filter(|it| self.is_above(**it, *id)).count())
        };
        given.sort_by_key(|it| (std::cmp::Reverse(depth(it.0)), it.0, it.1));
        let properties = given.into_iter().map(|it| it.2).collect();
        Ok(Value::List(PropertyList::new(properties, Name::new(0))))
    }
}

fn no_member(name: &str) -> String {
    format!("the struct has no member '{name}'")
}

/// The name and the number of `A(3)` or `A[3]`.
fn split_element(key: &str) -> (&str, u32) {
    match key.split_once(['(', '[']) {
        Some((name, element)) => {
            (name, element.trim_end_matches([')', ']']).trim().parse().unwrap_or(0))
        }
        None => (key, 0),
    }
}

fn whole_number_of(word: &str) -> Option<i32> {
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok().map(u32::cast_signed),
        None => word.parse().ok(),
    }
}

fn number_of(word: &str) -> Option<f64> {
    word.trim_end_matches(['f', 'F']).parse().ok()
}

/// A string as packages store it: one byte a character where that is enough.
fn stored_string(text: &str) -> FString {
    match text.is_empty() {
        true => FString::EMPTY,
        false => FString::ansi(text).unwrap_or_else(|| FString::new(text)),
    }
}
