//! The values of actors and of what lies in them.

use std::collections::HashMap;

use super::{AddedObject, Adding};
use crate::content::map_text::actor::MapTextActor;
use crate::content::map_text::references::{elements, with_references};
use crate::content::map_text::sheer;
use crate::edit::{Placement, belongs_to_level};
use crate::error::{Error, Result};
use crate::inspect::{Inherited, PackageValues, ReferenceTexts};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::PropertyKind;

/// What stands in the path of an object of a map before that which its level begins with (UE3).
const OF_LEVEL: &str = "PersistentLevel.";

impl<'a> Adding<'a> {
    /// The properties of the text that actors get, with what their classes say of them: asked of all before the first
    /// is set, since each change makes what is known of classes anew.
    pub(super) fn declared(
        &self,
        added: &[AddedObject<'a>],
    ) -> Result<Vec<Vec<ActorProperty<'a>>>> {
        let values = self.edit.values();
        let effective = values.effective();
        let of_object = |object: &AddedObject<'a>| {
            let (row, actor) = (object.row, object.text);
            let is_own = |name: &str| {
                belongs_to_level(name)
                    || (name.eq_ignore_ascii_case("Brush") && actor.brush.is_some())
            };
            let properties = actor.properties.iter().filter(|(name, _)| !is_own(name));
            let known = properties.map(|(name, value)| {
                let name = name.replace('(', "[").replace(')', "]");
                let base = name.split('[').next().unwrap_or_default();
                let kind = effective.type_of(row, base).map(|known| known.kind());
                let class = |name: &str| -> Result<Option<String>> {
                    match effective.value(row, name)? {
                        Inherited::Value(value) => Ok(Some(value.text)),
                        _ => Ok(None),
                    }
                };
                let default = match (kind, place_default(&name)) {
                    (Some(PropertyKind::Struct), Some(place)) => {
                        class(&name)?.or_else(|| Some(place.to_owned()))
                    }
                    // From UE3 on structs store what they have, as the text does.
                    (Some(PropertyKind::Struct), None) if self.level.is_none() => class(&name)?,
                    _ => None,
                };
                Ok(ActorProperty { name, value, kind, default })
            });
            known.collect()
        };
        added.iter().map(of_object).collect()
    }

    pub(super) fn set_properties(
        &mut self,
        object: &AddedObject<'a>,
        properties: Vec<ActorProperty<'_>>,
    ) -> Result<()> {
        let (row, actor) = (object.row, object.text);
        let mut lists = Lists::default();
        for ActorProperty { name, value, kind, default } in properties {
            if value.is_empty() {
                let line = format!("{}.{name}: the text says no value", actor.name);
                self.done.left_out.push(line);
                continue;
            }
            let value = self.own_value(object, &name, value);
            match kind {
                Some(PropertyKind::Array) if name.contains('[') => lists.push(&name, value),
                Some(PropertyKind::Name) => {
                    self.set(row, actor, &name, value.trim_matches('"'))?;
                }
                Some(PropertyKind::Struct) => {
                    let value = sheer::with_number(&value);
                    match default {
                        // Fields that the text leaves out are those of the class's default, which UnrealEd does not
                        // write.
                        Some(default) => {
                            self.set(row, actor, &name, &default)?;
                            self.set_fields(row, actor, &name, &value)?;
                        }
                        None => self.set(row, actor, &name, &value)?,
                    }
                }
                _ => self.set(row, actor, &name, &value)?,
            }
        }
        for (name, elements) in lists.in_order {
            let elements = self.whole_list(object, &name, elements)?;
            self.set(row, actor, &name, &format!("({})", elements.join(",")))?;
        }
        Ok(())
    }

    /// The elements of a list of which the text has some with their numbers: the others are those of the class's
    /// default, which UnrealEd does not write.
    fn whole_list(
        &self,
        object: &AddedObject<'a>,
        name: &str,
        mut numbered: Vec<(usize, String)>,
    ) -> Result<Vec<String>> {
        numbered.sort_by_key(|(at, _)| *at);
        if self.level.is_none()
            || numbered.iter().enumerate().all(|(at, (number, _))| at == *number)
        {
            return Ok(numbered.into_iter().map(|(_, element)| element).collect());
        }
        let values = self.edit.values();
        let inherited = match values.effective().value(object.row, name)? {
            Inherited::Value(value) => value.text,
            _ => String::new(),
        };
        let mut list: Vec<String> = elements(&inherited).into_iter().map(str::to_owned).collect();
        for (at, element) in numbered {
            if at > list.len() {
                let reason =
                    "elements before it are those of the class's default, which is not at hand";
                let actor = &object.text.name;
                return Err(Error::invalid(format!("{actor}.{name}({at}): {reason}")));
            }
            list.splice(at..list.len().min(at + 1), [element]);
        }
        Ok(list)
    }

    fn set_fields(
        &mut self,
        row: usize,
        actor: &MapTextActor,
        path: &str,
        value: &str,
    ) -> Result<()> {
        // No deeper than the text is long.
        let mut open = vec![(path.to_owned(), value.to_owned())];
        while let Some((path, value)) = open.pop() {
            let fields: Option<Vec<_>> =
                elements(&value).into_iter().map(|field| field.split_once('=')).collect();
            match fields {
                Some(fields) if value.starts_with('(') => open.extend(
                    fields
                        .into_iter()
                        .rev()
                        .map(|(field, value)| (format!("{path}.{field}"), value.to_owned())),
                ),
                _ => self.set(row, actor, &path, &value)?,
            }
        }
        Ok(())
    }

    fn set(&mut self, row: usize, actor: &MapTextActor, name: &str, value: &str) -> Result<()> {
        let done = self.edit.set_property(&format!("#{row}"), name, value);
        done.map(drop)
            .map_err(|error| Error::invalid(format!("{}.{name}={value}: {error}", actor.name)))
    }

    /// A value with the references that objects have in this map.
    fn own_value(&mut self, object: &AddedObject<'a>, name: &str, value: &str) -> String {
        let mut lost = Vec::new();
        let text = with_references(value, |class, path| {
            let found = match self.level {
                None => self.reference(class, path),
                Some(_) => self.reference_in_level(object.actor, class, path),
            };
            if found.is_none() {
                let own = path.split_once('.').filter(|_| self.level.is_none());
                lost.push(own.map_or(path, |(_, own)| own).to_owned());
            }
            found
        });
        let text = text.into_owned();
        for path in lost {
            let line = format!(
                "{}.{name}: {path} is neither in the text nor an actor of the map",
                object.text.name
            );
            self.done.left_out.push(line);
        }
        text
    }

    /// A reference as the map has it (UE1, UE2): objects of the map stand behind its package.
    fn reference(&mut self, class: &str, path: &str) -> Option<String> {
        let own =
            path.split_once('.').filter(|(first, _)| first.eq_ignore_ascii_case(&self.package));
        let path = match own {
            Some((_, own)) => self.local(own)?,
            None => path.to_owned(),
        };
        Some(format!("{class}'{path}'"))
    }

    /// A reference as the map has it (UE3): objects of the actor, of the text and of the level are called by their
    /// names, others by their paths.
    fn reference_in_level(&self, actor: usize, class: &str, path: &str) -> Option<String> {
        let dotted = path.replace(':', ".");
        let in_level = dotted.split_once(OF_LEVEL).map(|(_, own)| own.to_owned());
        let name = in_level.as_deref().unwrap_or(&dotted);
        let key = name.to_ascii_lowercase();
        let inner = self.inner.get(actor).and_then(|inner| inner.get(&key));
        if let Some(own) = inner.or_else(|| self.paths.get(&key)) {
            return Some(format!("{class}'{own}'"));
        }
        let (first, rest) = key.split_once('.').unwrap_or((&key, ""));
        let of_other = self.paths.get(first).map(|actor| format!("{actor}.{rest}"));
        let level = self.level.iter().map(|(level, _)| format!("{level}.{name}"));
        let mut places = of_other.into_iter().chain(level);
        // One of the same name and another class is another one.
        let is_there = |path: &String| match self.target(path) {
            Some(ObjectRef::Export(row)) => {
                let of_object = self.edit.class_path(row);
                let name = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
                name(&of_object).eq_ignore_ascii_case(&name(class))
            }
            _ => false,
        };
        if let Some(own) = places.find(is_there) {
            return Some(format!("{class}'{own}'"));
        }
        if in_level.is_some() || !dotted.contains('.') && self.target(&dotted).is_none() {
            return None;
        }
        if self.target(&dotted).is_some() {
            return Some(format!("{class}'{dotted}'"));
        }
        // What is imported anew is called with the path of its class.
        let known = self.known.paths.get(&class.to_ascii_lowercase()).cloned();
        let class = known.or_else(|| self.sources.class_path(class));
        class.map(|class| format!("{class}'{dotted}'"))
    }

    fn target(&self, path: &str) -> Option<ObjectRef> {
        self.edit.find(path).map(PackageIndex::target)
    }

    /// The path in this map of an object that the text calls `path`. What is no actor belongs to another one.
    fn local(&mut self, path: &str) -> Option<String> {
        if let Some(known) = self.paths.get(&path.to_ascii_lowercase()) {
            return Some(known.clone());
        }
        let ObjectRef::Export(row) = self.edit.find(path)?.target() else { return None };
        let edit = &mut self.edit;
        let is_actor = *self
            .actors
            .entry(row)
            .or_insert_with(|| matches!(edit.placement(row), Placement::Placed(_)));
        is_actor.then(|| path.to_owned())
    }
}

/// The elements of lists, with their numbers.
#[derive(Default)]
struct Lists {
    in_order: Vec<(String, Vec<(usize, String)>)>,
    /// Where a list stands among them, by its name in lower case.
    places: HashMap<String, usize>,
}

impl Lists {
    /// Adds the element `name` says: `Skins[1]`; one with another number than it can have comes last.
    fn push(&mut self, name: &str, value: String) {
        let (base, number) = name.split_once('[').unwrap_or((name, ""));
        let place = self.places.entry(base.to_ascii_lowercase()).or_insert(self.in_order.len());
        if *place == self.in_order.len() {
            self.in_order.push((base.to_owned(), Vec::new()));
        }
        let Some((_, elements)) = self.in_order.get_mut(*place) else { return };
        let number = number.trim_end_matches(']').parse().unwrap_or(elements.len());
        elements.push((number, value));
    }
}

/// A property of the text, with what the class of its actor says of it.
pub(super) struct ActorProperty<'a> {
    /// With indices in brackets: `Skins[1]`.
    name: String,
    value: &'a str,
    kind: Option<PropertyKind>,
    /// The class's value, of structs alone.
    default: Option<String>,
}

/// The default that every class of the engine leaves to a property of an actor's place, where no package says it:
/// UnrealEd leaves fields out that are at the default.
fn place_default(name: &str) -> Option<&'static str> {
    const ZERO: &str = "(X=0.0,Y=0.0,Z=0.0)";
    const SCALE: &str = "(Scale=(X=1.0,Y=1.0,Z=1.0),SheerRate=0.0,SheerAxis=0)";
    const DEFAULTS: &[(&str, &str)] = &[
        ("Location", ZERO),
        ("OldLocation", ZERO),
        ("ColLocation", ZERO),
        ("PrePivot", ZERO),
        ("Rotation", "(Pitch=0,Yaw=0,Roll=0)"),
        ("MainScale", SCALE),
        ("PostScale", SCALE),
        ("TempScale", SCALE),
        ("DrawScale3D", "(X=1.0,Y=1.0,Z=1.0)"),
    ];
    DEFAULTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, text)| *text)
}
