//! Graphs of nodes, as editors show them: materials, blueprints, Kismet, sound cues, procedural generation.

mod class;
mod generation;
mod graph;
mod old_pins;
mod pins;
mod reading;
mod sequence;
mod sound;
mod stored;
mod wiring;

use std::collections::BTreeSet;
use std::collections::HashMap;

use self::class::NodeClass;
use self::generation::Edges;
use self::graph::no_nodes;
pub use self::graph::{GraphNode, GraphWire, NodeGraph};
use self::reading::NodeReader;
pub use self::stored::{StoredGraph, StoredNode, StoredNodeReader};
use self::wiring::Wiring;
use super::values::Values;
use crate::error::Result;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::EngineFacts;

/// A node, and the object whose graph it belongs to.
struct OwnedNode {
    owner: usize,
    row: usize,
    class: NodeClass,
}

impl Values<'_> {
    /// The rows of the objects that have graphs of nodes: `row` itself and what lies in it, or all of the package, in
    /// table order. Classes say so; no body is read.
    pub fn node_graphs(&self, row: Option<usize>) -> Vec<usize> {
        let within = row.map(PackageIndex::export);
        let lies_in = |owner: &usize| {
            let mut outers = self.package.outers(PackageIndex::export(*owner));
            within.is_none_or(|within| outers.any(|it| it == within))
        };
        let owners: BTreeSet<usize> = self.nodes().map(|node| node.owner).filter(lies_in).collect();
        owners.into_iter().collect()
    }

    /// The graph of an object: a material or a function of materials, a graph of a blueprint, a sequence of Kismet, a
    /// sound cue.
    ///
    /// # Errors
    /// `NotFound` for a row that is not there, and for an object without nodes.
    pub fn node_graph(&self, row: usize) -> Result<NodeGraph> {
        let package = self.package;
        package.body(row)?;
        let owner = PackageIndex::export(row);
        let of_graph = self.nodes().filter(|node| node.owner == row);
        let rows: Vec<(usize, NodeClass)> = of_graph.map(|node| (node.row, node.class)).collect();
        let Some(&(_, first)) = rows.first() else {
            return Err(no_nodes(package.path(owner)));
        };
        let outputs_left = package.versions().has_component_prefixes()
            && matches!(first, NodeClass::Expression | NodeClass::Sound | NodeClass::Animation);
        let reader = NodeReader::new(package);
        let edges = match rows.iter().any(|(_, class)| *class == NodeClass::Generation) {
            true => Edges::read(&reader, self.edges()),
            false => Edges::default(),
        };
        let mut wiring = Wiring::default();
        reader.add_owner(row, first, &mut wiring);
        for (at, class) in rows {
            reader.add(at, class, &edges, &mut wiring);
        }
        edges.add_wires(&mut wiring);
        reader.place(row, &mut wiring);
        Ok(wiring.into_graph(row, package.path(owner), outputs_left))
    }

    /// All nodes, in table order.
    fn nodes(&self) -> impl Iterator<Item = OwnedNode> + '_ {
        let mut known = HashMap::new();
        (0..self.package.tables().exports.len()).filter_map(move |row| {
            let class = self.node_class(row, &mut known)?;
            Some(OwnedNode { owner: self.graph_owner(row, class)?, row, class })
        })
    }

    /// The objects that are edges of graphs of procedural generation.
    fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        let exports = self.package.tables().exports.iter().enumerate();
        let is_edge = |class| self.package.object_name(class) == "PCGEdge";
        exports.filter(move |(_, export)| is_edge(export.class_index)).map(|(row, _)| row)
    }

    /// What kind of node an export is; classes are asked once.
    fn node_class(
        &self,
        row: usize,
        known: &mut HashMap<PackageIndex, Option<NodeClass>>,
    ) -> Option<NodeClass> {
        let class = self.package.tables().exports.get(row)?.class_index;
        if class.is_null() {
            return None;
        }
        let of_chain = || NodeClass::of(&self.package.class_chain(row), self.package.versions());
        let found = (*known.entry(class).or_insert_with(of_chain))?;
        // The defaults of a class are no node.
        let name = self.package.object_name(PackageIndex::export(row));
        (!name.starts_with("Default__")).then_some(found)
    }

    /// The object whose graph a node belongs to.
    fn graph_owner(&self, row: usize, class: NodeClass) -> Option<usize> {
        let export = |index: PackageIndex| match index.target() {
            ObjectRef::Export(row) => self.package.tables().exports.get(row).map(|_| row),
            _ => None,
        };
        let outer = export(self.package.outer(PackageIndex::export(row)))?;
        let class_of = self.package.tables().exports.get(outer)?.class_index;
        let outer_class = self.package.object_name(class_of);
        match class {
            // From UE5.1 on the expressions of a material lie in what only the editor has of it.
            NodeClass::Expression if outer_class.ends_with("EditorOnlyData") => {
                export(self.package.outer(PackageIndex::export(outer)))
            }
            // Sounds lie in packages, too, and the first sequence in its level.
            NodeClass::Sound if !outer_class.contains("SoundCue") => None,
            NodeClass::Sequence if !outer_class.contains("Sequence") => None,
            _ => Some(outer),
        }
    }
}
