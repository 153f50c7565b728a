//! Objects of a package to blocks.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::block::ObjectBlock;
use super::{brush, pin};
use crate::archive::Context;
use crate::content::map_text::elements;
use crate::error::{Error, Result};
use crate::inspect::{
    EditorScope, PackageValues, PropertyValue, Values, editor_default, editor_path,
    editor_reference,
};
use crate::object::ue4::graph::node::EdGraphNode;
use crate::package::{Package, native_as};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::PropertyKind;
use crate::version::EngineFacts;

/// Objects lie in each other this deep.
const DEEPEST: usize = 64;

/// What writes the objects of one level or graph.
pub(super) struct ObjectWriter<'a> {
    package: &'a Package,
    values: Values<'a>,
    context: Arc<Context>,
    scope: &'a EditorScope,
    /// The objects that are moved into another one, in table order.
    moved: HashMap<PackageIndex, Vec<PackageIndex>>,
    /// The objects that were written: none lies in two.
    written: HashSet<usize>,
    /// What the text has not got, with the reason.
    pub left_out: Vec<String>,
}

impl<'a> ObjectWriter<'a> {
    /// For a package whose bodies share no bytes: what they hold could be larger than any memory.
    pub fn new(package: &'a Package, scope: &'a EditorScope) -> Self {
        let (values, context) = (package.values().for_editor(scope), package.decoding_context());
        let (moved, written, left_out) = (scope.moved_into(), HashSet::new(), Vec::new());
        Self { package, values, context, scope, moved, written, left_out }
    }

    /// An object with all that lies in it.
    ///
    /// # Errors
    /// `Invalid` for an object that is not decoded, and for objects within each other deeper than any editor puts them.
    pub fn block(&mut self, row: usize, kind: &'static str) -> Result<ObjectBlock> {
        self.block_at(row, kind, 0)
    }

    fn block_at(&mut self, row: usize, kind: &'static str, depth: usize) -> Result<ObjectBlock> {
        if depth > DEEPEST {
            let path = self.package.exports().path(row);
            return Err(Error::invalid(format!("{path} lies deeper than {DEEPEST} objects")));
        }
        self.written.insert(row);
        let index = PackageIndex::export(row);
        let mut block = ObjectBlock { kind, ..ObjectBlock::default() };
        self.write_head(row, &mut block);
        if kind == "Actor"
            && let Some(model) = self.values.object_at(row, "Brush")
        {
            self.add_brush(model, &mut block)?;
        }
        let mut children = self.moved.get(&index).cloned().unwrap_or_default();
        children.extend(self.package.exports().children(index));
        for child in children {
            let ObjectRef::Export(child) = child.target() else { continue };
            if !self.written.contains(&child) {
                block.inner.push(self.block_at(child, "Object", depth + 1)?);
            }
        }
        let mut body = self.values.editable(row, &self.context)?.body;
        let pins = native_as::<EdGraphNode>(&body).cloned();
        let list =
            self.values.list_of(row, &mut body).map_err(|error| self.values.about(row, error))?;
        for property in self.values.listed(row, list, &self.context) {
            if has_unnamed_fields(&property.text) {
                let path = self.package.exports().path(row);
                let reason = "the names of its fields are not known";
                self.left_out.push(format!("{path}.{}: {reason}", property.path));
                continue;
            }
            add_lines(&property, &mut block.lines);
        }
        if let Some(node) = pins {
            let texts = pin::PinTexts {
                package: self.package,
                values: self.values,
                context: &self.context,
                scope: self.scope,
            };
            block.lines.extend(texts.lines(&node)?);
        }
        if self.package.versions().has_component_prefixes() {
            block.lines.push(format!("Name=\"{}\"", self.package.object_name(index)));
            block.lines.push(format!("ObjectArchetype={}", self.archetype(row)));
        }
        Ok(block)
    }

    /// The polygons of a brush in place of its model and of the object that holds them.
    fn add_brush(&mut self, model: usize, block: &mut ObjectBlock) -> Result<()> {
        if self.written.contains(&model) {
            return Ok(());
        }
        let Some((brush, has_scale)) = brush::block(self.package, model, self.scope)? else {
            return Ok(());
        };
        self.written.insert(model);
        if has_scale {
            let path = self.package.exports().path(model);
            self.left_out.push(format!("{path}: the text has no word for the scale of light maps"));
        }
        block.inner.push(brush);
        Ok(())
    }

    fn write_head(&self, row: usize, block: &mut ObjectBlock) {
        let package = self.package;
        let name = package.object_name(PackageIndex::export(row));
        let class =
            package.tables().exports.get(row).map(|row| row.class_index).unwrap_or_default();
        let archetype = self.archetype(row);
        let is_actor = block.kind == "Actor";
        if package.versions().has_component_prefixes() {
            let class = package.object_name(class);
            block.attributes = match is_actor {
                true => format!("Class={class} Name={name} Archetype={archetype}"),
                false => {
                    let template = self.template(row).unwrap_or_else(|| name.clone());
                    format!("Class={class} Name={template} ObjName={name} Archetype={archetype}")
                }
            };
            return;
        }
        let class = self.path(class);
        block.attributes = match is_actor {
            true => format!("Class={class} Name={name} Archetype={archetype}"),
            false => format!("Class={class} Name=\"{name}\""),
        };
        if !is_actor {
            block.name = format!("Name=\"{name}\"");
            // The archetype of most is the default of their class, which needs no word.
            if self.template(row).is_some() {
                block.attributes.push_str(&format!(" Archetype={archetype}"));
            }
        }
    }

    fn path(&self, index: PackageIndex) -> String {
        editor_path(self.package, index, PackageIndex::NULL, self.scope)
    }

    /// The object within the default of a class that this one was made from: its name.
    fn template(&self, row: usize) -> Option<String> {
        let archetype = self.package.tables().exports.get(row)?.archetype();
        let name = (!archetype.is_null()).then(|| self.package.object_name(archetype))?;
        (!name.starts_with("Default__")).then_some(name)
    }

    /// What an object's values start from, as a reference: the default of its class where nothing else is said.
    fn archetype(&self, row: usize) -> String {
        let Some(export) = self.package.tables().exports.get(row) else { return String::new() };
        match export.archetype() {
            archetype if archetype.is_null() => {
                editor_default(self.package, export.class_index, self.scope)
            }
            archetype => editor_reference(self.package, archetype, PackageIndex::NULL, self.scope),
        }
    }
}

/// The lines of a property: one for each element of a list.
fn add_lines(property: &PropertyValue, lines: &mut Vec<String>) {
    let name = property.path.replace('[', "(").replace(']', ")");
    let elements = match property.property_type.kind() {
        PropertyKind::Array => elements(&property.text),
        _ => Vec::new(),
    };
    if elements.is_empty() {
        lines.push(format!("{name}={}", property.text));
        return;
    }
    let numbered = elements.iter().enumerate();
    lines.extend(numbered.map(|(at, element)| format!("{name}({at})={element}")));
}

/// Whether a struct within a value is written with numbers in place of names: `(0=1.0,1=2.0)`.
fn has_unnamed_fields(text: &str) -> bool {
    let (mut quoted, mut escaped, mut last) = (false, false, ' ');
    for (at, found) in text.char_indices() {
        match found {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '0' if !quoted && last == '(' && text[at..].starts_with("0=") => return true,
            _ => {}
        }
        last = found;
    }
    false
}
