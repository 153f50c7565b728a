//! Graphs of nodes.

use serde_json::{Value, json};
use unreal_packages::inspect::{GraphNode, GraphWire, NodeGraph, PackageValues};
use unreal_packages::package::Package;

use crate::failure::Result;

/// Whether an object has a graph, or something in it: what classes are called says so.
pub(crate) fn is_in(package: &Package, row: usize) -> bool {
    !package.values().node_graphs(Some(row)).is_empty()
}

/// The objects with graphs in an object: their rows and paths.
pub(crate) fn owners(package: &Package, row: usize) -> Value {
    let rows = package.values().node_graphs(Some(row));
    let graphs: Vec<_> =
        rows.into_iter().map(|row| json!([row, package.exports().path(row)])).collect();
    json!({ "graphs": graphs })
}

/// Nodes and wires: classes by their place in one list, places in the editor's pixels.
pub(crate) fn of(package: &Package, row: usize) -> Result<Value> {
    let NodeGraph { nodes, wires, outputs_left, .. } = package.values().node_graph(row)?;
    let mut classes: Vec<String> = nodes.iter().map(|node| node.class.clone()).collect();
    classes.sort();
    classes.dedup();
    let one = |node: &GraphNode| {
        let class = classes.binary_search(&node.class).unwrap_or_default();
        let GraphNode { row, path, title, place, size, is_comment, inputs, outputs, .. } = node;
        json!([row, path, class, title, place, size, is_comment, inputs, outputs])
    };
    let nodes: Vec<_> = nodes.iter().map(one).collect();
    let wire = |wire: &GraphWire| [wire.from, wire.output, wire.to, wire.input];
    let wires: Vec<_> = wires.iter().map(wire).collect();
    Ok(json!({ "classes": classes, "nodes": nodes, "wires": wires, "left": outputs_left }))
}
