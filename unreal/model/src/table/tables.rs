//! All tables of a package.

use super::lookup::NameLookup;
use super::{
    AssetData, DependsRow, Export, ExportGuid, FurtherSections, Import, ImportGuids, NameEntry,
    Pieces, Summary, Thumbnail, ThumbnailImage,
};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Guid, Rare};
use crate::version::threshold::ue5;
use crate::version::{UnrealVersions, Versions};

/// The header and the tables of a package; one that the version lacks is empty.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Tables {
    /// The header.
    pub summary: Summary,
    /// The GUIDs of this package and its predecessors, below file version 68.
    pub heritage: Vec<Guid>,
    /// The name table.
    pub names: Pieces<NameEntry>,
    /// The import table.
    pub imports: Vec<Import>,
    /// The export table.
    pub exports: Pieces<Export>,
    /// Sections that few packages have; empty before UE4.
    pub further: Rare<FurtherSections>,
    /// Objects that must exist before each export loads, by export row; may be shorter than the export table.
    pub depends: Vec<DependsRow>,
    /// GUIDs of objects of other levels.
    pub import_guids: Vec<ImportGuids>,
    /// GUIDs of this package's objects.
    pub export_guids: Vec<ExportGuid>,
    /// The thumbnail table.
    pub thumbnails: Vec<Thumbnail>,
    /// The images with the offset at which each was found; a thumbnail names its image by that offset.
    pub images: Vec<(u64, ThumbnailImage)>,
    #[doc(hidden)]
    pub lookup: NameLookup,
}

impl Tables {
    /// The image of a thumbnail, if its offset holds one.
    #[inline]
    pub fn image(&self, thumbnail: &Thumbnail) -> Option<&ThumbnailImage> {
        let offset = u64::try_from(thumbnail.file_offset).ok()?;
        let at = self.images.binary_search_by_key(&offset, |(offset, _)| *offset).ok()?;
        Some(&self.images[at].1)
    }

    /// The header, the imports and what few packages have, without names, exports and what counts on these.
    #[doc(hidden)]
    pub fn without_objects(&self) -> Self {
        Self {
            summary: self.summary.clone(),
            heritage: self.heritage.clone(),
            further: self.further.clone(),
            imports: self.imports.clone(),
            import_guids: self.import_guids.clone(),
            export_guids: self.export_guids.clone(),
            thumbnails: self.thumbnails.clone(),
            images: self.images.clone(),
            ..Self::default()
        }
    }

    /// The rows of the asset registry, where there is one.
    #[doc(hidden)]
    #[inline]
    pub fn assets_mut(&mut self) -> Option<&mut Vec<AssetData>> {
        Some(&mut self.further.asset_registry.as_mut()?.assets)
    }

    /// Brings the counts of the summary and of the newest generation up to date.
    #[doc(hidden)]
    pub fn sync_counts(&mut self, versions: &Versions) -> Result<()> {
        let summary = &mut self.summary;
        let names = next_row(self.names.len())?;
        if summary.name_count != names && versions.ue5() >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA {
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
        self.sync_further()
    }
}

/// The number of the next row of a table.
#[doc(hidden)]
pub fn next_row(rows: usize) -> Result<i32> {
    i32::try_from(rows).map_err(|_| ErrorKind::OutOfRange { value: rows as i128, bits: 31 }.into())
}
