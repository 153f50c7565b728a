//! The archive that shows a value's names, references, paths and texts to a visitor, who may replace them.

use std::sync::Arc;

use super::{CompactIndex, Index, Name, PackageIndex, SoftObjectPath, Way};
use crate::archive::{
    Archive, Context, Direction, Kind, Patch, Reference, Span, Step, Target, Window, visit_only,
};
use crate::error::Result;
use crate::version::Versions;

/// Looks at values, and at the path to each.
#[doc(hidden)]
pub trait Visitor {
    /// Whether it looks at paths: they are empty for those who do not.
    fn takes_paths(&self) -> bool {
        true
    }

    /// A reference.
    fn object(&mut self, index: &mut PackageIndex, path: &Way) {
        let _ = (index, path);
    }

    /// A name, also those of soft paths.
    fn name(&mut self, name: &mut Name, path: &Way) {
        let _ = (name, path);
    }

    /// A soft path in full; its names come afterwards.
    fn soft_path(&mut self, soft: &mut SoftObjectPath, path: &Way) {
        let _ = (soft, path);
    }

    /// A row of the list of soft paths.
    fn soft_row(&mut self, row: &mut i32, path: &Way) {
        let _ = (row, path);
    }

    /// Characters, or opaque bytes.
    fn span(&mut self, span: &mut Span, kind: Kind, path: &Way) {
        let _ = (span, kind, path);
    }

    /// The text of the characters that came last, at the path of the string: decoded when it is called for.
    fn text(&mut self, text: &dyn Fn() -> String, path: &Way) {
        let _ = (text, path);
    }

    /// The bytes of a number, in the order of the package.
    fn bytes(&mut self, bytes: &[u8], path: &Way) {
        let _ = (bytes, path);
    }

    /// A form that no byte says: what it is about, its number.
    fn form(&mut self, name: &'static str, number: i64, path: &Way) {
        let _ = (name, number, path);
    }
}

/// Each of these hears of all: one walk for several purposes.
impl<A: Visitor, B: Visitor> Visitor for (A, B) {
    fn takes_paths(&self) -> bool {
        self.0.takes_paths() || self.1.takes_paths()
    }

    #[inline]
    fn object(&mut self, index: &mut PackageIndex, path: &Way) {
        self.0.object(index, path);
        self.1.object(index, path);
    }

    #[inline]
    fn name(&mut self, name: &mut Name, path: &Way) {
        self.0.name(name, path);
        self.1.name(name, path);
    }

    #[inline]
    fn soft_path(&mut self, soft: &mut SoftObjectPath, path: &Way) {
        self.0.soft_path(soft, path);
        self.1.soft_path(soft, path);
    }

    #[inline]
    fn soft_row(&mut self, row: &mut i32, path: &Way) {
        self.0.soft_row(row, path);
        self.1.soft_row(row, path);
    }

    #[inline]
    fn span(&mut self, span: &mut Span, kind: Kind, path: &Way) {
        self.0.span(span, kind, path);
        self.1.span(span, kind, path);
    }

    #[inline]
    fn text(&mut self, text: &dyn Fn() -> String, path: &Way) {
        self.0.text(text, path);
        self.1.text(text, path);
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8], path: &Way) {
        self.0.bytes(bytes, path);
        self.1.bytes(bytes, path);
    }

    #[inline]
    fn form(&mut self, name: &'static str, number: i64, path: &Way) {
        self.0.form(name, number, path);
        self.1.form(name, number, path);
    }
}

/// None hears nothing.
impl<V: Visitor> Visitor for Option<V> {
    fn takes_paths(&self) -> bool {
        self.as_ref().is_some_and(V::takes_paths)
    }

    #[inline]
    fn object(&mut self, index: &mut PackageIndex, path: &Way) {
        if let Some(visitor) = self {
            visitor.object(index, path);
        }
    }

    #[inline]
    fn name(&mut self, name: &mut Name, path: &Way) {
        if let Some(visitor) = self {
            visitor.name(name, path);
        }
    }

    #[inline]
    fn soft_path(&mut self, soft: &mut SoftObjectPath, path: &Way) {
        if let Some(visitor) = self {
            visitor.soft_path(soft, path);
        }
    }

    #[inline]
    fn soft_row(&mut self, row: &mut i32, path: &Way) {
        if let Some(visitor) = self {
            visitor.soft_row(row, path);
        }
    }

    #[inline]
    fn span(&mut self, span: &mut Span, kind: Kind, path: &Way) {
        if let Some(visitor) = self {
            visitor.span(span, kind, path);
        }
    }

    #[inline]
    fn text(&mut self, text: &dyn Fn() -> String, path: &Way) {
        if let Some(visitor) = self {
            visitor.text(text, path);
        }
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8], path: &Way) {
        if let Some(visitor) = self {
            visitor.bytes(bytes, path);
        }
    }

    #[inline]
    fn form(&mut self, name: &'static str, number: i64, path: &Way) {
        if let Some(visitor) = self {
            visitor.form(name, number, path);
        }
    }
}

/// Shows what it meets to a [`Visitor`].
///
/// One archive for all visitors: with a type for each of them every table and every property would be compiled once more
/// for each, which was the larger part of what editing took to compile.
#[doc(hidden)]
pub struct Visit<'a> {
    visitor: &'a mut dyn Visitor,
    takes_paths: bool,
    path: Way,
    versions: Versions,
    context: Arc<Context>,
    /// Whether characters came last, so that a note says their text.
    is_text: bool,
}

impl std::fmt::Debug for Visit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visit").finish_non_exhaustive()
    }
}

impl<'a> Visit<'a> {
    /// The context knows the names of properties in paths.
    #[inline]
    pub fn new(visitor: &'a mut dyn Visitor, versions: Versions, context: Arc<Context>) -> Self {
        let (takes_paths, path) = (visitor.takes_paths(), Way::new(context.clone()));
        Self { visitor, takes_paths, path, versions, context, is_text: false }
    }
}

impl Archive for Visit<'_> {
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
            Step::Leave if self.takes_paths => self.path.leave(),
            Step::Note(text) if self.is_text => {
                self.is_text = false;
                let text = || text(&self.context, &self.versions);
                self.visitor.text(&text, &self.path);
            }
            Step::Form { name, number, .. } => {
                self.visitor.form(name, number.get().unwrap_or_default(), &self.path);
            }
            step if self.takes_paths => self.path.enter(step),
            _ => {}
        }
    }
}
