//! Graphs of nodes as text.

use super::text::EditorText;
use super::writer::ObjectWriter;
use crate::content::Contents;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::{EditorScope, PackageValues, StoredGraph};
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
        self.stored_graph_text(&self.values().stored_graph(row)?)
    }

    /// The same of a graph that [`stored_graphs`](crate::inspect::Values::stored_graphs) has found.
    #[doc(hidden)]
    pub fn stored_graph_text(&self, graph: &StoredGraph) -> Result<EditorText> {
        let nodes = self.values().stored_nodes(graph);
        let moved = nodes.iter().filter_map(|node| {
            let instance =
                node.instance.filter(|it| matches!(it.target(), ObjectRef::Export(_)))?;
            Some((instance, PackageIndex::export(node.row)))
        });
        let scope = EditorScope { root: PackageIndex::export(graph.row), moved: moved.collect() };
        let has_groups = nodes.iter().enumerate().any(|(at, node)| node.group != at);
        let mut writer = ObjectWriter::new(self.package, &scope)?;
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
}
