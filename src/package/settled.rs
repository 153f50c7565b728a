//! The numbers that a save settles, so that they can be taken back: the package stays what it was.

use std::sync::Arc;

use bytes::Bytes;

use super::Package;
use crate::archive::Span;
use crate::compression::Container;
use crate::primitive::WideIndex;
use crate::table::{Export, Summary, Thumbnail, ThumbnailImage};
use crate::version::threshold::ue5;

/// Size and place of a body as its row says them.
#[derive(Debug, Clone, Copy)]
pub(super) struct SavedPlace {
    size: WideIndex,
    offset: WideIndex,
}

impl SavedPlace {
    /// As the row of an export has them.
    pub fn of(export: &Export) -> Self {
        Self { size: export.serial_size, offset: export.serial_offset }
    }

    /// Whether a row has them, form and all.
    fn is_of(self, export: &Export) -> bool {
        self.size.is_stored_as(export.serial_size) && self.offset.is_stored_as(export.serial_offset)
    }

    /// Start and size, bytes from the start of the file.
    fn range(self) -> (u64, u64) {
        let number = |number: WideIndex| u64::try_from(number.value()).unwrap_or(0);
        (number(self.offset), number(self.size))
    }

    /// The body as a range of the source.
    pub fn span(self) -> Span {
        match self.range() {
            // Where nothing stands may be anywhere.
            (_, 0) => Span::default(),
            (start, size) => Span::source(start, size),
        }
    }

    /// Puts them into the row; gives what was there.
    pub fn put_in(self, export: &mut Export) -> Self {
        let before = Self::of(export);
        (export.serial_size, export.serial_offset) = (self.size, self.offset);
        before
    }
}

/// Where the properties stand in a body, as the row says it.
fn ranges(row: &Export) -> (i64, i64) {
    (row.script_serialization_start_offset, row.script_serialization_end_offset)
}

/// What a save changes in a package, as it was before.
pub(super) struct Unsettled {
    source: Bytes,
    container: Option<Arc<Container>>,
    split: Option<u64>,
    /// By export row.
    pub places: Vec<SavedPlace>,
    /// From UE5 1010: where the properties stand in the bodies.
    script_ranges: Vec<(i64, i64)>,
    summary: Summary,
    thumbnails: Vec<Thumbnail>,
    images: Vec<(u64, ThumbnailImage)>,
    dependency_data_offset: i64,
    cells: Vec<i64>,
    resources: Vec<i64>,
}

impl Unsettled {
    /// Remembers the numbers of a package.
    pub fn of(package: &Package) -> Self {
        let tables = &package.tables;
        let further = &tables.further;
        let versions = &package.versions;
        let has_ranges =
            versions.ue5 >= ue5::SCRIPT_SERIALIZATION_OFFSET && !versions.unversioned_properties;
        let script_ranges = match has_ranges {
            true => tables.exports.iter().map(ranges).collect(),
            false => Vec::new(),
        };
        let resources = further.data_resources.iter().flat_map(|table| &table.rows);
        Self {
            source: package.source.clone(),
            container: package.container.clone(),
            split: package.split,
            places: tables.exports.iter().map(SavedPlace::of).collect(),
            script_ranges,
            summary: tables.summary.clone(),
            thumbnails: tables.thumbnails.clone(),
            images: tables.images.clone(),
            dependency_data_offset: further
                .asset_registry
                .as_ref()
                .map_or(0, |registry| registry.dependency_data_offset),
            cells: further.cell_exports.iter().map(|row| row.serial_offset).collect(),
            resources: resources.map(|row| row.serial_offset).collect(),
        }
    }

    /// Where bulk data started.
    pub fn bulk_data_start(&self) -> i64 {
        self.summary.bulk_data_start_offset
    }

    /// Puts them back.
    pub fn put_back(self, package: &mut Package) {
        (package.source, package.container, package.split) =
            (self.source, self.container, self.split);
        let tables = &mut package.tables;
        let count = tables.exports.len();
        // Rows that are as they were may stay shared.
        for (row, place) in self.places.into_iter().enumerate().take(count) {
            if !place.is_of(&tables.exports[row]) {
                place.put_in(&mut tables.exports[row]);
            }
        }
        for (row, range) in self.script_ranges.into_iter().enumerate().take(count) {
            if ranges(&tables.exports[row]) != range {
                let row = &mut tables.exports[row];
                (row.script_serialization_start_offset, row.script_serialization_end_offset) =
                    range;
            }
        }
        tables.summary = self.summary;
        (tables.thumbnails, tables.images) = (self.thumbnails, self.images);
        let has_cells_or_resources = !self.cells.is_empty() || !self.resources.is_empty();
        if !has_cells_or_resources && tables.further.asset_registry.is_none() {
            return;
        }
        let further = &mut *tables.further;
        if let Some(registry) = &mut further.asset_registry {
            registry.dependency_data_offset = self.dependency_data_offset;
        }
        for (offset, row) in self.cells.into_iter().zip(&mut further.cell_exports) {
            row.serial_offset = offset;
        }
        let resources = further.data_resources.iter_mut().flat_map(|table| &mut table.rows);
        for (offset, row) in self.resources.into_iter().zip(resources) {
            row.serial_offset = offset;
        }
    }
}
