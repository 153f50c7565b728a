//! Paths between navigation points, as far as they go by numbers or by objects that nobody else knows.
//!
//! The editor builds them as a whole. What refers to an actor that goes must go with it; a copy has none until they
//! are built anew (spec: ue1-3/06 §6.2).

use std::collections::{BTreeSet, HashSet};

use crate::archive::Context;
use crate::edit::Edit;
use crate::object::{Body, ue1};
use crate::package::{decode::native_as_mut, native_as};
use crate::primitive::{NameContext, ObjectRef, PackageIndex};
use crate::property::{Property, Value};

/// Properties with rows of the level's list of paths; -1 is none, and the first one is the last that is looked at (UE1).
const NUMBERED: &[&str] = &["Paths", "upstreamPaths", "PrunedPaths"];
/// Rows of the list of actors that were seen from here, which nothing follows (UE1), paths as objects (UE2, UE3), and
/// what is computed from paths.
const BUILT: &[&str] =
    &["VisNoReachPaths", "PathList", "NetworkID", "nextOrdered", "prevOrdered", "visitedWeight"];
/// Links to the next one of a list of the level.
const LINKS: &[&str] =
    &["nextNavigationPoint", "nextPawn", "nextController", "NextCoverLink", "NextPylon"];
const REACH_SPEC: &str = "ReachSpec";

fn is_one_of(name: &str, known: &[&str]) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a property of an actor means the paths and lists of its own level alone.
pub(in crate::edit) fn is_bound_to_level(name: &str) -> bool {
    is_one_of(name, NUMBERED) || is_one_of(name, BUILT) || is_one_of(name, LINKS)
}

/// Which paths of a level go, and what is left of the numbers of the others.
struct LeftPaths(Vec<Option<i32>>);

impl LeftPaths {
    fn of(level: &ue1::Level, is_gone: &dyn Fn(PackageIndex) -> bool) -> Option<Self> {
        let mut next = 0..;
        let goes = |spec: &ue1::ReachSpec| is_gone(spec.start) || is_gone(spec.end);
        if !level.reach_specs.iter().any(goes) {
            return None;
        }
        let number = |spec| if goes(spec) { None } else { next.next() };
        Some(Self(level.reach_specs.iter().map(number).collect()))
    }

    fn number(&self, old: i32) -> Option<i32> {
        self.0.get(usize::try_from(old).ok()?).copied().flatten()
    }
}

impl Edit {
    /// The bodies that know paths by their numbers, where paths go with these objects (UE1).
    pub(in crate::edit) fn path_users(&mut self, gone: &HashSet<usize>) -> Vec<usize> {
        let is_gone = |index: PackageIndex| is_gone(gone, index);
        let bodies = self.bodies();
        let levels = self.levels();
        let mut levels = levels.iter().filter_map(|row| bodies.decoded.get(row));
        let changes = levels.any(|decoded| {
            let level = native_as::<ue1::Level>(&decoded.body);
            level.is_some_and(|level| LeftPaths::of(level, &is_gone).is_some())
        });
        if !changes {
            return Vec::new();
        }
        let names = NUMBERED.iter().filter_map(|name| self.look_up_name(name));
        let names: Vec<i32> = names.filter_map(|row| i32::try_from(row).ok()).collect();
        let mut rows = self.package.body_uses().users_of_names(names);
        rows.retain(|row| !gone.contains(row));
        rows
    }

    /// Takes the paths from and to objects that go out of the list of their level; the numbers of the others
    /// follow. Says whether there were some.
    pub(in crate::edit) fn close_paths(&mut self, users: &[usize], gone: &HashSet<usize>) -> bool {
        let is_gone = |index: PackageIndex| is_gone(gone, index);
        let context = self.decoding_context();
        let mut found = false;
        for level in self.levels() {
            let Some(decoded) = self.bodies().decoded.get(&level) else { continue };
            let left = native_as::<ue1::Level>(&decoded.body)
                .and_then(|level| LeftPaths::of(level, &is_gone));
            let Some(left) = left else { continue };
            found = true;
            if let Some(decoded) = self.decoded_mut(level)
                && let Some(level) = native_as_mut::<ue1::Level>(&mut decoded.body)
            {
                level.reach_specs.retain(|spec| !is_gone(spec.start) && !is_gone(spec.end));
            }
            for &row in users {
                let has = |body: &Body| {
                    body.lists().any(|list| list.properties.iter().any(|it| numbered(it, &context)))
                };
                if self.bodies().decoded.get(&row).is_some_and(|decoded| has(&decoded.body))
                    && let Some(decoded) = self.decoded_mut(row)
                {
                    renumber(&mut decoded.body, &left, &context);
                }
            }
        }
        found
    }

    /// The paths that go with these objects: they start or end there (UE2, UE3).
    pub(in crate::edit) fn paths_of(&mut self, gone: &[usize]) -> Vec<usize> {
        let objects = gone.iter().map(|&row| PackageIndex::export(row));
        let users = self.package.body_uses().users(objects);
        let is_path = |row: &usize| {
            let mut line = self.class_line(*row).into_iter();
            line.any(|class| class.eq_ignore_ascii_case(REACH_SPEC))
        };
        users.into_iter().filter(|row| !gone.contains(row)).filter(is_path).collect()
    }

    /// Takes out of the copy of a navigation point what the paths of the level say of the original; says whether
    /// there was something.
    pub(in crate::edit) fn forget_paths(&mut self, row: usize) -> bool {
        let context = self.decoding_context();
        let is_path = |property: &Property| {
            let name = property.name_text(|name| context.name_text(&name).unwrap_or_default());
            is_one_of(&name, NUMBERED) || is_one_of(&name, BUILT)
        };
        let Some(decoded) = self.bodies().decoded.get(&row) else { return false };
        if !decoded.body.lists().any(|list| list.properties.iter().any(is_path)) {
            return false;
        }
        if let Some(decoded) = self.decoded_mut(row) {
            for list in decoded.body.lists_mut() {
                list.properties.retain(|property| !is_path(property));
            }
        }
        true
    }
}

fn is_gone(gone: &HashSet<usize>, index: PackageIndex) -> bool {
    matches!(index.target(), ObjectRef::Export(row) if gone.contains(&row))
}

fn numbered(property: &Property, context: &Context) -> bool {
    let name = property.name_text(|name| context.name_text(&name).unwrap_or_default());
    is_one_of(&name, NUMBERED)
}

/// Gives the paths of a navigation point their new numbers, one behind the other: the first that is none ends them.
fn renumber(body: &mut Body, left: &LeftPaths, context: &Context) {
    for list in body.lists_mut() {
        for name in NUMBERED {
            let is = |property: &Property| {
                let text = property.name_text(|name| context.name_text(&name).unwrap_or_default());
                text.eq_ignore_ascii_case(name)
            };
            let numbers = list.properties.iter().filter(|it| is(it)).filter_map(number);
            let new: Vec<i32> = numbers.filter_map(|old| left.number(old)).collect();
            let mut new = new.into_iter();
            list.properties.retain_mut(|property| {
                if !is(property) || number(property).is_none() {
                    return true;
                }
                // What is none is not stored: the class says so.
                let Some(number) = new.next() else { return false };
                *property.value_mut() = Value::Int(number);
                true
            });
        }
    }
}

fn number(property: &Property) -> Option<i32> {
    match property.value() {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

/// Rows without doubles, ascending.
pub(in crate::edit) fn merged(rows: Vec<usize>, more: Vec<usize>) -> Vec<usize> {
    let rows: BTreeSet<usize> = rows.into_iter().chain(more).collect();
    rows.into_iter().collect()
}
