//! Values from text, as their type and what they replace say.

use super::edit::{Change, Scope, apply};
use super::fields::{NamedField, fields_of};
use super::format::{Lookup, inferred, named_fields};
use super::list::PropertyList;
use super::path::Segment;
use super::text::{Item, Text};
use super::value::{StructForm, struct_form};
use super::{Declared, Enumeration, PropertyType, Value};
use crate::Versions;
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Encoding, FString, PackageIndex, Payload};
use crate::version::Engine;

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}

/// How a value is read: its declaration, the value that it replaces, whether it has a tag of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub declared: &'a Declared,
    pub property: &'a PropertyType,
    pub old: Option<&'a Value>,
    pub tagged: bool,
}

/// The whole text of a value: strings, names and objects may stand there without quotes.
pub(super) fn read_whole(text: &str, wanted: Wanted<'_>, lookup: &mut dyn Lookup) -> Result<Value> {
    let bare = matches!(
        wanted.property,
        PropertyType::Str | PropertyType::FixedString | PropertyType::Name
    );
    let parsed = match text.trim_start().starts_with('"') {
        false if bare && *wanted.property == PropertyType::Name => Text::Plain(text.trim().into()),
        false if bare => Text::Plain(text.to_owned()),
        _ => Text::parse(text)?,
    };
    read(&parsed, wanted, lookup)
}

/// A value of the wanted type from its text.
fn read(text: &Text, wanted: Wanted<'_>, lookup: &mut dyn Lookup) -> Result<Value> {
    let property = wanted.property;
    let wrong = || {
        let shown = text.word().map_or("a group".to_owned(), |word| format!("'{word}'"));
        invalid(format!("{shown} is no value of type {property}"))
    };
    match property {
        PropertyType::Array(element) => {
            return read_array(text, element.as_deref(), wanted, lookup);
        }
        PropertyType::Map(pair) => return read_map(text, pair.as_deref(), wanted, lookup),
        PropertyType::Struct(name) => return read_struct(text, name, wanted, lookup),
        // Mass Effect 3 stores vectors where others store floats.
        PropertyType::Float if matches!(wanted.old, Some(Value::Fields(_))) => {
            return read_struct(text, "Vector", wanted, lookup);
        }
        _ => {}
    }
    let word = text.word().ok_or_else(wrong)?;
    let quoted = matches!(text, Text::Quoted(_));
    Ok(match property {
        PropertyType::Byte => {
            return read_byte(word, wanted, lookup).map_err(|e| e.unwrap_or_else(wrong));
        }
        PropertyType::Int => Value::Int(integer(word).ok_or_else(wrong)?),
        PropertyType::Float => Value::Float(float(word).ok_or_else(wrong)?),
        PropertyType::Bool => {
            let value = match word.to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" => true,
                "false" | "0" | "no" => false,
                _ => return Err(wrong()),
            };
            match wanted.old {
                Some(Value::BoolWord(_)) => Value::BoolWord(value.into()),
                _ if wanted.tagged => Value::Bool(value),
                _ => Value::BoolByte(value.into()),
            }
        }
        PropertyType::Object | PropertyType::Class if !quoted => {
            Value::Object(lookup.object(word)?)
        }
        PropertyType::Name => Value::Name(lookup.name(word)?),
        PropertyType::Str => Value::Str(Box::new(string(word, wanted.old, lookup.versions()))),
        PropertyType::FixedString => fixed_string(word, wanted.old)?,
        PropertyType::Delegate if !quoted => match word.rsplit_once('.') {
            Some((object, function)) => {
                Value::Delegate(lookup.object(object)?, lookup.name(function)?)
            }
            None => Value::Delegate(PackageIndex::NULL, lookup.name(word)?),
        },
        _ => return Err(wrong()),
    })
}

fn integer(word: &str) -> Option<i32> {
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16).ok().map(|bits| bits as i32),
        None => word.parse().ok(),
    }
}

fn float(word: &str) -> Option<f32> {
    let digits = |text: &str| text.chars().any(|c| c.is_ascii_digit());
    let plain = match word.strip_suffix(['f', 'F']) {
        Some(rest) if digits(rest) => rest,
        _ => word,
    };
    // A number that is too large must not become infinite in silence.
    plain.parse::<f32>().ok().filter(|value| value.is_finite() || !digits(plain))
}

/// A byte by its number, by the name of an enum's value, or in UE3 as such a name. `None` for an error
/// that the caller words.
fn read_byte(
    word: &str,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> std::result::Result<Value, Option<Error>> {
    let known = wanted.declared.enumeration.as_deref().filter(|_| wanted.tagged);
    let by_name = match wanted.old {
        Some(old) => matches!(old, Value::Name(_)),
        None => {
            lookup.versions().engine() == Engine::Ue3
                && lookup.versions().file >= super::tag::ENUM_NAME_ADDED
                && known.is_some()
        }
    };
    let number = word.parse::<u8>().ok();
    if let Some(Enumeration { name, values }) = known {
        let found = values.iter().position(|value| value.eq_ignore_ascii_case(word));
        let found = found.or(number.map(usize::from));
        let Some(value) = found.and_then(|at| values.get(at)) else {
            // Engines store numbers beyond the enum's values too.
            if let (Some(number), false) = (number, by_name) {
                return Ok(Value::Byte(number));
            }
            let values = values.join(", ");
            let reason = format!("'{word}' is no value of the enum {name}: {values}");
            return Err(Some(invalid(reason)));
        };
        if by_name {
            return lookup.name(value).map(Value::Name).map_err(Some);
        }
        return found.and_then(|at| u8::try_from(at).ok()).map(Value::Byte).ok_or(None);
    }
    if by_name {
        return match number {
            Some(_) => Err(None),
            None => lookup.name(word).map(Value::Name).map_err(Some),
        };
    }
    number.map(Value::Byte).ok_or(None)
}

/// A string in the encoding of the one it replaces, where that can hold it.
fn string(text: &str, old: Option<&Value>, versions: &Versions) -> FString {
    if let Some(Value::Str(old)) = old
        && !text.is_empty()
        && !old.is_empty()
        && old.encoding() == Encoding::Ansi
        && let Some(string) = FString::ansi(text)
    {
        return string;
    }
    FString::new_in(text, versions.byte_order, versions.game)
}

/// UE1: characters up to a zero byte in a fixed size, which stays.
fn fixed_string(text: &str, old: Option<&Value>) -> Result<Value> {
    let bytes = FString::ansi(text).and_then(|string| string.span().as_owned().map(<[u8]>::to_vec));
    let mut bytes =
        bytes.ok_or(ErrorKind::BadText { reason: "this type stores 8-bit text only" })?;
    let size = match old {
        Some(Value::Text(span)) => span.len() as usize,
        _ => bytes.len() + 1,
    };
    if bytes.len() + 1 > size || bytes.contains(&0) {
        let kind = ErrorKind::BadText { reason: "it is longer than the property's fixed size" };
        return Err(kind.into());
    }
    bytes.resize(size, 0);
    Ok(Value::Text(Span::owned(bytes)))
}

fn members<'a>(text: &'a Text, property: &PropertyType) -> Result<&'a [Item]> {
    match text {
        Text::Group(items) => Ok(items),
        _ => Err(invalid(format!("a value of type {property} stands in parentheses"))),
    }
}

fn element_of<'a>(
    declared: &'a Declared,
    property: &'a PropertyType,
    old: Option<&'a Value>,
) -> Wanted<'a> {
    Wanted { declared, property, old, tagged: false }
}

fn read_array(
    text: &Text,
    element: Option<&PropertyType>,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let items = members(text, wanted.property)?;
    if items.iter().any(|item| item.key.is_some()) {
        return Err(invalid("elements of an array have no names".to_owned()));
    }
    let olds = match wanted.old {
        Some(Value::Array(values)) => values.as_slice(),
        _ => &[],
    };
    let guessed = olds.first().map(inferred);
    let bytes = matches!(wanted.old, Some(Value::Bytes(_)))
        || element == Some(&PropertyType::Byte) && olds.is_empty();
    let numbers = || {
        let byte = |item: &Item| item.value.word().and_then(|word| word.parse::<u8>().ok());
        items.iter().map(byte).collect::<Option<Vec<u8>>>()
    };
    if bytes && let Some(bytes) = numbers() {
        return Ok(Value::Bytes(Payload(Span::owned(bytes))));
    }
    let Some(element) = element.or(guessed.as_ref()) else {
        if items.is_empty() {
            return Ok(Value::Array(Vec::new()));
        }
        let reason = "nothing says of which type the array's elements are; state it: array:int";
        return Err(invalid(reason.to_owned()));
    };
    let values = items.iter().enumerate().map(|(at, item)| {
        read(&item.value, element_of(wanted.declared, element, olds.get(at)), lookup)
            .map_err(|error| in_place(&format!("[{at}]"), error))
    });
    Ok(Value::Array(values.collect::<Result<_>>()?))
}

fn read_map(
    text: &Text,
    pair: Option<&(PropertyType, PropertyType)>,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let items = members(text, wanted.property)?;
    let guessed = match wanted.old {
        Some(Value::Map(pairs)) => {
            pairs.first().map(|(key, value)| (inferred(key), inferred(value)))
        }
        _ => None,
    };
    let Some((key_type, value_type)) = pair.or(guessed.as_ref()) else {
        let reason = "nothing says of which types the map's keys and values are";
        return Err(invalid(reason.to_owned()));
    };
    let mut pairs = Vec::with_capacity(items.len());
    for item in items {
        let [key, value] = members(&item.value, wanted.property)? else {
            return Err(invalid("a map's members are pairs: ((KEY,VALUE),(KEY,VALUE))".to_owned()));
        };
        let key = read(&key.value, element_of(wanted.declared, key_type, None), lookup)?;
        let value = read(&value.value, element_of(wanted.declared, value_type, None), lookup)?;
        pairs.push((key, value));
    }
    Ok(Value::Map(pairs))
}

/// Says in which member of a value something is wrong.
fn in_place(place: &str, error: Error) -> Error {
    match error.into_kind() {
        ErrorKind::Invalid { reason } => invalid(format!("{place}: {reason}")),
        other => other.into(),
    }
}

fn read_struct(
    text: &Text,
    name: &str,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let items = members(text, wanted.property)?;
    let form = struct_form(name, 0, lookup.layouts(), lookup.versions().file);
    match (wanted.old, form) {
        (Some(Value::Tagged(list)), _) => read_tagged(items, name, list.clone(), lookup),
        (Some(Value::Fields(values)), _) => {
            let fields = named_fields(values, Some(wanted.property), lookup);
            let olds: Vec<_> = values.iter().map(Some).collect();
            read_fields(items, &fields, &olds, wanted.declared, lookup)
        }
        (_, StructForm::Tagged) => {
            let list = PropertyList { terminator: lookup.none()?, ..PropertyList::default() };
            read_tagged(items, name, list, lookup)
        }
        (_, StructForm::Pattern(pattern)) => {
            let types: Vec<_> = pattern.chars().map(of_code).collect();
            let fields = fields_of(name, &types, lookup.layouts(), lookup.versions());
            read_fields(items, &fields, &vec![None; fields.len()], wanted.declared, lookup)
        }
        (_, StructForm::Layout(layout)) => {
            let each = |field: &super::FieldLayout| {
                std::iter::repeat_n(field.property.clone(), field.dimension as usize)
            };
            let types: Vec<_> = layout.fields.iter().flat_map(each).collect();
            let fields = fields_of(name, &types, lookup.layouts(), lookup.versions());
            read_fields(items, &fields, &vec![None; fields.len()], wanted.declared, lookup)
        }
        (_, StructForm::Unknown) => {
            let reason = format!("the fields of struct '{name}' are not known");
            Err(invalid(reason))
        }
    }
}

/// The type that a letter of a pattern stands for.
fn of_code(code: char) -> PropertyType {
    match code {
        'f' => PropertyType::Float,
        'i' => PropertyType::Int,
        'o' => PropertyType::Object,
        _ => PropertyType::Byte,
    }
}

/// The members of a flat struct with dotted names: `Min=(X=1)` is `Min.X=1`.
fn flattened<'a>(
    items: &'a [Item],
    prefix: &str,
    fields: &[NamedField],
    out: &mut Vec<(String, &'a Text)>,
) {
    for item in items {
        let Some(key) = &item.key else { continue };
        let name = format!("{prefix}{key}");
        let within = format!("{name}.");
        match &item.value {
            Text::Group(inner)
                if fields.iter().any(|(field, _)| {
                    field
                        .get(..within.len())
                        .is_some_and(|start| start.eq_ignore_ascii_case(&within))
                }) =>
            {
                flattened(inner, &within, fields, out);
            }
            value => out.push((name, value)),
        }
    }
}

/// Fields without tags: those that are not named keep their old value.
fn read_fields(
    items: &[Item],
    fields: &[NamedField],
    olds: &[Option<&Value>],
    declared: &Declared,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let names = || fields.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join(", ");
    let mut texts: Vec<Option<&Text>> = vec![None; fields.len()];
    let keyed = items.iter().filter(|item| item.key.is_some()).count();
    if keyed == 0 && !items.is_empty() {
        if items.len() != fields.len() {
            let (given, all) = (items.len(), fields.len());
            return Err(invalid(format!("{given} values for {all} fields: {}", names())));
        }
        texts = items.iter().map(|item| Some(&item.value)).collect();
    } else if keyed != items.len() {
        return Err(invalid("give every field its name, or none".to_owned()));
    } else {
        let mut flat = Vec::new();
        flattened(items, "", fields, &mut flat);
        for (name, text) in flat {
            let at = fields.iter().position(|(field, _)| field.eq_ignore_ascii_case(&name));
            let at = at.ok_or_else(|| invalid(format!("no field '{name}' among {}", names())))?;
            if texts[at].replace(text).is_some() {
                return Err(invalid(format!("field '{name}' is given twice")));
            }
        }
    }
    let mut values = Vec::with_capacity(fields.len());
    for (((name, property), text), old) in fields.iter().zip(texts).zip(olds) {
        values.push(match (text, old) {
            (Some(text), old) => read(text, element_of(declared, property, *old), lookup)
                .map_err(|error| in_place(name, error))?,
            (None, Some(old)) => (*old).clone(),
            (None, None) => {
                let reason = format!(
                    "field '{name}' is missing: the value is not stored yet, so every field must be \
                     given ({})",
                    names()
                );
                return Err(invalid(reason));
            }
        });
    }
    Ok(Value::Fields(values))
}

/// A struct with tags: those fields that are named are set, the others stay.
fn read_tagged(
    items: &[Item],
    name: &str,
    mut list: PropertyList,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let scope = Scope::Struct(name.into());
    for item in items {
        let Some(key) = &item.key else {
            return Err(invalid(format!("fields of struct '{name}' are given as NAME=VALUE")));
        };
        let way = Segment::parse_all(key)?;
        apply(&mut list, &scope, &way, &Change::SetText(&item.value), lookup)
            .map_err(|error| in_place(key, error))?;
    }
    Ok(Value::Tagged(list))
}

/// Reads what a change says.
pub(super) fn read_change(
    change: &Change<'_>,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Option<Value>> {
    match change {
        Change::Set(text) => read_whole(text, wanted, lookup).map(Some),
        Change::SetText(text) => read(text, wanted, lookup).map(Some),
        Change::Read | Change::Remove => Ok(None),
    }
}
