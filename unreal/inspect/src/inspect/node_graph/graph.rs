//! Nodes and the wires between them.

use crate::error::{ErrorKind, noun};

/// The graph of an object.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeGraph {
    /// The row of the object that it belongs to.
    pub row: usize,
    /// Its path.
    pub path: String,
    /// The nodes; the object itself is the first where wires lead to it.
    pub nodes: Vec<GraphNode>,
    /// The wires.
    pub wires: Vec<GraphWire>,
    /// Whether the editor shows outputs to the left of a node and inputs to the right, as UE3 does for materials, sound
    /// cues and animation trees.
    pub outputs_left: bool,
}

/// A node of a graph.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphNode {
    /// Its row in the table of exports.
    pub row: usize,
    /// Its path.
    pub path: String,
    /// The path of its class.
    pub class: String,
    /// What it stands for, where it says that: a function, a variable, a parameter, a comment.
    pub title: Option<String>,
    /// Its left upper corner as the editor has stored it, in pixels of the editor: to the right, down. A coordinate that
    /// is not stored is 0, as its class has it. `None` where no node of the graph stores one.
    pub place: Option<[f64; 2]>,
    /// The size of a comment's box, or of a node that stores one, in the same pixels.
    pub size: Option<[f64; 2]>,
    /// Whether it is a box around others with a text.
    pub is_comment: bool,
    /// The names of its inputs: all that a blueprint's node has, of other nodes those that are stored or wired.
    pub inputs: Vec<String>,
    /// The names of its outputs; an empty one is the only one.
    pub outputs: Vec<String>,
}

/// A wire between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphWire {
    /// The place of the node where it begins in [`NodeGraph::nodes`].
    pub from: usize,
    /// The place of the output there.
    pub output: usize,
    /// The place of the node where it ends.
    pub to: usize,
    /// The place of the input there.
    pub input: usize,
}

/// The error for an object without nodes.
pub(super) fn no_nodes(name: String) -> crate::Error {
    let hint = ": it has no graph of nodes".to_owned();
    ErrorKind::NotFound { what: noun::OBJECT, name, hint }.into()
}
