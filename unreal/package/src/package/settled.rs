//! The numbers that a save settles. They stand here, never in the package: it stays what it is.

use std::collections::BTreeMap;

use super::Package;
use crate::archive::{Archive, Archived, at_index};
use crate::error::Result;
use crate::primitive::WideIndex;
use crate::table::{Export, Pieces, Section, Tables};

/// Size and place of a body as its row says them.
#[derive(Debug, Clone, Copy)]
pub(super) struct SavedPlace {
    size: WideIndex,
    offset: WideIndex,
}

impl SavedPlace {
    /// As the row of an export has them.
    fn of(export: &Export) -> Self {
        Self { size: export.serial_size, offset: export.serial_offset }
    }

    /// Puts them into a row.
    fn put_in(self, export: &mut Export) {
        (export.serial_size, export.serial_offset) = (self.size, self.offset);
    }
}

/// The numbers that a save settles: the header and the tables that hold offsets, as they are saved.
pub(super) struct Settled {
    /// The sections of [`SETTLED`]. Others come in one at a time, while they are saved.
    pub tables: Tables,
    /// By export row; none as long as all are as the package has them.
    places: Vec<SavedPlace>,
    /// From UE5 1010, by export row: where the properties stand in bodies that have changed.
    script_ranges: BTreeMap<usize, (i64, i64)>,
    /// Bytes of the header's file when the bodies are in a file of their own.
    pub split: Option<u64>,
}

/// The sections that hold offsets. The export table does as well, and is too large to be copied.
const SETTLED: &[Section] = &[
    Section::Summary,
    Section::ThumbnailTable,
    Section::AssetRegistry,
    Section::CellExports,
    Section::DataResources,
];

impl Settled {
    /// The numbers that a package has.
    pub fn of(package: &Package) -> Self {
        let mut tables = Tables::default();
        SETTLED.iter().for_each(|&section| tables.copy_section(section, &package.tables));
        tables.images.clone_from(&package.tables.images);
        let (places, script_ranges) = Default::default();
        Self { tables, places, script_ranges, split: package.split }
    }

    /// Whether a section is here.
    #[inline]
    pub fn has(section: Section) -> bool {
        SETTLED.contains(&section)
    }

    /// Size and place of a body.
    #[inline]
    pub fn place(&self, exports: &Pieces<Export>, row: usize) -> SavedPlace {
        self.places.get(row).copied().unwrap_or_else(|| SavedPlace::of(&exports[row]))
    }

    /// Where an export without a body has one all the same.
    #[inline]
    pub fn empty_place(&self, exports: &Pieces<Export>, row: usize) -> Option<u64> {
        let SavedPlace { size, offset } = self.place(exports, row);
        u64::try_from(offset.value()).ok().filter(|&offset| offset > 0 && size.value() == 0)
    }

    /// Gives a body another size and place.
    pub fn set_place(&mut self, exports: &Pieces<Export>, row: usize, size: i64, offset: i64) {
        let mut place = self.place(exports, row);
        if (place.size.value(), place.offset.value()) == (size, offset) {
            return;
        }
        place.size.set(size);
        place.offset.set(offset);
        if self.places.is_empty() {
            self.places.reserve_exact(exports.len());
            self.places.extend(exports.iter().map(SavedPlace::of));
        }
        self.places[row] = place;
    }

    /// Says where the properties of a body stand now.
    #[inline]
    pub fn set_script_range(&mut self, row: usize, range: (i64, i64)) {
        self.script_ranges.insert(row, range);
    }

    /// Whether a row of the export table is saved otherwise than the package has it.
    #[inline]
    pub fn has_export_rows(&self) -> bool {
        !self.places.is_empty() || !self.script_ranges.is_empty()
    }

    /// Saves the export table with what is settled. One row is copied at a time: the table may have a million.
    pub fn save_exports<A: Archive + ?Sized>(
        &self,
        exports: &Pieces<Export>,
        ar: &mut A,
    ) -> Result<()> {
        let mut ranges = self.script_ranges.iter().peekable();
        for (row, export) in exports.iter().enumerate() {
            let mut export = export.clone();
            if let Some(place) = self.places.get(row) {
                place.put_in(&mut export);
            }
            if let Some((_, range)) = ranges.next_if(|(settled, _)| **settled == row) {
                export.script_serialization_start_offset = range.0;
                export.script_serialization_end_offset = range.1;
            }
            at_index(row, ar, |ar| export.serialize(ar))?;
        }
        Ok(())
    }
}
