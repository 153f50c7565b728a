//! The archive that renumbers.

use std::fmt;
use std::sync::Arc;

use super::references::visit_only;
use super::{Archive, Context, Direction, Kind, Span, Width, Window};
use crate::error::{ErrorKind, Result};
use crate::primitive::{CompactIndex, Name, PackageIndex};
use crate::version::Versions;

/// A rule that gives an index its new value, or `None` where it has none.
pub type Rule<'a> = &'a dyn Fn(i32) -> Option<i32>;

/// Renumbers every name and object reference in a value. An index that keeps its number keeps its
/// stored form; a new number is stored canonically.
pub struct Remap<'a> {
    names: Rule<'a>,
    objects: Rule<'a>,
    materialize: bool,
    refuses_opaque: bool,
    versions: Versions,
    context: Arc<Context>,
}

impl<'a> Remap<'a> {
    /// Renumbers by these rules.
    pub fn new(versions: Versions, names: Rule<'a>, objects: Rule<'a>) -> Self {
        Self {
            names,
            objects,
            materialize: false,
            refuses_opaque: false,
            versions,
            context: Context::nothing(),
        }
    }

    /// The same with what is known about the package.
    #[must_use]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// Also makes every span own its bytes, taken from the context's source: what copying a value to
    /// another package needs.
    #[must_use]
    pub fn materializing(mut self) -> Self {
        self.materialize = true;
        self
    }

    /// Fails where bytes stand that nobody decodes: there may be names and references among them.
    #[must_use]
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

    fn serialize_span(&mut self, span: &mut Span, _: u64, kind: Kind) -> Result<()> {
        if self.refuses_opaque && kind == Kind::Opaque && !span.is_empty() {
            return Err(ErrorKind::NonCanonical { form: "bytes that are not decoded" }.into());
        }
        if self.materialize {
            span.materialize(self.context.source())?;
        }
        Ok(())
    }

    fn serialize_name(&mut self, name: &mut Name) -> Result<()> {
        let index = name.index.value();
        match (self.names)(index) {
            Some(new) if new == index => {}
            Some(new) => name.index.set(new),
            None => return Err(ErrorKind::NotMapped { what: "name", index }.into()),
        }
        Ok(())
    }

    fn serialize_object(&mut self, index: &mut PackageIndex, _: Width) -> Result<()> {
        let old = index.value();
        match (self.objects)(old) {
            Some(new) if new == old => {}
            Some(new) => index.0.set(new),
            None => return Err(ErrorKind::NotMapped { what: "object", index: old }.into()),
        }
        Ok(())
    }
}
