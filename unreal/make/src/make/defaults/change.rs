//! Changes of arrays in default values (UE3): what the class above has, with elements more or less.
//!
//! ```text
//! Components.Add(NewLight)
//! Components.Remove(Sprite)
//! Sizes.RemoveIndex(0)
//! Sizes.Replace(2,3)
//! Sizes.Empty
//! ```
//!
//! Source: the public documentation of UDK on default properties.

use crate::compile::{ClassId, SymbolId, ValueType};
use crate::property::{Elements, TextMember, Value, ValueText};

use super::super::declare::ClassMaker;
use super::given::{Given, KnownValues, MOST_ELEMENTS};

/// What a line does with an array.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ArrayChange {
    /// One element more, at the end.
    Add(ValueText),
    /// All elements like this one less.
    Remove(ValueText),
    /// The element of this number less.
    RemoveIndex(u32),
    /// All elements like the first one become the second one.
    Replace(ValueText, ValueText),
    /// No elements.
    Empty,
}

/// A line that changes an array: the array's name, and what becomes of it. `None` of one that is no such line.
pub(super) fn array_change(line: &str) -> Option<Result<(String, ArrayChange), String>> {
    let end = line.find('(').unwrap_or(line.len());
    let (name, word) = line.get(..end)?.trim().split_once('.')?;
    let is_name = |text: &str| {
        !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
    };
    if !is_name(name) || !is_name(word) {
        return None;
    }
    let read = || ValueText::parse(line.get(end..)?).ok();
    let members = || match read() {
        Some(ValueText::Group(members)) => members,
        _ => Vec::new(),
    };
    let change = change(&word.to_ascii_lowercase(), members());
    let what = "write Add(value), Remove(value), RemoveIndex(number), Replace(old,new) or Empty";
    Some(match change {
        Some(change) => Ok((name.to_owned(), change)),
        None => Err(format!("'{line}' is no change of an array: {what}")),
    })
}

fn change(word: &str, members: Vec<TextMember>) -> Option<ArrayChange> {
    let mut values = members.into_iter().map(|member| member.value);
    let (first, second, third) = (values.next(), values.next(), values.next());
    Some(match (word, first, second, third) {
        ("add" | "additem", Some(value), None, None) => ArrayChange::Add(value),
        ("remove" | "removeitem", Some(value), None, None) => ArrayChange::Remove(value),
        ("removeindex", Some(value), None, None) => {
            ArrayChange::RemoveIndex(value.word()?.trim().parse().ok()?)
        }
        ("replace", Some(old), Some(new), None) => ArrayChange::Replace(old, new),
        ("empty", None, None, None) => ArrayChange::Empty,
        _ => return None,
    })
}

impl ClassMaker<'_> {
    /// Changes an array from what it is so far, or what the classes above have.
    ///
    /// # Errors
    /// Why the line is passed over: among others, when what a class above has is not at hand.
    pub(super) fn change_array(
        &mut self,
        class: ClassId,
        (name, change): (&str, &ArrayChange),
        given: &mut Given,
        known: &KnownValues,
    ) -> Result<(), String> {
        let found = self.symbols.find_variable(class, &name.to_ascii_lowercase());
        let of = found.map(|id| self.symbols.type_of(id));
        let (Some(id), Some(ValueType::Array(inner))) = (found, of) else {
            let of = &self.symbols.class(class).name;
            return Err(format!("no array '{name}' in '{of}': the line is passed over"));
        };
        let inner = inner.as_deref().cloned().unwrap_or(ValueType::Int);
        let mut values = match (given.get(&(id, 0)), change) {
            (Some(Value::Array(Elements::Values(values))), _) => values.clone(),
            (_, ArrayChange::Empty) => Vec::new(),
            _ => self.array_above(class, id, &inner, known)?,
        };
        match change {
            ArrayChange::Add(text) if values.len() < MOST_ELEMENTS as usize => {
                values.push(self.value(class, &inner, text, None)?);
            }
            ArrayChange::Add(_) => return Err(format!("'{name}' has too many elements")),
            ArrayChange::Remove(text) => {
                let value = self.value(class, &inner, text, None)?;
                let count = values.len();
                values.retain(|it| *it != value);
                if values.len() == count {
                    return Err(format!("'{name}' holds no such element: the line is passed over"));
                }
            }
            ArrayChange::RemoveIndex(at) => {
                let at = *at as usize;
                if at >= values.len() {
                    return Err(format!("'{name}' has {} elements", values.len()));
                }
                values.remove(at);
            }
            ArrayChange::Replace(old, new) => {
                let old = self.value(class, &inner, old, None)?;
                let new = self.value(class, &inner, new, None)?;
                values.iter_mut().filter(|it| **it == old).for_each(|it| *it = new.clone());
            }
            ArrayChange::Empty => values.clear(),
        }
        given.insert((id, 0), Value::Array(Elements::Values(values)));
        Ok(())
    }

    /// The elements that an array has in the class above: of classes that are made what was given for them, of others
    /// what the defaults in their package say.
    fn array_above(
        &mut self,
        class: ClassId,
        id: SymbolId,
        inner: &ValueType,
        known: &KnownValues,
    ) -> Result<Vec<Value>, String> {
        let name = self.symbols.variable(id).map_or(String::new(), |it| it.name.clone());
        if class == id.class {
            return Ok(Vec::new());
        }
        let above: Vec<ClassId> = self.symbols.chain(class).skip(1).collect();
        for above in above {
            if let Some(Value::Array(Elements::Values(values))) =
                known.0.get(&above).and_then(|values| values.get(&(id, 0)))
            {
                let values = values.clone();
                return Ok(values
                    .into_iter()
                    .map(|it| self.of_this_class(class, above, it))
                    .collect());
            }
            let holder = self.symbols.class(above).name.clone();
            if !self.symbols.is_own(above) {
                let arrays = self.facts.class(&holder).and_then(|facts| facts.arrays.as_ref());
                let missing = || {
                    let what = format!("what '{name}' holds in '{holder}' is not at hand");
                    format!("{what}: the line is passed over")
                };
                let arrays = arrays.ok_or_else(missing)?;
                if let Some(text) = arrays.get(&name.to_ascii_lowercase()) {
                    let text = text.clone().ok_or_else(missing)?;
                    let text = ValueText::parse(&text).map_err(|error| error.to_string())?;
                    return self.elements(class, inner, &with_own_objects(text, &holder));
                }
            }
            if above == id.class {
                break;
            }
        }
        Ok(Vec::new())
    }

    /// The same value for a class: an object within the defaults of the class above is there again, as one of its own.
    fn of_this_class(&self, class: ClassId, above: ClassId, value: Value) -> Value {
        let Value::Object(index) = value else { return value };
        let Some(path) = self.draft.path_of(index) else { return value };
        let holder = format!("Default__{}.", self.symbols.class(above).name);
        let Some(inner) = path.strip_prefix(&holder) else { return value };
        let own = format!("Default__{}.{inner}", self.symbols.class(class).name);
        match self.draft.find_object(&own) {
            Some(row) => Value::Object(crate::primitive::PackageIndex::export(row)),
            None => value,
        }
    }
}

/// A text of another package whose references to objects within the defaults of this class are their names alone: each
/// class has such objects of its own.
fn with_own_objects(text: ValueText, class: &str) -> ValueText {
    match text {
        ValueText::Plain(word) => {
            let inner = format!("Default__{class}.");
            let path = word.split_once('\'').map(|(_, path)| path.trim_end_matches('\''));
            match path.and_then(|path| path.strip_prefix(&inner)) {
                Some(name) => ValueText::Plain(name.to_owned()),
                None => ValueText::Plain(word),
            }
        }
        ValueText::Group(members) => {
            let own = |member: TextMember| TextMember {
                value: with_own_objects(member.value, class),
                ..member
            };
            ValueText::Group(members.into_iter().map(own).collect())
        }
        other => other,
    }
}
