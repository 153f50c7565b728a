//! The archive that collects what a value refers to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Archive, Context, Direction, Kind, Span, Width, Window};
use crate::error::Result;
use crate::primitive::{CompactIndex, Name, PackageIndex};
use crate::version::Versions;

/// Collects the names, objects and spans that values use, and how often.
#[derive(Debug)]
pub struct References {
    names: BTreeMap<i32, u64>,
    objects: BTreeMap<i32, u64>,
    spans: Vec<(Span, Kind)>,
    versions: Versions,
    context: Arc<Context>,
}

impl References {
    /// Nothing collected yet.
    pub fn new(versions: Versions) -> Self {
        Self {
            names: BTreeMap::new(),
            objects: BTreeMap::new(),
            spans: Vec::new(),
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

    /// How often each name index was met.
    pub fn names(&self) -> &BTreeMap<i32, u64> {
        &self.names
    }

    /// How often each object index was met, 0 included.
    pub fn objects(&self) -> &BTreeMap<i32, u64> {
        &self.objects
    }

    /// The spans that were met, in order; empty ones are left out.
    pub fn spans(&self) -> &[(Span, Kind)] {
        &self.spans
    }
}

/// What the archives that neither read nor write have in common.
macro_rules! visit_only {
    () => {
        #[inline(always)]
        fn direction(&self) -> Direction {
            Direction::Visiting
        }

        #[inline(always)]
        fn versions(&self) -> &Versions {
            &self.versions
        }

        fn set_versions(&mut self, versions: Versions) {
            self.versions = versions;
        }

        fn context(&self) -> &Arc<Context> {
            &self.context
        }

        #[inline(always)]
        fn position(&self) -> u64 {
            0
        }

        #[inline(always)]
        fn serialize_bytes(&mut self, _: &mut [u8]) -> Result<()> {
            Ok(())
        }

        #[inline]
        fn open(&mut self, _: u64) -> Result<Window> {
            Ok(Window::default())
        }

        #[inline]
        fn close(&mut self, _: Window, result: Result<()>) -> Result<()> {
            result
        }

        #[inline]
        fn claim(&mut self, _: u64, _: usize) -> Result<()> {
            Ok(())
        }

        fn patch(&mut self, _: u64, _: &[u8]) -> Result<()> {
            Ok(())
        }

        fn as_dyn(&mut self) -> &mut dyn Archive {
            self
        }

        #[inline(always)]
        fn serialize_compact(&mut self, _: &mut CompactIndex) -> Result<()> {
            Ok(())
        }

        fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
            self.serialize_span(span, 0, Kind::Text)
        }
    };
}
pub(super) use visit_only;

impl Archive for References {
    visit_only!();

    fn serialize_span(&mut self, span: &mut Span, _: u64, kind: Kind) -> Result<()> {
        if !span.is_empty() {
            self.spans.push((span.clone(), kind));
        }
        Ok(())
    }

    fn serialize_name(&mut self, name: &mut Name) -> Result<()> {
        *self.names.entry(name.index.value()).or_default() += 1;
        Ok(())
    }

    fn serialize_object(&mut self, index: &mut PackageIndex, _: Width) -> Result<()> {
        *self.objects.entry(index.value()).or_default() += 1;
        Ok(())
    }
}
