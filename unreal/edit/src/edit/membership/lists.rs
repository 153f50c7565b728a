//! The lists of one body.

use super::kinds::{KINDS, MemberList};
use crate::archive::Context;
use crate::object::{Body, ue3};
use crate::package::decode::native_as_mut;
use crate::primitive::{NameContext, PackageIndex};
use crate::property::{Elements, Property, PropertyList, Value};

/// The navigation points that one sees and can't reach (UE1).
const SEEN: &str = "VisNoReachPaths";

/// Calls `each` for every list of members that a body stores.
pub(super) fn each(
    body: &mut Body,
    context: &Context,
    each: &mut dyn FnMut(&'static MemberList, &mut Vec<PackageIndex>),
) {
    for list in body.lists_mut() {
        for property in &mut list.properties {
            let name = name_of(property, context);
            // Kinds of one path differ in their owners alone.
            let mut kinds = KINDS.iter().filter(|kind| is_first(kind.path, &name));
            let Some(kind) = kinds.next() else { continue };
            match property.value_mut() {
                Value::Array(Elements::Object(members)) if !kind.path.contains('.') => {
                    each(kind, members);
                }
                Value::List(fields) => each_field(fields, &name, context, each),
                _ => {}
            }
        }
    }
}

fn each_field(
    fields: &mut PropertyList,
    name: &str,
    context: &Context,
    each: &mut dyn FnMut(&'static MemberList, &mut Vec<PackageIndex>),
) {
    for field in &mut fields.properties {
        let path = format!("{name}.{}", name_of(field, context));
        if let Some(kind) = KINDS.iter().find(|kind| kind.path.eq_ignore_ascii_case(&path))
            && let Value::Array(Elements::Object(members)) = field.value_mut()
        {
            each(kind, members);
        }
    }
}

fn name_of(property: &Property, context: &Context) -> String {
    property.name_text(|name| context.name_text(&name).unwrap_or_default()).into_owned()
}

fn is_first(path: &str, name: &str) -> bool {
    path.split('.').next().is_some_and(|first| first.eq_ignore_ascii_case(name))
}

/// Puts a copy at the end of every list that has its original; says whether there was one.
pub(super) fn add_copy(
    body: &mut Body,
    old: PackageIndex,
    new: PackageIndex,
    context: &Context,
) -> bool {
    let mut found = false;
    let mut add = |list: &mut Vec<PackageIndex>| {
        if list.contains(&old) && !list.contains(&new) {
            list.push(new);
            found = true;
        }
    };
    each(body, context, &mut |_, list| add(list));
    if let Some(level) = native_as_mut::<ue3::world::level::Level>(body) {
        add(&mut level.game_sequences);
        level.actors_by_class.0.iter_mut().for_each(|(_, actors)| add(actors));
    }
    if let Some(notes) = native_as_mut::<ue3::asset::sound::EditorPositions>(body) {
        let place = notes.positions.0.iter().find(|(node, _)| *node == old).map(|(_, at)| *at);
        if let Some(place) = place {
            notes.positions.0.push((new, place));
            found = true;
        }
    }
    found
}

/// Takes objects out of all lists of members; says whether there were some.
pub(in crate::edit) fn drop_members(
    body: &mut Body,
    is_gone: &dyn Fn(PackageIndex) -> bool,
    context: &Context,
) -> bool {
    let mut found = false;
    let mut take = |list: &mut Vec<PackageIndex>| {
        let count = list.len();
        list.retain(|&member| !is_gone(member));
        found |= list.len() != count;
    };
    each(body, context, &mut |_, list| take(list));
    if let Some(level) = native_as_mut::<ue3::world::level::Level>(body) {
        take(&mut level.game_sequences);
        level.actors_by_class.0.iter_mut().for_each(|(_, actors)| take(actors));
    }
    found |= drop_seen(body, is_gone, context);
    if let Some(notes) = native_as_mut::<ue3::asset::sound::EditorPositions>(body) {
        let count = notes.positions.0.len();
        notes.positions.0.retain(|(node, _)| !is_gone(*node));
        found |= notes.positions.0.len() != count;
    }
    found
}

/// Takes objects out of what a navigation point of UE1 sees; what stands behind moves up, since the first that is
/// null ends the list.
fn drop_seen(body: &mut Body, is_gone: &dyn Fn(PackageIndex) -> bool, context: &Context) -> bool {
    let mut found = false;
    for list in body.lists_mut() {
        let is_seen = |property: &Property| name_of(property, context).eq_ignore_ascii_case(SEEN);
        let seen = list.properties.iter().filter(|property| is_seen(property));
        let seen = seen.filter_map(|property| match property.value() {
            Value::Object(index) => Some(*index),
            _ => None,
        });
        let seen: Vec<PackageIndex> = seen.collect();
        if !seen.iter().any(|&index| is_gone(index)) {
            continue;
        }
        found = true;
        let mut left = seen.into_iter().filter(|&index| !is_gone(index));
        list.properties.retain_mut(|property| {
            if !is_seen(property) {
                return true;
            }
            let Some(index) = left.next() else { return false };
            *property.value_mut() = Value::Object(index);
            true
        });
    }
    found
}
