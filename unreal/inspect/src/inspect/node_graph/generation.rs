//! Graphs of procedural generation (PCG) of UE5: pins and edges are objects.

use std::collections::HashSet;

use super::reading::{NodeReader, objects};
use super::wiring::{PinId, Wiring};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{PropertyList, Value};

/// The edges of a package, each as the pin that gives and the pin that takes.
#[derive(Debug, Default)]
pub(super) struct Edges {
    pairs: Vec<[PackageIndex; 2]>,
    pins: HashSet<PackageIndex>,
}

impl Edges {
    /// Of these edge objects. What an edge calls its input pin is the one that gives.
    pub fn read(reader: &NodeReader<'_>, rows: impl Iterator<Item = usize>) -> Self {
        let mut edges = Self::default();
        for decoded in rows.filter_map(|row| reader.body(row)) {
            let Some(list) = decoded.body.lists().next() else { continue };
            let ends = ["InputPin", "OutputPin"].map(|name| reader.object(list, name));
            if let [Some(from), Some(to)] = ends {
                edges.pairs.push([from, to]);
                edges.pins.extend([from, to]);
            }
        }
        edges
    }

    /// Adds the pins of a node that have a wire, or that the editor shows without being asked for more.
    pub fn add_pins(
        &self,
        reader: &NodeReader<'_>,
        list: &PropertyList,
        at: usize,
        wiring: &mut Wiring,
    ) {
        for (name, is_output) in [("InputPins", false), ("OutputPins", true)] {
            for &pin in reader.value(list, name).map(objects).unwrap_or_default() {
                let (label, is_advanced) = described(reader, pin);
                if is_advanced && !self.pins.contains(&pin) {
                    continue;
                }
                let number = wiring.pin(at, is_output, label);
                wiring.identify(PinId::Object(pin), at, is_output, number);
            }
        }
    }

    /// Adds the wires, when all pins are there.
    pub fn add_wires(&self, wiring: &mut Wiring) {
        for [from, to] in &self.pairs {
            wiring.wire_pins(PinId::Object(*from), PinId::Object(*to));
        }
    }
}

/// What a pin is called, and whether it is one of those that are shown when they are asked for.
fn described(reader: &NodeReader<'_>, pin: PackageIndex) -> (String, bool) {
    let ObjectRef::Export(row) = pin.target() else { return (String::new(), false) };
    let Some(decoded) = reader.body(row) else { return (String::new(), false) };
    let list = decoded.body.lists().next();
    let Some(Value::List(facts)) = list.and_then(|list| reader.value(list, "Properties")) else {
        return (String::new(), false);
    };
    let status = reader.text(facts, "PinStatus").unwrap_or_default();
    (reader.text(facts, "Label").unwrap_or_default(), status.ends_with("Advanced"))
}
