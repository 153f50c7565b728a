//! Paths between navigation points: a list of the level in UE1, objects of their own in UE2 and UE3. Later engines
//! store none.

use super::actor::MapPath;
use crate::inspect::effective::EffectiveValues;
use crate::inspect::values::Values;
use crate::object::{Body, ue1};
use crate::package::decode::native_as;
use crate::primitive::{ObjectRef, PackageIndex};

/// The paths that a level itself lists.
pub fn of_level(body: &Body) -> Vec<MapPath> {
    let Some(level) = native_as::<ue1::Level>(body) else { return Vec::new() };
    let row = |index: PackageIndex| match index.target() {
        ObjectRef::Export(row) => Some(row),
        _ => None,
    };
    let ends = level.reach_specs.iter().map(|spec| Some((row(spec.start)?, row(spec.end)?)));
    ends.flatten().map(|(from, to)| MapPath { from, to }).collect()
}

/// The paths that are objects.
pub fn of_objects(values: &Values<'_>, effective: &EffectiveValues<'_>) -> Vec<MapPath> {
    let package = values.package;
    let is_path = |row: &usize| {
        let class = package.object_name(package.tables().exports[*row].class_index);
        class.ends_with("ReachSpec")
    };
    let path = |row: usize| {
        let mut path = effective.subject(row);
        let from = path.stored_export("Start")?;
        // UE3 has a struct, whose field has been called otherwise before.
        let ends = ["End", "End.Actor", "End.Nav"];
        let to = ends.iter().find_map(|property| path.stored_export(property))?;
        Some(MapPath { from, to })
    };
    (0..package.exports().len()).filter(is_path).filter_map(path).collect()
}
