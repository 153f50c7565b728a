//! The archive that collects what a value refers to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    Archive, CompactIndex, Context, Direction, Kind, Patch, Reference, Space, Span, Target, Window,
};
use crate::error::Result;
use crate::version::Versions;

/// Rows, and how often each was met.
type RowUses = BTreeMap<i32, u64>;

/// Collects the references and spans that values use, and how often.
#[derive(Debug)]
pub struct References {
    /// By the number of the space; few formats have more than a handful.
    rows: Vec<(u8, RowUses)>,
    spans: Vec<(Span, Kind)>,
    versions: Versions,
    context: Arc<Context>,
}

impl References {
    /// Nothing collected yet.
    #[inline]
    pub fn new(versions: Versions) -> Self {
        Self { rows: Vec::new(), spans: Vec::new(), versions, context: Context::nothing() }
    }

    /// The same with what is known about the file.
    #[must_use]
    #[inline]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// How often each row of a space was met.
    #[inline]
    pub fn rows(&self, space: &Space) -> &RowUses {
        static NONE: RowUses = RowUses::new();
        self.rows.iter().find(|(number, _)| *number == space.number).map_or(&NONE, |(_, rows)| rows)
    }

    /// Forgets the spans that were met: a visitor of many values keeps those of one at most.
    #[doc(hidden)]
    #[inline]
    pub fn forget_spans(&mut self) {
        self.spans.clear();
    }

    /// The spans that were met, in order; empty ones are left out.
    #[inline]
    pub fn spans(&self) -> &[(Span, Kind)] {
        &self.spans
    }
}

/// Functions that the archives that neither read nor write have in common.
#[doc(hidden)]
#[macro_export]
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

        #[inline]
        fn open(&mut self, _: $crate::archive::Extent) -> Result<Window> {
            Ok(Window::default())
        }

        #[inline]
        fn close(&mut self, _: Window, result: Result<()>) -> Result<()> {
            result
        }

        #[inline]
        fn reserve(&mut self, _: u64, _: u64) -> Result<()> {
            Ok(())
        }

        fn patch(&mut self, _: u64, _: Patch<'_>) -> Result<()> {
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

impl Archive for References {
    visit_only!();

    #[inline(always)]
    fn serialize_bytes(&mut self, _: &mut [u8]) -> Result<()> {
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, _: u64, kind: Kind) -> Result<()> {
        if !span.is_empty() {
            self.spans.push((span.clone(), kind));
        }
        Ok(())
    }

    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        let Target::Row { row, .. } = reference.target else { return Ok(()) };
        let number = reference.space.number;
        let at = match self.rows.iter().position(|(known, _)| *known == number) {
            Some(at) => at,
            None => {
                self.rows.push((number, RowUses::new()));
                self.rows.len() - 1
            }
        };
        if let Some((_, rows)) = self.rows.get_mut(at) {
            *rows.entry(row.value()).or_default() += 1;
        }
        Ok(())
    }
}
