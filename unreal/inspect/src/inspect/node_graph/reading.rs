//! Nodes from the bodies of objects.

use std::collections::HashSet;
use std::sync::Arc;

use super::class::NodeClass;
use super::generation::Edges;
use super::graph::GraphNode;
use super::wiring::{FarEnd, Wiring};
use super::{old_pins, pins, sequence, sound};
use crate::archive::Context;
use crate::inspect::meaning::ReferenceTexts;
use crate::object::ue3::asset::sound::EditorPositions;
use crate::package::decode::native_as;
use crate::package::{Decoded, Package};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{Elements, PropertyList, Value};

/// Structs within structs are followed this far.
const DEEPEST: usize = 8;
/// How far right of, and below, the node that it belongs to a node is drawn that stands within it.
const WITHIN: [f64; 2] = [24.0, 40.0];
/// Characters of a title that are kept.
const LONGEST: usize = 256;

/// The bodies of a package's nodes.
pub(super) struct NodeReader<'a> {
    package: &'a Package,
    context: Arc<Context>,
    /// Bodies that share their bytes: decoding each would cost more than the file's size.
    sharing: HashSet<usize>,
}

impl<'a> NodeReader<'a> {
    pub fn new(package: &'a Package) -> Self {
        let (context, sharing) = (package.decoding_context(), package.sharing_bodies());
        Self { package, context, sharing }
    }

    /// The body of an object; `None` for one that is not decoded.
    pub fn body(&self, row: usize) -> Option<Decoded> {
        if self.sharing.contains(&row) || self.package.body_range(row).1 == 0 {
            return self.package.decoded(row).cloned();
        }
        Some(match self.package.decoded(row) {
            Some(decoded) => decoded.clone(),
            None => self.package.decode_with(row, &self.context),
        })
    }

    /// The exports that lie in an object.
    pub fn children(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let children = self.package.exports().children(PackageIndex::export(row));
        children.filter_map(|index| match index.target() {
            ObjectRef::Export(row) => Some(row),
            _ => None,
        })
    }

    /// The name of an object's class.
    pub fn class_name(&self, row: usize) -> String {
        let class = self.package.tables().exports.get(row).map(|row| row.class_index);
        self.package.object_name(class.unwrap_or_default())
    }

    /// A node without pins.
    fn blank(&self, row: usize) -> GraphNode {
        let path = self.package.path(PackageIndex::export(row));
        GraphNode { row, path, class: self.package.class_path(row), ..GraphNode::default() }
    }

    /// Adds a node with its pins and wires.
    pub fn add(&self, row: usize, class: NodeClass, edges: &Edges, wiring: &mut Wiring) {
        let mut node = self.blank(row);
        let body = self.body(row);
        let list = body.as_ref().and_then(|decoded| decoded.body.lists().next());
        if let Some(list) = list {
            node.place = class.place().iter().find_map(|names| self.point(list, *names));
            node.size = [["NodeWidth", "NodeHeight"], ["SizeX", "SizeY"]]
                .iter()
                .find_map(|names| self.point(list, *names));
            let titles = class.titles();
            node.title = titles
                .iter()
                .find_map(|path| self.text(list, path))
                .filter(|text| !text.is_empty());
        }
        let name = self.class_name(row);
        node.is_comment =
            name.contains("Comment") || name == "SequenceFrame" || name == "SequenceFrameWrapped";
        let at = wiring.node(PackageIndex::export(row), node);
        let Some(decoded) = &body else { return };
        match (class, list) {
            (NodeClass::Pins, _) => {
                pins::add(self, &decoded.body, at, wiring);
                old_pins::add(self, row, at, wiring);
                // Decorators and services of a behaviour tree, tests of a query.
                for name in ["Decorators", "Services", "SubNodes"] {
                    let inner = list.and_then(|list| self.value(list, name));
                    wiring
                        .within
                        .extend(inner.map(objects).unwrap_or_default().iter().map(|it| (*it, at)));
                }
            }
            (_, None) => {}
            (NodeClass::Expression, Some(list)) => self.add_inputs(list, at, wiring),
            (NodeClass::Sequence, Some(list)) => sequence::add(self, list, at, wiring),
            (NodeClass::Sound, Some(list)) => sound::add(self, list, "ChildNodes", at, wiring),
            (NodeClass::Animation, Some(list)) => sound::add_tree(self, list, at, wiring),
            (NodeClass::Generation, Some(list)) => edges.add_pins(self, list, at, wiring),
        }
    }

    /// Adds the object that a graph belongs to, where it has wires itself: a material, a sound cue.
    pub fn add_owner(&self, row: usize, class: NodeClass, wiring: &mut Wiring) {
        let mut rows = vec![row];
        match class {
            NodeClass::Expression => {
                let only = |&child: &usize| self.class_name(child).ends_with("EditorOnlyData");
                rows.extend(self.children(row).filter(only));
            }
            NodeClass::Sound | NodeClass::Animation => {}
            _ => return,
        }
        let mut node = self.blank(row);
        let bodies: Vec<_> = rows.iter().filter_map(|&row| self.body(row)).collect();
        let lists = || bodies.iter().filter_map(|decoded| decoded.body.lists().next());
        let places = [["EditorX", "EditorY"], ["NodePosX", "NodePosY"]];
        node.place =
            lists().find_map(|list| places.iter().find_map(|names| self.point(list, *names)));
        let at = wiring.node(PackageIndex::export(row), node);
        for list in lists() {
            match class {
                NodeClass::Expression => self.add_inputs(list, at, wiring),
                NodeClass::Sound => sound::add(self, list, "FirstNode", at, wiring),
                _ => sound::add_tree(self, list, at, wiring),
            }
        }
        // A function of materials has outputs that are nodes; it is none itself.
        if wiring.nodes.get(at).is_some_and(|node| node.inputs.is_empty()) {
            *wiring = Wiring::default();
        }
    }

    /// Gives nodes the places that the object of the graph or other nodes have, and those without a coordinate the
    /// one that their class has.
    pub fn place(&self, row: usize, wiring: &mut Wiring) {
        if let Some(decoded) = self.body(row)
            && let Some(positions) = native_as::<EditorPositions>(&decoded.body)
        {
            for (index, (x, y)) in &positions.positions.0 {
                let Some(&at) = wiring.places.get(index) else { continue };
                wiring.nodes[at].place = Some([f64::from(*x), f64::from(*y)]);
            }
        }
        place_within(wiring);
        if wiring.nodes.iter().any(|node| node.place.is_some()) {
            for node in &mut wiring.nodes {
                node.place.get_or_insert([0.0; 2]);
            }
        }
    }

    /// The inputs of an expression or a material: structs that name an expression.
    fn add_inputs(&self, list: &PropertyList, at: usize, wiring: &mut Wiring) {
        for property in &list.properties {
            let name = self.property_name(property);
            self.add_input(&name, property.value(), DEEPEST, at, wiring);
        }
    }

    fn add_input(&self, name: &str, value: &Value, depth: usize, at: usize, wiring: &mut Wiring) {
        if depth == 0 {
            return;
        }
        let mut wire = |index: PackageIndex, output: String| {
            let pin = wiring.named(at, false, name.to_owned());
            wiring.wire(at, pin, FarEnd::Output(index, output));
        };
        match value {
            Value::List(list) => match self.object(list, "Expression") {
                Some(index) => wire(index, self.mask(list)),
                None => {
                    for property in &list.properties {
                        let inner = format!("{name}.{}", self.property_name(property));
                        self.add_input(&inner, property.value(), depth - 1, at, wiring);
                    }
                }
            },
            Value::Fields(fields) => {
                if let [Value::Object(index), Value::Int(output), ..] = &fields[..]
                    && !index.is_null()
                {
                    wire(*index, output_name(*output));
                }
            }
            value => {
                for (number, element) in elements(value).iter().enumerate() {
                    self.add_input(&format!("{name}[{number}]"), element, depth - 1, at, wiring);
                }
            }
        }
    }

    /// What an input takes of its expression's output: its number, or before UE4 its channels.
    fn mask(&self, list: &PropertyList) -> String {
        match list.value("OutputIndex", &self.context) {
            Some(Value::Int(output)) if *output > 0 => return output_name(*output),
            _ => {}
        }
        let is_set = |name: &str| match list.value(name, &self.context) {
            Some(Value::Int(number)) => *number != 0,
            Some(Value::Bool(set)) => *set,
            Some(Value::BoolWord(word)) => *word != 0,
            _ => false,
        };
        let channels = [("MaskR", 'R'), ("MaskG", 'G'), ("MaskB", 'B'), ("MaskA", 'A')];
        channels.iter().filter(|(name, _)| is_set(name)).map(|(_, channel)| channel).collect()
    }

    /// The name of a property, and its element where it has several.
    pub fn property_name(&self, property: &crate::property::Property) -> String {
        let name = property.name_text(|name| self.package.name_text(name));
        match property.array_index() {
            0 => name.into_owned(),
            element => format!("{name}[{element}]"),
        }
    }

    /// An object that a property names; `None` for none.
    pub fn object(&self, list: &PropertyList, name: &str) -> Option<PackageIndex> {
        match list.value(name, &self.context)? {
            Value::Object(index) if !index.is_null() => Some(*index),
            _ => None,
        }
    }

    /// The whole number that a property stores.
    pub fn number(&self, list: &PropertyList, name: &str) -> Option<f64> {
        Some(match list.value(name, &self.context)? {
            Value::Int(number) => f64::from(*number),
            Value::Float(number) if number.is_finite() => f64::from(*number),
            Value::Double(number) if number.is_finite() => *number,
            _ => return None,
        })
    }

    /// The value of a property.
    pub fn value<'l>(&self, list: &'l PropertyList, name: &str) -> Option<&'l Value> {
        list.value(name, &self.context)
    }

    /// Two numbers, of which at least one is stored; the other is 0.
    fn point(&self, list: &PropertyList, [x, y]: [&str; 2]) -> Option<[f64; 2]> {
        let (x, y) = (self.number(list, x), self.number(list, y));
        x.or(y).map(|_| [x.unwrap_or(0.0), y.unwrap_or(0.0)])
    }

    /// The text of a property, or of a field within it.
    pub fn text(&self, list: &PropertyList, path: &str) -> Option<String> {
        if let Some((first, rest)) = path.split_once('.') {
            return match list.value(first, &self.context)? {
                Value::List(inner) => self.text(inner, rest),
                _ => None,
            };
        }
        let text = match list.value(path, &self.context)? {
            Value::Name(name) => self.package.name_text(*name),
            Value::Str(string) => string.text(self.package.source()).ok()?.into_owned(),
            Value::Object(index) if !index.is_null() => self.package.object_name(*index),
            Value::Float(number) => number.to_string(),
            Value::Int(number) => number.to_string(),
            _ => return None,
        };
        (text != "None").then(|| text.chars().take(LONGEST).collect())
    }

    /// The text of a name.
    pub fn name_text(&self, name: crate::primitive::Name) -> String {
        self.package.name_text(name)
    }

    /// The bytes that texts lie in.
    pub fn source(&self) -> &[u8] {
        self.package.source()
    }
}

/// Nodes within another one stand where the editor left them, which it does not show: they are drawn below the edge of
/// the node that they belong to, one after the other.
fn place_within(wiring: &mut Wiring) {
    let mut seen = HashSet::new();
    let mut counts = vec![0.0; wiring.nodes.len()];
    for (inner, outer) in std::mem::take(&mut wiring.within) {
        let Some(&at) = wiring.places.get(&inner) else { continue };
        if at == outer || !seen.insert(at) {
            continue;
        }
        if let Some([x, y]) = wiring.nodes[outer].place {
            counts[outer] += 1.0;
            wiring.nodes[at].place = Some([x + WITHIN[0], y + WITHIN[1] * counts[outer]]);
        }
    }
}

/// The output of an expression: the first one has no name.
fn output_name(output: i32) -> String {
    match output {
        0 => String::new(),
        output => output.to_string(),
    }
}

/// The elements of an array of structs; none of any other value.
pub(super) fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Array(Elements::Values(values)) => values,
        Value::StructArray(structs) => match &structs.elements {
            Elements::Values(values) => values,
            _ => &[],
        },
        _ => &[],
    }
}

/// The objects of an array.
pub(super) fn objects(value: &Value) -> &[PackageIndex] {
    match value {
        Value::Array(Elements::Object(objects)) => objects,
        _ => &[],
    }
}
