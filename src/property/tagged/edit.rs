//! Reading, setting and removing the value at a way within the properties of UE4 and UE5.

use super::described::Type;
use super::elements::Elements;
use super::field_names::names_of;
use super::format::{Surroundings, display, fields_of, with_fields};
use super::kind::Kind;
use super::read::{
    Old, element_blank, element_type, invalid, read_change, read_key, same_key, same_value,
};
use super::way::Part;
use super::{Place, Property, PropertyList, Value};
use crate::error::{Error, ErrorKind, Result};
use crate::property::Change;
use crate::property::unversioned::UnversionedList;

/// What was found and what came of it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The value before, and its type.
    pub old: Option<(Value, Type)>,
    /// Its text.
    pub old_text: Option<String>,
    /// The text of the value afterwards.
    pub new_text: Option<String>,
}

fn not_stored(name: &str, names: &[String]) -> Error {
    const SHOWN: usize = 12;
    let mut shown: Vec<_> = names.iter().take(SHOWN).map(String::as_str).collect();
    shown.dedup();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let hint = match shown.is_empty() {
        true => "; none are stored, so all have their class's defaults".to_owned(),
        false => format!("; stored are {}{more}", shown.join(", ")),
    };
    ErrorKind::NotFound { what: "property", name: name.to_owned(), hint }.into()
}

fn is_container(kind: Kind) -> bool {
    matches!(kind, Kind::Array | Kind::Set | Kind::Map)
}

fn number(key: &str) -> Result<u32> {
    key.parse().map_err(|_| invalid(format!("'[{key}]' is no number of an element")))
}

/// The element of a static array that a part means, and what is left of its keys.
fn static_element(part: &Part, kind: Kind) -> Result<(u32, &[String])> {
    match part.keys.split_first() {
        // What stands in the first brackets is an element of a container, or else of a static array.
        Some((first, inner)) if !is_container(kind) && kind != Kind::Optional => {
            Ok((number(first)?, inner))
        }
        _ => Ok((0, &part.keys)),
    }
}

/// Does `change` to the value at `way` in a tagged list: of an object, or of the struct of this name.
pub(crate) fn apply(
    list: &mut PropertyList,
    structure: Option<&str>,
    way: &[Part],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let Some((first, rest)) = way.split_first() else {
        return Err(invalid("a property needs a name"));
    };
    let is = |property: &Property, around: &dyn Surroundings| {
        around.name_text(property.name()).eq_ignore_ascii_case(&first.name)
    };
    let named: Vec<usize> =
        (0..list.properties.len()).filter(|&at| is(&list.properties[at], &*around)).collect();
    let stored = named.first().map(|&at| list.properties[at].stored_type(&|n| around.name_text(n)));
    let declared = match (&stored, change) {
        (Some(_), _) => None,
        (None, Change::Set(_) | Change::SetText(_)) => {
            Some(around.declared(structure, &first.name)?)
        }
        (None, _) => {
            let names: Vec<_> =
                list.properties.iter().map(|known| around.name_text(known.name())).collect();
            return Err(not_stored(&first.name, &names));
        }
    };
    let kind = stored.as_ref().or(declared.as_ref().map(|(known, _)| known));
    let (index, keys) = static_element(first, kind.map_or(Kind::Unknown, Type::kind))?;
    let at = named.iter().copied().find(|&at| list.properties[at].array_index() as u32 == index);
    if let Some(at) = at {
        let known = list.properties[at].stored_type(&|name| around.name_text(name));
        if keys.is_empty() && rest.is_empty() && matches!(change, Change::Remove) {
            let old_text = Some(display(list.properties[at].value(), Some(&known), &*around));
            let property = list.properties.remove(at);
            let old = Some((property.value().clone(), known));
            return Ok(Found { old, old_text, new_text: None });
        }
        let known = better(known, structure, &first.name, &*around);
        let mut value = list.properties[at].value().clone();
        let found = apply_value(&mut value, &known, (keys, rest), change, true, around)?;
        *list.properties[at].value_mut() = value;
        return Ok(found);
    }
    if !matches!(change, Change::Set(_) | Change::SetText(_)) {
        let names = [format!("{}, but not its element {index}", first.name)];
        return Err(not_stored(&first.name, &names));
    }
    let (known, dimension) = match (declared, stored) {
        (Some(declared), _) => declared,
        // Another element of the same static array says the type.
        (None, Some(known)) => {
            let declared = around.declared(structure, &first.name);
            let is_static = named.iter().any(|&at| list.properties[at].array_index() > 0);
            let told = if is_static { u32::MAX } else { 1 };
            (known, declared.map_or(told, |(_, dimension)| dimension))
        }
        (None, None) => around.declared(structure, &first.name)?,
    };
    if index >= dimension.max(1) {
        return Err(invalid(format!("'{}' has {dimension} elements, 0 the first", first.name)));
    }
    let mut property = Property::blank(&first.name, index, &known, around)?;
    let mut value = property.value().clone();
    let mut found = apply_value(&mut value, &known, (keys, rest), change, false, around)?;
    *property.value_mut() = value;
    (found.old, found.old_text) = (None, None);
    let before = named.iter().rev().find(|&&at| list.properties[at].array_index() < index as i32);
    let at = before.map(|at| at + 1).or(named.first().copied()).unwrap_or(list.properties.len());
    list.properties.insert(at, property);
    Ok(found)
}

/// The tag is the truth; the declaration may know the structs and enums that it leaves out.
fn better(known: Type, structure: Option<&str>, name: &str, around: &dyn Surroundings) -> Type {
    let vague = |known: &Type| {
        matches!(known.kind(), Kind::Struct | Kind::Enum) && known.type_name().is_empty()
    };
    if !known.inner().iter().any(vague) && !known.inner().is_empty() || !is_container(known.kind())
    {
        return known;
    }
    match around.declared(structure, name) {
        Ok((declared, _)) if declared.agrees_with(&known) => declared,
        _ => known,
    }
}

/// Goes on from a value: into elements, into fields, or does the change. `stored` is false for a value
/// that is being added.
pub(crate) fn apply_value(
    value: &mut Value,
    known: &Type,
    (keys, rest): (&[String], &[Part]),
    change: &Change<'_>,
    stored: bool,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    if let (Value::Optional(held), Some(inner)) = (&mut *value, known.inner().first())
        && !(keys.is_empty() && rest.is_empty())
    {
        let Some(held) = &mut **held else {
            return Err(invalid("the optional value is not set: set it whole, as (VALUE)"));
        };
        return apply_value(held, inner, (keys, rest), change, stored, around);
    }
    if let Some((key, inner)) = keys.split_first() {
        return apply_element(value, known, key, (inner, rest), change, around);
    }
    if let Some(first) = rest.first() {
        return match value {
            Value::Tagged(list) => apply(list, Some(known.type_name()), rest, change, around),
            Value::Unversioned(list) => apply_unversioned(list, rest, change, around),
            Value::Instanced(instanced) => {
                let unknown = Type::unknown("unknown");
                let (value, keys) = (&mut instanced.value, [].as_slice());
                apply_value(value, &unknown, (keys, rest), change, stored, around)
            }
            other => match fields_of(other) {
                Some(_) if !stored => {
                    Err(invalid(format!("a {known} that is not stored yet is set whole")))
                }
                Some(mut fields) => {
                    let found = apply_field(&mut fields, known, rest, change, around)?;
                    with_fields(other, fields);
                    Ok(found)
                }
                None => {
                    Err(invalid(format!("a value of type {known} has no field '{}'", first.name)))
                }
            },
        };
    }
    let old_text = display(value, Some(known), &*around);
    let old = Some((value.clone(), known.clone()));
    match change {
        Change::Read => {
            Ok(Found { old, new_text: Some(old_text.clone()), old_text: Some(old_text) })
        }
        Change::Remove => Err(invalid(
            "only whole properties, elements, rows and fields with tags can be removed",
        )),
        // What is said already stays as it is, even where no text could make it.
        Change::Set(text) if stored && *text == old_text => {
            Ok(Found { old, new_text: Some(old_text.clone()), old_text: Some(old_text) })
        }
        Change::Set(_) | Change::SetText(_) => {
            let new = read_change(change, known, Old { value, stored }, around)?;
            *value = new;
            let new_text = Some(display(value, Some(known), &*around));
            Ok(Found { old, old_text: Some(old_text), new_text })
        }
    }
}

/// A field of a struct without tags; `Min.X` may be one field.
fn apply_field(
    fields: &mut [Value],
    known: &Type,
    rest: &[Part],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let names = names_of(known.type_name(), fields.len());
    let find = |name: &str| names.iter().position(|field| field.eq_ignore_ascii_case(name));
    let dotted = match rest {
        [first, second, ..] if first.keys.is_empty() => {
            find(&format!("{}.{}", first.name, second.name))
        }
        _ => None,
    };
    let found = match (dotted, rest) {
        (Some(at), [_, second, after @ ..]) => Some((at, second.keys.as_slice(), after)),
        (_, [first, after @ ..]) => find(&first.name).map(|at| (at, first.keys.as_slice(), after)),
        _ => None,
    };
    let Some((at, keys, after)) = found else {
        let name = rest.first().map_or(String::new(), |part| part.name.clone());
        let hint = format!("; the fields are {}", names.join(", "));
        return Err(ErrorKind::NotFound { what: "field", name, hint }.into());
    };
    let unknown = Type::unknown("number");
    match fields.get_mut(at) {
        Some(field) => apply_value(field, &unknown, (keys, after), change, true, around),
        None => Err(invalid("a struct without fields")),
    }
}

/// An element of an array or set, or the value of a key; one that is not there is added.
fn apply_element(
    value: &mut Value,
    known: &Type,
    key: &str,
    (inner, rest): (&[String], &[Part]),
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let element = element_type(known);
    let element = element.as_ref();
    match value {
        Value::Array(elements) => {
            apply_listed(elements, element, key, (inner, rest), change, around)
        }
        Value::StructArray(structs) => {
            apply_listed(&mut structs.elements, element, key, (inner, rest), change, around)
        }
        Value::Set(set) => {
            let found =
                apply_listed(&mut set.elements, element, key, (inner, rest), change, around)?;
            if matches!(change, Change::Set(_) | Change::SetText(_)) {
                let (at, values) =
                    (number(key)? as usize, set.elements.to_values(around.source())?);
                let same =
                    |one: &Value| values.get(at).is_some_and(|set| same_key(one, set, &*around));
                if values.iter().enumerate().any(|(other, one)| other != at && same(one)) {
                    return Err(invalid("a set has each element once"));
                }
            }
            Ok(found)
        }
        Value::Map(map) => apply_pair(&mut map.pairs, known, key, (inner, rest), change, around),
        _ => Err(invalid(format!("a value of type {known} has no elements"))),
    }
}

fn apply_listed(
    elements: &mut Elements,
    known: Option<&Type>,
    key: &str,
    (inner, rest): (&[String], &[Part]),
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let at = number(key)? as usize;
    let mut values = elements.to_values(around.source())?;
    let count = values.len();
    let last = inner.is_empty() && rest.is_empty();
    let is_set = matches!(change, Change::Set(_) | Change::SetText(_));
    let unknown = Type::unknown("unknown");
    let told = known.unwrap_or(&unknown);
    let found = if at < count && last && matches!(change, Change::Remove) {
        let old = values.remove(at);
        let old_text = Some(display(&old, Some(told), &*around));
        Found { old: Some((old, told.clone())), old_text, new_text: None }
    } else if let Some(value) = values.get_mut(at) {
        apply_value(value, told, (inner, rest), change, true, around)?
    } else if at == count && last && is_set {
        let mut value = element_blank(known, values.first(), around)?;
        let mut found = apply_value(&mut value, told, (inner, rest), change, false, around)?;
        (found.old, found.old_text) = (None, None);
        values.push(value);
        found
    } else {
        return Err(invalid(format!("there is no element {at}: there are {count}, 0 the first")));
    };
    if !matches!(change, Change::Read) {
        *elements = Elements::of_values(values);
    }
    Ok(found)
}

fn apply_pair(
    pairs: &mut Vec<(Value, Value)>,
    known: &Type,
    key: &str,
    (inner, rest): (&[String], &[Part]),
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let types = (known.inner().first(), known.inner().get(1));
    let unknown = Type::unknown("unknown");
    let told = types.1.unwrap_or(&unknown);
    let quoted = crate::property::text::quote(key);
    let is = |pair: &(Value, Value), around: &dyn Surroundings| {
        let shown = display(&pair.0, types.0, around);
        let is_enum = types.0.is_some_and(|known| matches!(known.kind(), Kind::Enum | Kind::Byte));
        shown.eq_ignore_ascii_case(key)
            || shown.eq_ignore_ascii_case(&quoted)
            || is_enum && same_value(&shown, key)
    };
    let at = pairs.iter().position(|pair| is(pair, &*around));
    let last = inner.is_empty() && rest.is_empty();
    if let Some(at) = at {
        if last && matches!(change, Change::Remove) {
            let (_, old) = pairs.remove(at);
            let old_text = Some(display(&old, Some(told), &*around));
            return Ok(Found { old: Some((old, told.clone())), old_text, new_text: None });
        }
        return apply_value(&mut pairs[at].1, told, (inner, rest), change, true, around);
    }
    if !last || !matches!(change, Change::Set(_) | Change::SetText(_)) {
        let shown: Vec<_> =
            pairs.iter().take(12).map(|(key, _)| display(key, types.0, &*around)).collect();
        let hint = format!("; the keys are {}", shown.join(", "));
        let error = ErrorKind::NotFound { what: "key", name: key.to_owned(), hint };
        return Err(error.into());
    }
    let sibling = pairs.first().cloned();
    let sibling = sibling.as_ref();
    let new_key = read_key(key, types.0, sibling.map(|pair| &pair.0), around)?;
    if pairs.iter().any(|(known, _)| same_key(known, &new_key, &*around)) {
        return Err(invalid(format!("the key {key} is there in another form")));
    }
    let mut value = element_blank(types.1, sibling.map(|pair| &pair.1), around)?;
    let mut found = apply_value(&mut value, told, (inner, rest), change, false, around)?;
    (found.old, found.old_text) = (None, None);
    pairs.push((new_key, value));
    Ok(found)
}

/// The same in an unversioned list: the schema of its class knows every property.
pub(crate) fn apply_unversioned(
    list: &mut UnversionedList,
    way: &[Part],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let Some((first, rest)) = way.split_first() else {
        return Err(invalid("a property needs a name"));
    };
    let mappings = around
        .mappings()
        .ok_or_else(|| invalid("properties without names need mappings (a .usmap file)"))?;
    let Some((known, dimension)) = mappings.property_type(list.class(), &first.name) else {
        let hint = format!("; the mappings have none of this name in {}", list.class());
        let name = first.name.clone();
        return Err(ErrorKind::NotFound { what: "property", name, hint }.into());
    };
    let (index, keys) = static_element(first, known.kind())?;
    let slot = list.slot_of(&first.name, index, mappings);
    let Some(slot) = slot.filter(|_| index < dimension) else {
        return Err(invalid(format!("'{}' has {dimension} elements, 0 the first", first.name)));
    };
    let zero = match list.properties.iter().find(|property| property.slot() == slot) {
        Some(property) if property.value.is_none() => {
            Some(list.zero(slot, mappings, around.versions()))
        }
        _ => None,
    };
    let leaf = keys.is_empty() && rest.is_empty();
    match list.properties.iter().position(|property| property.slot() == slot) {
        Some(at) if leaf && matches!(change, Change::Remove) => {
            let old = list.properties.remove(at).value;
            let old_text = old.as_ref().map(|old| display(old, Some(&known), &*around));
            let old_text = old_text.or_else(|| Some(super::format::zero_text(Some(&known))));
            Ok(Found { old: old.map(|old| (old, known)), old_text, new_text: None })
        }
        Some(at) => {
            // Zero is not stored; what is set is, whatever it is.
            let held = list.properties[at].value.clone();
            let is_zero = held.is_none();
            let mut value = match (held, zero) {
                (Some(value), _) => value,
                (None, Some(Some(zero))) => zero,
                (None, _) => Value::blank(&known, Place::Property, around)?,
            };
            let before = value.clone();
            let found = apply_value(&mut value, &known, (keys, rest), change, true, around)?;
            if !(is_zero && value == before) {
                list.properties[at].value = Some(value);
            }
            Ok(found)
        }
        None if matches!(change, Change::Set(_) | Change::SetText(_)) => {
            let mut value = Value::blank(&known, Place::Property, around)?;
            let mut found = apply_value(&mut value, &known, (keys, rest), change, false, around)?;
            (found.old, found.old_text) = (None, None);
            let (name, index) = (first.name.clone(), index);
            list.insert(slot, &name, index, value, around.mappings());
            Ok(found)
        }
        None => {
            let names: Vec<_> =
                list.properties.iter().map(|property| property.name().to_owned()).collect();
            Err(not_stored(&first.name, &names))
        }
    }
}
