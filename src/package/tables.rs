//! What a package holds: its header, its tables, and the bodies that are more than a range of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::decode::Decoded;
use super::further::FurtherSections;
use super::lookup::NameLookup;
use super::section::SectionPlace;
use crate::archive::Span;
use crate::error::{ErrorKind, Result};
use crate::package::Package;
use crate::primitive::{Guid, Rare};
use crate::property::Layouts;
use crate::table::{
    DependsRow, Export, ExportGuid, Import, ImportGuids, NameEntry, Summary, Thumbnail,
    ThumbnailImage,
};
use crate::version::Versions;
use crate::version::threshold::ue5;

/// The header and the tables of a package; one that the version lacks is empty.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Tables {
    /// The header.
    pub summary: Summary,
    /// The GUIDs of this package and its predecessors, below file version 68.
    pub heritage: Vec<Guid>,
    /// The name table.
    pub names: Vec<NameEntry>,
    /// The import table.
    pub imports: Vec<Import>,
    /// The export table.
    pub exports: Vec<Export>,
    /// Sections that few packages have; empty before UE4.
    pub further: Rare<FurtherSections>,
    /// What must exist before each export loads, by export row; may be shorter than the export table.
    pub depends: Vec<DependsRow>,
    /// GUIDs of objects of other levels.
    pub import_guids: Vec<ImportGuids>,
    /// GUIDs of this package's objects.
    pub export_guids: Vec<ExportGuid>,
    /// The thumbnail table.
    pub thumbnails: Vec<Thumbnail>,
    /// The images with the offset at which each was found; a thumbnail names its image by that offset.
    pub images: Vec<(u64, ThumbnailImage)>,
    pub(crate) lookup: NameLookup,
}

impl Tables {
    /// The image of a thumbnail, if its offset holds one.
    pub fn image(&self, thumbnail: &Thumbnail) -> Option<&ThumbnailImage> {
        let offset = u64::try_from(thumbnail.file_offset).ok()?;
        let at = self.images.binary_search_by_key(&offset, |(offset, _)| *offset).ok()?;
        Some(&self.images[at].1)
    }

    /// Brings the counts of the summary and of the newest generation up to date.
    pub(crate) fn sync_counts(&mut self, versions: &Versions) -> Result<()> {
        let summary = &mut self.summary;
        let names = next_row(self.names.len())?;
        if summary.name_count != names && versions.ue5 >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA {
            // New names stand at the end and bodies may use them (spec: ue4-5/03 §1).
            summary.names_referenced_from_export_data_count = names;
        }
        summary.name_count = names;
        summary.import_count = next_row(self.imports.len())?;
        summary.export_count = next_row(self.exports.len())?;
        if let Some(newest) = summary.generations.last_mut() {
            newest.name_count = summary.name_count;
            newest.export_count = summary.export_count;
        }
        Ok(())
    }
}

/// The number of the next row of a table.
pub(crate) fn next_row(rows: usize) -> Result<i32> {
    i32::try_from(rows).map_err(|_| ErrorKind::OutOfRange { value: rows as i128, bits: 31 }.into())
}

/// What an edit may change of a package.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    pub versions: &'a mut Versions,
    pub tables: &'a mut Tables,
    pub bodies: &'a mut Bodies,
    /// What the classes of other packages declare.
    pub known: &'a mut Arc<Layouts>,
}

impl Package {
    /// The header and the tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Bodies that are more than a range of the source.
    pub(crate) fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// What the classes of other packages declare.
    pub(crate) fn known(&self) -> &Layouts {
        &self.known
    }

    /// Where the header's sections were found, in order of their claims.
    pub(crate) fn header_places(&self) -> &[SectionPlace] {
        &self.places
    }

    /// What an edit may change. Which section owns which bytes of the source is found out before.
    pub(crate) fn parts_mut(&mut self) -> Parts<'_> {
        self.claims();
        Parts {
            versions: &mut self.versions,
            tables: &mut self.tables,
            bodies: &mut self.bodies,
            known: &mut self.known,
        }
    }
}

/// Bodies that are more than a range of the source, by export row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bodies {
    /// Bodies that were replaced.
    pub replaced: BTreeMap<usize, Span>,
    /// Bodies in their typed form.
    pub decoded: BTreeMap<usize, Decoded>,
    /// Bodies that must stay where they are although their bytes do not show why: their document says so.
    pub pinned: BTreeSet<usize>,
}
