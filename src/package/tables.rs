//! What a package holds: its header, its tables, and the bodies that are more than a range of the source.

use std::collections::{BTreeMap, BTreeSet};

use super::decode::Decoded;
use super::further::FurtherSections;
use super::lookup::NameLookup;
use crate::archive::Span;
use crate::primitive::{Guid, Rare};
use crate::table::{
    DependsRow, Export, ExportGuid, Import, ImportGuids, NameEntry, Summary, Thumbnail,
    ThumbnailImage,
};

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
