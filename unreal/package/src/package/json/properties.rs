//! Lists of properties in the words of a document: an object with name, type and value for each, where the
//! archive has names, tags and the name that ends the list.
//!
//! | key | says | left out |
//! |---|---|---|
//! | `name` | the name of the property | |
//! | `type` | its type, as [`Type`] reads it | where `tag` stands |
//! | `index` | element of a static array | for 0 |
//! | `size` | bytes of the value, where loading must know them | where they follow from the value |
//! | `form` | how the value is stored, where its type does not say so | for the usual form |
//! | `enum` | the enum of a byte, whose value is one of its names ([`super::enums`]) | where nothing says one |
//! | `value` | the value | where nothing is stored |
//! | `tag` | the tag, field by field, where it says more than a type; `type` beside it says what a container holds | |

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::enums::{BytePlace, ENUM, ReadEnums, WrittenEnums};
use crate::error::{Error, PathStep, Result};
use crate::property::{Naming, PropertyKind, TagPlace, TagWords, Type};

/// Keys of a property that is said in words.
const KEYS: [&str; 8] = ["name", "type", "tag", "index", "size", "form", ENUM, "value"];
pub(super) const NAME: &str = "property_name";
/// The name that ends a list.
pub(super) const NONE: &str = "None";

/// Puts lists into words, and takes words apart.
pub(super) struct PropertyWords<'a> {
    place: TagPlace<'a>,
    /// Tags that were put into words, and whether the words say all of them.
    known: HashMap<String, Option<TagWords>>,
    enums: Enums<'a>,
}

/// The enums of bytes, by the direction.
#[derive(Clone, Copy)]
pub(super) enum Enums<'a> {
    Written(&'a WrittenEnums<'a>),
    /// And the path of the object that is read.
    Read(&'a ReadEnums, &'a dyn Fn() -> String),
}

/// What properties belong to.
#[derive(Clone, Copy)]
struct ByteOwner<'a> {
    row: usize,
    /// The struct whose fields they are.
    structure: Option<&'a str>,
}

impl<'a> PropertyWords<'a> {
    pub fn new(place: TagPlace<'a>, enums: Enums<'a>) -> Self {
        Self { place, known: HashMap::new(), enums }
    }

    /// Puts all lists within the body of an export into words, where nothing in it could be taken for words already;
    /// else leaves it, and says so.
    pub fn put(&mut self, row: usize, value: &mut Value, naming: &mut dyn Naming) -> bool {
        let is_clear = is_clear(value);
        if is_clear {
            self.put_lists(ByteOwner { row, structure: None }, value, naming);
        }
        is_clear
    }

    fn put_lists(&mut self, owner: ByteOwner<'_>, value: &mut Value, naming: &mut dyn Naming) {
        if is_end(value) {
            *value = json!([]);
            return;
        }
        match value {
            Value::Array(list) if is_list(list) => {
                list.pop();
                list.iter_mut().for_each(|property| self.put_property(owner, property, naming));
            }
            Value::Array(list) => {
                list.iter_mut().for_each(|part| self.put_lists(owner, part, naming));
            }
            Value::Object(map) => {
                map.values_mut().for_each(|part| self.put_lists(owner, part, naming));
            }
            _ => {}
        }
    }

    fn put_property(
        &mut self,
        owner: ByteOwner<'_>,
        property: &mut Value,
        naming: &mut dyn Naming,
    ) {
        let Some(map) = property.as_object_mut() else { return };
        let mut take = |key: &str| map.remove(key);
        let name = take(NAME).unwrap_or_default();
        let (tag, form) = (take("tag").unwrap_or_default(), take("form"));
        let mut value = take("value");
        let text = name.as_str().map(ToOwned::to_owned);
        map.insert("name".to_owned(), name);
        // Of a struct whose name the tag leaves out nothing is known.
        let mut structure = String::new();
        let said = self.words_of(&tag, naming);
        let said = said.filter(|said| said.boolean.is_none() || value.is_none() && said.size == 0);
        match said {
            Some(said) => {
                map.insert("type".to_owned(), json!(format!("{:#}", said.known)));
                if said.index != 0 {
                    map.insert("index".to_owned(), json!(said.index));
                }
                if !follows(said.size, &said.known, value.as_ref()) {
                    map.insert("size".to_owned(), json!(said.size));
                }
                if let Some(flag) = said.boolean {
                    map.insert("value".to_owned(), json!(flag));
                }
                structure = structure_of(&said.known).to_owned();
                let place = text.as_deref().map(|property| BytePlace {
                    row: owner.row,
                    structure: owner.structure,
                    property,
                });
                if let Some((name, word)) =
                    place.and_then(|place| self.enum_word(place, &said.known, value.as_ref()))
                {
                    map.insert(ENUM.to_owned(), json!(name));
                    value = Some(word);
                }
            }
            None => drop(map.insert("tag".to_owned(), tag)),
        }
        if let Some(form) = form {
            map.insert("form".to_owned(), form);
        }
        if let Some(mut value) = value {
            let owner = ByteOwner { structure: Some(&structure), ..owner };
            self.put_lists(owner, &mut value, naming);
            map.insert("value".to_owned(), value);
        }
    }

    /// The enum of a byte that is stored as a number, and what it says.
    fn enum_word(
        &self,
        place: BytePlace<'_>,
        known: &Type,
        value: Option<&Value>,
    ) -> Option<(String, Value)> {
        let Enums::Written(enums) = self.enums else { return None };
        let is_bare = known.kind() == PropertyKind::Byte && known.type_name().is_empty();
        let number = value.filter(|_| is_bare)?.as_u64()?;
        enums.word(place, u8::try_from(number).ok()?)
    }

    /// The words of a tag, if they say all of it.
    fn words_of(&mut self, tag: &Value, naming: &mut dyn Naming) -> Option<TagWords> {
        let text = tag.to_string();
        if let Some(known) = self.known.get(&text) {
            return known.clone();
        }
        let words = TagWords::of_json(tag, self.place).filter(|words| {
            let read = Type::of_tag(&format!("{:#}", words.known));
            let again = read.map(|known| TagWords { known, ..words.clone() });
            again.and_then(|words| words.to_json(self.place, naming)).is_ok_and(|it| it == *tag)
        });
        self.known.insert(text, words.clone());
        words
    }

    /// Takes the words of all lists within a value apart.
    ///
    /// # Errors
    /// `Invalid` for properties that say too little or something unknown, with their place in the value; as
    /// [`TagWords::to_json`].
    pub fn apart(&mut self, value: &mut Value, naming: &mut dyn Naming) -> Result<()> {
        match value {
            // Empty lists say what they are by where they stand: reading asks them.
            Value::Array(list) if list.is_empty() => {}
            Value::Array(list) if are_words(list) => {
                for (at, property) in list.iter_mut().enumerate() {
                    self.property_apart(property, naming).map_err(|error| error.at_index(at))?;
                }
                list.push(json!({ NAME: NONE }));
            }
            Value::Array(list) => {
                for (at, part) in list.iter_mut().enumerate() {
                    self.apart(part, naming).map_err(|error| error.at_index(at))?;
                }
            }
            Value::Object(map) => {
                for (key, part) in map.iter_mut() {
                    let located = |error: Error| error.within(PathStep::Name(key.as_str().into()));
                    self.apart(part, naming).map_err(located)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn property_apart(&mut self, property: &mut Value, naming: &mut dyn Naming) -> Result<()> {
        let Some(map) = property.as_object_mut() else { return Ok(()) };
        let mut stored = Map::new();
        let mut take = |key: &str| map.remove(key);
        stored.insert(NAME.to_owned(), take("name").unwrap_or_default());
        let (known, tag) = (take("type"), take("tag"));
        let (index, size, mut form) = (take("index"), take("size"), take("form"));
        let mut value = take("value");
        let named = take(ENUM);
        if let Some(key) = map.keys().next() {
            return Err(Error::invalid(format!("unknown field '{key}' of a property")));
        }
        if let Some(named) = named {
            let is_byte = known.as_ref().and_then(Value::as_str) == Some("byte");
            let (Some(named), true) = (named.as_str(), is_byte && tag.is_none()) else {
                return Err(Error::invalid("'enum' is the name of the enum of a byte"));
            };
            if let Enums::Read(enums, object) = self.enums {
                let given = value.take().ok_or_else(|| Error::invalid("a byte has a 'value'"))?;
                value = Some(enums.number(named, given, object)?);
            }
        }
        let tag = match (known, tag) {
            (None, Some(tag)) => tag,
            (Some(Value::String(text)), Some(tag)) => {
                // The tag says less than the type: what its container holds.
                let words =
                    TagWords { known: Type::of_tag(&text)?, index: 0, boolean: None, size: 0 };
                let name = stored.get(NAME).and_then(Value::as_str).unwrap_or_default();
                form = form.or_else(|| words.form(name, &tag, self.place).map(|form| json!(form)));
                tag
            }
            (Some(Value::String(text)), None) => {
                let known = Type::of_tag(&text)?;
                let boolean = match (&value, known.kind()) {
                    (Some(Value::Bool(flag)), PropertyKind::Bool) => Some(*flag),
                    (_, PropertyKind::Bool) => {
                        return Err(Error::invalid("a bool is true or false"));
                    }
                    _ => None,
                };
                if boolean.is_some() {
                    value = None;
                }
                let size = number(size, "size")?;
                let size = size.unwrap_or_else(|| usual_size(&known, value.as_ref()));
                let index = number(index, "index")?.unwrap_or(0);
                TagWords { known, index, boolean, size }.to_json(self.place, naming)?
            }
            _ => return Err(Error::invalid("a property has 'type', 'tag' or both")),
        };
        stored.insert("tag".to_owned(), tag);
        if let Some(form) = form {
            stored.insert("form".to_owned(), form);
        }
        if let Some(mut value) = value {
            self.apart(&mut value, naming).map_err(|error| error.in_field("value"))?;
            stored.insert("value".to_owned(), value);
        }
        *map = stored;
        Ok(())
    }
}

/// The types that a document says.
#[derive(Debug, Default)]
pub(super) struct TypesInWords {
    known: HashSet<String>,
    new: Vec<Type>,
}

impl TypesInWords {
    /// Notes the types that stand in a value; whether some were not there before.
    pub fn note(&mut self, value: &Value) -> bool {
        match value {
            Value::Array(list) => list.iter().for_each(|part| _ = self.note(part)),
            Value::Object(map) => {
                if let (Some(Value::String(text)), true) =
                    (map.get("type"), map.contains_key("name"))
                    && !self.known.contains(text)
                {
                    self.known.insert(text.clone());
                    self.new.extend(Type::of_tag(text));
                }
                map.values().for_each(|part| _ = self.note(part));
            }
            _ => {}
        }
        !self.new.is_empty()
    }

    /// Asks for all names that new ones consist of; what is wrong with one is said where it stands.
    pub fn name(&mut self, place: TagPlace<'_>, naming: &mut dyn Naming) {
        for known in self.new.drain(..) {
            let words = TagWords { known, index: 0, boolean: None, size: 0 };
            let _ = words.to_json(place, naming);
        }
    }
}

/// The struct that a value of this type or its elements are.
fn structure_of(known: &Type) -> &str {
    let of_elements = known.inner().last().map_or("", structure_of);
    if known.kind() == PropertyKind::Struct { known.type_name() } else { of_elements }
}

fn number<T: TryFrom<i64>>(value: Option<Value>, key: &str) -> Result<Option<T>> {
    let Some(value) = value else { return Ok(None) };
    let number = value.as_i64().and_then(|number| T::try_from(number).ok());
    number.map(Some).ok_or_else(|| Error::invalid(format!("'{key}' is no number that fits")))
}

/// Whether it is the name that ends a list, alone.
fn is_end(value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|map| map.len() == 1 && map.get(NAME).is_some_and(|name| *name == json!(NONE)))
}

/// Whether it is a list with its end.
fn is_list(list: &[Value]) -> bool {
    let Some((last, properties)) = list.split_last() else { return false };
    if properties.is_empty() {
        // One element that is an empty list.
        return false;
    }
    let is_property = |part: &Value| {
        part.as_object().is_some_and(|map| {
            map.contains_key("tag")
                && map.contains_key(NAME)
                && map.keys().all(|key| [NAME, "tag", "form", "value"].contains(&key.as_str()))
        })
    };
    is_end(last) && properties.iter().all(is_property)
}

/// Whether nothing in a value could be taken for words.
fn is_clear(value: &Value) -> bool {
    match value {
        Value::Array(list) => !are_words(list) && list.iter().all(is_clear),
        Value::Object(map) => map.values().all(is_clear),
        _ => true,
    }
}

/// Whether it is a list in words.
fn are_words(list: &[Value]) -> bool {
    let is_one = |part: &Value| {
        part.as_object().is_some_and(|map| {
            map.contains_key("name")
                && (map.contains_key("type") || map.contains_key("tag"))
                && map.keys().all(|key| KEYS.contains(&key.as_str()))
        })
    };
    !list.is_empty() && list.iter().all(is_one)
}

/// A size that makes loading read a value of this type as it stands here.
fn usual_size(known: &Type, value: Option<&Value>) -> u32 {
    let is_name = |value: &Value| value.is_string() || value.get("$row").is_some();
    let is_wide = |value: &Value| value.as_array().is_some_and(|parts| parts.len() == 3);
    let Some(value) = value else { return 0 };
    match known.kind() {
        PropertyKind::Byte if is_name(value) => 8,
        PropertyKind::Byte => 1,
        PropertyKind::Float if is_wide(value) => 12,
        PropertyKind::Array => {
            let Some(elements) = value.as_array() else { return 4 };
            let each = match elements.first() {
                Some(first) if is_name(first) => 8,
                Some(first) if is_wide(first) => 12,
                _ => 1,
            };
            u32::try_from(elements.len()).unwrap_or(u32::MAX).saturating_mul(each).saturating_add(4)
        }
        kind => kind.width().and_then(|width| u32::try_from(width).ok()).unwrap_or(4),
    }
}

/// Whether the size that is stored makes no difference to the usual one.
fn follows(size: u32, known: &Type, value: Option<&Value>) -> bool {
    let usual = usual_size(known, value);
    match known.kind() {
        // What its elements are says the type.
        PropertyKind::Array if !known.inner().is_empty() => true,
        PropertyKind::Array => {
            let count = value.and_then(Value::as_array).map_or(0, Vec::len);
            let each = |size: u32| usize::try_from(size.saturating_sub(4)).ok()?.checked_div(count);
            let matters = |each: Option<usize>| matches!(each, Some(8 | 12));
            each(size) == each(usual) || !matters(each(size)) && !matters(each(usual))
        }
        PropertyKind::Byte | PropertyKind::Float | PropertyKind::Bool => size == usual,
        PropertyKind::Map => (size == 0) == (usual == 0),
        _ => true,
    }
}
