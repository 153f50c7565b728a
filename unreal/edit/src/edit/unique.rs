//! Values that no two objects may share: GUIDs and labels of actors and components.

mod native;

use std::collections::HashMap;

use self::native::NativeGuids;
use super::Edit;
use crate::archive::Context;
use crate::object::Body;
use crate::object::ue4::component::static_mesh::StaticMeshComponent;
use crate::package::decode::native_as_mut;
use crate::primitive::{Guid, NameContext};
use crate::property::{ListOwner, Property, PropertyList, Type, Value};

/// Properties that name the object itself: actors of the editor, navigation points, nodes and
/// expressions, and what was baked for a light or a capture.
const OWN_GUIDS: &[&str] = &[
    "ActorGuid",
    "ActorInstanceGuid",
    "LightGuid",
    "LightmapGuid",
    "MapBuildDataId",
    "NavGuid",
    "NodeGuid",
    "GraphGuid",
    "MaterialExpressionGuid",
    "ExpressionGUID",
];
/// The property with an actor's name in the editor.
const LABEL: &str = "ActorLabel";

impl Edit {
    /// Gives copies GUIDs and labels of their own, where the originals have any: each light, capture and mesh
    /// its own baked data, each actor its own name in the editor. A label that no other actor has stays. References
    /// by GUID among the copies are references to the copies' GUIDs: those in structs (UE3: `ActorReference`), and those
    /// that classes store themselves. Says which GUIDs became which.
    pub(super) fn make_unique(&mut self, copies: &[usize]) -> Vec<(Guid, Guid)> {
        let context = self.decoding_context();
        let mut renewed = HashMap::new();
        let mut labels: Option<Vec<String>> = None;
        for &row in copies {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            let mut guids = 0;
            each_own_guid(&mut decoded.body.clone(), &context, &mut |_| guids += 1);
            let label = label(&decoded.body, &context);
            if guids == 0 && label.is_none() {
                continue;
            }
            let label = label.map(|label| {
                let taken = labels.get_or_insert_with(|| self.labels(copies, &context));
                let new = match is_taken(&label, taken) {
                    true => next_label(&label, taken),
                    false => label,
                };
                taken.push(new.clone());
                self.string(&new)
            });
            let Some(decoded) = self.decoded_mut(row) else { continue };
            each_own_guid(&mut decoded.body, &context, &mut |guid| {
                let new = Guid::random();
                // Which of several is meant by a GUID that they share, nothing says.
                renewed.entry(*guid).and_modify(|known| *known = None).or_insert(Some(new));
                *guid = new;
            });
            if let Some(label) = label
                && let Some(Value::Str(text)) = value_mut(&mut decoded.body, LABEL, &context)
            {
                **text = label;
            }
        }
        if renewed.is_empty() {
            return Vec::new();
        }
        let native = NativeGuids::new(&renewed, self.versions());
        for &row in copies {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            let is_meant = |guid: &Guid| matches!(renewed.get(guid), Some(Some(_)));
            let mut meant = 0;
            each_held_guid(&mut decoded.body.clone(), &mut |guid| {
                meant += usize::from(is_meant(guid));
            });
            if meant == 0 && !native.are_in(&decoded.body) {
                continue;
            }
            let Some(decoded) = self.decoded_mut(row) else { continue };
            native.replace_in(&mut decoded.body);
            each_held_guid(&mut decoded.body, &mut |guid| {
                if let Some(Some(new)) = renewed.get(guid) {
                    *guid = *new;
                }
            });
        }
        renewed.into_iter().filter_map(|(old, new)| Some((old, new?))).collect()
    }

    /// The labels of all actors but these.
    fn labels(&mut self, but: &[usize], context: &Context) -> Vec<String> {
        if let Some(name) = self.look_up_name(LABEL) {
            self.decode_users_of_name(name);
        }
        let others = self.bodies().decoded.iter().filter(|(row, _)| !but.contains(row));
        others.filter_map(|(_, known)| label(&known.body, context)).collect()
    }
}

fn label(body: &Body, context: &Context) -> Option<String> {
    let list = body.prologue.as_ref().map(|prologue| &prologue.properties);
    match list.or(body.properties.as_ref())?.value(LABEL, context)? {
        Value::Str(text) => Some(text.text(context.source()).ok()?.into_owned()),
        _ => None,
    }
}

fn value_mut<'a>(body: &'a mut Body, name: &str, context: &Context) -> Option<&'a mut Value> {
    let text = |name| context.name_text(&name).unwrap_or_default();
    let mut properties = body.lists_mut().flat_map(|list| &mut list.properties);
    properties
        .find(|property| property.name_text(text).eq_ignore_ascii_case(name))
        .map(|property| property.value_mut())
}

/// Calls `each` for every GUID that is the object's own; zero stands for none and stays.
fn each_own_guid(body: &mut Body, context: &Context, each: &mut dyn FnMut(&mut Guid)) {
    for name in OWN_GUIDS {
        if let Some(value) = value_mut(body, name, context) {
            with_guid(value, each);
        }
    }
    if let Some(component) = native_as_mut::<StaticMeshComponent>(body) {
        for lod in &mut component.lods {
            if lod.map_build_data_id != Guid::default() {
                each(&mut lod.map_build_data_id);
            }
        }
    }
}

/// Calls `each` for every GUID within structs: no object has its own there.
fn each_held_guid(body: &mut Body, each: &mut dyn FnMut(&mut Guid)) {
    let unknown = |_: &PropertyList, _: &Property| Type::unknown("unknown");
    for list in body.lists_mut() {
        list.each_property_mut(ListOwner::Object, &unknown, &mut |owner, property| {
            if owner != ListOwner::Object {
                with_guid(property.value_mut(), each);
            }
        });
    }
}

/// Calls `each` for a value that is a GUID other than zero.
fn with_guid(value: &mut Value, each: &mut dyn FnMut(&mut Guid)) {
    match value {
        Value::Guid(guid) if *guid != Guid::default() => each(guid),
        // Below UE4 its four numbers.
        Value::Fields(parts) => {
            let numbers: Option<Vec<i32>> = parts.iter().map(number).collect();
            let Some([a, b, c, d]) = numbers.as_deref() else { return };
            let old = Guid::new(*a as u32, *b as u32, *c as u32, *d as u32);
            let mut new = old;
            if old != Guid::default() {
                each(&mut new);
            }
            if new != old {
                let new = [new.a, new.b, new.c, new.d].map(|part| Value::Int(part as i32));
                *parts = new.into();
            }
        }
        _ => {}
    }
}

fn number(value: &Value) -> Option<i32> {
    match value {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

fn is_taken(label: &str, taken: &[String]) -> bool {
    taken.iter().any(|known| known.eq_ignore_ascii_case(label))
}

/// The next free label of the same kind, as the editor counts: `Lamp`, `Lamp2`, `Lamp3`.
fn next_label(label: &str, taken: &[String]) -> String {
    let base = label.trim_end_matches(|c: char| c.is_ascii_digit());
    let base = if base.is_empty() { label } else { base };
    let number = label.get(base.len()..).and_then(|digits| digits.parse::<u64>().ok()).unwrap_or(1);
    let candidates = (1..=taken.len() as u64 + 1).map(|add| number.saturating_add(add));
    let mut candidates = candidates.map(|number| format!("{base}{number}"));
    candidates.find(|new| !is_taken(new, taken)).unwrap_or_else(|| label.to_owned())
}
