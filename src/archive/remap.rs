//! The archive that renumbers.

use std::fmt;
use std::sync::Arc;

use super::{
    Archive, CompactIndex, Context, Direction, Kind, Patch, Reference, Space, Span, Target, Window,
};
use crate::error::{ErrorKind, Result};
use crate::version::Versions;
use crate::visit_only;

/// A rule that gives a row its new number, or `None` where it has none.
pub type Rule<'a> = &'a dyn Fn(i32) -> Option<i32>;

/// Renumbers the references in a value, space by space; those without a rule stay. A row that keeps its
/// number keeps its stored form; a new number is stored canonically.
pub struct Remap<'a> {
    rules: Vec<(&'static Space, Rule<'a>)>,
    materialize: bool,
    refuses_opaque: bool,
    versions: Versions,
    context: Arc<Context>,
}

impl<'a> Remap<'a> {
    /// Without any rule yet.
    pub fn new(versions: Versions) -> Self {
        Self {
            rules: Vec::new(),
            materialize: false,
            refuses_opaque: false,
            versions,
            context: Context::nothing(),
        }
    }

    /// The same with a rule for the rows of `space`.
    #[must_use]
    #[inline]
    pub fn with_rule(mut self, space: &'static Space, rule: Rule<'a>) -> Self {
        self.rules.push((space, rule));
        self
    }

    /// The same with what is known about the file.
    #[must_use]
    #[inline]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// Also makes every span own its bytes, taken from the context's source: what copying a value to
    /// another file needs.
    #[must_use]
    #[inline]
    pub fn materializing(mut self) -> Self {
        self.materialize = true;
        self
    }

    /// Fails at opaque bytes: there may be names and references among them.
    #[must_use]
    #[inline]
    pub fn refusing_opaque(mut self) -> Self {
        self.refuses_opaque = true;
        self
    }
}

impl fmt::Debug for Remap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remap").field("versions", &self.versions).finish_non_exhaustive()
    }
}

impl Archive for Remap<'_> {
    visit_only!();

    #[inline(always)]
    fn serialize_bytes(&mut self, _: &mut [u8]) -> Result<()> {
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, _: u64, kind: Kind) -> Result<()> {
        if self.refuses_opaque && kind == Kind::Opaque && !span.is_empty() {
            return Err(ErrorKind::NonCanonical { form: "bytes that are not decoded" }.into());
        }
        if self.materialize {
            span.materialize(self.context.source())?;
        }
        Ok(())
    }

    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        let Target::Row { row, .. } = reference.target else { return Ok(()) };
        let rule = self.rules.iter().find(|(space, _)| *space == reference.space);
        let Some((space, rule)) = rule else { return Ok(()) };
        let old = row.value();
        match rule(old) {
            Some(new) if new == old => {}
            Some(new) => row.set(new),
            None => return Err(ErrorKind::NotMapped { what: space.label, index: old }.into()),
        }
        Ok(())
    }
}
