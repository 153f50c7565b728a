//! A graph while its nodes are read: wires lead to objects and pins that may come later.

use std::collections::{BTreeSet, HashMap};

use super::graph::{GraphNode, GraphWire, NodeGraph};
use crate::primitive::{Guid, PackageIndex};

/// A pin by what links call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PinId {
    /// The node and the GUID of one of its pins.
    OfNode(PackageIndex, Guid),
    /// An object of its own.
    Object(PackageIndex),
}

/// The other end of a wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FarEnd {
    /// The output of an object's node that has this name.
    Output(PackageIndex, String),
    /// The input of an object's node at this place, counted from 0.
    Input(PackageIndex, usize),
    /// A pin.
    Pin(PinId),
}

/// A wire as one of its nodes stores it.
struct StoredWire {
    node: usize,
    pin: usize,
    far: FarEnd,
}

/// A graph that is put together.
#[derive(Default)]
pub(super) struct Wiring {
    pub nodes: Vec<GraphNode>,
    /// Nodes by their objects.
    pub places: HashMap<PackageIndex, usize>,
    /// Nodes that stand within another one, and that one.
    pub within: Vec<(PackageIndex, usize)>,
    /// Inputs that count for links by number.
    numbered: HashMap<usize, usize>,
    names: HashMap<(usize, bool, String), usize>,
    pins: HashMap<PinId, (usize, bool, usize)>,
    stored: Vec<StoredWire>,
}

impl Wiring {
    /// Adds a node; its place in the list.
    pub fn node(&mut self, index: PackageIndex, node: GraphNode) -> usize {
        let at = self.nodes.len();
        self.places.insert(index, at);
        self.nodes.push(node);
        at
    }

    /// A pin of a node by its name; it is made where it is not there yet.
    pub fn named(&mut self, node: usize, is_output: bool, name: String) -> usize {
        let key = (node, is_output, name);
        if let Some(&pin) = self.names.get(&key) {
            return pin;
        }
        let pin = self.pin(node, is_output, key.2.clone());
        self.names.insert(key, pin);
        pin
    }

    /// Adds a pin to a node, whatever others are called.
    pub fn pin(&mut self, node: usize, is_output: bool, name: String) -> usize {
        let Some(known) = self.nodes.get_mut(node) else { return 0 };
        let pins = if is_output { &mut known.outputs } else { &mut known.inputs };
        pins.push(name);
        pins.len() - 1
    }

    /// Says that the inputs that a node has so far are those that links count.
    pub fn set_numbered(&mut self, node: usize) {
        let count = self.nodes.get(node).map_or(0, |node| node.inputs.len());
        self.numbered.insert(node, count);
    }

    /// Says what links call a pin.
    pub fn identify(&mut self, id: PinId, node: usize, is_output: bool, pin: usize) {
        self.pins.insert(id, (node, is_output, pin));
    }

    /// Adds a wire from or to a pin of a node, which it is an output or input of as the other end is not.
    pub fn wire(&mut self, node: usize, pin: usize, far: FarEnd) {
        self.stored.push(StoredWire { node, pin, far });
    }

    /// Adds a wire from an output to an input, where both are there.
    pub fn wire_pins(&mut self, from: PinId, to: PinId) {
        if let Some(&(node, true, pin)) = self.pins.get(&from) {
            self.wire(node, pin, FarEnd::Pin(to));
        }
    }

    /// The graph with the wires between its own nodes.
    pub fn into_graph(mut self, row: usize, path: String, outputs_left: bool) -> NodeGraph {
        let mut wires = BTreeSet::new();
        for StoredWire { node, pin, far } in std::mem::take(&mut self.stored) {
            let wire = match far {
                FarEnd::Output(object, name) => self.places.get(&object).copied().map(|from| {
                    let output = self.named(from, true, name);
                    GraphWire { from, output, to: node, input: pin }
                }),
                FarEnd::Input(object, number) => self.places.get(&object).copied().map(|to| {
                    let is_known = self.numbered.get(&to).is_some_and(|&count| number < count);
                    let input = match is_known {
                        true => number,
                        // Inputs that the class has are stored only where they differ from its own.
                        false => self.named(to, false, format!("[{number}]")),
                    };
                    GraphWire { from: node, output: pin, to, input }
                }),
                FarEnd::Pin(id) => self.pins.get(&id).and_then(|&(to, is_output, input)| {
                    (!is_output).then_some(GraphWire { from: node, output: pin, to, input })
                }),
            };
            wires.extend(wire);
        }
        let wires = wires.into_iter().collect();
        NodeGraph { row, path, nodes: self.nodes, wires, outputs_left }
    }
}
