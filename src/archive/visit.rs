//! The archive that shows a value's names, references, paths and texts to someone, who may replace them.

use std::sync::Arc;

use super::{Archive, Context, Direction, Kind, Span, Step, Width, Window};
use crate::error::Result;
use crate::primitive::{CompactIndex, Name, PackageIndex, SoftObjectPath};
use crate::version::Versions;

/// Who looks at values, and at the way to each.
pub(crate) trait Visitor {
    /// A reference.
    fn object(&mut self, index: &mut PackageIndex, way: &[Step]) {
        let _ = (index, way);
    }

    /// A name, also those of soft paths.
    fn name(&mut self, name: &mut Name, way: &[Step]) {
        let _ = (name, way);
    }

    /// A soft path in full; its names come afterwards.
    fn soft_path(&mut self, path: &mut SoftObjectPath, way: &[Step]) {
        let _ = (path, way);
    }

    /// A row of the list of soft paths.
    fn soft_row(&mut self, row: &mut i32, way: &[Step]) {
        let _ = (row, way);
    }

    /// Characters, or bytes that nobody decodes.
    fn span(&mut self, span: &mut Span, kind: Kind, way: &[Step]) {
        let _ = (span, kind, way);
    }

    /// One byte: tokens of code are such.
    fn byte(&mut self, value: u8) {
        let _ = value;
    }
}

/// Shows what it meets to a [`Visitor`].
pub(crate) struct Visit<'a, V: Visitor> {
    visitor: &'a mut V,
    way: Vec<Step>,
    versions: Versions,
    context: Arc<Context>,
}

impl<'a, V: Visitor> Visit<'a, V> {
    /// The context tells the names of properties on the way.
    pub fn new(visitor: &'a mut V, versions: Versions, context: Arc<Context>) -> Self {
        Self { visitor, way: Vec::new(), versions, context }
    }
}

/// A way as it is written: `properties.Skin[2]`.
pub(crate) fn way_text(way: &[Step]) -> String {
    let mut text = String::new();
    for step in way {
        step.append_to(&mut text);
    }
    text
}

impl<V: Visitor> Archive for Visit<'_, V> {
    fn direction(&self) -> Direction {
        Direction::Visiting
    }

    fn versions(&self) -> &Versions {
        &self.versions
    }

    fn set_versions(&mut self, versions: Versions) {
        self.versions = versions;
    }

    fn context(&self) -> &Arc<Context> {
        &self.context
    }

    fn position(&self) -> u64 {
        0
    }

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        if let [byte] = bytes {
            self.visitor.byte(*byte);
        }
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, _: u64, kind: Kind) -> Result<()> {
        if !span.is_empty() {
            self.visitor.span(span, kind, &self.way);
        }
        Ok(())
    }

    fn serialize_name(&mut self, name: &mut Name) -> Result<()> {
        self.visitor.name(name, &self.way);
        Ok(())
    }

    fn serialize_object(&mut self, index: &mut PackageIndex, _: Width) -> Result<()> {
        self.visitor.object(index, &self.way);
        Ok(())
    }

    fn open(&mut self, _: u64) -> Result<Window> {
        Ok(Window::default())
    }

    fn close(&mut self, _: Window, result: Result<()>) -> Result<()> {
        result
    }

    fn claim(&mut self, _: u64, _: usize) -> Result<()> {
        Ok(())
    }

    fn patch(&mut self, _: u64, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    fn enter(&mut self, step: Step) {
        self.way.push(step);
    }

    fn leave(&mut self) {
        self.way.pop();
    }

    fn explains(&self) -> bool {
        true
    }

    fn serialize_soft_path(&mut self, path: &mut SoftObjectPath) -> Result<()> {
        self.visitor.soft_path(path, &self.way);
        path.serialize_layout(self)
    }

    fn serialize_soft_row(&mut self, row: &mut i32) -> Result<()> {
        self.visitor.soft_row(row, &self.way);
        Ok(())
    }

    fn serialize_compact(&mut self, _: &mut CompactIndex) -> Result<()> {
        Ok(())
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        self.serialize_span(span, 0, Kind::Text)
    }
}
