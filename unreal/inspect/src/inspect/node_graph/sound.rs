//! Nodes that list those below them: of sound cues, and of animation trees of UE3.

use super::reading::{NodeReader, elements, objects};
use super::wiring::{FarEnd, Wiring};
use crate::primitive::PackageIndex;
use crate::property::{PropertyList, Value};

/// Adds the nodes that a property names: one, or an array.
pub(super) fn add(
    reader: &NodeReader<'_>,
    list: &PropertyList,
    property: &str,
    at: usize,
    wiring: &mut Wiring,
) {
    let one = match reader.value(list, property) {
        Some(Value::Object(index)) => vec![*index],
        Some(value) => objects(value).to_vec(),
        None => Vec::new(),
    };
    for (number, index) in one.into_iter().enumerate() {
        add_child(index, format!("[{number}]"), at, wiring);
    }
}

/// Adds the children of a node of an animation tree.
pub(super) fn add_tree(
    reader: &NodeReader<'_>,
    list: &PropertyList,
    at: usize,
    wiring: &mut Wiring,
) {
    let children = reader.value(list, "Children").map(elements).unwrap_or_default();
    for (number, child) in children.iter().enumerate() {
        let Value::List(fields) = child else { continue };
        let Some(index) = reader.object(fields, "Anim") else { continue };
        let name = reader.text(fields, "Name");
        add_child(index, name.unwrap_or_else(|| format!("[{number}]")), at, wiring);
    }
}

fn add_child(index: PackageIndex, name: String, at: usize, wiring: &mut Wiring) {
    if index.is_null() {
        return;
    }
    let pin = wiring.pin(at, false, name);
    wiring.wire(at, pin, FarEnd::Output(index, String::new()));
}
