//! Nodes whose pins are stored, as the editor of UE4 and UE5 copies them.

use std::collections::{BTreeMap, HashMap};

use super::class::NodeClass;
use super::graph::no_nodes;
use super::reading::{NodeReader, objects};
use crate::error::{ErrorKind, Result};
use crate::inspect::values::Values;
use crate::primitive::PackageIndex;

/// What stands for a node in the running game and lies beside the graph: the editor moves it into the node while it copies.
const INSTANCES: [&str; 2] = ["NodeInstance", "SoundNode"];
/// Nodes within a node: decorators and services of a behaviour tree, tests of a query.
const INNER: [&str; 3] = ["Decorators", "Services", "SubNodes"];

/// A node whose pins are stored.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredNode {
    /// Its row.
    pub row: usize,
    /// The object that the editor moves into it while it copies.
    pub instance: Option<PackageIndex>,
    /// The place in the list of the node that it is within; its own place for others.
    pub group: usize,
}

/// A graph with nodes whose pins are stored.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGraph {
    /// Its row.
    pub row: usize,
    /// The rows of the nodes, in table order.
    nodes: Vec<usize>,
}

impl Values<'_> {
    /// The graphs of UE4 and UE5 with nodes whose pins are stored: `row` itself and what lies in it, or all of the package,
    /// in table order. Classes say so; no body is read.
    #[doc(hidden)]
    pub fn stored_graphs(&self, row: Option<usize>) -> Vec<StoredGraph> {
        let within = row.map(PackageIndex::export);
        let lies_in = |owner: usize| {
            let mut outers = self.package.outers(PackageIndex::export(owner));
            within.is_none_or(|within| outers.any(|it| it == within))
        };
        let mut graphs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for node in self.nodes().filter(|node| node.class == NodeClass::Pins) {
            graphs.entry(node.owner).or_default().push(node.row);
        }
        let graphs = graphs.into_iter().filter(|(row, _)| lies_in(*row));
        graphs.map(|(row, nodes)| StoredGraph { row, nodes }).collect()
    }

    /// A graph of UE4 or UE5 with nodes whose pins are stored.
    ///
    /// # Errors
    /// As [`Values::node_graph`]; `Invalid` for the nodes of materials and of procedural generation, whose pins the
    /// editor makes anew.
    #[doc(hidden)]
    pub fn stored_graph(&self, row: usize) -> Result<StoredGraph> {
        let package = self.package;
        package.body(row)?;
        let (mut nodes, mut others) = (Vec::new(), 0);
        for node in self.nodes().filter(|node| node.owner == row) {
            match node.class {
                NodeClass::Pins => nodes.push(node.row),
                _ => others += 1,
            }
        }
        if !nodes.is_empty() {
            return Ok(StoredGraph { row, nodes });
        }
        let name = package.path(PackageIndex::export(row));
        Err(match others {
            0 => no_nodes(name),
            _ => {
                let reason = format!("{name}: no package stores the pins of such nodes");
                ErrorKind::Invalid { reason }.into()
            }
        })
    }
}

impl<'a> Values<'a> {
    /// What reads the nodes of such graphs.
    #[doc(hidden)]
    pub fn stored_node_reader(&self) -> StoredNodeReader<'a> {
        StoredNodeReader(NodeReader::new(self.package))
    }
}

/// What reads the nodes of graphs: what it needs of the whole package is looked for once.
#[doc(hidden)]
pub struct StoredNodeReader<'a>(NodeReader<'a>);

impl std::fmt::Debug for StoredNodeReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredNodeReader").finish_non_exhaustive()
    }
}

impl StoredNodeReader<'_> {
    /// The nodes of a graph.
    pub fn nodes(&self, graph: &StoredGraph) -> Vec<StoredNode> {
        nodes_of(&self.0, &graph.nodes)
    }
}

fn nodes_of(reader: &NodeReader<'_>, rows: &[usize]) -> Vec<StoredNode> {
    let indices = rows.iter().map(|row| PackageIndex::export(*row));
    let places: HashMap<PackageIndex, usize> = indices.zip(0..).collect();
    let mut nodes: Vec<StoredNode> = rows
        .iter()
        .enumerate()
        .map(|(group, &row)| StoredNode { row, instance: None, group })
        .collect();
    for (at, &row) in rows.iter().enumerate() {
        let Some(decoded) = reader.body(row) else { continue };
        let Some(list) = decoded.body.lists().next() else { continue };
        let instance = INSTANCES.iter().find_map(|name| reader.object(list, name));
        nodes[at].instance = instance.filter(|instance| !places.contains_key(instance));
        let inner = INNER.iter().filter_map(|name| reader.value(list, name));
        for place in inner.flat_map(objects).filter_map(|index| places.get(index)) {
            nodes[*place].group = at;
        }
    }
    nodes
}
