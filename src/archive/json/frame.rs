//! The places in a document that are open: one for each step.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Map, Value};

use super::JsonTexts;
use super::fold::{is_wrapped, numbered, unescaped};
use super::keys::{COUNT, ELEMENTS, GROUPS, HEX, VALUE, bytes_of, group, is_leaf};
use crate::error::PathStep;
use crate::version::Versions;

/// The node at a place.
#[derive(Debug, Clone, Default)]
pub(super) enum Node<'a> {
    #[default]
    Missing,
    Json(&'a Value),
    /// A field of a value that stands there as a text.
    Made(Value),
}

impl<'a> From<Option<&'a Value>> for Node<'a> {
    fn from(value: Option<&'a Value>) -> Self {
        value.map_or(Self::Missing, Self::Json)
    }
}

/// Elements that are read one after the other.
#[derive(Debug, Clone)]
struct Elements<'a> {
    of: &'a [Value],
    next: usize,
    /// The field that counted them.
    count: Option<PathStep>,
}

impl Elements<'_> {
    fn are_left(&self) -> bool {
        self.next < self.of.len()
    }
}

/// A step, and what of its value was read.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame<'a> {
    /// The step; `None` for one that belongs to what is around, and at the start.
    step: Option<PathStep>,
    /// Whether the value around is meant.
    pub is_around: bool,
    node: Node<'a>,
    /// The whole node was read.
    used: bool,
    /// A number was read where bytes stand, which are to follow.
    counted: bool,
    /// The turn of a list whose keys come again.
    turn: usize,
    /// Keys that were asked for in this turn, and how many of them are there.
    asked: BTreeSet<Cow<'a, str>>,
    found: usize,
    /// The rest of a text that was taken apart.
    apart: Option<Vec<(&'static str, Value)>>,
    elements: Option<Elements<'a>>,
    /// Nodes for keys that the document says otherwise.
    given: Vec<(&'static str, Node<'a>)>,
    /// The variant that stands there by its name.
    variant: Option<String>,
}

impl<'a> Frame<'a> {
    pub fn new(step: Option<PathStep>, node: Node<'a>) -> Self {
        Self { step, node, ..Self::default() }
    }

    /// A step that belongs to what is around.
    pub fn around() -> Self {
        Self { is_around: true, ..Self::default() }
    }

    /// The objects that the fields stand in.
    fn groups(&self) -> &'a [Value] {
        let Node::Json(value) = self.node else { return &[] };
        match value {
            _ if self.used || is_leaf(value) => &[],
            Value::Array(groups) => groups,
            Value::Object(map) if map.len() == 1 => match map.get(GROUPS) {
                Some(Value::Array(groups)) => groups,
                _ => std::slice::from_ref(value),
            },
            value => std::slice::from_ref(value),
        }
    }

    fn map(&self) -> Option<&'a Map<String, Value>> {
        group(self.groups(), self.turn)
    }

    /// Takes what stands under a key.
    pub fn take(
        &mut self,
        key: Cow<'static, str>,
        texts: &dyn JsonTexts,
        versions: &Versions,
    ) -> Node<'a> {
        if let Some(at) = self.given.iter().position(|(name, _)| *name == key) {
            return self.given.remove(at).1;
        }
        if let Node::Json(value @ Value::Array(_)) = self.node
            && key == COUNT
            && !self.used
            && self.asked.is_empty()
        {
            self.used = true;
            return Node::Json(value);
        }
        if let Node::Json(Value::Array(list)) = self.node
            && list.is_empty()
            && let Some(value) = texts.of_empty(&key)
        {
            self.used = true;
            return Node::Made(value);
        }
        if let Node::Json(Value::String(text)) = self.node {
            if self.apart.is_none() && !self.used {
                let fields = texts.apart(text, versions);
                self.used = fields.iter().any(|(name, _)| *name == key);
                self.apart = self.used.then_some(fields);
            }
            let fields = self.apart.as_mut();
            let field = fields.and_then(|fields| {
                let at = fields.iter().position(|(name, _)| *name == key)?;
                Some(fields.swap_remove(at).1)
            });
            return field.map_or(Node::Missing, Node::Made);
        }
        if self.groups().is_empty() {
            return Node::Missing;
        }
        if self.asked.contains(&*key) {
            if self.found < self.map().map_or(0, Map::len) {
                return Node::Missing;
            }
            self.turn += 1;
            (self.found, self.elements) = (0, None);
            self.asked.clear();
        }
        match self.map().and_then(|map| map.get_key_value(&*key)) {
            Some((key, value)) => {
                self.asked.insert(Cow::Borrowed(key));
                self.found += 1;
                Node::Json(value)
            }
            None => {
                self.asked.insert(key);
                Node::Missing
            }
        }
    }

    /// Nothing was read of the value yet.
    fn is_fresh(&self) -> bool {
        let read = self.used || self.counted || self.apart.is_some() || self.elements.is_some();
        !read && self.asked.is_empty() && self.given.is_empty()
    }

    /// Whether nothing stands there, not even at a key that the document says otherwise.
    pub fn lacks_value(&self) -> bool {
        !self.is_around && matches!(self.node, Node::Missing) && self.is_fresh()
    }

    /// A value that may be missing is read next: null, or the value.
    pub fn optional(&mut self) {
        let Node::Json(value) = self.node else { return };
        if !self.is_fresh() {
            return;
        }
        let present = !value.is_null();
        self.given.push(("present", Node::Made(present.into())));
        if present && !is_wrapped(value) {
            self.given.push(("value", Node::Json(value)));
            self.used = true;
        }
        self.used |= !present;
    }

    /// A variant is read next: its name alone, or as the key of its fields.
    pub fn variant(&mut self) {
        let Node::Json(value) = self.node else { return };
        if !self.is_fresh() {
            return;
        }
        let (name, fields) = match value {
            Value::String(name) => (name, Node::Missing),
            Value::Object(map) if map.len() == 1 => match map.iter().next() {
                Some((name, fields)) if name != "discriminant" => (name, Node::Json(fields)),
                _ => return,
            },
            _ => return,
        };
        self.given.push(("discriminant", Node::Made(Value::String(name.clone()))));
        (self.node, self.variant) = (fields, Some(name.clone()));
    }

    /// How many elements or bytes stand there.
    pub fn elements_ahead(&mut self) -> usize {
        match &self.node {
            Node::Json(Value::Array(list)) => {
                let empty = list.is_empty();
                let count = list.len();
                self.used |= empty;
                count
            }
            Node::Json(value) => bytes_of(value).map_or(0, |bytes| bytes.len()),
            _ => 0,
        }
    }

    /// Whether an array stands there that may be elements of which none was read: no place for a form.
    pub fn are_elements(&self, form: &str) -> bool {
        let has_form = || self.map().is_some_and(|map| map.contains_key(form));
        matches!(self.node, Node::Json(Value::Array(_))) && self.asked.is_empty() && !has_form()
    }

    /// Takes an element.
    pub fn element(&mut self, index: usize) -> Node<'a> {
        if let Some(elements) = &mut self.elements
            && elements.next == index
        {
            let element = elements.of.get(index);
            elements.next += usize::from(element.is_some());
            return element.map_or(Node::Missing, Node::Json);
        }
        let of = match self.node {
            Node::Json(Value::Array(of)) if !self.used && self.asked.is_empty() => {
                self.used = true;
                Some(of)
            }
            _ if index > 0 => None,
            _ => match self.take(ELEMENTS.into(), &(), &Versions::default()) {
                Node::Json(Value::Array(of)) => Some(of),
                _ => None,
            },
        };
        match of {
            Some(of) => {
                self.elements = Some(Elements { of, next: index, count: None });
                self.element(index)
            }
            None => self.take(numbered(index), &(), &Versions::default()),
        }
    }

    /// The leaf that comes next.
    pub fn ahead(&self) -> Option<&Value> {
        match &self.node {
            Node::Made(value) => (!self.used).then_some(value),
            Node::Json(value) if is_leaf(value) => (!self.used).then_some(*value),
            // A count.
            Node::Json(value @ Value::Array(_)) if self.asked.is_empty() => {
                (!self.used).then_some(*value)
            }
            _ => {
                let turn = self.turn + usize::from(self.asked.contains(VALUE));
                group(self.groups(), turn)?.get(VALUE)
            }
        }
    }

    /// Takes the leaf that comes next.
    pub fn leaf(&mut self) -> Node<'a> {
        match &self.node {
            Node::Missing => Node::Missing,
            Node::Made(_) => match std::mem::replace(&mut self.used, true) {
                true => Node::Missing,
                false => std::mem::take(&mut self.node),
            },
            Node::Json(value) if is_leaf(value) || value.is_array() && self.asked.is_empty() => {
                let value = *value;
                match std::mem::replace(&mut self.used, true) {
                    true => Node::Missing,
                    false => Node::Json(value),
                }
            }
            Node::Json(_) => self.take(VALUE.into(), &(), &Versions::default()),
        }
    }

    /// The number that stands before bytes, if those come next.
    pub fn count_of_bytes(&mut self) -> Option<usize> {
        let bytes = self.ahead().filter(|value| !self.counted && value.get(HEX).is_some())?;
        let count = bytes_of(bytes)?.len();
        self.counted = true;
        Some(count)
    }

    /// An array was read as the number of its elements, which come next.
    pub fn counts(&mut self, of: &'a [Value]) {
        self.elements = Some(Elements { of, next: 0, count: None });
    }

    /// Elements of which only the number was read belong to the value around.
    pub fn counted(&mut self) -> Option<Self> {
        let count = self.step.clone();
        let elements =
            self.elements.take_if(|elements| elements.next == 0 && elements.are_left())?;
        Some(Self { elements: Some(Elements { count, ..elements }), ..Self::default() })
    }

    /// Takes over the elements that a field has counted; whether those before were all read.
    pub fn take_over(&mut self, counted: Self) -> bool {
        let done = self.elements.as_ref().is_none_or(|elements| !elements.are_left());
        self.elements = counted.elements;
        done
    }

    /// The part of the value that was not read; `None` where all was.
    pub fn left(&self) -> Option<String> {
        if let Some(elements) = self.elements.as_ref().filter(|elements| elements.are_left()) {
            return Some(format!("element {} is one too many", elements.next));
        }
        if let Some(fields) = &self.apart {
            return (!fields.is_empty()).then(|| "a text does not belong here".to_owned());
        }
        let Node::Json(value) = self.node else {
            let unread = matches!(self.node, Node::Made(_)) && !self.used;
            return unread.then(|| "a text does not belong here".to_owned());
        };
        if self.used || value.as_object().is_some_and(Map::is_empty) {
            return None;
        }
        if self.groups().is_empty() {
            let empty = value.as_array().is_some_and(Vec::is_empty);
            return (!empty).then(|| "nothing belongs here".to_owned());
        }
        let names = self.names();
        if let Some(name) = names.first() {
            return Some(format!("unknown field '{name}'"));
        }
        let more = self.groups().len() > self.turn + 1;
        more.then(|| format!("element {} is one too many", self.turn + 1))
    }

    /// Fields that were not asked for yet.
    pub fn names(&self) -> Vec<&'a str> {
        let fields = self.map().into_iter().flat_map(Map::keys);
        fields.filter(|name| !self.asked.contains(name.as_str())).map(String::as_str).collect()
    }

    /// The keys that were not asked for, and whether something stands there; `None` for what is no object
    /// or has keys that come again.
    pub fn keys(&self) -> Option<Vec<(String, bool)>> {
        match self.node {
            Node::Missing => return Some(Vec::new()),
            // The number of elements was read, which are all that there is.
            Node::Json(Value::Array(list)) if self.used || list.is_empty() => {
                return Some(Vec::new());
            }
            Node::Json(Value::Object(map)) if !self.used => {
                if map.len() == 1 && map.contains_key(GROUPS) {
                    return None;
                }
            }
            _ => return None,
        }
        let keys = self.map().into_iter().flatten();
        let keys = keys.filter(|(key, _)| !self.asked.contains(key.as_str()));
        Some(keys.map(|(key, value)| (unescaped(key).to_owned(), !value.is_null())).collect())
    }

    /// Nothing stands there: whether that is so.
    pub fn is_null(&mut self) -> bool {
        let is_null = matches!(self.node, Node::Json(Value::Null));
        self.used |= is_null;
        is_null
    }

    /// Whether something stands there.
    pub fn is_there(&self) -> bool {
        !self.is_around && !matches!(self.node, Node::Missing)
    }

    /// Appends the step to a written path, and the turn or the count of what follows.
    pub fn append_to(&self, path: &mut String, inner: Option<&Self>) {
        if let Some(step) = &self.step {
            step.append_to(path);
        }
        if let Some(variant) = &self.variant {
            PathStep::Name(variant.as_str().into()).append_to(path);
        }
        // Writing to a String can't fail.
        let _ = match (&self.elements, inner.map(|inner| &inner.step)) {
            (Some(Elements { count: Some(count), .. }), Some(Some(PathStep::Index(_)))) => {
                count.append_to(path);
                Ok(())
            }
            (_, Some(Some(PathStep::Field(_) | PathStep::Name(_)))) if self.groups().len() > 1 => {
                write!(path, "[{}]", self.turn)
            }
            _ => Ok(()),
        };
    }
}
