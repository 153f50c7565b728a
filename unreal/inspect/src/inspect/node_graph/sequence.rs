//! Links between the objects of a sequence of UE3 (Kismet).

use super::reading::{NodeReader, elements, objects};
use super::wiring::{FarEnd, Wiring};
use crate::property::{PropertyList, Value};

/// Adds the links of an object: inputs, outputs, variables and events.
pub(super) fn add(reader: &NodeReader<'_>, list: &PropertyList, at: usize, wiring: &mut Wiring) {
    let links = |name: &str| reader.value(list, name).map(elements).unwrap_or_default();
    for (number, link) in links("InputLinks").iter().enumerate() {
        let name = label(reader, link, number);
        wiring.pin(at, false, name);
    }
    wiring.set_numbered(at);
    for (number, link) in links("OutputLinks").iter().enumerate() {
        let name = label(reader, link, number);
        let pin = wiring.pin(at, true, name);
        let Value::List(fields) = link else { continue };
        let targets = reader.value(fields, "Links").map(elements).unwrap_or_default();
        for target in targets.iter().filter_map(Value::as_list) {
            let Some(object) = reader.object(target, "LinkedOp") else { continue };
            let input = reader.number(target, "InputLinkIdx").unwrap_or(0.0);
            wiring.wire(at, pin, FarEnd::Input(object, input.max(0.0) as usize));
        }
    }
    for (links, linked) in
        [(links("VariableLinks"), "LinkedVariables"), (links("EventLinks"), "LinkedEvents")]
    {
        for (number, link) in links.iter().enumerate() {
            let name = label(reader, link, number);
            let pin = wiring.pin(at, false, name);
            let Value::List(fields) = link else { continue };
            for &object in reader.value(fields, linked).map(objects).unwrap_or_default() {
                wiring.wire(at, pin, FarEnd::Output(object, String::new()));
            }
        }
    }
}

/// What a link is called.
fn label(reader: &NodeReader<'_>, link: &Value, number: usize) -> String {
    let text = link.as_list().and_then(|fields| reader.text(fields, "LinkDesc"));
    text.unwrap_or_else(|| format!("[{number}]"))
}
