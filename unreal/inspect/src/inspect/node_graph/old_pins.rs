//! Pins that are objects within nodes, before UE4.14.

use super::reading::{NodeReader, objects};
use super::wiring::{FarEnd, PinId, Wiring};
use crate::primitive::PackageIndex;
use crate::property::Value;

/// Adds the pins of a node.
pub(super) fn add(reader: &NodeReader<'_>, row: usize, at: usize, wiring: &mut Wiring) {
    let is_pin = |&child: &usize| reader.class_name(child).starts_with("EdGraphPin");
    for pin in reader.children(row).filter(is_pin) {
        let Some(decoded) = reader.body(pin) else { continue };
        let Some(list) = decoded.body.lists().next() else { continue };
        let is_output = match reader.value(list, "Direction") {
            Some(Value::Name(name)) => reader.name_text(*name).ends_with("EGPD_Output"),
            Some(Value::Byte(number)) => *number == super::pins::OUTPUT,
            _ => false,
        };
        let name = reader.text(list, "PinName").unwrap_or_default();
        let number = wiring.pin(at, is_output, name);
        wiring.identify(PinId::Object(PackageIndex::export(pin)), at, is_output, number);
        let links = reader.value(list, "LinkedTo").map(objects).unwrap_or_default();
        for &link in links.iter().filter(|_| is_output) {
            wiring.wire(at, number, FarEnd::Pin(PinId::Object(link)));
        }
    }
}
