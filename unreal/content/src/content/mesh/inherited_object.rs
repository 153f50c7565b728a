//! Objects that an object names, by itself or through what it is made from.

use std::collections::HashMap;

use super::material::MeshOptions;
use super::object_at::ObjectAt;
use super::source::value_at;
use crate::property::{Elements, Value};
use crate::version::EngineFacts;

/// Classes and archetypes that are followed.
const DEEPEST: usize = 64;
/// Elements of a fixed array of materials (UE1: `MultiSkins`).
const FIXED: i32 = 8;

/// Looks for the objects that properties name.
pub(super) struct InheritedObjects<'a> {
    options: &'a MeshOptions<'a>,
    /// What classes and archetypes have said. Their packages stay open: places of bytes tell them apart.
    known: HashMap<InheritedKey, (ObjectAt, LinkedObject)>,
}

/// A class or archetype, a property, an element.
type InheritedKey = ((usize, usize), &'static str, i32);

/// What a property of an object names.
#[derive(Debug, Clone)]
pub(super) enum LinkedObject {
    /// Nothing stores the property, or it is `None`.
    Nothing,
    /// It is not at hand: its path.
    Away(String),
    /// It is here.
    Here(Box<ObjectAt>),
}

impl<'a> InheritedObjects<'a> {
    pub fn new(options: &'a MeshOptions<'a>) -> Self {
        Self { options, known: HashMap::new() }
    }

    /// What an element of a property, a fixed array or another one, names, which the object has or inherits.
    pub fn find(&mut self, at: &ObjectAt, property: &'static str, element: i32) -> LinkedObject {
        if let Some(found) = self.stored(at, property, element) {
            return found;
        }
        let (mut asked, mut next) = (Vec::new(), self.parent(at));
        let mut found = LinkedObject::Nothing;
        while let Some(parent) = next.take().filter(|_| asked.len() < DEEPEST) {
            if let Some((_, known)) = self.known.get(&(parent.key(), property, element)) {
                found = known.clone();
                break;
            }
            let stored = self.stored(&parent, property, element);
            next = if stored.is_none() { self.parent(&parent) } else { None };
            asked.push(parent);
            if let Some(stored) = stored {
                found = stored;
                break;
            }
        }
        for parent in asked {
            self.known.insert((parent.key(), property, element), (parent, found.clone()));
        }
        found
    }

    /// How many elements a property may have that the object has or inherits; 0 where nothing stores it.
    pub fn length(&self, at: &ObjectAt, property: &str) -> usize {
        let mut next = Some(at.clone());
        for _ in 0..DEEPEST {
            let Some(at) = next.take() else { break };
            let length = at.package.decode(at.row).ok().and_then(|decoded| {
                decoded.body.lists().find_map(|list| {
                    (0..FIXED).find_map(|element| {
                        match value_at(&at.package, list, property, element)? {
                            Value::Array(Elements::Object(all)) => Some(all.len()),
                            _ => Some(FIXED as usize),
                        }
                    })
                })
            });
            if let Some(length) = length {
                return length;
            }
            next = self.parent(&at);
        }
        0
    }

    fn stored(&self, at: &ObjectAt, property: &str, element: i32) -> Option<LinkedObject> {
        let decoded = at.package.decode(at.row).ok()?;
        let index = decoded.body.lists().find_map(|list| {
            match value_at(&at.package, list, property, element) {
                Some(Value::Object(object)) => return Some(*object),
                Some(Value::Array(_)) | None => {}
                Some(_) => return None,
            }
            match value_at(&at.package, list, property, 0) {
                // An array is stored whole: what it lacks is not that of the archetype.
                Some(Value::Array(Elements::Object(all))) => {
                    let object = usize::try_from(element).ok().and_then(|at| all.get(at));
                    Some(object.copied().unwrap_or_default())
                }
                _ => None,
            }
        })?;
        if index.is_null() {
            return Some(LinkedObject::Nothing);
        }
        Some(match ObjectAt::of(&at.package, index, self.options) {
            Some(found) => LinkedObject::Here(found.into()),
            None => LinkedObject::Away(at.package.path(index)),
        })
    }

    /// What an object has its values from: its archetype, or before UE3 its class.
    fn parent(&self, at: &ObjectAt) -> Option<ObjectAt> {
        let export = at.package.tables().exports.get(at.row)?;
        let parent = match at.package.versions().has_default_objects() {
            true => export.archetype(),
            false if export.class_index.is_null() => export.super_index,
            false => export.class_index,
        };
        ObjectAt::of(&at.package, parent, self.options)
    }
}
