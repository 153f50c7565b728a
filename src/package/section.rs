//! The sections of a package, and the one function that serialises each.

mod list;

pub(super) use list::{Entry, Loading, SECTIONS};

use crate::archive::Context;
use crate::primitive::{Visit, Visitor};
use std::fmt;
use std::sync::Arc;

use super::tables::Tables;
use crate::archive::{Archive, ArchiveExt, Archived, Kind, Span, Step};
use crate::error::Result;
use crate::package::Package;
use crate::primitive::array;
use crate::table::DependsRow;

/// A part of a package file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Section {
    /// The package file summary, always at the start.
    Summary,
    /// The heritage table, below file version 68.
    Heritage,
    /// The name table.
    Names,
    /// The import table.
    Imports,
    /// The export table.
    Exports,
    /// The depends table, from file version 415.
    Depends,
    /// The import and export GUID tables, from file version 623.
    Guids,
    /// The image of a thumbnail, by its place in the model.
    ThumbnailImage(u32),
    /// The thumbnail table, from file version 584.
    ThumbnailTable,
    /// The list of soft object paths, from UE5.1.
    SoftObjectPaths,
    /// Texts for translators, UE4 and UE5.
    GatherableText,
    /// Metadata of objects, from UE5.6.
    MetaData,
    /// Verse values of other packages, from UE5.6.
    CellImports,
    /// Verse values of the package, from UE5.6.
    CellExports,
    /// Packages that are referred to softly, UE4 and UE5.
    SoftPackageReferences,
    /// Names by which objects are found, from UE4.15.
    SearchableNames,
    /// What the types of imports derive from, from UE5.7.
    ImportTypeHierarchies,
    /// What the asset registry knows of the package, UE4 and UE5.
    AssetRegistry,
    /// How the package depends on others, from UE4.26.
    AssetDependencies,
    /// Where a level lies in its world, UE4 and UE5.
    WorldTileInfo,
    /// What must be loaded before each export, cooked UE4 and UE5.
    PreloadDependencies,
    /// Where bulk data stands, cooked from UE5.2.
    DataResources,
    /// Bulk data behind the bodies, UE4 and UE5.
    BulkData,
    /// The package tag at the end, UE4 and UE5.
    ClosingTag,
    /// Payloads behind the end, from UE5.1.
    Trailer,
    /// The body of an object, by export row.
    Body(u32),
    /// Bytes that no section claims.
    Gap(u32),
}

impl Section {
    /// Those of the list of sections, in the order in which the engines write them.
    pub(crate) fn listed() -> impl Iterator<Item = Self> {
        SECTIONS.iter().map(|entry| entry.section)
    }

    /// The step that stands for it in paths.
    pub(super) fn step(self) -> &'static str {
        match self {
            Self::ThumbnailImage(_) => "thumbnail_images",
            Self::Body(_) => "bodies",
            Self::Gap(_) => "gaps",
            _ => self.entry().map_or("", |entry| entry.step),
        }
    }

    /// What the list says of it; `None` for images of thumbnails, bodies and gaps.
    pub(super) fn entry(self) -> Option<&'static Entry> {
        SECTIONS.iter().find(|entry| entry.section == self)
    }

    /// The section of the header that such a step and row stand for.
    #[cfg(feature = "json")]
    pub(super) fn of_step(step: &str, row: Option<u32>) -> Option<Self> {
        let image = row.map(Self::ThumbnailImage);
        let mut known = SECTIONS.iter().map(|entry| entry.section).chain(image);
        known.find(|section| section.step() == step)
    }

    pub(super) fn row(self) -> Option<usize> {
        match self {
            Self::ThumbnailImage(row) | Self::Body(row) | Self::Gap(row) => Some(row as usize),
            _ => None,
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.row() {
            Some(row) => write!(f, "{}[{row}]", self.step()),
            None => f.write_str(self.step()),
        }
    }
}

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
    pub(crate) fn serialize_section<A: Archive + ?Sized>(
        &mut self,
        section: Section,
        ar: &mut A,
    ) -> Result<()> {
        let steps = [Some(Step::Field(section.step())), section.row().map(Step::Index)];
        let steps = steps.into_iter().flatten();
        steps.clone().for_each(|step| ar.enter(step));
        let result = self.serialize_rows(section, ar);
        steps.clone().for_each(|_| ar.leave());
        let steps = steps.rev().filter_map(|step| step.entered(ar.context()));
        result.map_err(|error| steps.fold(error, |error, step| error.within(step)))
    }

    /// Shows every table, then every decoded body, to a visitor; `enter` tells it which comes next.
    pub(crate) fn visit_sections<V: Visitor>(
        &mut self,
        visitor: &mut V,
        context: &Arc<Context>,
        mut enter: impl FnMut(&mut V, Section),
    ) {
        let sections = self.header_sections();
        // Visiting never fails: it neither reads nor writes.
        for section in sections {
            enter(visitor, section);
            let mut visit = Visit::new(visitor, self.versions.clone(), context.clone());
            let _ = self.serialize_section(section, &mut visit);
        }
        for (row, decoded) in &mut self.bodies.decoded {
            enter(visitor, Section::Body(*row as u32));
            let mut visit = Visit::new(visitor, self.versions.of_bodies(), context.clone());
            let _ = decoded.body.serialize(&mut visit);
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
            Section::Body(row) => {
                let mut span = self.body_span(row as usize);
                let length = span.len();
                ar.serialize_span(&mut span, length, Kind::Opaque)
            }
            Section::Gap(row) => {
                let gap = self.claims().gaps[row as usize].clone();
                let length = gap.end - gap.start;
                ar.serialize_span(&mut Span::source(gap.start, length), length, Kind::Gap)
            }
            listed => self.tables.serialize_listed(listed, ar),
        }
    }
}

impl Tables {
    /// One row an export up to the end of the section; rows that are missing there are absent, and so
    /// is everything behind a row that does not fit (spec: ue1-3/03 §3.6).
    fn serialize_depends<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let exports = self.exports.len();
        let missing = exports as i64 - self.depends.len() as i64;
        let missing = ar.form("missing", &[], missing);
        if !ar.is_loading() {
            return array::elements(&mut self.depends, 0, ar);
        }
        self.depends.clear();
        let goes_on = |rows: usize, ar: &mut A| match missing {
            Some(missing) => (rows as i64).saturating_add(missing) < exports as i64,
            None => ar.claim(4, 0).is_ok(),
        };
        while self.depends.len() < exports && goes_on(self.depends.len(), ar) {
            ar.claim(1, size_of::<DependsRow>())?;
            let index = self.depends.len();
            let mut row = DependsRow::default();
            ar.enter(Step::Index(index));
            let read = row.serialize(ar);
            ar.leave();
            match read {
                Ok(()) => self.depends.push(row),
                Err(_) if missing.is_none() => break,
                Err(error) => return Err(error.at_index(index)),
            }
        }
        Ok(())
    }
}
