//! From leaves inside steps to the shortest JSON that says the same.

use serde_json::{Map, Value, json};

use super::{ARRAY, BEFORE, HEX, TEXT};
use crate::error::PathStep;
use crate::primitive::{Encoding, FString};
use crate::version::Versions;

/// What was serialised inside one step, in order.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The leaf that comes first in it, if there is one.
    pub start: usize,
    pub items: Vec<Item>,
}

/// A leaf, by its place in the list of leaves, or a step with what is inside.
#[derive(Debug)]
pub(super) enum Item {
    Leaf(usize),
    Step(PathStep, Frame),
}

impl Item {
    /// The place of the leaf that comes first in it.
    pub fn first_leaf(&self) -> usize {
        match self {
            Self::Leaf(at) => *at,
            Self::Step(_, frame) => frame.start,
        }
    }
}

impl Frame {
    /// The JSON form; takes its leaves out of `leaves`.
    pub fn fold(self, leaves: &mut [Value], versions: &Versions) -> Value {
        let mut parts: Vec<Part> = self
            .items
            .into_iter()
            .map(|item| match item {
                Item::Leaf(at) => (None, leaves[at].take()),
                Item::Step(step, frame) => (Some(step), frame.fold(leaves, versions)),
            })
            // A step in which nothing was stored; elements keep their place.
            .filter(|(step, value)| matches!(step, Some(PathStep::Index(_))) || !is_nothing(value))
            .collect();
        if let Some(tagged) = behind_tag(&parts) {
            let value = parts.split_off(tagged);
            parts.push((Some(PathStep::Field("value")), shorten(value, versions)));
        }
        shorten(parts, versions)
    }
}

/// A step, and what is inside.
type Part = (Option<PathStep>, Value);

fn shorten(parts: Vec<Part>, versions: &Versions) -> Value {
    string(&parts, versions).unwrap_or_else(|| arrange(parts))
}

/// Where the value of a property stands, which its tag and form stand before.
fn behind_tag(parts: &[Part]) -> Option<usize> {
    let is = |at: usize, name| match parts.get(at) {
        Some((Some(PathStep::Field(field)), value)) if *field == name => Some(value),
        _ => None,
    };
    let tag = is(0, "tag")?;
    tag.get("type").zip(tag.get("size"))?;
    let at = if is(1, "form").is_some() { 2 } else { 1 };
    (at < parts.len()).then_some(at)
}

fn is_nothing(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}

/// A whole string, if its parts are what a new string of the same text has.
fn string(parts: &[Part], versions: &Versions) -> Option<Value> {
    let is = |at: usize, name: &str| match parts.get(at) {
        Some((Some(PathStep::Field(field)), value)) if *field == name => Some(value),
        _ => None,
    };
    let length = is(0, "length")?.as_i64()?;
    if length == 0 && parts.len() == 1 {
        return Some(json!(""));
    }
    let (characters, last) = match parts.len() {
        // One zero alone.
        2 => (None, is(1, "terminator")?),
        3 => (Some(is(1, "characters")?), is(2, "terminator")?),
        _ => return None,
    };
    let zero = last.as_u64() == Some(0) || last.get(HEX).is_some_and(|hex| hex == "0000");
    let text = match characters {
        None => return None,
        Some(value) if length > 0 => value.get(TEXT)?.as_str()?.to_owned(),
        Some(value) => {
            let bytes = super::unhex(value.get(HEX)?.as_str()?)?;
            let order = FString::new_in("\u{fffd}", versions.byte_order, versions.game).encoding();
            FString::from_bytes(bytes, order).text(&[]).ok()?.into_owned()
        }
    };
    let again = FString::new_in(&text, versions.byte_order, versions.game);
    let wide = again.encoding() != Encoding::Ansi;
    let stored = match wide {
        true => characters?.get(HEX)?.as_str()? == super::hex(again.span().as_owned()?),
        false => true,
    };
    (zero && stored && again.stored_length().value() as i64 == length).then(|| json!(text))
}

/// Whether these parts are elements, all in order from the first.
fn are_elements(parts: &[Part]) -> bool {
    let mut indices = parts.iter().zip(0..);
    indices.all(|((step, _), at)| *step == Some(PathStep::Index(at)))
}

/// Counts and the elements that they count become one, also where something stands between them.
fn gather(parts: Vec<Part>) -> Vec<Part> {
    let counted = |(step, value): &Part| match step {
        Some(PathStep::Field(name)) if name.ends_with("count") => {
            value.as_u64().and_then(|count| usize::try_from(count).ok()).filter(|&count| count > 0)
        }
        _ => None,
    };
    let is_element = |part: &&Part| matches!(part.0, Some(PathStep::Index(_)));
    let mut gathered = Vec::with_capacity(parts.len());
    let mut rest = parts.into_iter();
    while let Some((step, value)) = rest.next() {
        let part = (step, value);
        let Some(count) = counted(&part) else {
            gathered.push(part);
            continue;
        };
        let slice = rest.as_slice();
        // What counts again ends the search: elements behind it are its own.
        let ends = |part: &Part| is_element(&part) || counted(part).is_some();
        let between = slice.iter().position(ends).unwrap_or(slice.len());
        let elements = slice.get(between..).and_then(|elements| elements.get(..count));
        let more = between.checked_add(count).and_then(|end| slice.get(end));
        if more.is_some_and(|part| is_element(&part)) || !elements.is_some_and(are_elements) {
            gathered.push(part);
            continue;
        }
        let before: Vec<_> = rest.by_ref().take(between).collect();
        let elements: Vec<_> = rest.by_ref().take(count).map(|(_, value)| value).collect();
        let value = match before.is_empty() {
            true => json!({ ARRAY: elements }),
            false => json!({ BEFORE: arrange(before), ARRAY: elements }),
        };
        gathered.push((part.0, value));
    }
    gathered
}

fn arrange(parts: Vec<Part>) -> Value {
    let mut parts = gather(parts);
    // An array alone says that it counts.
    if let [(Some(PathStep::Field("count")), value)] = &mut parts[..]
        && value.get(ARRAY).is_some()
    {
        return value.take();
    }
    if let [(None, count), elements @ ..] = &parts[..]
        && !elements.is_empty()
        && count.as_u64() == Some(elements.len() as u64)
        && are_elements(elements)
    {
        let elements: Vec<Value> = parts.drain(1..).map(|(_, value)| value).collect();
        return json!({ ARRAY: elements });
    }
    if let [(None, _)] = &parts[..] {
        return parts.pop().unwrap_or_default().1;
    }
    let key = |step: &Option<PathStep>| match step {
        Some(PathStep::Field(name)) => Some((*name).to_owned()),
        Some(PathStep::Name(name)) if !name.starts_with('$') => Some(name.to_string()),
        _ => None,
    };
    let keys: Option<Vec<String>> = parts.iter().map(|(step, _)| key(step)).collect();
    if let Some(keys) = keys {
        let mut sorted: Vec<&String> = keys.iter().collect();
        sorted.sort_unstable();
        if sorted.windows(2).all(|pair| pair[0] != pair[1]) {
            let values = parts.into_iter().map(|(_, value)| value);
            return Value::Object(keys.into_iter().zip(values).collect());
        }
    }
    let item = |(step, value): Part| match key(&step) {
        Some(key) => Value::Object(Map::from_iter([(key, value)])),
        None => value,
    };
    Value::Array(parts.into_iter().map(item).collect())
}
