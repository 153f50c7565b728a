//! Pins that nodes own, from UE4.14 on.

use super::reading::NodeReader;
use super::wiring::{FarEnd, PinId, Wiring};
use crate::object::Body;
use crate::object::ue4::graph::node::EdGraphNode;
use crate::object::ue4::graph::pin_type::PinName;
use crate::package::decode::native_as;

/// An output, as pins store it.
pub(super) const OUTPUT: u8 = 1;

/// Adds the pins of a node; a link stands on both sides, and that of the output counts.
pub(super) fn add(reader: &NodeReader<'_>, body: &Body, at: usize, wiring: &mut Wiring) {
    let Some(node) = native_as::<EdGraphNode>(body) else { return };
    for pin in node.pins.iter().filter_map(|pin| pin.0.as_ref()) {
        let is_output = pin.direction == OUTPUT;
        let number = wiring.pin(at, is_output, name_of(reader, &pin.name));
        wiring.identify(PinId::OfNode(pin.key.owning_node, pin.key.id), at, is_output, number);
        for key in pin.linked_to.iter().filter_map(|link| link.0).filter(|_| is_output) {
            wiring.wire(at, number, FarEnd::Pin(PinId::OfNode(key.owning_node, key.id)));
        }
    }
}

fn name_of(reader: &NodeReader<'_>, name: &PinName) -> String {
    match name.name.get() {
        Some(name) => reader.name_text(name),
        None => name.text.text(reader.source()).unwrap_or_default().into_owned(),
    }
}
