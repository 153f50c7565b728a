//! The one function that serialises each section of a package.

use std::sync::Arc;

use crate::archive::{Archive, ArchiveExt, Archived, Context, Kind, Span, Step};
use crate::error::Result;
use crate::object::Body;
use crate::package::Package;
use crate::primitive::{Visit, Visitor};
use crate::table::Section;
use crate::version::UnrealVersions;

/// Where a section stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SectionPlace {
    /// The section.
    pub section: Section,
    /// First byte, from the start of the file.
    pub start: u64,
    /// Bytes.
    pub size: u64,
}

impl SectionPlace {
    /// Behind the last byte.
    pub fn end(&self) -> u64 {
        self.start + self.size
    }
}

impl Package {
    /// Hands one section of the header to an archive: reading, writing, measuring, visiting and
    /// explaining all come through here. Bodies and gaps are ranges and have no layout.
    #[doc(hidden)]
    pub fn serialize_section<A: Archive + ?Sized>(
        &mut self,
        section: Section,
        ar: &mut A,
    ) -> Result<()> {
        in_section(section, ar, |ar| self.serialize_rows(section, ar))
    }

    /// Shows every table, then every body as far as it can be decoded, to a visitor that only looks; `enter`
    /// tells it which comes next.
    #[doc(hidden)]
    pub fn visit_sections<V: Visitor>(
        &self,
        visitor: &mut V,
        context: &Arc<Context>,
        mut enter: impl FnMut(&mut V, Section),
    ) {
        self.without_bodies().visit_header(visitor, context, None, &mut enter);
        self.each_body(|row, decoded| {
            enter(visitor, Section::Body(row as u32));
            self.show_body(&mut decoded.body, context, visitor);
        });
    }

    /// Shows a body to a visitor.
    #[doc(hidden)]
    pub fn show_body<V: Visitor>(&self, body: &mut Body, context: &Arc<Context>, visitor: &mut V) {
        let mut visit = Visit::new(visitor, self.versions.of_bodies(), context.clone());
        // Visiting never fails: it neither reads nor writes.
        let _ = body.serialize(&mut visit);
    }

    /// Shows every table to a visitor; where rows are given, of the exports only these, and of the other
    /// tables only those that may hold names and soft paths.
    #[doc(hidden)]
    pub fn visit_header<V: Visitor>(
        &mut self,
        visitor: &mut V,
        context: &Arc<Context>,
        exports: Option<&[usize]>,
        enter: &mut impl FnMut(&mut V, Section),
    ) {
        for section in self.header_sections() {
            if exports.is_some() && !section.may_hold_names() {
                continue;
            }
            enter(visitor, section);
            let mut visit = Visit::new(visitor, self.versions.clone(), context.clone());
            // Visiting never fails: it neither reads nor writes.
            match exports.filter(|_| section == Section::Exports) {
                Some(rows) => {
                    for &row in rows {
                        let _ = self.tables.exports[row].serialize(&mut visit);
                    }
                }
                None => drop(self.serialize_section(section, &mut visit)),
            }
        }
    }

    /// The same without the section's own step.
    pub(super) fn serialize_rows<A: Archive + ?Sized>(
        &mut self,
        section: Section,
        ar: &mut A,
    ) -> Result<()> {
        match section {
            Section::ThumbnailImage(row) => self.tables.images[row as usize].1.serialize(ar),
            Section::Body(_) | Section::Gap(_) => self.save_range(section, ar),
            listed => self.tables.serialize_listed(listed, ar),
        }
    }

    /// Hands a body or a gap to an archive; nothing for other sections.
    pub(super) fn save_range<A: Archive + ?Sized>(
        &self,
        section: Section,
        ar: &mut A,
    ) -> Result<()> {
        let (mut span, kind) = match section {
            Section::Body(row) => (self.body_span(row as usize), Kind::Opaque),
            Section::Gap(row) => {
                let gap = self.claims().gaps[row as usize].clone();
                (Span::source(gap.start, gap.end - gap.start), Kind::Gap)
            }
            _ => return Ok(()),
        };
        let length = span.len();
        ar.serialize_span(&mut span, length, kind)
    }
}

/// Runs `rows` within the step of a section.
///
/// # Errors
/// The errors of `rows`, with the section in their path.
pub(super) fn in_section<A: Archive + ?Sized>(
    section: Section,
    ar: &mut A,
    rows: impl FnOnce(&mut A) -> Result<()>,
) -> Result<()> {
    let steps = [Some(Step::Field(section.step())), section.row().map(Step::Index)];
    let steps = steps.into_iter().flatten();
    steps.clone().for_each(|step| ar.enter(step));
    let result = rows(ar);
    steps.clone().for_each(|_| ar.leave());
    let steps = steps.rev().filter_map(|step| step.entered(ar.context()));
    result.map_err(|error| steps.fold(error, |error, step| error.within(step)))
}
