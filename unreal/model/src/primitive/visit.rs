//! The archive that shows a value's names, references, paths and texts to a visitor, who may replace them.

use std::sync::Arc;

use super::{CompactIndex, Index, Name, PackageIndex, SoftObjectPath};
use crate::archive::{
    Archive, Context, Direction, Kind, Patch, Reference, Span, Step, Target, Window, visit_only,
};
use crate::error::{PathStep, Result};
use crate::version::Versions;

/// Looks at values, and at the path to each.
#[doc(hidden)]
pub trait Visitor {
    /// Whether it looks at paths: they are made for every value, and empty for those who do not.
    const PATHS: bool = true;

    /// A reference.
    fn object(&mut self, index: &mut PackageIndex, path: &[PathStep]) {
        let _ = (index, path);
    }

    /// A name, also those of soft paths.
    fn name(&mut self, name: &mut Name, path: &[PathStep]) {
        let _ = (name, path);
    }

    /// A soft path in full; its names come afterwards.
    fn soft_path(&mut self, soft: &mut SoftObjectPath, path: &[PathStep]) {
        let _ = (soft, path);
    }

    /// A row of the list of soft paths.
    fn soft_row(&mut self, row: &mut i32, path: &[PathStep]) {
        let _ = (row, path);
    }

    /// Characters, or opaque bytes.
    fn span(&mut self, span: &mut Span, kind: Kind, path: &[PathStep]) {
        let _ = (span, kind, path);
    }

    /// The text of the characters that came last, at the path of the string: decoded when it is called for.
    fn text(&mut self, text: &dyn Fn() -> String, path: &[PathStep]) {
        let _ = (text, path);
    }

    /// The bytes of a number, in the order of the package.
    fn bytes(&mut self, bytes: &[u8], path: &[PathStep]) {
        let _ = (bytes, path);
    }

    /// A form that no byte says: what it is about, its number.
    fn form(&mut self, name: &'static str, number: i64, path: &[PathStep]) {
        let _ = (name, number, path);
    }
}

/// Shows what it meets to a [`Visitor`].
#[doc(hidden)]
pub struct Visit<'a, V: Visitor> {
    visitor: &'a mut V,
    path: Vec<PathStep>,
    versions: Versions,
    context: Arc<Context>,
    /// Whether characters came last, so that a note says their text.
    is_text: bool,
}

impl<V: Visitor> std::fmt::Debug for Visit<'_, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visit").finish_non_exhaustive()
    }
}

impl<'a, V: Visitor> Visit<'a, V> {
    /// The context knows the names of properties in paths.
    #[inline]
    pub fn new(visitor: &'a mut V, versions: Versions, context: Arc<Context>) -> Self {
        Self { visitor, path: Vec::new(), versions, context, is_text: false }
    }
}

impl<V: Visitor> Archive for Visit<'_, V> {
    visit_only!();

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.visitor.bytes(bytes, &self.path);
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, _: u64, kind: Kind) -> Result<()> {
        self.is_text = kind == Kind::Text && !span.is_empty();
        if !span.is_empty() {
            self.visitor.span(span, kind, &self.path);
        }
        Ok(())
    }

    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        match (reference.space, reference.target) {
            (space, Target::Row { row, number, .. }) if *space == Name::SPACE => {
                let mut name = Name { index: Index::default(), number: 0 };
                *name.index.compact_mut() = *row;
                name.number = number.as_deref().copied().unwrap_or_default();
                self.visitor.name(&mut name, &self.path);
                *row = *name.index.compact_mut();
                if let Some(number) = number {
                    *number = name.number;
                }
            }
            (space, Target::Row { row, .. }) if *space == PackageIndex::SPACE => {
                let mut index = PackageIndex::NULL;
                *index.0.compact_mut() = *row;
                self.visitor.object(&mut index, &self.path);
                *row = *index.0.compact_mut();
            }
            (space, Target::Row { row, .. }) if *space == SoftObjectPath::SPACE => {
                let mut number = row.value();
                self.visitor.soft_row(&mut number, &self.path);
                row.set(number);
            }
            (_, Target::Whole(value)) => {
                if let Some(path) = value.downcast_mut::<SoftObjectPath>() {
                    self.visitor.soft_path(path, &self.path);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Leave if V::PATHS => drop(self.path.pop()),
            Step::Note(text) if self.is_text => {
                self.is_text = false;
                self.visitor.text(&|| text(&self.context, &self.versions), &self.path);
            }
            Step::Form { name, number, .. } => {
                self.visitor.form(name, number.get().unwrap_or_default(), &self.path);
            }
            step if V::PATHS => self.path.extend(step.entered(&self.context)),
            _ => {}
        }
    }
}
