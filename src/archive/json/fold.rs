//! From leaves inside steps to the shortest JSON that says the same.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::JsonTexts;
use super::keys::{COUNT, ELEMENTS, GROUPS, HEX, VALUE};
use crate::error::PathStep;
use crate::version::Versions;

/// The values that were serialised inside one step, in order.
#[derive(Debug, Default)]
pub(super) struct FoldFrame {
    /// The leaf that comes first in it, if there is one.
    pub start: usize,
    pub items: Vec<Item>,
    /// The form in which people read it.
    pub shape: ReadAs,
}

/// The form in which people read the parts of a value.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) enum ReadAs {
    /// Fields and elements.
    #[default]
    Plain,
    /// A value that may be missing: null, or the value.
    Optional,
    /// A variant: its name, with its fields where it has some.
    Variant,
}

#[derive(Debug)]
pub(super) enum Item {
    /// A leaf, by its place in the list of leaves.
    Leaf(usize),
    /// A step with what is inside.
    Step(PathStep, FoldFrame),
    /// A form, before the leaf of this place; the usual one is not written.
    Form(usize, &'static str, Option<Value>),
}

impl Item {
    /// The place of the leaf that comes first in it.
    pub fn first_leaf(&self) -> usize {
        match self {
            Self::Leaf(at) | Self::Form(at, ..) => *at,
            Self::Step(_, frame) => frame.start,
        }
    }
}

/// Where a part of a value stands.
#[derive(Debug, PartialEq)]
enum Key {
    /// A leaf without a name.
    Bare,
    Index(usize),
    Name(Cow<'static, str>),
    Form(&'static str),
}

/// A part of a value; without a value where nothing is stored.
type Part = (Key, Option<Value>);

impl FoldFrame {
    /// The JSON form; takes its leaves out of `leaves`.
    pub fn fold(self, leaves: &mut [Value], texts: &dyn JsonTexts, versions: &Versions) -> Value {
        let parts = self.items.into_iter().map(|item| match item {
            Item::Leaf(at) => (Key::Bare, Some(leaves[at].take())),
            Item::Form(_, name, value) => (Key::Form(name), value),
            Item::Step(step, frame) => {
                let is_something = frame.items.iter().any(|item| matches!(item, Item::Leaf(_)));
                let value = frame.fold(leaves, texts, versions);
                let something = |value| something(value, is_something);
                match step {
                    PathStep::Index(index) => (Key::Index(index), Some(value)),
                    PathStep::Field(name) => (Key::Name(name.into()), something(value)),
                    PathStep::Name(name) => (Key::Name(escaped(&name)), something(value)),
                }
            }
        });
        let mut parts: Vec<Part> = parts.collect();
        match self.shape {
            ReadAs::Optional => {
                if let Some(value) = optional(&mut parts) {
                    return value;
                }
            }
            ReadAs::Variant => {
                if let Some(name) = variant(&mut parts) {
                    let stored = parts.iter().any(|(_, value)| value.is_some());
                    return match stored {
                        true => Value::Object(Map::from_iter([(name, arrange(gather(parts)))])),
                        false => Value::String(name),
                    };
                }
            }
            ReadAs::Plain => {}
        }
        string(&parts, texts, versions).unwrap_or_else(|| arrange(gather(parts)))
    }
}

/// A value that may be missing as null or the value alone; one that would be taken for something else stays a field.
fn optional(parts: &mut [Part]) -> Option<Value> {
    let (present, value) = match parts {
        [(Key::Name(name), Some(present))] if name == "present" => (present, None),
        [(Key::Name(name), Some(present)), (Key::Name(field), value)]
            if name == "present" && field == "value" =>
        {
            (present, Some(value))
        }
        _ => return None,
    };
    match (present.as_bool()?, value) {
        (false, None) => Some(Value::Null),
        (true, Some(Some(value))) if !is_wrapped(value) => Some(value.take()),
        (true, value) => {
            let value = value.and_then(Option::take).unwrap_or_else(|| Value::Object(Map::new()));
            Some(Value::Object(Map::from_iter([("value".to_owned(), value)])))
        }
        _ => None,
    }
}

/// Whether an optional value of this form would read as none, or as one around it.
pub(super) fn is_wrapped(value: &Value) -> bool {
    let alone = |map: &Map<String, Value>| map.len() == 1 && map.contains_key("value");
    value.is_null() || value.as_object().is_some_and(alone)
}

/// The name of a variant, which is taken out of its parts; a number without a name stays.
fn variant(parts: &mut Vec<Part>) -> Option<String> {
    match parts.first_mut() {
        Some((Key::Name(key), Some(Value::String(name)))) if key == "discriminant" => {
            let name = std::mem::take(name);
            parts.remove(0);
            Some(name)
        }
        _ => None,
    }
}

/// A value without keys is something only where a leaf says so.
fn something(value: Value, is_something: bool) -> Option<Value> {
    let is_empty = value.as_object().is_some_and(Map::is_empty);
    (!is_empty || is_something).then_some(value)
}

/// A name as a key that means nothing else.
pub(super) fn escaped(name: &str) -> Cow<'static, str> {
    match name.starts_with(['$', '[', '\\']) {
        true => format!("\\{name}").into(),
        false => name.to_owned().into(),
    }
}

/// The name that a key stands for.
pub(super) fn unescaped(key: &str) -> &str {
    key.strip_prefix('\\').unwrap_or(key)
}

/// The key of an element that is not in an array.
pub(super) fn numbered(index: usize) -> Cow<'static, str> {
    format!("[{index}]").into()
}

/// A text has no more fields.
const MOST_OF_TEXT: usize = 4;

/// A whole text, if these are the parts of one.
fn string(parts: &[Part], texts: &dyn JsonTexts, versions: &Versions) -> Option<Value> {
    if parts.is_empty() || parts.len() > MOST_OF_TEXT {
        return None;
    }
    let mut fields = Vec::with_capacity(parts.len());
    // A usual form says nothing.
    let said = |(key, value): &&Part| value.is_some() || !matches!(key, Key::Form(_));
    for (key, value) in parts.iter().filter(said) {
        let (Key::Name(name), Some(value)) = (key, value) else { return None };
        fields.push((&**name, value));
    }
    texts.joined(&fields, versions).map(Value::String)
}

/// Counts and the elements that they count become one, also where something stands between them.
fn gather(parts: Vec<Part>) -> Vec<Part> {
    let counted = |(key, value): &Part| {
        let counts =
            matches!(key, Key::Bare) || matches!(key, Key::Name(name) if name.ends_with(COUNT));
        let count = value.as_ref().filter(|_| counts)?.as_u64().filter(|&count| count > 0)?;
        usize::try_from(count).ok()
    };
    let is_element = |part: &Part| matches!(part.0, Key::Index(_));
    let mut gathered = Vec::with_capacity(parts.len());
    let mut rest = parts.into_iter();
    while let Some((key, value)) = rest.next() {
        let part = (key, value);
        let Some(count) = counted(&part) else {
            gathered.push(part);
            continue;
        };
        let slice = rest.as_slice();
        // Bytes are as many as they are.
        if part.0 == Key::Bare
            && let Some((Key::Bare, Some(bytes))) = slice.first()
            && bytes.get(HEX).and_then(Value::as_str).is_some_and(|hex| hex.len() == count * 2)
        {
            gathered.extend(rest.next());
            continue;
        }
        // What counts again ends the search: elements behind it are its own.
        let ends = |part: &Part| is_element(part) || counted(part).is_some();
        let between = slice.iter().position(ends).unwrap_or(slice.len());
        let elements = slice.get(between..).and_then(|elements| elements.get(..count));
        let more = between.checked_add(count).and_then(|end| slice.get(end));
        let is_apart = part.0 == Key::Bare && between > 0;
        if is_apart || more.is_some_and(is_element) || !elements.is_some_and(are_elements) {
            gathered.push(part);
            continue;
        }
        let before: Vec<_> = rest.by_ref().take(between).collect();
        let elements = rest.by_ref().take(count).filter_map(|(_, value)| value).collect();
        gathered.push((part.0, Some(Value::Array(elements))));
        gathered.extend(before);
    }
    gathered
}

/// Whether these parts are elements, all in order from the first.
fn are_elements(parts: &[Part]) -> bool {
    parts.iter().zip(0..).all(|((key, _), at)| *key == Key::Index(at))
}

fn arrange(mut parts: Vec<Part>) -> Value {
    if let [(key, value)] = &mut parts[..] {
        match (key, value.as_ref()) {
            // A leaf, or an array that says its count.
            (Key::Bare, Some(_)) => return value.take().unwrap_or_default(),
            (Key::Name(name), Some(Value::Array(_))) if name == COUNT => {
                return value.take().unwrap_or_default();
            }
            _ => {}
        }
    }
    // A list without elements beside which nothing is stored.
    let mut stored = parts.iter_mut().filter(|(_, value)| value.is_some());
    if let (Some((Key::Name(name), value)), None) = (stored.next(), stored.next())
        && name == COUNT
        && value.as_ref().and_then(Value::as_array).is_some_and(Vec::is_empty)
    {
        return value.take().unwrap_or_default();
    }
    // A usual form is looked for where fields stand only.
    let is_usual = |(key, value): &Part| value.is_none() && matches!(key, Key::Form(_));
    let forms = parts.iter().take_while(|part| is_usual(part)).count();
    if parts.get(forms..).is_some_and(|rest| !rest.is_empty() && are_elements(rest)) {
        return parts.into_iter().filter_map(|(_, value)| value).collect();
    }
    // A leaf beside which nothing is stored.
    let mut stored = parts.iter_mut().filter(|(_, value)| value.is_some());
    if let (Some((Key::Bare, value)), None) = (stored.next(), stored.next())
        && value.as_ref().is_some_and(super::keys::is_leaf)
    {
        return value.take().unwrap_or_default();
    }
    let mut groups = groups_of(parts);
    if groups.len() < 2 {
        return Value::Object(groups.pop().unwrap_or_default());
    }
    let is_plain = |key: &String| !key.starts_with(['$', '[']);
    let plain = groups.iter().flat_map(Map::keys).all(is_plain);
    let first_counts = groups.first().is_some_and(|first| first.contains_key(COUNT));
    let list = Value::Array(groups.into_iter().map(Value::Object).collect());
    match plain && !first_counts {
        true => list,
        false => Value::Object(Map::from_iter([(GROUPS.to_owned(), list)])),
    }
}

/// The parts as objects: a key that comes again begins another one.
fn groups_of(parts: Vec<Part>) -> Vec<Map<String, Value>> {
    let mut groups = vec![Map::new()];
    let mut seen: HashSet<Cow<'static, str>> = HashSet::new();
    let mut parts = parts.into_iter();
    while let Some((key, value)) = parts.next() {
        let (key, value) = match key {
            Key::Bare => (Cow::Borrowed(VALUE), value),
            Key::Name(name) => (name, value),
            Key::Form(name) => (Cow::Borrowed(name), value),
            Key::Index(0) => {
                let rest = parts.as_slice();
                let run = (1..).zip(rest).take_while(|(at, (key, _))| *key == Key::Index(*at));
                let more = run.count();
                let rest = parts.by_ref().take(more).filter_map(|(_, value)| value);
                (Cow::Borrowed(ELEMENTS), Some(value.into_iter().chain(rest).collect()))
            }
            Key::Index(index) => (numbered(index), value),
        };
        if !seen.insert(key.clone()) {
            seen.clear();
            seen.insert(key.clone());
            groups.push(Map::new());
        }
        if let (Some(group), Some(value)) = (groups.last_mut(), value) {
            group.insert(key.into_owned(), value);
        }
    }
    // Turns in which nothing is stored hold their place, but at the end.
    while groups.len() > 1 && groups.last().is_some_and(Map::is_empty) {
        groups.pop();
    }
    groups
}
