//! Graphs of nodes as text.

use super::text::EditorText;
use super::writer::ObjectWriter;
use crate::content::{ContentFile, ContentKind, Contents};
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::{EditorScope, PackageValues, StoredGraph, StoredNodeReader};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::EngineFacts;

impl Contents<'_> {
    /// The nodes of a graph as the editor of UE4 or UE5 copies them, with their pins and wires: a graph of a blueprint, of
    /// an animation blueprint, of a behaviour tree. [`node_graphs`](crate::inspect::Values::node_graphs) lists the graphs.
    ///
    /// Objects of the package that lie outside of the graph are called by the package's path, where that is known.
    ///
    /// # Errors
    /// `Unsupported` for UE1 to UE3; `NotFound` for an object without nodes; `Invalid` for the nodes of materials, whose
    /// pins no package stores, and for a node that is not decoded.
    pub fn graph_text(&self, row: usize) -> Result<EditorText> {
        if !self.versions().has_node_text() {
            let reason = "the text of nodes is written for UE4 and UE5 alone";
            return Err(Error::unsupported(reason));
        }
        let graph = self.values().stored_graph(row)?;
        self.graph_texts()?.text(&graph)
    }
}

impl<'a> Contents<'a> {
    /// What writes the graphs of this package.
    ///
    /// # Errors
    /// `Invalid` for a package whose bodies share bytes: what they hold could be larger than any memory.
    #[doc(hidden)]
    pub fn graph_texts(&self) -> Result<GraphTexts<'a>> {
        self.exports().refuse_shared_bodies()?;
        let scope = EditorScope::of(self.package, PackageIndex::NULL);
        let reader = self.package.values().stored_node_reader();
        Ok(GraphTexts { package: self.package, reader, scope })
    }
}

/// What writes graphs that [`stored_graphs`](crate::inspect::Values::stored_graphs) has found.
#[doc(hidden)]
#[derive(Debug)]
pub struct GraphTexts<'a> {
    package: &'a Package,
    reader: StoredNodeReader<'a>,
    /// That of the package alone.
    scope: EditorScope,
}

impl GraphTexts<'_> {
    /// The nodes of a graph.
    ///
    /// # Errors
    /// `Invalid` for a node that is not decoded.
    pub fn text(&self, graph: &StoredGraph) -> Result<EditorText> {
        let nodes = self.reader.nodes(graph);
        let moved = nodes.iter().filter_map(|node| {
            let instance =
                node.instance.filter(|it| matches!(it.target(), ObjectRef::Export(_)))?;
            Some((instance, PackageIndex::export(node.row)))
        });
        let mut scope = self.scope.clone();
        scope.enter(PackageIndex::export(graph.row), moved);
        let has_groups = nodes.iter().enumerate().any(|(at, node)| node.group != at);
        let mut writer = ObjectWriter::new(self.package, &scope);
        let mut text = String::new();
        for node in nodes {
            let mut block = writer.block(node.row, "Object")?;
            if has_groups {
                // How pasting knows which node another one is within.
                block.lines.push(format!("CopySubNodeIndex={}", node.group));
            }
            // Writing to a String can't fail.
            let _ = block.write(&mut text, 0);
        }
        Ok(EditorText { text, left_out: writer.left_out })
    }

    /// The same as a file.
    ///
    /// # Errors
    /// As [`GraphTexts::text`].
    pub fn file(&self, graph: &StoredGraph) -> Result<ContentFile> {
        let EditorText { text, left_out } = self.text(graph)?;
        let note = (!left_out.is_empty()).then(|| format!("without {}", left_out.join(", ")));
        let (kind, extension) = (ContentKind::Graph, "t3d".to_owned());
        Ok(ContentFile { kind, extension, bytes: text.into_bytes(), note })
    }
}
