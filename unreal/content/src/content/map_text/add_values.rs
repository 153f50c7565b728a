//! The values of actors and of what lies in them.

use std::collections::HashSet;

use super::actor::MapTextActor;
use super::adding::{AddedObject, Adding};
use super::numbered_list::{Lists, OF_CLASS};
use super::references::{elements, with_references};
use super::sheer;
use crate::edit::{Placement, belongs_to_level};
use crate::error::{Error, Result};
use crate::inspect::{Inherited, PackageValues, ReferenceTexts};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::PropertyKind;

/// What stands in the path of an object of a map before that which its level begins with (UE3).
const OF_LEVEL: &str = "persistentlevel.";
/// Why a reference of the text is none of the map.
const NOT_THERE: &str = "is neither in the text nor an actor of the map";
const OF_UNKNOWN_CLASS: &str = "is of a class whose package nothing says";
const IN_DEFAULT: &str = "lies in the default of a class that the map does not import";
/// Structs of UE3 that are stored without tags, all fields of them.
const WHOLE: &[&str] = &[
    "Box",
    "Color",
    "Guid",
    "IntPoint",
    "LinearColor",
    "Matrix",
    "Plane",
    "Quat",
    "Rotator",
    "TwoVectors",
    "Vector",
    "Vector2D",
    "Vector4",
];

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
            let mut lists = HashSet::new();
            let known = properties.map(|(name, value)| {
                let name = name.replace('(', "[").replace(')', "]");
                let base = name.split('[').next().unwrap_or_default();
                let known = effective.type_of(row, base);
                let kind = known.as_ref().map(|known| known.kind());
                let class = |name: &str| -> Result<Option<String>> {
                    match effective.value(row, name)? {
                        Inherited::Value(value) => Ok(Some(value.text)),
                        _ => Ok(None),
                    }
                };
                // Tagged structs of UE3 store what the text says.
                let is_whole = || {
                    let name = known.as_ref().map(|known| known.type_name()).unwrap_or_default();
                    self.level.is_none() || WHOLE.iter().any(|it| it.eq_ignore_ascii_case(name))
                };
                let default = match (kind, place_default(&name)) {
                    (Some(PropertyKind::Struct), Some(place)) => {
                        class(&name)?.or_else(|| Some(place.to_owned()))
                    }
                    (Some(PropertyKind::Struct), None) if is_whole() => class(&name)?,
                    // Once for each list.
                    (Some(PropertyKind::Array), _)
                        if self.level.is_some() && lists.insert(base.to_ascii_lowercase()) =>
                    {
                        class(base)?
                    }
                    _ => None,
                };
                Ok(ActorProperty { name, value, kind, default })
            });
            known.collect()
        };
        added.iter().map(of_object).collect()
    }

    /// Whether the class of each object is known to have a brush, of those that the text has one of.
    pub(super) fn has_brush(&self, added: &[AddedObject<'a>]) -> Vec<bool> {
        let values = self.edit.values();
        let effective = values.effective();
        let has = |object: &AddedObject<'a>| {
            object.text.brush.is_some()
                && (self.level.is_none() || effective.type_of(object.row, "Brush").is_some())
        };
        added.iter().map(has).collect()
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
                Some(PropertyKind::Array) if name.contains('[') => {
                    lists.push(actor, &name, value, default)?;
                }
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
        for list in lists.in_order {
            let name = list.name.clone();
            let elements = list.whole(actor, self.level.is_some())?;
            self.set(row, actor, &name, &format!("({})", elements.join(",")))?;
        }
        Ok(())
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
                Some(_) => self.reference_in_level(object, class, path),
            };
            found
                .map_err(|reason| {
                    let own = path.split_once('.').filter(|_| self.level.is_none());
                    lost.push((own.map_or(path, |(_, own)| own).to_owned(), reason));
                })
                .ok()
        });
        let text = text.into_owned();
        for (path, reason) in lost {
            let line = format!("{}.{name}: {path} {reason}", object.text.name);
            self.done.left_out.push(line);
        }
        text
    }

    /// A reference as the map has it (UE1, UE2): objects of the map stand behind its package.
    fn reference(&mut self, class: &str, path: &str) -> std::result::Result<String, &'static str> {
        let own =
            path.split_once('.').filter(|(first, _)| first.eq_ignore_ascii_case(&self.package));
        let path = match own {
            Some((_, own)) => self.local(own).ok_or(NOT_THERE)?,
            None => path.to_owned(),
        };
        Ok(format!("{class}'{path}'"))
    }

    /// A reference as the map has it (UE3): objects of the actor, of the text and of the level are called by their
    /// names, others by their paths. One of the same name and another class is another one.
    fn reference_in_level(
        &self,
        object: &AddedObject<'a>,
        class: &str,
        path: &str,
    ) -> std::result::Result<String, &'static str> {
        let dotted = path.replace(':', ".");
        let lower = dotted.to_ascii_lowercase();
        // The whole path of an object of the map that the text is of: what of it is not in the text may be in another
        // map.
        let in_level = lower
            .match_indices(OF_LEVEL)
            .find(|(at, _)| *at == 0 || lower.as_bytes().get(at - 1) == Some(&b'.'))
            .map(|(at, found)| at + found.len());
        let key = in_level.map_or(lower.as_str(), |start| &lower[start..]);
        let known = self.inner_path(object, key).or_else(|| self.path_in_text(key));
        if let Some(own) = known {
            return match self.is_of_class(&own, class) {
                true => Ok(format!("{class}'{own}'")),
                false => Err(NOT_THERE),
            };
        }
        let first = key.split('.').next().unwrap_or(key);
        if in_level.is_some() || self.paths.contains_key(first) {
            return Err(NOT_THERE);
        }
        let level = self.level.iter().map(|(level, _)| format!("{level}.{dotted}"));
        if let Some(own) = level.into_iter().find(|path| self.is_of_class(path, class)) {
            return Ok(format!("{class}'{own}'"));
        }
        match self.target(&dotted) {
            Some(_) => return Ok(format!("{class}'{dotted}'")),
            None if !dotted.contains('.') => return Err(NOT_THERE),
            None if lower.contains(OF_CLASS) => return Err(IN_DEFAULT),
            None => {}
        }
        // What is imported anew is called with the path of its class.
        let known = self.known.paths.get(&class.to_ascii_lowercase()).cloned();
        let class = known.or_else(|| self.sources.class_path(class));
        class.map(|class| format!("{class}'{dotted}'")).ok_or(OF_UNKNOWN_CLASS)
    }

    /// The path in the map of what lies in the actor of an object: in the object itself first, then in what it lies in.
    fn inner_path(&self, object: &AddedObject<'a>, name: &str) -> Option<String> {
        let inner = self.inner.get(object.actor)?;
        let mut place = object.place.as_str();
        while !place.is_empty() {
            if let Some(path) = inner.get(&format!("{place}{name}")) {
                return Some(path.to_owned());
            }
            let around = place.trim_end_matches('.').rfind('.');
            place = around.map_or("", |end| &place[..=end]);
        }
        inner.get(name).map(str::to_owned)
    }

    /// The path in the map of an actor of the text, or of an object in one: `Light3`, `Light3.Glow`.
    fn path_in_text(&self, name: &str) -> Option<String> {
        if let Some(path) = self.paths.get(name) {
            return Some(path.clone());
        }
        let (first, rest) = name.split_once('.')?;
        let actor = self.paths.get(first)?;
        let path = format!("{actor}.{rest}");
        self.target(&path).map(|_| path)
    }

    fn is_of_class(&self, path: &str, class: &str) -> bool {
        let Some(ObjectRef::Export(row)) = self.target(path) else { return false };
        let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        last(&self.edit.class_path(row)) == last(class)
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

/// A property of the text, with what the class of its actor says of it.
pub(super) struct ActorProperty<'a> {
    /// With indices in brackets: `Skins[1]`.
    name: String,
    value: &'a str,
    kind: Option<PropertyKind>,
    /// The class's value, of structs and of the first element of a list.
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
