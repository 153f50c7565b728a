//! Values from text: the value that is replaced, or an empty one of the type, decides the form.

use super::described::Type;
use super::edit::{apply, apply_unversioned};
use super::elements::Elements;
use super::field_names::names_of;
use super::format::{Surroundings, display, fields_of, with_fields};
use super::kind::Kind;
use super::way::Part;
use super::{Delegate, FieldPath, Place, Value, text_form};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{FString, PackageIndex, Utf8String};
use crate::property::Change;
use crate::property::text::{Item, Text};

pub(super) fn invalid(reason: impl Into<String>) -> Error {
    ErrorKind::Invalid { reason: reason.into() }.into()
}

/// Says in which member of a value something is wrong.
fn in_place(place: &str, error: Error) -> Error {
    match error.into_kind() {
        ErrorKind::Invalid { reason } => invalid(format!("{place}: {reason}")),
        other => other.into(),
    }
}

/// What a new value takes the place of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Old<'a> {
    /// The value, or an empty one of the type.
    pub value: &'a Value,
    /// Whether it was stored: then what the text leaves out stays.
    pub stored: bool,
}

/// The value that a change says.
pub(super) fn read_change(
    change: &Change<'_>,
    known: &Type,
    old: Old<'_>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    match change {
        Change::Set(text) => read_whole(text, known, old, around),
        Change::SetText(text) => read(text, known, old, around),
        Change::Read | Change::Remove => Ok(old.value.clone()),
    }
}

/// The whole text of a value: strings, names and paths may stand there without quotes.
fn read_whole(
    text: &str,
    known: &Type,
    old: Old<'_>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    let quoted = text.trim_start().starts_with('"');
    let parsed = match old.value {
        _ if quoted => Text::parse(text)?,
        Value::Str(_) | Value::Utf8Str(_) => Text::Plain(text.to_owned()),
        Value::Name(_) | Value::SoftObject(_) | Value::SoftObjectIndex(_) => {
            Text::Plain(text.trim().to_owned())
        }
        Value::Text(_) => match Text::parse(text) {
            Ok(call @ Text::Call(..)) => call,
            _ => Text::Plain(text.to_owned()),
        },
        _ => Text::parse(text)?,
    };
    read(&parsed, known, old, around)
}

/// A value from its text.
fn read(text: &Text, known: &Type, old: Old<'_>, around: &mut dyn Surroundings) -> Result<Value> {
    let wrong = || {
        let shown = text.word().map_or("a group".to_owned(), |word| format!("'{word}'"));
        invalid(format!("{shown} is no value of type {known}"))
    };
    // What did not change stays as it is stored, also in ways that no text tells.
    if old.stored
        && Text::parse(&display(old.value, Some(known), &*around)).is_ok_and(|same| same == *text)
    {
        return Ok(old.value.clone());
    }
    let mut value = old.value.clone();
    match &mut value {
        Value::Opaque(_) | Value::Keys(_) => {
            return Err(invalid(
                "its value is not decoded, so nothing says what a new one must look like",
            ));
        }
        Value::Tagged(_) | Value::Unversioned(_) => {
            read_list(members(text, known)?, &mut value, known, around)?;
            return Ok(value);
        }
        Value::Instanced(instanced) => {
            read_list(members(text, known)?, &mut instanced.value, known, around)?;
            return Ok(value);
        }
        Value::Array(elements) => {
            *elements = read_elements(text, known, elements, around)?;
            return Ok(value);
        }
        Value::StructArray(structs) => {
            structs.elements = read_elements(text, known, &structs.elements, around)?;
            return Ok(value);
        }
        Value::Set(set) => {
            set.elements = read_elements(text, known, &set.elements, around)?;
            let values = set.elements.to_values(around.source())?;
            let twice = |(at, one): (usize, &Value)| {
                values[..at].iter().any(|other| same_key(one, other, &*around))
            };
            if values.iter().enumerate().any(twice) {
                return Err(invalid("a set has each element once"));
            }
            return Ok(value);
        }
        Value::Map(map) => {
            map.pairs = read_pairs(text, known, &map.pairs, around)?;
            return Ok(value);
        }
        Value::Optional(held) => {
            **held = match members(text, known)? {
                [] => None,
                [item] if item.key.is_none() => {
                    let inner = known.inner().first().ok_or_else(wrong)?;
                    let (template, stored) = match &**held {
                        Some(value) => (value.clone(), true),
                        None => (Value::blank(inner, Place::Element, around)?, false),
                    };
                    let old = Old { value: &template, stored };
                    Some(read(&item.value, inner, old, around)?)
                }
                _ => return Err(invalid("an optional value is () or (VALUE)")),
            };
            return Ok(value);
        }
        Value::MulticastDelegate(delegates) => {
            let items = members(text, known)?;
            let texts = items.iter().map(|item| item.value.word().ok_or_else(wrong));
            let texts = texts.collect::<Result<Vec<_>>>()?;
            *delegates =
                texts.into_iter().map(|word| delegate(word, around)).collect::<Result<_>>()?;
            return Ok(value);
        }
        Value::Text(held) => {
            **held = text_form::read(text, held, around)?;
            return Ok(value);
        }
        other => {
            if let Some(fields) = fields_of(other) {
                let fields = read_fields(text, known, &fields, old.stored, around)?;
                with_fields(other, fields);
                return Ok(value);
            }
        }
    }
    let word = text.word().ok_or_else(wrong)?;
    read_word(word, matches!(text, Text::Quoted(_)), known, &mut value, around)?
        .then_some(())
        .ok_or_else(wrong)?;
    Ok(value)
}

/// A value that is one word; false when the word is none of this type.
fn read_word(
    word: &str,
    quoted: bool,
    known: &Type,
    value: &mut Value,
    around: &mut dyn Surroundings,
) -> Result<bool> {
    /// Puts a number in its place.
    fn put<T>(to: &mut T, number: Option<T>) -> bool {
        number.map(|number| *to = number).is_some()
    }
    let versions = around.versions();
    let (order, game) = (versions.byte_order, versions.game);
    let boolean = || match word.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" => Some(false),
        _ => None,
    };
    // Enums are numbers in unversioned packages, and as bytes without a name.
    let number = enum_number(word, known, around)?.or_else(|| integer(word));
    fn fit<T: TryFrom<i128>>(number: Option<i128>) -> Option<T> {
        number.and_then(|number| T::try_from(number).ok())
    }
    Ok(match value {
        Value::Bool(to) => put(to, boolean()),
        Value::BoolByte(to) => put(to, boolean().map(u8::from)),
        Value::Byte(to) => put(to, fit(number)),
        Value::Int8(to) => put(to, fit(number)),
        Value::Int16(to) => put(to, fit(number)),
        Value::Int(to) => {
            put(to, fit(number).or_else(|| hexadecimal(word).map(|bits| bits as i32)))
        }
        Value::Int64(to) => put(to, fit(number)),
        Value::UInt16(to) => put(to, fit(number)),
        Value::UInt32(to) => put(to, fit(number)),
        Value::UInt64(to) => put(to, fit(number)),
        Value::Float(to) => put(
            to,
            real(word).map(|number| number as f32).filter(|&number| {
                // A number that is too large must not become infinite in silence.
                number.is_finite() || !has_digits(word)
            }),
        ),
        Value::Double(to) => {
            put(to, real(word).filter(|number| number.is_finite() || !has_digits(word)))
        }
        Value::Name(to) => {
            let word = enum_word(word, known, &around.name_text(*to), around)?;
            *to = around.name(&word)?;
            true
        }
        Value::Str(_) if known.kind() == Kind::AnsiStr && !word.is_ascii() => {
            return Err(invalid("this kind of string holds ASCII characters only"));
        }
        Value::Str(to) => {
            **to = FString::new_in(word, order, game);
            true
        }
        Value::Utf8Str(to) => {
            **to = Utf8String::new(word);
            true
        }
        Value::Object(to) if !quoted => {
            *to = around.object(word)?;
            true
        }
        Value::Guid(to) => put(to, word.parse().ok()),
        Value::SoftObject(_) | Value::SoftObjectIndex(_) => {
            *value = around.soft_path(if word.is_empty() { "None" } else { word })?;
            true
        }
        Value::Delegate(to) if !quoted => {
            *to = delegate(word, around)?;
            true
        }
        Value::FieldPath(to) if !quoted => {
            let (owner, names) = match word.rsplit_once(':') {
                Some((owner, names)) => (around.object(owner)?, names),
                None => (PackageIndex::NULL, word),
            };
            let names = names.split('.').rev().filter(|name| !name.eq_ignore_ascii_case("None"));
            let path = names.map(|name| around.name(name)).collect::<Result<_>>()?;
            **to = FieldPath { path, owner };
            true
        }
        _ => false,
    })
}

fn delegate(word: &str, around: &mut dyn Surroundings) -> Result<Delegate> {
    Ok(match word.rsplit_once('.') {
        Some((object, function)) => {
            Delegate { object: around.object(object)?, function: around.name(function)? }
        }
        None => Delegate { object: PackageIndex::NULL, function: around.name(word)? },
    })
}

fn hexadecimal(word: &str) -> Option<u32> {
    let hex = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))?;
    u32::from_str_radix(hex, 16).ok()
}

fn integer(word: &str) -> Option<i128> {
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => word.parse().ok(),
    }
}

fn has_digits(word: &str) -> bool {
    word.chars().any(|character| character.is_ascii_digit())
}

fn real(word: &str) -> Option<f64> {
    match word.strip_suffix(['f', 'F']) {
        Some(rest) if has_digits(rest) => rest.parse().ok(),
        _ => word.parse().ok(),
    }
}

/// What the mappings know of the enum of this type.
fn enum_values(known: &Type, around: &dyn Surroundings) -> Option<Vec<(String, u64)>> {
    let is_enum = matches!(known.kind(), Kind::Enum | Kind::Byte) && !known.type_name().is_empty();
    is_enum.then(|| around.mappings()?.enum_values(known.type_name())).flatten()
}

/// Whether two names mean the same value of an enum, with the enum before it or without.
pub(super) fn same_value(one: &str, other: &str) -> bool {
    let last = |text: &str| text.rsplit("::").next().unwrap_or_default().to_ascii_lowercase();
    last(one) == last(other)
}

/// The number of an enum's value; numbers stand for themselves.
fn enum_number(word: &str, known: &Type, around: &dyn Surroundings) -> Result<Option<i128>> {
    let Some(values) = enum_values(known, around) else { return Ok(None) };
    match values.iter().find(|(name, _)| same_value(name, word)) {
        Some((_, number)) => Ok(Some((*number).into())),
        None if integer(word).is_some() => Ok(None),
        None => Err(no_value(word, known, &values)),
    }
}

fn no_value(word: &str, known: &Type, values: &[(String, u64)]) -> Error {
    let names: Vec<_> = values.iter().map(|(name, _)| name.as_str()).collect();
    let (name, names) = (known.type_name(), names.join(", "));
    invalid(format!("'{word}' is no value of the enum {name}: {names}"))
}

/// The name of an enum's value as such enums are stored: with the enum before it if the old one has it.
fn enum_word(word: &str, known: &Type, old: &str, around: &dyn Surroundings) -> Result<String> {
    if !matches!(known.kind(), Kind::Enum | Kind::Byte) {
        return Ok(word.to_owned());
    }
    if let Some(values) = enum_values(known, around)
        && !values.iter().any(|(name, _)| same_value(name, word))
    {
        return Err(no_value(word, known, &values));
    }
    if integer(word).is_some() {
        return Err(invalid(format!("'{word}' is no name of an enum's value")));
    }
    Ok(match (word.contains("::"), old.split_once("::")) {
        (false, Some((name, _))) => format!("{name}::{word}"),
        // Of these the engine always stores both.
        (false, None)
            if known.kind() == Kind::Enum
                && !known.type_name().is_empty()
                && old.eq_ignore_ascii_case("None") =>
        {
            format!("{}::{word}", known.type_name())
        }
        // Values of this kind of enum stand alone.
        (true, None) if !old.eq_ignore_ascii_case("None") => {
            word.rsplit("::").next().unwrap_or(word).to_owned()
        }
        _ => word.to_owned(),
    })
}

pub(super) fn members<'a>(text: &'a Text, known: &Type) -> Result<&'a [Item]> {
    match text {
        Text::Group(items) => Ok(items),
        _ => Err(invalid(format!("a value of type {known} stands in parentheses"))),
    }
}

/// Fields that are named are set, the others stay.
fn read_list(
    items: &[Item],
    value: &mut Value,
    known: &Type,
    around: &mut dyn Surroundings,
) -> Result<()> {
    let structure = known.type_name();
    for item in items {
        let Some(key) = &item.key else {
            return Err(invalid(format!("fields of struct '{structure}' are given as NAME=VALUE")));
        };
        let (way, change) = (Part::parse_all(key)?, Change::SetText(&item.value));
        let done = match value {
            Value::Tagged(list) => apply(list, Some(structure), &way, &change, around),
            Value::Unversioned(list) => apply_unversioned(list, &way, &change, around),
            _ => Err(invalid("its value has no fields with names")),
        };
        done.map_err(|error| in_place(key, error))?;
    }
    Ok(())
}

/// What an element that is not stored yet starts from.
pub(super) fn element_blank(
    known: Option<&Type>,
    sibling: Option<&Value>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    Ok(match (known, sibling) {
        // Old tags do not name the structs of sets and maps: others in the same container show their form.
        (_, Some(Value::Tagged(list))) => {
            let mut list = list.clone();
            list.properties.clear();
            Value::Tagged(list)
        }
        (_, Some(Value::Unversioned(list))) => Value::Unversioned(Box::new(
            crate::property::unversioned::UnversionedList::blank(list.class()),
        )),
        (Some(known), None) if known.kind() == Kind::Struct && known.type_name().is_empty() => {
            return Err(invalid(
                "nothing says which struct its elements are; there is none that shows it",
            ));
        }
        // Neither do they name enums.
        (Some(known), Some(name @ Value::Name(_)))
            if matches!(known.kind(), Kind::Enum | Kind::Byte) =>
        {
            name.clone()
        }
        (Some(known), sibling) => match (Value::blank(known, Place::Element, around)?, sibling) {
            // Bytes of an enum may be names or numbers.
            (blank, Some(sibling))
                if std::mem::discriminant(&blank) != std::mem::discriminant(sibling) =>
            {
                sibling.clone()
            }
            (blank, _) => blank,
        },
        (None, Some(sibling)) => sibling.clone(),
        (None, None) => return Err(invalid("nothing says of which type its elements are")),
    })
}

/// The type of elements; structs that are lists of their own say it by their name.
pub(super) fn element_type(known: &Type) -> Option<Type> {
    match known.type_name().eq_ignore_ascii_case("GameplayTagContainer") {
        true => Type::of_class("NameProperty").ok(),
        false => known.inner().first().cloned(),
    }
}

fn unknown_type() -> Type {
    Type::unknown("unknown")
}

fn read_elements(
    text: &Text,
    known: &Type,
    old: &Elements,
    around: &mut dyn Surroundings,
) -> Result<Elements> {
    let items = members(text, known)?;
    let olds = old.to_values(around.source())?;
    let element = element_type(known);
    let element = element.as_ref();
    let mut values = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        if item.key.is_some() {
            return Err(invalid("elements have no names"));
        }
        let blank = match olds.get(at) {
            Some(old) => old.clone(),
            None => element_blank(element, olds.first(), around)?,
        };
        let old = Old { value: &blank, stored: at < olds.len() };
        let unknown = unknown_type();
        let value = read(&item.value, element.unwrap_or(&unknown), old, around);
        values.push(value.map_err(|error| in_place(&format!("[{at}]"), error))?);
    }
    Ok(Elements::of_values(values))
}

fn read_pairs(
    text: &Text,
    known: &Type,
    olds: &[(Value, Value)],
    around: &mut dyn Surroundings,
) -> Result<Vec<(Value, Value)>> {
    let unknown = unknown_type();
    let types = (known.inner().first(), known.inner().get(1));
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    for (at, item) in members(text, known)?.iter().enumerate() {
        let [key, value] = members(&item.value, known)? else {
            return Err(invalid("a map's members are pairs: ((KEY,VALUE),(KEY,VALUE))"));
        };
        let sibling = olds.get(at).or(olds.first());
        let blank = element_blank(types.0, sibling.map(|pair| &pair.0), around)?;
        let old = Old { value: &blank, stored: false };
        let key = read(&key.value, types.0.unwrap_or(&unknown), old, around)?;
        if pairs.iter().any(|(known, _)| same_key(known, &key, &*around)) {
            let key = display(&key, types.0, around);
            return Err(invalid(format!("the key {key} stands twice")));
        }
        // The value of a key that stays keeps what the text leaves out.
        let there = olds.iter().find(|(known, _)| same_key(known, &key, &*around));
        let blank = match there {
            Some((_, value)) => value.clone(),
            None => element_blank(types.1, sibling.map(|pair| &pair.1), around)?,
        };
        let old = Old { value: &blank, stored: there.is_some() };
        let value = read(&value.value, types.1.unwrap_or(&unknown), old, around)?;
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// Whether the engine takes two keys or elements of a set for one: case does not count in strings.
pub(super) fn same_key(one: &Value, other: &Value, around: &dyn Surroundings) -> bool {
    match (one, other) {
        (Value::Str(one), Value::Str(other)) => {
            match (one.text(around.source()), other.text(around.source())) {
                (Ok(one), Ok(other)) => one.eq_ignore_ascii_case(&other),
                _ => one == other,
            }
        }
        _ => one == other,
    }
}

/// A key from what stands in brackets.
pub(super) fn read_key(
    key: &str,
    known: Option<&Type>,
    sibling: Option<&Value>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    let blank = element_blank(known, sibling, around)?;
    let unknown = unknown_type();
    read_whole(key, known.unwrap_or(&unknown), Old { value: &blank, stored: false }, around)
}

/// The members of a flat struct with dotted names: `Min=(X=1)` is `Min.X=1`.
fn flattened<'a>(
    items: &'a [Item],
    prefix: &str,
    names: &[String],
    out: &mut Vec<(String, &'a Text)>,
) {
    for item in items {
        let Some(key) = &item.key else { continue };
        let name = format!("{prefix}{key}");
        let within = format!("{name}.").to_ascii_lowercase();
        let holds = names.iter().any(|field| field.to_ascii_lowercase().starts_with(&within));
        match &item.value {
            Text::Group(inner) if holds => flattened(inner, &format!("{name}."), names, out),
            value => out.push((name, value)),
        }
    }
}

/// Fields without tags: those that are not named keep their old value.
fn read_fields(
    text: &Text,
    known: &Type,
    olds: &[Value],
    stored: bool,
    around: &mut dyn Surroundings,
) -> Result<Vec<Value>> {
    let items = members(text, known)?;
    let names = names_of(known.type_name(), olds.len());
    let mut texts: Vec<Option<&Text>> = vec![None; olds.len()];
    let keyed = items.iter().filter(|item| item.key.is_some()).count();
    if keyed == 0 && !items.is_empty() {
        if items.len() != olds.len() {
            let (given, all, names) = (items.len(), olds.len(), names.join(", "));
            return Err(invalid(format!("{given} values for {all} fields: {names}")));
        }
        texts = items.iter().map(|item| Some(&item.value)).collect();
    } else if keyed != items.len() {
        return Err(invalid("give every field its name, or none"));
    }
    let mut flat = Vec::new();
    flattened(items, "", &names, &mut flat);
    for (name, text) in flat {
        let at = names.iter().position(|field| field.eq_ignore_ascii_case(&name));
        let missing = || invalid(format!("no field '{name}' among {}", names.join(", ")));
        if texts.get_mut(at.ok_or_else(missing)?).is_some_and(|to| to.replace(text).is_some()) {
            return Err(invalid(format!("field '{name}' is given twice")));
        }
    }
    let unknown = unknown_type();
    let mut values = Vec::with_capacity(olds.len());
    for ((name, text), old) in names.iter().zip(texts).zip(olds) {
        values.push(match text {
            Some(text) => read(text, &unknown, Old { value: old, stored }, around)
                .map_err(|error| in_place(name, error))?,
            None if stored => old.clone(),
            None => {
                let names = names.join(", ");
                return Err(invalid(format!(
                    "field '{name}' is missing: the value is not stored yet, so every field must be \
                     given ({names})"
                )));
            }
        });
    }
    Ok(values)
}
