//! Pins of copied nodes.

use std::collections::{HashMap, HashSet};

use crate::archive::Context;
use crate::edit::Edit;
use crate::object::ue4::graph::node::EdGraphNode;
use crate::object::ue4::graph::pin::{Pin, PinKey, PinReference};
use crate::package::{decode::native_as_mut, native_as};
use crate::primitive::{Guid, NameContext, PackageIndex};
use crate::property::{Elements, Value};

impl Edit {
    /// Gives the pins of copied nodes keys of their own. Links among the copies are those of the originals; links
    /// to other nodes go, since these know nothing of the copies: a link stands on both sides or is none. Says
    /// how many went.
    pub(in crate::edit) fn settle_pins(&mut self, copies: &[usize]) -> usize {
        let context = self.decoding_context();
        let mut keys: HashMap<(PackageIndex, Guid), Guid> = HashMap::new();
        let nodes: HashSet<PackageIndex> =
            copies.iter().map(|&r| PackageIndex::export(r)).collect();
        for &row in copies {
            let decoded = self.bodies().decoded.get(&row);
            let node = decoded.and_then(|decoded| native_as::<EdGraphNode>(&decoded.body));
            for pin in node.into_iter().flat_map(|node| &node.pins).filter_map(|pin| pin.0.as_ref())
            {
                keys.insert((PackageIndex::export(row), pin.key.id), Guid::random());
            }
        }
        let mut dropped = 0;
        for &row in copies {
            if let Some(decoded) = self.decoded_mut(row) {
                dropped += drop_object_links(&mut decoded.body, &nodes, &context);
                if let Some(node) = native_as_mut::<EdGraphNode>(&mut decoded.body) {
                    let pins = node.pins.iter_mut().filter_map(|pin| pin.0.as_mut());
                    dropped += pins.map(|pin| settle(pin, &keys)).sum::<usize>();
                }
            }
        }
        dropped
    }
}

/// Gives a pin its new keys; says how many of its links went.
fn settle(pin: &mut Pin, keys: &HashMap<(PackageIndex, Guid), Guid>) -> usize {
    let new = |key: &PinKey| {
        let id = *keys.get(&(key.owning_node, key.id))?;
        Some(PinKey { id, ..*key })
    };
    let before = pin.linked_to.len();
    pin.linked_to.retain_mut(|link| match link.0.as_ref().map(&new) {
        Some(Some(key)) => {
            *link = PinReference(Some(key));
            true
        }
        Some(None) => false,
        None => true,
    });
    let dropped = before - pin.linked_to.len();
    let others =
        pin.sub_pins.iter_mut().chain([&mut pin.parent_pin, &mut pin.reference_pass_through]);
    for reference in others {
        if let Some(key) = &mut reference.0 {
            *key = new(key).unwrap_or(*key);
        }
    }
    for key in [&mut pin.key, &mut pin.own_key] {
        *key = new(key).unwrap_or(*key);
    }
    dropped
}

/// The same for pins that are objects, in older packages: their links are a property.
fn drop_object_links(
    body: &mut crate::object::Body,
    nodes: &HashSet<PackageIndex>,
    context: &Context,
) -> usize {
    let mut dropped = 0;
    for list in body.lists_mut() {
        list.properties.retain_mut(|property| {
            let name = property.name_text(|name| context.name_text(&name).unwrap_or_default());
            if !name.eq_ignore_ascii_case("LinkedTo") {
                return true;
            }
            let Value::Array(Elements::Object(links)) = property.value_mut() else { return true };
            let count = links.len();
            links.retain(|link| nodes.contains(link));
            dropped += count - links.len();
            !links.is_empty()
        });
    }
    dropped
}
